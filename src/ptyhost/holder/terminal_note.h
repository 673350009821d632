// Leaves a note for the session's shell that a program, such as an editor that
// reads single keys, has changed the settings of the terminal's driver.
//
// If such a program is killed, its settings stay, and a shell takes them over
// unless it has seen the death itself: an editor may have been started by git.
// Checking the settings costs a shell a process, so it does that only if the
// note is there (session/shell/): a file that is not empty, which the shell
// empties.
//
// Borrows the device and the session's directory. The holder's thread.
#pragma once

#include <sys/types.h>

#include "holder/device.h"

namespace glasstty::holder {

class TerminalNote {
 public:
  TerminalNote(const Device* device, int dir_fd)
      : device_(device), dir_fd_(dir_fd) {}

  // Call this after output has been read, because programs that change the
  // settings print something. `shell` is the program that was started; what it
  // does at its own prompt does not count, and neither does `stty`.
  void Look(pid_t shell);

 private:
  const Device* const device_;  // borrowed
  const int dir_fd_;            // borrowed
  bool is_noted_ = false;       // since the shell was in the foreground
};

}  // namespace glasstty::holder
