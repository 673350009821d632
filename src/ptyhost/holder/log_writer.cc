// If the disk refuses a write (ENOSPC, EDQUOT, EIO, a directory that is gone):
//   1. for ENOSPC and EDQUOT, the oldest segment is removed, if allowed, and
//      the write is tried again;
//   2. the rest is held in memory, and the holder sends the held bytes of "out"
//      to its peers in Inline messages;
//   3. at kMaxHeld the program's output is paused while a server is attached,
//      and the oldest held bytes are dropped while none is;
//   4. every 250 ms the disk is tried again. If bytes were dropped, a new
//      segment starts at the true offset, after the hole.
// EFBIG concerns one file only, so the writer starts a new segment.
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

// Segments are small enough for several to fit below the cap, because only
// whole segments are removed.
uint64_t SegmentBytes(uint64_t cap) {
  return std::clamp(cap / 4, kMinSegmentBytes, wire::kSegmentBytes);
}

}  // namespace

LogWriter::LogWriter(int dir_fd, std::string stem, uint64_t cap)
    : dir_fd_(dir_fd), stem_(std::move(stem)), cap_(cap) {}

bool LogWriter::Open() { return OpenSegment(0); }

bool LogWriter::Resume() {
  auto starts = wire::ListSegments(dir_fd_, stem_);
  if (!starts) return false;
  for (uint64_t start : *starts) {
    struct stat info;
    std::string name = wire::SegmentName(stem_, start);
    if (fstatat(dir_fd_, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      return false;
    }
    segments_.push_back({start, static_cast<uint64_t>(info.st_size)});
    disk_end_ = start + segments_.back().size;
  }
  // Remove an empty last segment, because the next one needs its name.
  if (!segments_.empty() && segments_.back().size == 0) {
    unlinkat(dir_fd_, wire::SegmentName(stem_, disk_end_).c_str(), 0);
    segments_.pop_back();
  }
  return OpenSegment(disk_end_);
}

// With O_APPEND, all writes go to the end of the segment, even if another
// process writes there, too.
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

// To keep the order, later bytes are held as well while bytes are held.
void LogWriter::Append(std::string_view data) {
  if (held_.empty() && lost_ == 0) data.remove_prefix(WriteToDisk(data));
  if (data.empty()) return;
  held_.append(data);
  TrimHeld();
}

// Drops the held bytes, because only one gap can be recorded.
void LogWriter::Skip(uint64_t offset) {
  if (offset <= end()) return;
  held_.clear();
  lost_ = offset - disk_end_;
  lost_lines_ = wire::HoleRecord::kUnknownLines;
}

wire::HoleRecord LogWriter::hole() const {
  return {.offset = disk_end_,
          .bytes = lost_,
          .lines = lost_lines_,
          .error = static_cast<uint32_t>(error_),
          .is_err = stem_ == "err"};
}

void LogWriter::Retry() {
  if (held_.empty()) return;
  if (lost_ > 0) {
    // A segment is named after the offset of its first byte, so the bytes after
    // a hole need a new segment.
    DropEmptySegment();
    wire::HoleRecord left = hole();
    if (!OpenSegment(held_offset())) return;
    size_t taken = WriteToSegment(held_);
    if (taken == 0) {
      // The disk is still full. Do not remove segments before the hole to make
      // room for bytes after it, or the log would begin with the hole.
      DropEmptySegment();
      disk_end_ = left.offset;
      return;
    }
    held_.erase(0, taken);
    // If this fails, readers still know how many bytes are missing, but not how
    // many lines.
    wire::AppendHole(dir_fd_, left);
    lost_ = lost_lines_ = 0;
    error_ = 0;
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

// Bytes that a server has consumed count as saved, because they are in the
// server's screen.
size_t LogWriter::unsaved() const {
  uint64_t from = std::max(held_offset(), attached_ ? acked_ : consumed_);
  return end() > from ? end() - from : 0;
}

// Returns how many bytes the disk accepted.
size_t LogWriter::WriteToDisk(std::string_view data) {
  size_t taken = 0;
  while (taken < data.size()) {
    if (segments_.back().size >= SegmentBytes(cap_)) {
      if (!OpenSegment(disk_end_)) {
        if (!MakeRoom(errno)) break;
        continue;
      }
      EnforceCap();
    }
    size_t n = WriteToSegment(data.substr(taken));
    taken += n;
    if (n == 0 && !MakeRoom(errno)) break;
  }
  return taken;
}

// Returns how many bytes were written: all, unless disk or segment is full.
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

// Makes room after a write that failed with `error`. Returns true if the write
// should be tried again.
bool LogWriter::MakeRoom(int error) {
  error_ = error;
  // EFBIG limits one file (RLIMIT_FSIZE), not the disk.
  if (error == EFBIG) {
    return segments_.back().size > 0 && OpenSegment(disk_end_);
  }
  return (error == ENOSPC || error == EDQUOT) && RemoveOldest();
}

// Never removes the segment that is written to.
bool LogWriter::RemoveOldest() {
  if (segments_.size() < 2) return false;
  const Segment& oldest = segments_.front();
  if (attached_ && acked_ < oldest.start + oldest.size) return false;
  std::string name = wire::SegmentName(stem_, oldest.start);
  if (unlinkat(dir_fd_, name.c_str(), 0) != 0 && errno != ENOENT) return false;
  segments_.pop_front();
  return true;
}

// Removes a segment that was created just before the disk refused the write,
// because the offset in its name would lie inside the hole.
void LogWriter::DropEmptySegment() {
  if (segments_.size() < 2 || segments_.back().size > 0) return;
  unlinkat(dir_fd_, wire::SegmentName(stem_, segments_.back().start).c_str(),
           0);
  segments_.pop_back();
}

// Removes whole segments, so the log is up to one segment shorter than the cap.
// The log is longer than the cap while an attached server lags, or if it has
// only one segment, which is longer.
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
  // Bytes that an attached server has yet to get are kept, even above the
  // limit: the output is paused by then, so the excess is at most one drain
  // (output.h).
  if (attached_) excess = std::min(excess, held_.size() - unsaved());
  if (lost_lines_ != wire::HoleRecord::kUnknownLines) {
    auto end = held_.begin() + static_cast<std::ptrdiff_t>(excess);
    lost_lines_ += static_cast<uint64_t>(std::count(held_.begin(), end, '\n'));
  }
  held_.erase(0, excess);
  lost_ += excess;
}

}  // namespace glasstty::holder
