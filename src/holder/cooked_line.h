// The length of the line that has been typed to a terminal in canonical mode.
//
// The kernel keeps 4,095 bytes of a line and silently drops the rest, although
// write() reports that all were written. Therefore a longer line is refused
// before it is typed. The count is an upper bound: erased characters still
// count.
#pragma once

#include <termios.h>

#include <cstddef>
#include <string_view>

namespace glasstty::holder {

inline constexpr size_t kMaxCookedLine = 4095;

class CookedLine {
 public:
  // True when no line gets too long by typing `text` after what was typed
  // before.
  bool Fits(const termios& attributes, std::string_view text) const;
  // `text` is typed.
  void Add(const termios& attributes, std::string_view text);
  // The line is gone: read raw, or flushed.
  void Reset() { *this = CookedLine(); }
  size_t length() const { return length_; }

 private:
  // Returns the greatest length on the way.
  size_t Advance(const termios& attributes, std::string_view text);

  size_t length_ = 0;
  bool quoted_ = false;  // the last byte was the quote character (^V)
};

}  // namespace glasstty::holder
