// The argument `grep` of term_run and term_read: shows the lines that match,
// instead of all of them.
//
// Free functions without state. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mcp/tool.h"
#include "record/line_search.h"
#include "session/session.h"
#include "support/pattern.h"
#include "support/task.h"
#include "view/reader.h"

namespace glasstty {

struct LineFilter {
  Pattern pattern;
  int context = 0;  // lines around each match
  // At most this many matches of each stream are shown; all are counted.
  int max = 0;
  record::Kept kept = record::Kept::kBothEnds;
};

// Creates a filter from a tool's arguments. `max_lines` 0 means at most 1,000
// matches. Error: the pattern is invalid.
absl::StatusOr<LineFilter> MakeLineFilter(const std::string& pattern,
                                          int context, int max_lines,
                                          view::Truncate truncate);

struct SearchedRange {
  const session::Output* stream = nullptr;
  record::SearchRequest lines;
};
// Returns `read` with its lines replaced by the matching lines of these ranges;
// its facts count all matches.
Task<view::ReadResult> OnlyMatching(mcp::ToolCall* call, LineFilter filter,
                                    session::SessionRef session,
                                    std::vector<SearchedRange> ranges,
                                    view::ReadResult read);

// Filters the lines in `read`, the result of reading `request` with the mark
// `before`. Error: `read` shows a screen, or something else that is not lines.
Task<absl::StatusOr<view::ReadResult>> OnlyMatching(
    mcp::ToolCall* call, LineFilter filter, session::SessionRef session,
    view::ReadRequest request, view::ReaderMark before, view::ReadResult read);

// Returns a request for the lines of a stream from `from` on, except an empty
// line at the cursor.
record::SearchRequest LinesFrom(const session::Output& stream, int64_t from);

}  // namespace glasstty
