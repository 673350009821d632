// Waits between two steps until a condition holds, in the typist's session or
// in another one.
//
// The typist and the step must outlive the call. Loop thread only.
#pragma once

#include "support/task.h"
#include "typing/input.h"
#include "typing/typist.h"

namespace glasstty::typing {

// Stops the typing if the wait ends without the condition, because the
// following steps rely on it.
Task<Next> AwaitUntil(Typist* typist, const Step* step);

}  // namespace glasstty::typing
