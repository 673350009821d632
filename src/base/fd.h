// File descriptors that close themselves, and system calls that retry on EINTR.
//
// Owns: the descriptor in a UniqueFd. Does not own: the bytes, the polling.
// Errors are POSIX: -1 or an invalid UniqueFd, with errno set. Callers above
// base/ turn errno into a Status (support/status.h).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace glasstty {

// Sole owner of one descriptor; closes it at the end. -1 means none.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.Release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    Reset(other.Release());
    return *this;
  }
  ~UniqueFd() { Reset(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int Release() { return std::exchange(fd_, -1); }
  // Closes what is held and takes `fd`. Keeps errno, so it may run between a
  // failed call and the look at its reason.
  void Reset(int fd = -1);

 private:
  int fd_ = -1;
};

// read(2) and write(2), retried on EINTR.
ssize_t ReadSome(int fd, void* buffer, size_t size);
ssize_t WriteSome(int fd, const void* data, size_t size);

// Writes all of `data`; false with errno on failure. For files and for
// blocking descriptors: on a non-blocking one EAGAIN is a failure.
bool WriteAll(int fd, std::string_view data);

// Reads the file `name` below the directory `dir_fd` (AT_FDCWD for none), at
// most `limit` bytes of it. False with errno when it cannot be read.
bool ReadFileAt(int dir_fd, const std::string& name, size_t limit,
                std::string* out);

// Replaces the file `name` below `dir_fd` with `content`, mode 0600: written
// beside it and renamed over it, so that a reader sees the old or the new
// content, never a part. False with errno on failure.
bool ReplaceFileAt(int dir_fd, const std::string& name,
                   std::string_view content);

bool SetNonBlocking(int fd);

// Lets every descriptor from `first` on close when a program is executed. False
// with errno on failure (Linux before 5.11). A system call and nothing else: it
// may be called between clone(2) and execve(2).
bool CloseOnExecFrom(int first);

}  // namespace glasstty
