// The turn to type, which keeps other calls from typing between the steps of
// one call.
//
// A call is identified by the address of its Cancellation. A Turn keeps the
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

// Waits until earlier calls have had their turns. Gives up at `deadline`, but
// not within the first second, because most turns are shorter, and after 20 s
// at the latest. A call that already has the turn gets another Turn
// immediately. If another server owns the session, that server lends the
// keyboard between two of its own calls. Error: nothing may be typed, for
// example because others are still typing, a person has the keyboard of another
// server's session, or the call was cancelled.
Task<absl::StatusOr<Turn>> TakeTurn(session::SessionRef session,
                                    Cancellation* cancellation, Time deadline);

}  // namespace glasstty::typing
