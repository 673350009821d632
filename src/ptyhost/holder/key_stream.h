// Follows the text that one writer types, to find the points at which another
// writer may go on: between two keys, and not inside a paste.
//
// A value. Parses the syntax of keys (UTF-8, escape sequences) and the brackets
// of a paste (xterm's ctlseqs, "Bracketed Paste Mode"), but does not interpret
// the keys.
#pragma once

#include <string>
#include <string_view>

namespace glasstty::holder {

inline constexpr std::string_view kPasteEnd = "\x1b[201~";

class KeyStream {
 public:
  void Feed(std::string_view typed);
  // Returns true if no character and no escape sequence is half typed. A lone
  // Escape counts as a complete key.
  bool IsBetweenKeys() const {
    return state_ == State::kGround || state_ == State::kEscape;
  }
  // True if a paste has begun and not ended yet.
  bool in_paste() const { return in_paste_; }
  // Returns how many bytes at the start of `rest` complete the character or
  // escape sequence that is half typed; 0 between keys, even inside a paste.
  // Here, a lone Escape counts as half typed.
  size_t Unfinished(std::string_view rest) const;

 private:
  enum class State { kGround, kCharacter, kEscape, kShift, kSequence };

  void Feed(char c);

  State state_ = State::kGround;
  int missing_ = 0;       // bytes that a character still lacks
  std::string sequence_;  // the first bytes after "\e["
  bool in_paste_ = false;
};

}  // namespace glasstty::holder
