// File descriptors that close themselves, and system calls that retry on EINTR.
//
// A UniqueFd owns its descriptor. Nothing here polls or owns a buffer. Errors
// are as in POSIX: -1 or false, with errno set. Callers that use abseil turn
// errno into a Status (support/status.h).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace glasstty {

// Owns one descriptor, or none (-1). The destructor closes it.
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
  // Closes the current descriptor and takes ownership of `fd`. Preserves errno,
  // so it may run between a failed call and the check of its errno.
  void Reset(int fd = -1);

 private:
  int fd_ = -1;
};

// These are read(2) and write(2), retried on EINTR.
ssize_t ReadSome(int fd, void* buffer, size_t size);
ssize_t WriteSome(int fd, const void* data, size_t size);

// Writes all of `data`; returns false with errno on failure. Use it for files
// and blocking descriptors: on a non-blocking descriptor, EAGAIN is a failure.
bool WriteAll(int fd, std::string_view data);
// Returns an unnamed file in memory that contains the text, positioned at its
// start. Closing the last descriptor frees it. The result is invalid with errno
// on failure.
UniqueFd MemoryFile(std::string_view text);

// Reads at most `limit` bytes of the file `name` below the directory `dir_fd`,
// which may be AT_FDCWD. Returns false with errno if the file cannot be read,
// or is a symbolic link, a FIFO or a character device.
bool ReadFileAt(int dir_fd, const std::string& name, size_t limit,
                std::string* out);

// Replaces the file `name` below `dir_fd` by one with `content` and mode 0600.
// Renames a temporary file over the old one, so readers see either the old or
// the new content. Returns false with errno on failure. REQUIRES: only this
// user can write to the directory.
bool ReplaceFileAt(int dir_fd, const std::string& name,
                   std::string_view content);

bool SetNonBlocking(int fd);

// Sets close-on-exec for every descriptor numbered `first` or higher. Returns
// false with errno on failure, as on Linux before 5.11. Consists of one system
// call, so it may be used between clone(2) and execve(2).
bool CloseOnExecFrom(int first);

}  // namespace glasstty
