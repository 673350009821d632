// The terminal or pipe for whose readers the holder looks. A value.
#pragma once

#include <sys/stat.h>

#include <cstdint>

namespace glasstty::holder {

struct WaitTarget {
  bool terminal = true;   // false: the pipe that is the program's input
  uint64_t identity = 0;  // the device number of the terminal, or the inode of
                          // the pipe
  // The device number of the terminal's file system; 0 if it is unknown, or for
  // a pipe. A sandbox with its own file systems has other terminals with the
  // same device numbers.
  uint64_t filesystem = 0;

  // Returns true if stat(2) has described this terminal or pipe.
  bool Is(const struct stat& info) const {
    if (!terminal) return S_ISFIFO(info.st_mode) && info.st_ino == identity;
    bool is_same = filesystem == 0 || info.st_dev == filesystem;
    return S_ISCHR(info.st_mode) && info.st_rdev == identity && is_same;
  }
};

}  // namespace glasstty::holder
