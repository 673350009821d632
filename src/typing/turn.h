// The turn to type, which keeps other calls from typing between the steps of
// one call.
//
// A call is identified by its cancellation. The turn holds the session, and
// ends when its last copy is destroyed. Loop thread only.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "session/session.h"
#include "support/cancellation.h"
#include "support/task.h"

namespace glasstty::typing {

using Turn = std::shared_ptr<session::Session>;

// Waits for its turn behind the calls that came before, for 20 s at most. A
// call that has it gets it at once. Error: others are still typing, or the call
// was cancelled; nothing may be typed.
Task<absl::StatusOr<Turn>> TakeTurn(session::SessionRef session,
                                    Cancellation* cancellation);

}  // namespace glasstty::typing
