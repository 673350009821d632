#include "mcp/framing.h"

#include <utility>

namespace glasstty::mcp {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// A buffer that a big line has enlarged beyond this is released; a small one is
// kept.
constexpr size_t kKeptCapacity = 256 << 10;

}  // namespace

// buffer_ is [returned | begin_: has no newline | scanned_: not searched]. Each
// byte is searched once, however the input is split.
void LineSplitter::Add(std::string_view bytes) { buffer_.append(bytes); }

LineSplitter::Step LineSplitter::Next(std::string* line) {
  while (true) {
    size_t end = buffer_.find('\n', scanned_);
    bool is_whole = end != std::string::npos;
    size_t length = (is_whole ? end : buffer_.size()) - begin_;
    if (skipping_ || length > max_line_) {
      if (Skip(length, is_whole, line)) return Step::kTooLong;
      if (!is_whole) return Step::kMore;
      continue;
    }
    if (!is_whole) {
      scanned_ = buffer_.size();
      return Step::kMore;
    }
    *line = Cleaned(std::string_view(buffer_).substr(begin_, length));
    Drop(length + 1);
    if (line->find_first_not_of(" \t") != std::string::npos) return Step::kLine;
  }
}

// Drops a piece of a line that is too long. Returns true if the line must be
// reported now: once its id is known, or at its end, because the id may be the
// last member. A line that is not a message is reported immediately, because it
// may never end.
bool LineSplitter::Skip(size_t length, bool is_whole, std::string* id) {
  if (!std::exchange(skipping_, true)) {
    skipped_ = LongMessage();
    reported_ = false;
  }
  skipped_.Add(std::string_view(buffer_).substr(begin_, length));
  Drop(length + (is_whole ? 1 : 0));
  if (is_whole) skipping_ = false;
  if (reported_ || !(is_whole || skipped_.done())) return false;
  *id = skipped_.id();
  return reported_ = true;
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
// that taking many lines out of a large buffer is cheap.
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
