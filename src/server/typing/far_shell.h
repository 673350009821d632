// Finds out whether a shell waits behind a terminal that cannot be examined,
// such as that of ssh, and which shell it is.
//
// Owns nothing; the session outlives the calls. Loop thread only.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "base/shells.h"
#include "session/session.h"
#include "support/cancellation.h"
#include "support/task.h"

namespace glasstty::typing {

// Returns true if the screen looks as if a shell waits for a command there, and
// not like another known program, a question or a form.
bool MayBeFarShell(const session::Session& session,
                   const session::SessionState& state);

// Types a line that prints marks and nothing else, waits for them, and returns
// the shell that they reveal. Error: no mark came, or the line could not be
// typed. REQUIRES: MayBeFarShell, and the call has its turn.
Task<absl::StatusOr<const Shell*>> AskFarShell(session::SessionRef session,
                                               uint64_t run, Time deadline,
                                               Cancellation* cancellation);

// Returns a sentence for a refusal, which names a better way to reach a shell
// behind such a terminal; "" for other programs.
std::string BetterWay(const session::SessionState& state);

}  // namespace glasstty::typing
