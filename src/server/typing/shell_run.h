// Runs one command in a session's shell, and detects its end.
//
// There are three ways to do so; the best one available is used. A shell with
// our integration reports where commands begin and end. In another shell (dash,
// a nested shell, the far side of ssh), the typed line marks its own beginning
// and end. If no marks arrive, the command has ended when the kernel says that
// a shell waits for input again.
//
// Keeps the session alive and borrows nothing. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "session/session.h"
#include "support/cancellation.h"
#include "support/task.h"
#include "support/wait.h"
#include "typing/command_form.h"

namespace glasstty::typing {

// Met if the program has waited for input for a while, so it will probably
// print nothing more until somebody answers. `since` is the time of the last
// typing.
Look IsAsking(const session::Session& session,
              const session::SessionState& state, Time since);

// Returns an explanation that the shell has ended before it showed a prompt,
// with its status, its last line and a remedy; empty if it has not.
std::string WhyNoPromptCame(const session::Session& session);

class ShellRun {
 public:
  // Types the command at the shell's prompt, once no other call runs a command
  // there. Waits for both until `deadline` at most. `directory` is the
  // session's, for commands that cannot be typed as text. Error: the command
  // was not typed, or not as a whole; the message says why, for example what
  // the session is doing instead of waiting at a prompt.
  static Task<absl::StatusOr<ShellRun>> Start(session::SessionRef session,
                                              ShellCommand command,
                                              std::string directory,
                                              Time deadline,
                                              Cancellation* cancellation);

  // Met when there is nothing to wait for any more: "prompt" (the command has
  // ended), "input" or "secret" (it asks), "exited" (the shell is gone).
  Look Check();

  // The command; null until it has begun, or if the shell does not report it.
  const record::CommandBlock* block() const;
  // The text at the prompt that was discarded; null if there was none.
  const std::optional<std::string>& cleared() const { return cleared_; }
  // True if settings that a program had left in the terminal were undone,
  // before or after the command, so that the shell reads lines.
  bool is_terminal_repaired() const { return is_terminal_repaired_; }
  // The read mark from just before the command was typed.
  const record::ReadMark& baseline() const { return baseline_; }
  // Output before this place belongs neither to the command nor to the prompt
  // at which it was typed.
  record::LinePlace earlier_end() const { return earlier_end_; }

 private:
  // Says what marks the command: the integrated shell, or the typed line.
  enum class Way { kIntegrated, kTyped };

  ShellRun(session::SessionRef session, Way way)
      : session_(std::move(session)), way_(way) {}

  Look LookAtState();
  // Returns true if a shell that cannot repair its terminal was repaired after
  // a command that was killed, so that earlier answers about it do not hold.
  bool RepairsTerminal();
  bool Ended() const;
  bool HasNewPrompt() const;

  session::SessionRef session_;
  // Releases the session's slot with the last copy.
  std::shared_ptr<session::Session> slot_;
  session::Questions::Kept interest_;  // in the state, once the command has
                                       // been typed
  Way way_;
  uint64_t run_ = 0;  // of a typed line's marks
  int64_t blocks_before_ = 0;
  record::ReadMark baseline_;
  record::LinePlace earlier_end_;
  std::optional<std::string> cleared_;
  bool is_terminal_repaired_ = false;
  // The serial of the last probe before the repair; older answers about the
  // terminal do not hold.
  std::optional<uint64_t> repaired_after_;
  Time typed_at_{};
  int64_t prompts_before_ = 0;  // prompts drawn before it had been typed
};

}  // namespace glasstty::typing
