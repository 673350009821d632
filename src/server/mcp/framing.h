// Splits bytes into lines of limited length.
//
// Buffers everything that was added and not yet taken out, so the caller must
// take lines out before it adds much more. Does not read descriptors, and does
// not parse lines, except for the id of a line that is too long. Loop thread
// only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "mcp/long_message.h"

namespace glasstty::mcp {

class LineSplitter {
 public:
  static constexpr size_t kMaxLine = 4 << 20;

  explicit LineSplitter(size_t max_line = kMaxLine) : max_line_(max_line) {}

  void Add(std::string_view bytes);

  enum class Step {
    kMore,     // no complete line yet
    kLine,     // `*line` is the next line, without "\n" or "\r\n"
    kTooLong,  // a line passed the limit; it is skipped up to its end, and
               // reported once. `*line` is the id of the message as JSON, or ""
               // if there is none
  };
  // Blank lines are skipped, and so is a byte order mark at the start.
  Step Next(std::string* line);

  // Call after the last byte: returns the text after the last newline.
  std::string TakeRest();
  // The number of buffered bytes.
  size_t size() const { return buffer_.size() - begin_; }

 private:
  bool Skip(size_t length, bool is_whole, std::string* id);
  void Drop(size_t bytes);
  std::string Cleaned(std::string_view line) const;

  const size_t max_line_;
  std::string buffer_;
  size_t begin_ = 0;    // the first byte that was not returned yet
  size_t scanned_ = 0;  // there is no newline between begin_ and here
  bool at_start_ = true;
  bool skipping_ = false;  // inside a line that is too long
  LongMessage skipped_;    // the line that is too long
  bool reported_ = false;
};

}  // namespace glasstty::mcp
