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

UniqueFd OpenForReading(int dir_fd, const std::string& name) {
  return UniqueFd(
      openat(dir_fd, name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
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
    if (n != 0) return n;
  }
  // At the end of that segment, or outside of it. The common case is that
  // the next segment starts right here; it costs no look into the directory.
  UniqueFd next = OpenForReading(dir_fd_, SegmentName(stem_, offset));
  if (next.valid()) {
    segment_ = std::move(next);
    start_ = offset;
    ssize_t n = ReadAt(segment_.get(), buffer, size, 0);
    if (n != 0) return n;
  }
  if (!OpenSegment(offset)) return errno == 0 ? 0 : -1;
  return ReadAt(segment_.get(), buffer, size, offset - start_);
}

// Opens the segment that holds `offset`. False with errno 0 when nothing is
// there yet, with ENODATA when it lies in a hole.
bool LogReader::OpenSegment(uint64_t offset) {
  std::vector<uint64_t> starts = ListSegments(dir_fd_, stem_);
  auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  errno = after == starts.end() ? 0 : ENODATA;
  if (after == starts.begin()) return false;
  uint64_t start = *std::prev(after);
  UniqueFd fd = OpenForReading(dir_fd_, SegmentName(stem_, start));
  // The cap may have removed it since the listing; then it is a hole.
  if (!fd.valid()) {
    if (errno == ENOENT) errno = ENODATA;
    return false;
  }
  // The size after the listing: a later segment is created only when this
  // one is complete.
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

// Without a descriptor: this is for the rare moment after ENODATA.
uint64_t LogReader::NextKept(uint64_t offset) const {
  std::vector<uint64_t> starts = ListSegments(dir_fd_, stem_);
  auto after = std::upper_bound(starts.begin(), starts.end(), offset);
  // The last segment still grows: what lies beyond its end will come.
  if (after == starts.end()) return offset;
  if (after == starts.begin()) return *after;
  uint64_t start = *std::prev(after);
  struct stat info;
  std::string name = SegmentName(stem_, start);
  bool kept = fstatat(dir_fd_, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
              offset - start < static_cast<uint64_t>(info.st_size);
  return kept ? offset : *after;
}

}  // namespace glasstty::wire
