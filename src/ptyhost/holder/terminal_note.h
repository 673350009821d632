// Leaves a note for the session's shell when a program, such as an editor that
// reads single keys, has changed the settings of the terminal driver.
//
// If such a program is killed, its settings remain. A shell restores the
// earlier settings only if its own child was killed, but not, for example, if
// git had started the editor. To check the settings, a shell must start a
// process, so it checks only if a signal ended its child, or if there is a note
// (session/shell/). A note is a non-empty file; a check empties it.
//
// Borrows the device and the session's directory. Holder thread only.
#pragma once

#include <sys/types.h>

#include "holder/device.h"

namespace glasstty::holder {

class TerminalNote {
 public:
  TerminalNote(const Device* device, int dir_fd)
      : device_(device), dir_fd_(dir_fd) {}

  // Must be called after output was read, because programs that change the
  // settings print something. `shell` is the program that was started. Settings
  // that the shell makes at its own prompt do not count, and neither do those
  // of `stty`.
  void Look(pid_t shell);

 private:
  const Device* const device_;  // borrowed
  const int dir_fd_;            // borrowed
  bool is_noted_ = false;       // a note was written since the shell was last
                                // in the foreground
};

}  // namespace glasstty::holder
