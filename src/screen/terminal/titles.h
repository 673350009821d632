// Keeps the title of the terminal's window, and the stack on which programs
// save it (CSI 22 t and 23 t) while they show their own.
//
// Titles are only displayed, and never sent back to the program. If a program
// saves more than ten titles, the oldest is dropped, as in xterm.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "terminal/state_codec.h"

namespace glasstty::terminal {

class Titles {
 public:
  // The part of a title to which a sequence refers. Icon names are not kept.
  enum class Part { kBoth = 0, kIcon = 1, kWindow = 2 };

  // Sets the title, without the blanks around it.
  void Set(std::string_view title);
  const std::string& title() const { return title_; }

  // For kIcon, an empty entry takes a place on the stack.
  void Push(Part part);
  // Returns true if the title has changed.
  bool Pop(Part part);

  void Carry(StateCodec* codec);

 private:
  static constexpr size_t kMaxPushed = 10;

  std::string title_;
  std::deque<std::optional<std::string>> pushed_;  // oldest first
};

}  // namespace glasstty::terminal
