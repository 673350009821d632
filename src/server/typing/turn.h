// The turn to type, which keeps other calls from typing between the steps of
// one call.
//
// Calls are told apart by the address of their Cancellation. A Turn keeps the
// session alive, and ends when the last copy of the Turn is destroyed. Loop
// thread only.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "session/session.h"
#include "support/cancellation.h"
#include "support/task.h"

namespace glasstty::typing {

using Turn = std::shared_ptr<session::Session>;

// Waits until the calls that came before have had their turns: until
// `deadline`, but for a second at least, because they mostly take less, and for
// 20 s at most. A call that already has the turn does not wait: it gets another
// Turn at once. In the session of another server, that server lends the turn,
// between two of its own calls. Error: others are still typing, a person has
// the keyboard of another server's session, or the call was cancelled; nothing
// may be typed.
Task<absl::StatusOr<Turn>> TakeTurn(session::SessionRef session,
                                    Cancellation* cancellation, Time deadline);

}  // namespace glasstty::typing
