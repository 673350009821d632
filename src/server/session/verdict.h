// Judges a session by all its parts: whether it is over, whether its output can
// be read, what its program is doing and how it draws.
//
// Borrows the parts, which it never changes. Loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "session/parts.h"
#include "session/state.h"
#include "support/wait.h"

namespace glasstty::session {

class Verdict {
 public:
  explicit Verdict(const Parts* parts) : parts_(*parts) {}

  // True once the exit status is known, and all output before the exit has been
  // fed or cannot be read: the screen is the program's last one.
  bool exited() const;
  // True if the session ended without an exit status (the holder was killed, or
  // its machine can no longer be reached), and all known output has been fed or
  // cannot be read.
  bool holder_lost() const;
  // True if the program has ended, or its end is unknown, and its output has
  // been fed as far as possible. Processes that it left may still print.
  bool finished() const { return exited() || holder_lost(); }
  // Returns in words why the end of the session is not known; empty for a
  // session on this machine.
  std::string WhyLost() const;
  // False while reading the output keeps failing.
  bool IsReadable() const;
  // Returns in words why the output cannot be read; empty while it can be.
  std::string LogTrouble() const;

  // Met unless the program is drawing a frame (DECSET 2026). A half-drawn
  // screen should be neither matched nor shown. A frame counts for at most
  // kFrameLimit, because a program may die while drawing one.
  static constexpr Duration kFrameLimit = std::chrono::milliseconds(150);
  Look IsFrameWhole() const;
  // The increase of Terminal::row_addresses since the last prompt of a shell.
  uint64_t row_addresses() const;
  // True if, since its shell's prompt, the program has often addressed rows of
  // the primary screen, or once if its cursor is not where a line editor puts
  // it.
  bool AddressesRows() const;
  // Returns true if the program shows screens rather than lines.
  bool DrawsScreens() const;

  // True if the shell has reported that it is at its prompt, the screen shows
  // the prompt, and no process outside the shell's session reads the terminal.
  bool IsAtShownPrompt() const;
  // The state of the program for the current screen; nullopt: not known yet. It
  // becomes known only while somebody keeps an interest in it
  // (Interest::kState).
  std::optional<SessionState> settled_state() const;
  // Returns the state as far as it is known. A state that depends on a stale
  // answer of the holder is kBusy or a guess.
  SessionState LastState() const;
  // Returns what the program has reported about itself (OSC 7501). Null: it has
  // reported nothing, or is gone: the session has ended or its shell is at a
  // prompt.
  const terminal::ProgramStatus* ReportedStatus() const;

 private:
  Duration QuietFor() const;
  std::string ShellName() const;
  ShellView ViewOfShell() const;

  const Parts& parts_;
};

}  // namespace glasstty::session
