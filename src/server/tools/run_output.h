// Finds what a command has printed in the session's history, as one text or to
// be searched.
//
// Free functions; nothing is kept. Loop thread only.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "record/line_search.h"
#include "support/task.h"
#include "tools/line_filter.h"
#include "tools/run_once.h"

namespace glasstty {

// Returns everything that it printed, as text. Error: it is more than 16 MiB.
absl::StatusOr<std::string> OutputOf(const RunOutcome& outcome);

// Returns a search in what it printed, without the text around that on the
// first and the last line, such as the next prompt.
record::SearchRequest SearchOf(const RunOutcome& outcome);
// The same for a command of a shell, also for one that still runs.
record::SearchRequest SearchOfCommand(const record::History& history,
                                      const record::CommandBlock& command);

// Returns the outcome with the lines of its output, and of a separate stderr,
// that match. Leaves a command that has not ended as it is, because whoever is
// asked something must see the question.
Task<RunOutcome> OnlyMatching(mcp::ToolCall* call, LineFilter filter,
                              RunOutcome outcome);

}  // namespace glasstty
