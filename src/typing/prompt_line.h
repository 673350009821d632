// The line at the prompt of a session's integrated shell: what it contains, and
// how it is cleared before a command is typed.
//
// Owns nothing; the session outlives the calls. Loop thread only.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "session/session.h"
#include "support/cancellation.h"
#include "support/task.h"

namespace glasstty::typing {

// The text between the prompt's end and the cursor; empty: nothing. It may
// also be the output of a background job.
// REQUIRES: the shell's phase is kReady.
std::string TextAtPrompt(const session::Session& session);

// Makes sure that the line is empty and that the line editor waits for the
// beginning of a key, by interrupting the shell if that is not known. Returns
// what could be seen of the line that was given up ("" where nothing could);
// nullopt: there was none, and nothing was done. Of shells without marks it is
// known only what was typed last, so nothing is promised for them.
// Error: the shell does not begin a new line.
// REQUIRES: `state` is the session's and a prompt.
Task<absl::StatusOr<std::optional<std::string>>> ClearPrompt(
    session::Session* session, session::SessionState state, Time deadline,
    Cancellation* cancellation);

}  // namespace glasstty::typing
