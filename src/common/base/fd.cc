#include "base/fd.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace glasstty {

void UniqueFd::Reset(int fd) {
  if (fd_ >= 0) {
    // close(2) may set errno even if it succeeds.
    int saved = errno;
    close(fd_);
    errno = saved;
  }
  fd_ = fd;
}

ssize_t ReadSome(int fd, void* buffer, size_t size) {
  ssize_t n;
  do {
    n = read(fd, buffer, size);
  } while (n < 0 && errno == EINTR);
  return n;
}

ssize_t WriteSome(int fd, const void* data, size_t size) {
  ssize_t n;
  do {
    n = write(fd, data, size);
  } while (n < 0 && errno == EINTR);
  return n;
}

// A short write is not an error (write(2)), so the rest is written next.
bool WriteAll(int fd, std::string_view data) {
  while (!data.empty()) {
    ssize_t n = WriteSome(fd, data.data(), data.size());
    if (n < 0) return false;
    data.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

UniqueFd MemoryFile(std::string_view text) {
  UniqueFd fd(memfd_create("glasstty", MFD_CLOEXEC));
  bool good = fd.valid() && WriteAll(fd.get(), text) &&
              lseek(fd.get(), 0, SEEK_SET) == 0;
  return good ? std::move(fd) : UniqueFd();
}

bool ReadFileAt(int dir_fd, const std::string& name, size_t limit,
                std::string* out) {
  // A FIFO without a writer would block the open, and later the read, forever.
  UniqueFd fd(openat(dir_fd, name.c_str(),
                     O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd.valid()) return false;
  struct stat info;
  if (fstat(fd.get(), &info) != 0) return false;
  if (S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode)) {
    errno = EINVAL;
    return false;
  }
  out->clear();
  char buffer[16384];
  while (out->size() < limit) {
    size_t want = std::min(sizeof buffer, limit - out->size());
    ssize_t n = ReadSome(fd.get(), buffer, want);
    if (n < 0) return false;
    if (n == 0) break;
    out->append(buffer, static_cast<size_t>(n));
  }
  return true;
}

bool ReplaceFileAt(int dir_fd, const std::string& name,
                   std::string_view content) {
  std::string temporary = name + ".tmp";
  // A crash may have left a temporary file, which is ours, because no other
  // user can write to the directory.
  unlinkat(dir_fd, temporary.c_str(), 0);
  UniqueFd fd(openat(dir_fd, temporary.c_str(),
                     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                     0600));
  if (!fd.valid()) return false;
  if (!WriteAll(fd.get(), content)) return false;
  // rename(2) replaces the old file atomically. No fsync(2) is needed, because
  // the content must survive a crash of a process, but not of the machine.
  return renameat(dir_fd, temporary.c_str(), dir_fd, name.c_str()) == 0;
}

bool SetNonBlocking(int fd) {
  int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

// musl has no library function for this.
bool CloseOnExecFrom(int first) {
  return syscall(SYS_close_range, first, ~0u, CLOSE_RANGE_CLOEXEC) == 0;
}

}  // namespace glasstty
