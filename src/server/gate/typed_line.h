// Reconstructs the line at a prompt from the typed bytes. Text may come in
// pieces and be edited before Enter.
//
// Implements common keys of readline's Emacs mode. A key that inserts text from
// elsewhere (history, completion, a kill buffer) makes the line uncertain, and
// so does one with which another editor may do something else; the screen may
// show the result. A value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty::gate {

class TypedLine {
 public:
  // A line that was given to the program.
  struct Entered {
    std::string text;
    // The line may differ from `text`.
    bool uncertain = false;
  };

  // Processes typed bytes and returns the lines that they enter. If a call ends
  // inside a key, the key's rest is text.
  std::vector<Entered> Type(std::string_view bytes);

  // Keeps an entered line that is incomplete (an open quote), so that the next
  // entered line includes it.
  void Keep(std::string before) { before_ = std::move(before); }
  // Forgets everything that was typed, kept or pasted, as after Ctrl-C.
  void Clear() { *this = TypedLine(); }

  // Returns the text that Enter would enter now.
  std::string text() const { return before_ + line_; }

 private:
  void TakeKey(std::string_view key, std::vector<Entered>* entered);
  void Insert(char c) { line_.insert(cursor_++, 1, c); }

  // The text passed to Keep().
  std::string before_;
  std::string line_;
  size_t cursor_ = 0;
  bool uncertain_ = false;
  // True between the marks of a bracketed paste, where everything is text.
  bool pasting_ = false;
};

}  // namespace glasstty::gate
