// Runs one command in a session's shell, and detects its end.
//
// There are three ways to do so; the best one available is used. A shell with
// our integration reports where commands begin and end. In another shell (dash,
// a nested shell, the far side of ssh), the typed line marks its own beginning
// and end. If no marks arrive, the command has ended when the kernel says that
// a shell waits for input again.
//
// Borrows nothing: holds the session. Loop thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "session/session.h"
#include "support/cancellation.h"
#include "support/task.h"
#include "typing/command_form.h"
#include "waits/until.h"

namespace glasstty::typing {

// True when the program has waited for input for a while and nothing more is to
// be expected until somebody answers; `since` is when it was typed at last.
bool IsAsking(const session::Session& session,
              const session::SessionState& state, Time since, Time* again);

class ShellRun {
 public:
  // Types the command at the shell's prompt, once no other command is under way
  // there; both are waited for until `deadline` at most. `directory` is the
  // session's, for commands that are no good as typed text. Error, and nothing
  // typed: no shell is at its prompt (the message says what the session does
  // instead).
  static Task<absl::StatusOr<ShellRun>> Start(session::SessionRef session,
                                              ShellCommand command,
                                              std::string directory,
                                              Time deadline,
                                              Cancellation* cancellation);

  // Why there is nothing to wait for any more: "prompt" (it has ended), "input"
  // or "secret" (it asks), "exited" (the shell is gone). Fills *again when time
  // alone can make it so.
  std::optional<waits::Reason> Look(Time* again);

  // The command; null until it has begun, or when the shell tells of none.
  const record::CommandBlock* block() const;
  // What stood at the prompt and had to make room; nullopt: nothing.
  const std::optional<std::string>& cleared() const { return cleared_; }
  // What was seen before it was typed.
  const record::ReadMark& baseline() const { return baseline_; }
  // What was printed before this place had nothing to do with it, nor with the
  // prompt at which it was typed.
  record::LinePlace earlier_end() const { return earlier_end_; }

 private:
  // Who marks the command.
  enum class Way { kIntegrated, kTyped };

  ShellRun(session::SessionRef session, Way way)
      : session_(std::move(session)), way_(way) {}

  std::optional<waits::Reason> LookAtState(Time* again);
  bool Ended() const;
  bool HasNewPrompt() const;

  session::SessionRef session_;
  // Gives the session's slot back with the last copy.
  std::shared_ptr<session::Session> slot_;
  session::SessionView::Kept interest_;  // in the state, once it has been typed
  Way way_;
  uint64_t run_ = 0;  // of a typed line's marks
  int64_t blocks_before_ = 0;
  record::ReadMark baseline_;
  record::LinePlace earlier_end_;
  std::optional<std::string> cleared_;
  Time typed_at_{};
  int64_t prompts_before_ = 0;  // drawn when it had been typed
};

}  // namespace glasstty::typing
