// The argument `grep` of term_run and term_read: shows the lines that match,
// instead of all of them.
//
// Free functions; nothing is kept. Loop thread only.
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
  // At most so many matches are shown of each stream; all are counted.
  int max = 0;
  record::Kept kept = record::Kept::kBothEnds;
};

// Makes a filter of a tool's arguments. `max_lines` 0 means no limit but that
// of a reply. Error: the pattern is invalid.
absl::StatusOr<LineFilter> MakeLineFilter(const std::string& pattern,
                                          int context, int max_lines,
                                          view::Truncate truncate);

// Returns the read with the matching lines of these ranges in place of its own;
// its facts count all of them.
struct SearchedRange {
  const session::Output* stream = nullptr;
  record::SearchRequest lines;
};
Task<view::ReadResult> OnlyMatching(mcp::ToolCall* call, LineFilter filter,
                                    session::SessionRef session,
                                    std::vector<SearchedRange> ranges,
                                    view::ReadResult read);

// Does so for a read of lines, which has gone from `before` to read.mark if it
// showed what was unread. Error: the read has shown a screen, or something else
// that is no line.
Task<absl::StatusOr<view::ReadResult>> OnlyMatching(
    mcp::ToolCall* call, LineFilter filter, session::SessionRef session,
    view::ReadRequest request, view::ReaderMark before, view::ReadResult read);

// Returns the lines of a stream from `from` on. An empty line at the cursor is
// none.
record::SearchRequest LinesFrom(const session::Output& stream, int64_t from);

}  // namespace glasstty
