// Waits between two steps until a condition holds, in the typist's session or
// in another one.
//
// Borrows the typist and the step, which must outlive the call. Loop thread
// only.
#pragma once

#include "support/task.h"
#include "typing/input.h"
#include "typing/typist.h"

namespace glasstty::typing {

// Stops the typing if the condition is not met in time, or cannot be met any
// more, because the following steps rely on it.
Task<Next> AwaitUntil(Typist* typist, const Step* step);

}  // namespace glasstty::typing
