// With O_PATH, open(2) does not open the file for I/O, so it wakes no writer of
// a FIFO and triggers no device. The examined file is then opened for reading
// through /proc (proc(5)), so no other file can take its place in between.
#include "support/user_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/file_replacement.h"
#include "support/status.h"

namespace glasstty {

absl::StatusOr<std::string> ReadUserFile(const std::string& path, size_t limit,
                                         Longer longer) {
  UniqueFd place(open(path.c_str(), O_PATH | O_CLOEXEC));
  struct stat info = {};
  if (!place.valid() || fstat(place.get(), &info) != 0) {
    return ErrnoStatus("open", path);
  }
  if (!S_ISREG(info.st_mode)) {
    return InvalidArgument("open %s: it is %s, not a plain file", path,
                           KindOfFile(info.st_mode));
  }
  // O_NONBLOCK is necessary because some files below /proc are plain according
  // to their mode, but block nevertheless.
  UniqueFd file(open(absl::StrFormat("/proc/self/fd/%d", place.get()).c_str(),
                     O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file.valid()) return ErrnoStatus("open", path);
  std::string text;
  char buffer[16384];
  while (text.size() <= limit) {
    ssize_t n = ReadSome(file.get(), buffer, sizeof buffer);
    if (n < 0) return ErrnoStatus("read", path);
    if (n == 0) return text;
    text.append(buffer, static_cast<size_t>(n));
  }
  if (longer == Longer::kCut) return text.substr(0, limit);
  return InvalidArgument("read %s: it has more than %d bytes", path, limit);
}

}  // namespace glasstty
