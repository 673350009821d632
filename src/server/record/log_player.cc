// The position of a size change affects the screen, because a program redraws
// only after it. Offsets count every byte that the program has printed,
// including those in holes, so they stay correct after a hole.
#include "record/log_player.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "support/status.h"

namespace glasstty::record {

LogPlayer::LogPlayer(int dir_fd, std::string stem)
    : reader_(dir_fd, std::move(stem)) {}

void LogPlayer::SetEnd(uint64_t end) { end_ = std::max(end_, end); }

void LogPlayer::AddSize(uint64_t offset, terminal::Size size) {
  sizes_.push_back({offset, size});
}

void LogPlayer::AddBytes(uint64_t offset, std::string bytes) {
  if (offset + bytes.size() < offset) return;
  SetEnd(offset + bytes.size());
  inline_.push_back({offset, std::move(bytes)});
}

void LogPlayer::AddHole(uint64_t offset, uint64_t size) {
  if (offset + size < offset) return;
  SetEnd(offset + size);
  inline_.push_back({offset, "", size});
}

void LogPlayer::GiveUpMissing() { gives_up_ = true; }

absl::StatusOr<uint64_t> LogPlayer::FirstKept() const {
  auto first = reader_.NextKept(0);
  if (!first) return ErrnoStatus("read", "the directory of the log");
  return *first;
}

void LogPlayer::SkipTo(uint64_t offset) {
  lost_ += offset - offset_;
  offset_ = offset;
  unread_ = {};
  SetEnd(offset);
}

std::optional<terminal::Size> LogPlayer::StartAt(uint64_t offset,
                                                 uint64_t lost) {
  SkipTo(offset);
  lost_ = lost;
  std::optional<terminal::Size> last;
  while (auto size = TakeSize()) last = size;
  return last;
}

std::optional<terminal::Size> LogPlayer::TakeSize() {
  if (sizes_.empty() || sizes_.front().offset > offset_) return std::nullopt;
  terminal::Size size = sizes_.front().size;
  sizes_.pop_front();
  return size;
}

absl::StatusOr<LogStep> LogPlayer::Next(const Cut& cut) {
  LogStep step;
  step.offset = offset_;
  if (auto size = TakeSize()) {
    step.kind = LogStep::Kind::kSize;
    step.size = *size;
    return step;
  }
  if (unread_.empty()) {
    ASSIGN_OR_RETURN(step.lost, Read());
  }
  if (step.lost > 0) {
    step.kind = LogStep::Kind::kHole;
    SkipTo(offset_ + step.lost);
  } else if (!unread_.empty()) {
    step.kind = LogStep::Kind::kBytes;
    uint64_t most = std::min(unread_.size(), kPieceBytes);
    if (!sizes_.empty()) most = std::min(most, sizes_.front().offset - offset_);
    step.bytes = unread_.substr(0, cut(unread_.substr(0, most)));
    unread_.remove_prefix(step.bytes.size());
    offset_ += step.bytes.size();
  }
  return step;
}

// Fills unread_ if inline_ has the bytes at offset_; otherwise returns false.
// Drops entries before offset_: they were skipped, or were on disk.
bool LogPlayer::TakeInline() {
  while (!inline_.empty() && inline_.front().offset <= offset_) {
    Inline head = std::move(inline_.front());
    inline_.pop_front();
    uint64_t seen = offset_ - head.offset;
    // KnownHole handles holes, after the disk has been searched.
    if (head.lost > seen) {
      inline_.push_front({offset_, "", head.lost - seen});
      return false;
    }
    if (seen >= head.bytes.size()) continue;
    piece_ = head.bytes.substr(seen);
    unread_ = piece_;
    return true;
  }
  return false;
}

uint64_t LogPlayer::KnownHole() {
  if (inline_.empty() || inline_.front().offset > offset_) return 0;
  return inline_.front().lost;
}

absl::StatusOr<uint64_t> LogPlayer::Read() {
  bool gives_up = std::exchange(gives_up_, false);
  if (offset_ == end_ || TakeInline()) return 0;
  ASSIGN_OR_RETURN(uint64_t hole, ReadDisk());
  if (hole > 0 || !unread_.empty()) return hole;
  if (KnownHole() > 0) return KnownHole();
  if (!gives_up) return 0;
  uint64_t next = end_;
  if (!inline_.empty()) next = std::min(next, inline_.front().offset);
  return next - offset_;
}

absl::StatusOr<uint64_t> LogPlayer::ReadDisk() {
  piece_.resize(std::min<uint64_t>(kPieceBytes, end_ - offset_));
  ssize_t n = reader_.Read(offset_, piece_.data(), piece_.size());
  if (n >= 0) {
    unread_ = std::string_view(piece_).substr(0, static_cast<size_t>(n));
    return 0;
  }
  // LogReader reports ENODATA for bytes that are not kept.
  if (errno != ENODATA) {
    return ErrnoStatus("read", absl::StrFormat("the log at byte %d", offset_));
  }
  auto kept = reader_.NextKept(offset_);
  if (!kept) return ErrnoStatus("read", "the directory of the log");
  uint64_t next = std::min(*kept, end_);
  if (!inline_.empty()) next = std::min(next, inline_.front().offset);
  return std::max(next, offset_) - offset_;
}

}  // namespace glasstty::record
