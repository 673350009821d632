// Finds out whether a shell waits behind a foreground program such as ssh, and
// which shell it is. The processes behind such a program cannot be examined.
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

// Returns true if the foreground cannot be examined (Evidence::kGuess) and a
// shell seems to wait for a command there. The sign is an earlier answer to
// AskFarShell, a foreground with the name of a shell, or a line that looks like
// a shell's prompt and not like a question, a form or another program's prompt.
bool MayBeFarShell(const session::Session& session,
                   const session::SessionState& state);

// Types a line that only prints marks with the number `run`, waits for the
// marks until `deadline` at most, and returns the shell that they reveal: fish,
// tcsh, or else bash, which stands for all shells like sh. Error: no mark came,
// or the line could not be typed. REQUIRES: MayBeFarShell, and the call has its
// turn.
Task<absl::StatusOr<const Shell*>> AskFarShell(session::SessionRef session,
                                               uint64_t run, Time deadline,
                                               Cancellation* cancellation);

// Returns a sentence for a refusal: a better way to reach a shell behind the
// program in the foreground; "" if none is known.
std::string BetterWay(const session::SessionState& state);

}  // namespace glasstty::typing
