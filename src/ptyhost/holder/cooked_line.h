// The length of the line that has been typed to a terminal in canonical mode.
//
// The kernel keeps 4,095 bytes of a line and silently drops the rest, although
// write() reports that all bytes were written. Therefore a write with a longer
// line is refused before any of it is typed, even if it consists of several
// packets. The count is an upper bound: erased characters still count.
#pragma once

#include <termios.h>

#include <cstddef>
#include <string_view>

namespace glasstty::holder {

class CookedLine {
 public:
  // Returns true if typing `text` now makes no line too long.
  bool Fits(const termios& attributes, std::string_view text) const;
  // Counts `text`, which has been typed.
  void Add(const termios& attributes, std::string_view text);
  // Forgets the line, which was read in raw mode or flushed.
  void Reset() { *this = CookedLine(); }
  size_t length() const { return length_; }

 private:
  // Counts `text`, and returns the maximum length that the line reaches.
  size_t Advance(const termios& attributes, std::string_view text);

  size_t length_ = 0;
  bool quoted_ = false;  // the last byte was the quote character (^V)
};

}  // namespace glasstty::holder
