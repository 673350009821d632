#include "tools/run_grep.h"

#include <utility>

#include "record/line_search.h"
#include "support/status.h"
#include "tools/found_lines.h"
#include "tools/run_output.h"

namespace glasstty {
namespace {

using record::History;
using record::LineSearch;
using record::SearchRequest;

struct Matching {
  FoundLines found;
  int64_t matches = 0;
  int64_t lines = 0;  // that were searched
};

Task<Matching> FindMatching(mcp::ToolCall* call, const History* history,
                            Pattern pattern, SearchRequest request) {
  LineSearch search(history, std::move(pattern), request);
  co_await SearchAll(call, &search);
  Matching matching;
  matching.matches = search.matches();
  matching.lines = request.to - search.first();
  matching.found = ShowFound(search.Take(), search.matches(),
                             /*has_context=*/request.context > 0);
  co_return matching;
}

}  // namespace

Task<RunOutcome> OnlyMatching(mcp::ToolCall* call, Pattern pattern, int context,
                              int max, RunOutcome outcome) {
  if (!outcome.ended) {
    outcome.notes.push_back("not filtered by grep: it has not ended");
    co_return outcome;
  }
  const session::Session& session = *outcome.session;
  SearchRequest request = SearchOf(outcome);
  request.context = context;
  request.max = max;
  Matching out = co_await FindMatching(call, &session.output().history(),
                                       pattern, request);
  Matching all = out;
  if (session.errors() != nullptr) {
    const History& history = session.errors()->history();
    const terminal::Terminal& lines = session.errors()->terminal();
    // A line that has not begun is none.
    bool has_begun = lines.cursor_line_bytes() > 0;
    request.from = 0;
    request.to = lines.cursor_line() + (has_begun ? 1 : 0);
    request.instead.clear();
    Matching errors =
        co_await FindMatching(call, &history, std::move(pattern), request);
    if (errors.matches > 0) {
      all.found.text += (all.found.text.empty() ? "stderr:\n" : "\nstderr:\n") +
                        errors.found.text;
    }
    all.matches += errors.matches;
    all.lines += errors.lines;
    all.found.matches += errors.found.matches;
  }
  view::ReadResult* read = &outcome.read;
  read->body = std::move(all.found.text);
  read->whole = false;
  read->errors.clear();
  read->hint.clear();
  read->facts = absl::StrFormat("%d of %d lines match", all.matches, all.lines);
  if (all.found.matches < all.matches) {
    read->facts += absl::StrFormat(", %d shown", all.found.matches);
  }
  read->left_out = all.lines - all.found.matches;
  co_return outcome;
}

}  // namespace glasstty
