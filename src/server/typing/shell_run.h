// Runs one command in a session's shell, and detects its end.
//
// Uses the best available of three ways. A shell with our integration reports
// where commands begin and end. In another shell (dash, a nested shell, a shell
// behind ssh), the typed line marks its own beginning and end. If no marks
// arrive, the command has ended when a shell is found to wait for input again
// (session/state.h).
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

// Met if the program asks for a secret, or has waited for input for a while
// without printing, so that it will probably print nothing more until somebody
// answers. `since`: when the command was typed or started.
Look IsAsking(const session::Session& session,
              const session::SessionState& state, Time since);

// If the session's program is a shell that has ended before it showed a prompt,
// returns an explanation with the exit status, the last line of output and a
// remedy; otherwise returns "".
std::string WhyNoPromptCame(const session::Session& session);

class ShellRun {
 public:
  // Types the command at the shell's prompt. First waits, until about
  // `deadline`, for other calls' commands to end and for the shell's prompt.
  // `directory` is the path of the session's directory, as the shell sees it,
  // for commands that cannot be typed. Error: the command was not typed, or not
  // as a whole. The message says why, for example what the session is doing
  // instead of waiting at a prompt.
  static Task<absl::StatusOr<ShellRun>> Start(session::SessionRef session,
                                              ShellCommand command,
                                              std::string directory,
                                              Time deadline,
                                              Cancellation* cancellation);

  // Met when there is nothing to wait for any more. The reason is "prompt" (the
  // command has ended), "input" or "secret" (the command asks, or the shell
  // wants its rest), or "exited" (the shell is gone).
  Look Check();

  // The command; null until it has begun, or if the shell does not mark it.
  const record::CommandBlock* block() const;
  // The visible part of the text discarded at the prompt; nullopt: none was.
  const std::optional<std::string>& cleared() const { return cleared_; }
  // True if this object has repaired terminal settings that a program had left
  // behind (session/shell_terminal.h), before or after the command.
  bool is_terminal_repaired() const { return is_terminal_repaired_; }
  // The read mark from just before the command was typed.
  const record::ReadMark& baseline() const { return baseline_; }
  // Output before this place belongs neither to the command nor to the prompt
  // at which it was typed.
  record::LinePlace earlier_end() const { return earlier_end_; }

 private:
  // The command is marked by the integrated shell, or by the typed line.
  enum class Way { kIntegrated, kTyped };

  ShellRun(session::SessionRef session, Way way)
      : session_(std::move(session)), way_(way) {}

  Look LookAtState();
  // If the command was killed, repairs the terminal of a shell that does not do
  // so itself. Returns true while the last probe's answer is from before the
  // repair.
  bool RepairsTerminal();
  bool Ended() const;
  bool HasNewPrompt() const;

  session::SessionRef session_;
  // Releases the session's run slot with the last copy.
  std::shared_ptr<session::Session> slot_;
  // Keeps an interest in the session's state once the command has been typed.
  session::Questions::Kept interest_;
  Way way_;
  uint64_t run_ = 0;  // the number in the marks of a typed line
  int64_t blocks_before_ = 0;
  record::ReadMark baseline_;
  record::LinePlace earlier_end_;
  std::optional<std::string> cleared_;
  bool is_terminal_repaired_ = false;
  // Answers to probes up to this serial are from before RepairsTerminal's
  // repair.
  std::optional<uint64_t> repaired_after_;
  Time typed_at_{};
  int64_t prompts_before_ = 0;  // prompts drawn until the command was typed
};

}  // namespace glasstty::typing
