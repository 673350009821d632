#include "mcp/framing.h"

namespace glasstty::mcp {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// A buffer that a big line has enlarged beyond this is released; a small one is
// kept.
constexpr size_t kKeptCapacity = 256 << 10;

}  // namespace

// buffer_ is [returned | begin_: no newline up to scanned_ | not searched].
// Each byte is searched once, however the input is split.
void LineSplitter::Add(std::string_view bytes) { buffer_.append(bytes); }

// A line that is too long is reported once, when it exceeds the limit, and its
// rest is dropped as it arrives (`skipping_`). Blank lines are skipped.
LineSplitter::Step LineSplitter::Next(std::string* line) {
  while (true) {
    size_t end = buffer_.find('\n', scanned_);
    if (end == std::string::npos) {
      scanned_ = buffer_.size();
      // Report at the limit and not at the newline, which may never come.
      bool too_long = !skipping_ && size() > max_line_;
      if (skipping_ || too_long) Drop(size());
      skipping_ |= too_long;
      return too_long ? Step::kTooLong : Step::kMore;
    }
    size_t length = end - begin_;
    bool reported = skipping_;
    bool too_long = length > max_line_;
    if (!reported && !too_long) {
      *line = Cleaned(std::string_view(buffer_).substr(begin_, length));
    }
    skipping_ = false;
    Drop(length + 1);
    if (reported) continue;
    if (too_long) return Step::kTooLong;
    if (line->find_first_not_of(" \t") != std::string::npos) return Step::kLine;
  }
}

// The last line may lack its newline; nothing remains of a line that is being
// skipped.
std::string LineSplitter::TakeRest() {
  std::string rest;
  if (!skipping_) rest = Cleaned(std::string_view(buffer_).substr(begin_));
  Drop(size());
  return rest;
}

// Removes the first `bytes`. Moves the rest only if it is the smaller part, so
// many lines in one buffer cost no more than one.
void LineSplitter::Drop(size_t bytes) {
  at_start_ = false;
  begin_ += bytes;
  scanned_ = begin_;
  if (begin_ == buffer_.size()) {
    begin_ = scanned_ = 0;
    buffer_.clear();
    if (buffer_.capacity() > kKeptCapacity) buffer_.shrink_to_fit();
  } else if (begin_ > kKeptCapacity && begin_ > buffer_.size() / 2) {
    buffer_.erase(0, begin_);
    begin_ = scanned_ = 0;
  }
}

std::string LineSplitter::Cleaned(std::string_view line) const {
  if (at_start_ && line.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    line.remove_prefix(kByteOrderMark.size());
  }
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return std::string(line);
}

}  // namespace glasstty::mcp
