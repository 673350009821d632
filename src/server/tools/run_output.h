// Finds the output of a command in the session's history, as one text or as a
// search.
//
// Free functions without state. Loop thread only.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "record/line_search.h"
#include "support/task.h"
#include "tools/line_filter.h"
#include "tools/run_once.h"

namespace glasstty {

// Returns the whole output as text. Error: it is larger than 16 MiB, or has a
// line of which not all is kept.
absl::StatusOr<std::string> OutputOf(const RunOutcome& outcome);

// Returns a search in the output. It excludes other text on the first and the
// last line, such as the next prompt.
record::SearchRequest SearchOf(const RunOutcome& outcome);
// Like SearchOf, for a command of a shell, which may still be running.
record::SearchRequest SearchOfCommand(const record::History& history,
                                      const record::CommandBlock& command);

// Returns the outcome with only the matching lines of its output and of a
// separate stderr. For a command that has not ended, only adds a note, because
// the caller must see the command's question.
Task<RunOutcome> OnlyMatching(mcp::ToolCall* call, LineFilter filter,
                              RunOutcome outcome);

}  // namespace glasstty
