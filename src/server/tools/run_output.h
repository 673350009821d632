// Finds what a command has printed in the session's history, as one text or to
// be searched.
//
// Free functions; nothing is kept. Loop thread only.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "record/line_search.h"
#include "tools/run_once.h"

namespace glasstty {

// Returns everything that it printed, as text. Error: it is more than 16 MiB.
absl::StatusOr<std::string> OutputOf(const RunOutcome& outcome);

// Returns a search in what it printed, without the text around that on the
// first and the last line, such as the next prompt.
record::SearchRequest SearchOf(const RunOutcome& outcome);

}  // namespace glasstty
