// When the disk refuses (ENOSPC, EDQUOT, EIO, a directory that is gone):
//   1. the oldest segment goes, if it may, and the write is tried again;
//   2. what is left is held in memory, and the holder hands it to an attached
//      server as kInline;
//   3. at kMaxHeld the terminal is paused while a server is attached, and the
//      oldest held bytes are dropped while none is;
//   4. every 250 ms the disk is tried again. A hole is left behind by starting
//      a segment at the true offset.
// EFBIG concerns one file only: a new segment is started.
#include "holder/log_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "wire/session_files.h"

namespace glasstty::holder {
namespace {

constexpr uint64_t kMinSegmentBytes = 64 << 10;

// A small cap must still be made of several segments, or it could not be held
// without losing all.
uint64_t SegmentBytes(uint64_t cap) {
  return std::clamp(cap / 4, kMinSegmentBytes, wire::kSegmentBytes);
}

}  // namespace

LogWriter::LogWriter(int dir_fd, std::string stem, uint64_t cap)
    : dir_fd_(dir_fd), stem_(std::move(stem)), cap_(cap) {}

bool LogWriter::Open() { return OpenSegment(0); }

bool LogWriter::Resume() {
  for (uint64_t start : wire::ListSegments(dir_fd_, stem_)) {
    struct stat info;
    std::string name = wire::SegmentName(stem_, start);
    if (fstatat(dir_fd_, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      return false;
    }
    segments_.push_back({start, static_cast<uint64_t>(info.st_size)});
    disk_end_ = start + segments_.back().size;
  }
  // A segment that is still empty has the name of the next one.
  if (!segments_.empty() && segments_.back().size == 0) {
    unlinkat(dir_fd_, wire::SegmentName(stem_, disk_end_).c_str(), 0);
    segments_.pop_back();
  }
  return OpenSegment(disk_end_);
}

// O_APPEND: a segment only ever grows at its end, whoever else has it open.
bool LogWriter::OpenSegment(uint64_t start) {
  UniqueFd fd(openat(
      dir_fd_, wire::SegmentName(stem_, start).c_str(),
      O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd.valid()) return false;
  fd_ = std::move(fd);
  segments_.push_back({start, 0});
  disk_end_ = start;
  return true;
}

// Behind held bytes nothing may be written, or the order would be lost.
void LogWriter::Append(std::string_view data) {
  if (held_.empty() && lost_ == 0) data.remove_prefix(WriteToDisk(data));
  if (data.empty()) return;
  held_.append(data);
  TrimHeld();
}

// Held bytes in front of a second hole have no place on the disk.
void LogWriter::Skip(uint64_t offset) {
  if (offset <= end()) return;
  held_.clear();
  lost_ = offset - disk_end_;
}

void LogWriter::Retry() {
  if (held_.empty()) return;
  if (lost_ > 0) {
    // The name of a segment is the offset of its first byte, so what follows
    // a hole needs a new one.
    DropEmptySegment();
    if (!OpenSegment(held_offset())) return;
    lost_ = 0;
  }
  held_.erase(0, WriteToDisk(held_));
  if (held_.empty()) held_.shrink_to_fit();
}

void LogWriter::SetReader(bool attached, uint64_t acked) {
  attached_ = attached;
  acked_ = acked;
  consumed_ = std::max(consumed_, acked);
  EnforceCap();
}

void LogWriter::SetCap(uint64_t cap) {
  cap_ = cap;
  EnforceCap();
}

// What a server has consumed is in its screen, if not on the disk.
size_t LogWriter::unsaved() const {
  uint64_t from = std::max(held_offset(), attached_ ? acked_ : consumed_);
  return end() > from ? end() - from : 0;
}

// Returns how much the disk took.
size_t LogWriter::WriteToDisk(std::string_view data) {
  size_t taken = 0;
  while (taken < data.size()) {
    if (segments_.back().size >= SegmentBytes(cap_)) {
      if (!OpenSegment(disk_end_) && !MakeRoom(errno)) break;
      EnforceCap();
    }
    size_t n = WriteToSegment(data.substr(taken));
    taken += n;
    if (n == 0 && !MakeRoom(errno)) break;
  }
  return taken;
}

// A part is taken when the disk fills up within the write.
size_t LogWriter::WriteToSegment(std::string_view data) {
  Segment& segment = segments_.back();
  uint64_t limit = SegmentBytes(cap_);
  uint64_t room = segment.size < limit ? limit - segment.size : 0;
  ssize_t n =
      WriteSome(fd_.get(), data.data(), std::min<uint64_t>(data.size(), room));
  if (n <= 0) return 0;
  segment.size += static_cast<uint64_t>(n);
  disk_end_ += static_cast<uint64_t>(n);
  return static_cast<size_t>(n);
}

// After a refused write: true when it is worth another try.
bool LogWriter::MakeRoom(int error) {
  // EFBIG is a limit of one file (RLIMIT_FSIZE), not of the disk.
  if (error == EFBIG) {
    return segments_.back().size > 0 && OpenSegment(disk_end_);
  }
  return (error == ENOSPC || error == EDQUOT) && RemoveOldest();
}

// Never the one that is written to.
bool LogWriter::RemoveOldest() {
  if (segments_.size() < 2) return false;
  const Segment& oldest = segments_.front();
  if (attached_ && acked_ < oldest.start + oldest.size) return false;
  std::string name = wire::SegmentName(stem_, oldest.start);
  if (unlinkat(dir_fd_, name.c_str(), 0) != 0 && errno != ENOENT) return false;
  segments_.pop_front();
  return true;
}

// One that was opened just before the disk refused: its name would claim an
// offset that is in the hole.
void LogWriter::DropEmptySegment() {
  if (segments_.size() < 2 || segments_.back().size > 0) return;
  unlinkat(dir_fd_, wire::SegmentName(stem_, segments_.back().start).c_str(),
           0);
  segments_.pop_back();
}

// By whole segments: the log is between the cap and a segment less, or
// longer as long as an attached server lags.
void LogWriter::EnforceCap() {
  uint64_t total = 0;
  for (const Segment& segment : segments_) total += segment.size;
  while (total > cap_) {
    uint64_t size = segments_.front().size;
    if (!RemoveOldest()) return;
    total -= size;
  }
}

void LogWriter::TrimHeld() {
  if (held_.size() <= kMaxHeld) return;
  size_t excess = held_.size() - kMaxHeld;
  // What an attached server has yet to get stays, beyond the limit: the
  // terminal is paused by then, so the excess is one buffer at most.
  if (attached_) excess = std::min(excess, held_.size() - unsaved());
  held_.erase(0, excess);
  lost_ += excess;
}

}  // namespace glasstty::holder
