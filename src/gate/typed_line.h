// The line that stands at a prompt, as far as it can be told from what was
// typed: text may come in pieces before Enter.
//
// Knows text, pastes, and the keys that take text away at the end. Every other
// key (history, completion, a movement) makes the line uncertain; the caller
// reads it from the screen. A value; the bytes are those that the terminal
// gets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glasstty {

class TypedLine {
 public:
  // A line that was given to the program.
  struct Entered {
    std::string text;
    // It may hold text that was not typed, or not in this order.
    bool uncertain = false;
  };

  // Takes typed bytes; returns the lines that they enter.
  std::vector<Entered> Type(std::string_view bytes);

  // Lines that were entered and wait for more (an open quote, a statement
  // without its semicolon) come back with the next one.
  void Keep(std::string before) { before_ = std::move(before); }
  // As after Ctrl-C: nothing is typed, kept or pasted.
  void Clear() { *this = TypedLine(); }

  // What would be entered now.
  std::string text() const { return before_ + line_; }

 private:
  // The bytes of the key at the beginning of `bytes`, which has been done.
  size_t TakeKey(std::string_view bytes, std::vector<Entered>* entered);

  // What Keep() was given.
  std::string before_;
  std::string line_;
  bool uncertain_ = false;
  // Between the marks of a bracketed paste everything is text.
  bool pasting_ = false;
};

}  // namespace glasstty
