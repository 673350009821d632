// The length of the line that has been typed to a terminal in canonical mode.
//
// The kernel keeps 4,095 bytes of a line and silently drops the rest, although
// write() reports that all bytes were written. Therefore Input refuses a write
// with a longer line before it types any part of that write. The length is an
// upper bound: erased characters still count.
#pragma once

#include <termios.h>

#include <cstddef>
#include <string_view>

namespace glasstty::holder {

class CookedLine {
 public:
  // Returns true if no line becomes too long when `text` is typed now.
  bool Fits(const termios& attributes, std::string_view text) const;
  // Counts `text`, which has been typed.
  void Add(const termios& attributes, std::string_view text);
  // Forgets the line, because it was read in raw mode or flushed.
  void Reset() { *this = CookedLine(); }
  size_t length() const { return length_; }

 private:
  // Counts `text`, and returns the maximum length that a line reaches.
  size_t Advance(const termios& attributes, std::string_view text);

  size_t length_ = 0;
  bool quoted_ = false;  // the last byte was the quote character (^V)
};

}  // namespace glasstty::holder
