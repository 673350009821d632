#include "holder/terminal_note.h"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/own_file.h"
#include "holder/proc.h"
#include "wire/session_files.h"

namespace glasstty::holder {
namespace {

// Returns true if the terminal delivers whole lines, as programs expect.
// Ignores other settings: a program that changes those either also reads single
// keys, or was run by a person in order to change them.
bool IsOrdinary(const termios& settings) {
  constexpr tcflag_t kLines = ICANON | ECHO | ISIG;
  return (settings.c_lflag & kLines) == kLines;
}

}  // namespace

void TerminalNote::Look(pid_t shell) {
  pid_t foreground = device_->ForegroundGroup();
  if (foreground <= 0 || foreground == shell) {
    is_noted_ = false;
    return;
  }
  if (is_noted_) return;
  std::optional<termios> now = device_->GetAttributes();
  if (!now || IsOrdinary(*now)) return;
  // Settings that a person makes with stty are meant to stay.
  if (ReadProcessName(foreground) == "stty") return;
  is_noted_ = true;
  UniqueFd file =
      OpenOwnFileAt(dir_fd_, wire::kTerminalNoteName, O_WRONLY | O_CREAT);
  // If this fails, the shell behaves as it does without glasstty.
  (void)!pwrite(file.get(), "1", 1, 0);
}

}  // namespace glasstty::holder
