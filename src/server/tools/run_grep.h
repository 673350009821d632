// The argument `grep` of term_run: shows the lines of a command's output that
// match, instead of all of it.
#pragma once

#include "support/pattern.h"
#include "support/task.h"
#include "tools/run_once.h"

namespace glasstty {

// Returns the outcome with the matching lines of output and of a separate
// stderr in place of its output, with `context` lines around each. At most
// `max` matches are shown, half of them from each end; the first line counts
// all. Leaves a command that has not ended as it is, because whoever is asked
// something must see the question.
Task<RunOutcome> OnlyMatching(mcp::ToolCall* call, Pattern pattern, int context,
                              int max, RunOutcome outcome);

}  // namespace glasstty
