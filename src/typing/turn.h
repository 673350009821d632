// The turn to type: the steps of one call reach a program without those of
// another call in between.
//
// A call is known by its cancellation. The turn holds the session and is given
// back with its last copy. Loop thread only.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "session/session.h"
#include "support/cancellation.h"
#include "support/task.h"

namespace glasstty {

using Turn = std::shared_ptr<Session>;

// Waits for its turn behind the calls that came before, for 20 s at most. A
// call that has it gets it at once. Error: others are still typing, or the call
// was cancelled; nothing may be typed.
Task<absl::StatusOr<Turn>> TakeTurn(SessionRef session,
                                    Cancellation* cancellation);

}  // namespace glasstty
