// How a log becomes a screen, the same live and replayed.
//
// The bytes between consumed and end are read in pieces, and fed in moments
// (terminal/moment.h) while somebody looks closely. What is fed never crosses
// the place of a resize or of a wanted call: both happen between two bytes, and
// where exactly they happen decides what the screen looks like (a program draws
// its new picture only after the new size). Bytes that the disk did not take
// come from memory (AddInline) when their offset is reached. A hole that
// neither has is skipped and counted: the log's offsets count every byte the
// terminal has printed, so they stay true behind it.
#include "session/log_feed.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "support/log.h"

namespace glasstty {
namespace {

// Between two looks at the clock and at the waiters: 0.05 to 0.2 ms of feeding.
constexpr size_t kPieceBytes = 16 << 10;

}  // namespace

LogFeed::LogFeed(Loop* loop, int dir_fd, std::string stem, Terminal* terminal,
                 Cut cut, std::function<bool()> fed)
    : terminal_(terminal),
      cut_(std::move(cut)),
      fed_(std::move(fed)),
      reader_(dir_fd, std::move(stem)),
      work_(loop, Urgency::kFeed, [this] { return Slice(); }),
      flood_work_(loop, Urgency::kBulk, [this] { return Slice(); }) {}

void LogFeed::SetEnd(uint64_t end) {
  end_ = std::max(end_, end);
  // Also when the end is known: the disk may not have had it until now.
  if (consumed_ < end_) Schedule();
}

void LogFeed::AddResize(uint64_t offset, Size size) {
  resizes_.push_back({offset, size});
  ApplyDue();
}

// `offset` may lie ahead of what is known: the disk may still hold what comes
// before it.
void LogFeed::AddInline(uint64_t offset, std::string_view bytes) {
  inline_.push_back({offset, std::string(bytes)});
  SetEnd(offset + bytes.size());
}

void LogFeed::StartAt(uint64_t offset) {
  lost_ += offset - consumed_;
  consumed_ = offset;
  unfed_ = {};
  end_ = std::max(end_, offset);
  ApplyDue();
}

void LogFeed::CallAt(uint64_t offset, std::function<void()> reached) {
  calls_.emplace(offset, std::move(reached));
  ApplyDue();
}

void LogFeed::Schedule() { (is_flood_ ? flood_work_ : work_).Schedule(); }

// What it has become decides about the next turn.
bool LogFeed::Slice() {
  Time stop = MonotonicNow() + Loop::kBudget;
  while (consumed_ < end_) {
    // A later SetEnd, or the skipped hole, schedules the next turn.
    if (unfed_.empty() && !ReadPiece()) return false;
    if (!FeedMoment() || MonotonicNow() >= stop) break;
  }
  if (consumed_ < end_) Schedule();
  return false;
}

bool LogFeed::ReadPiece() {
  piece_.resize(std::min<uint64_t>(kPieceBytes, end_ - consumed_));
  size_t size = ReadLog(piece_.data(), piece_.size());
  unfed_ = std::string_view(piece_).substr(0, size);
  return size > 0;
}

bool LogFeed::FeedMoment() {
  uint64_t size = unfed_.size();
  // A resize and a call take place between two bytes.
  if (!resizes_.empty()) {
    size = std::min(size, resizes_.front().offset - consumed_);
  }
  if (!calls_.empty()) size = std::min(size, calls_.begin()->first - consumed_);
  size = cut_(unfed_.substr(0, size));
  terminal_->Feed(unfed_.substr(0, size));
  unfed_.remove_prefix(size);
  consumed_ += size;
  ApplyDue();
  return !fed_();
}

size_t LogFeed::ReadLog(char* buffer, size_t size) {
  if (!inline_.empty() && inline_.front().offset == consumed_) {
    Inline& head = inline_.front();
    size_t n = std::min(size, head.bytes.size());
    std::copy_n(head.bytes.data(), n, buffer);
    head.bytes.erase(0, n);
    head.offset += n;
    if (head.bytes.empty()) inline_.pop_front();
    return n;
  }
  ssize_t n = reader_.Read(consumed_, buffer, size);
  if (n > 0) return static_cast<size_t>(n);
  // The cap has removed the segment, or a full disk never had it.
  if (n < 0 && errno == ENODATA) {
    uint64_t next = std::min(reader_.NextKept(consumed_), end_);
    if (!inline_.empty()) next = std::min(next, inline_.front().offset);
    Warn("log: bytes %d to %d are lost", consumed_, next);
    if (next > consumed_) {
      StartAt(next);
      Schedule();
    }
  } else if (n < 0) {
    Warn("log: cannot read at %d: errno %d", consumed_, errno);
  }
  return 0;
}

void LogFeed::ApplyDue() {
  while (!resizes_.empty() && resizes_.front().offset <= consumed_) {
    Size size = resizes_.front().size;
    resizes_.pop_front();
    absl::Status status = terminal_->Resize(size);
    if (!status.ok()) Warn("log: resize: %s", status.ToString());
  }
  while (!calls_.empty() && calls_.begin()->first <= consumed_) {
    // Off the list first: the call may ask for another.
    auto call = std::move(calls_.begin()->second);
    calls_.erase(calls_.begin());
    call();
  }
}

}  // namespace glasstty
