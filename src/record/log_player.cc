// Where a size changes decides what the screen looks like, because a program
// draws its new picture only after the new size. Offsets count every byte that
// the terminal has printed, also those in holes, so they stay true behind them.
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
  SetEnd(offset + bytes.size());
  inline_.push_back({offset, std::move(bytes)});
}

void LogPlayer::SkipTo(uint64_t offset) {
  lost_ += offset - offset_;
  offset_ = offset;
  unread_ = {};
  SetEnd(offset);
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

// Those that begin earlier were skipped, or the disk has had them after all.
bool LogPlayer::TakeInline() {
  while (!inline_.empty() && inline_.front().offset <= offset_) {
    Inline head = std::move(inline_.front());
    inline_.pop_front();
    uint64_t seen = offset_ - head.offset;
    if (seen >= head.bytes.size()) continue;
    piece_ = head.bytes.substr(seen);
    unread_ = piece_;
    return true;
  }
  return false;
}

absl::StatusOr<uint64_t> LogPlayer::Read() {
  if (offset_ == end_ || TakeInline()) return 0;
  piece_.resize(std::min<uint64_t>(kPieceBytes, end_ - offset_));
  ssize_t n = reader_.Read(offset_, piece_.data(), piece_.size());
  if (n >= 0) {
    unread_ = std::string_view(piece_).substr(0, static_cast<size_t>(n));
    return 0;
  }
  // LogReader's way to say that these bytes are not kept.
  if (errno != ENODATA) {
    return ErrnoStatus("read", absl::StrFormat("the log at byte %d", offset_));
  }
  uint64_t next = std::min(reader_.NextKept(offset_), end_);
  if (!inline_.empty()) next = std::min(next, inline_.front().offset);
  return next - offset_;
}

}  // namespace glasstty::record
