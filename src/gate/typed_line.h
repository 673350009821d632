// The line that stands at a prompt, as far as it can be told from what was
// typed: text may come in pieces and be edited before Enter.
//
// Knows the keys of line editors that everybody uses (readline's and zle's
// defaults). A key that brings in text from elsewhere (history, completion, a
// kill buffer) makes the line uncertain; the caller may know better from the
// screen. A value; the bytes are those that the terminal gets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty {

class TypedLine {
 public:
  // A line that was given to the program.
  struct Entered {
    std::string text;
    // It may hold text that was not typed.
    bool uncertain = false;
  };

  // Takes typed bytes; returns the lines that they enter. A key that is cut
  // between two calls counts as one that is not known.
  std::vector<Entered> Type(std::string_view bytes);

  // Lines that were entered and wait for more (an open quote, a statement
  // without its semicolon) come back with the next one.
  void Keep(std::string before) { before_ = std::move(before); }
  // As after Ctrl-C: nothing is typed, kept or pasted.
  void Clear();

  // What would be entered now.
  std::string text() const { return before_ + line_; }
  // A key brought text from elsewhere: history, completion, a yank. Stays until
  // the line is entered or cleared.
  bool uncertain() const { return uncertain_; }
  bool empty() const { return before_.empty() && line_.empty(); }

 private:
  // The length of the key at the beginning of `bytes`, which has been done.
  size_t TakeKey(std::string_view bytes, std::vector<Entered>* entered);
  // As TakeKey, for what begins with Escape.
  size_t TakeEscape(std::string_view bytes);
  // At the cursor, which ends behind it.
  void Insert(std::string_view text);
  // Bytes [from, to) of the line; the cursor ends at `from`.
  void Delete(size_t from, size_t to);
  void Enter(std::vector<Entered>* entered);
  // Places in bytes, one character or word before or behind the cursor; the
  // cursor's own where there is none.
  size_t CharacterBefore() const;
  size_t CharacterAfter() const;
  size_t WordBefore(bool only_blanks) const;
  size_t WordAfter() const;

  // What Keep() was given.
  std::string before_;
  std::string line_;
  // In bytes; at the beginning of a character.
  size_t at_ = 0;  // of the cursor
  bool uncertain_ = false;
  // Between the marks of a bracketed paste a newline is text.
  bool pasting_ = false;
};

}  // namespace glasstty
