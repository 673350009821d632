// Finds the points in typed text at which another writer's text may follow:
// between two keys, but not inside a key or a paste.
//
// A value that is fed everything that is typed. It parses the syntax of keys
// (UTF-8, escape sequences) and the brackets of a paste (xterm's ctlseqs,
// "Bracketed Paste Mode"), but does not interpret the keys.
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
  // Returns how many bytes of `rest` complete the character or escape sequence
  // that is half typed; 0 between keys, even inside a paste. A lone Escape
  // counts as half typed.
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
