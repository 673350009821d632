// Finds the points at which a person's bytes may follow those of a server:
// between two keys, but not inside a key or a paste.
//
// A value that is fed what was typed. Knows the syntax of keys (UTF-8, escape
// sequences) and the brackets of a paste (xterm's ctlseqs, "Bracketed Paste
// Mode"), but not what the keys mean.
#pragma once

#include <string>
#include <string_view>

namespace glasstty::holder {

inline constexpr std::string_view kPasteEnd = "\x1b[201~";

class KeyStream {
 public:
  void Feed(std::string_view typed);
  // True if nothing is half typed: no character and no escape sequence. A lone
  // Escape is a key.
  bool IsBetweenKeys() const {
    return state_ == State::kGround || state_ == State::kEscape;
  }
  // True if a paste was begun and not ended.
  bool in_paste() const { return in_paste_; }
  // Returns how many bytes of `rest` complete what is half typed.
  size_t Unfinished(std::string_view rest) const;

 private:
  enum class State { kGround, kCharacter, kEscape, kShift, kSequence };

  void Feed(char c);

  State state_ = State::kGround;
  int missing_ = 0;       // bytes of a character
  std::string sequence_;  // what follows "\e[", as far as it may be a bracket
  bool in_paste_ = false;
};

}  // namespace glasstty::holder
