// Judges a session from its parts together: whether it is over, whether its
// output can be read, what its program does and how it draws.
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

  // The status is known and the last byte before it has been fed, so a screen
  // that is read now is the final one of the program; or it cannot be fed.
  bool exited() const;
  // It ended without an exit status: the holder was killed.
  bool holder_lost() const;
  // All that will ever come has been read, or cannot be.
  bool finished() const { return exited() || holder_lost(); }
  // Why nothing is known of the session's end, in words; empty for a session on
  // this machine.
  std::string WhyLost() const;
  // False while its output cannot be read, again and again.
  bool IsReadable() const;
  // Why, in words; empty while it can be.
  std::string LogTrouble() const;

  // Met unless the program is in the middle of drawing a frame (DECSET 2026):
  // what is on the screen then is nothing to match or to show. Not believed
  // for longer than kFrameLimit, for a program may die in a frame.
  static constexpr Duration kFrameLimit = std::chrono::milliseconds(150);
  Look IsFrameWhole() const;
  // Terminal::row_addresses since a shell was last seen at its prompt.
  uint64_t row_addresses() const;
  // The program puts its output in rows of its choice, on the primary screen:
  // it has done so often, or has its cursor where none is that edits a line.
  bool AddressesRows() const;
  // It shows screens rather than lines.
  bool DrawsScreens() const;

  // The shell has said that it is at its prompt, and the screen shows it.
  bool IsAtShownPrompt() const;
  // The state of the program for the screen that is shown; null: not known
  // yet. It becomes known while somebody keeps an interest in it.
  std::optional<SessionState> settled_state() const;
  // Returns what is known, however old; stale answers are weaker evidence.
  SessionState LastState() const;
  // Returns what the program has reported about itself (OSC 7501); null:
  // nothing, or it is gone, since the session has ended or its shell is at a
  // prompt.
  const terminal::ProgramStatus* ReportedStatus() const;

 private:
  Duration QuietFor() const;
  std::string ShellName() const;
  ShellView ViewOfShell() const;

  const Parts& parts_;
};

}  // namespace glasstty::session
