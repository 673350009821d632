// A list on a person's terminal, from which they choose one row.
//
// Arrows, j and k move; other letters narrow the list to the rows that contain
// what has been typed; Enter chooses; Escape leaves. Owns the stage on the
// outer terminal; borrows the terminal and the loop. Loop thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "attach/outer_terminal.h"
#include "attach/stage.h"
#include "support/loop.h"

namespace glasstty::attach {

class Picker {
 public:
  // Returns a heading and the rows, all of at most `width` columns; with
  // `styles`, they may set colours.
  using Lines = std::function<std::vector<std::string>(int width, bool styles)>;

  // Row `i` passes the filter if `texts[i]` contains the typed text. The loop
  // stops once the person has chosen or left.
  Picker(Loop* loop, OuterTerminal* outer, std::vector<std::string> texts,
         Lines lines);

  // The chosen row; nullopt if the person has left.
  std::optional<size_t> chosen() const { return chosen_; }

 private:
  void OnKey(const TypedKey& key);
  // Moves the mark if `key` is bound to a movement; else returns false.
  bool Move(const std::string& key);
  void Narrow(const std::string& filter);
  void End(std::optional<size_t> chosen);
  std::string Paint();

  Loop* const loop_;
  const std::vector<std::string> texts_;
  const Lines lines_;
  std::vector<size_t> rows_;  // the rows that match the filter
  size_t at_ = 0;             // an index of rows_
  size_t first_shown_ = 0;    // an index of rows_
  size_t last_ = 0;           // the row that was marked last
  bool is_filtering_ = false;
  std::string filter_;
  std::optional<size_t> chosen_;
  Stage stage_;
};

}  // namespace glasstty::attach
