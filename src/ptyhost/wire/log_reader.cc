#include "wire/log_reader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "wire/session_files.h"

namespace glasstty::wire {
namespace {

// Uses O_NONBLOCK, because otherwise opening a pipe with that name would block.
UniqueFd OpenForReading(int dir_fd, const std::string& name) {
  return UniqueFd(openat(dir_fd, name.c_str(),
                         O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
}

ssize_t ReadAt(int fd, char* buffer, size_t size, uint64_t position) {
  ssize_t n;
  do {
    n = pread(fd, buffer, size, static_cast<off_t>(position));
  } while (n < 0 && errno == EINTR);
  return n;
}

}  // namespace

LogReader::LogReader(int dir_fd, std::string stem)
    : dir_fd_(dir_fd), stem_(std::move(stem)) {}

ssize_t LogReader::Read(uint64_t offset, char* buffer, size_t size) {
  if (segment_.valid() && offset >= start_) {
    ssize_t n = ReadAt(segment_.get(), buffer, size, offset - start_);
    // After a failure, the next call opens the segment again, because another
    // file may have its name by then.
    if (n < 0) segment_.Reset();
    if (n != 0) return n;
  }
  // The offset is at the end of that segment, or outside of it. Usually a
  // segment starts at this offset, so the directory need not be read.
  UniqueFd next = OpenForReading(dir_fd_, SegmentName(stem_, offset));
  if (next.valid()) {
    segment_ = std::move(next);
    start_ = offset;
    ssize_t n = ReadAt(segment_.get(), buffer, size, 0);
    if (n != 0) return n;
  } else if (errno != ENOENT) {
    return -1;
  }
  if (!OpenSegment(offset)) return errno == 0 ? 0 : -1;
  return ReadAt(segment_.get(), buffer, size, offset - start_);
}

// Opens the segment that contains `offset`. Returns false with errno 0 if the
// log ends there, and with ENODATA if the offset lies in a hole.
bool LogReader::OpenSegment(uint64_t offset) {
  auto listed = ListSegments(dir_fd_, stem_);
  if (!listed) return false;
  const std::vector<uint64_t>& starts = *listed;
  auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  errno = after == starts.end() ? 0 : ENODATA;
  if (after == starts.begin()) return false;
  uint64_t start = *std::prev(after);
  UniqueFd fd = OpenForReading(dir_fd_, SegmentName(stem_, start));
  // The segment may have been removed since the listing to enforce the cap,
  // which leaves a hole.
  if (!fd.valid()) {
    if (errno == ENOENT) errno = ENODATA;
    return false;
  }
  // Ask for the size after the listing: a later segment is created only when
  // this one is complete.
  struct stat info;
  if (fstat(fd.get(), &info) != 0) return false;
  if (offset - start >= static_cast<uint64_t>(info.st_size)) {
    errno = after == starts.end() ? 0 : ENODATA;
    return false;
  }
  segment_ = std::move(fd);
  start_ = start;
  return true;
}

// Reads the directory at each call; callers need this only after ENODATA, which
// is rare.
std::optional<uint64_t> LogReader::NextKept(uint64_t offset) const {
  auto listed = ListSegments(dir_fd_, stem_);
  if (!listed) return std::nullopt;
  const std::vector<uint64_t>& starts = *listed;
  auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  // The last segment still grows, so bytes beyond its end will arrive.
  if (after == starts.end()) return offset;
  if (after == starts.begin()) return *after;
  uint64_t start = *std::prev(after);
  struct stat info;
  std::string name = SegmentName(stem_, start);
  if (fstatat(dir_fd_, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return *after;
    return std::nullopt;
  }
  bool kept = offset - start < static_cast<uint64_t>(info.st_size);
  return kept ? offset : *after;
}

}  // namespace glasstty::wire
