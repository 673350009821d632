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

namespace glasstty::gate {

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
  void Clear() { *this = TypedLine(); }

  // What would be entered now.
  std::string text() const { return before_ + line_; }

 private:
  // Where a key takes the cursor.
  enum class Place {
    kCursor,
    kStart,
    kEnd,
    kCharacterBefore,
    kCharacterAfter,
    // One word of letters and digits away, or one between blanks.
    kWordBefore,
    kWordAfter,
    kBlankBefore,
  };
  struct EditingKey {
    std::string_view bytes[5];
    Place place;
    // What lies between the cursor and the place.
    bool deletes = false;
  };
  static const EditingKey kEditingKeys[];

  void TakeKey(std::string_view key, std::vector<Entered>* entered);
  void Insert(char c) { line_.insert(cursor_++, 1, c); }
  // In bytes; at the beginning of a character.
  size_t Find(Place place) const;

  // What Keep() was given.
  std::string before_;
  std::string line_;
  size_t cursor_ = 0;
  bool uncertain_ = false;
  // Between the marks of a bracketed paste everything is text.
  bool pasting_ = false;
};

}  // namespace glasstty::gate
