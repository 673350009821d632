#include "tools/line_filter.h"

#include <algorithm>
#include <string>
#include <utility>

#include "session/streams.h"
#include "support/status.h"
#include "tools/found_lines.h"
#include "tools/run_output.h"

namespace glasstty {
namespace {

using record::History;
using record::SearchRequest;

struct Matching {
  FoundLines found;
  int64_t matches = 0;
  int64_t lines = 0;  // the number of lines that were searched
};

Task<Matching> FindMatching(mcp::ToolCall* call, const History* history,
                            Pattern pattern, SearchRequest request) {
  record::LineSearch search(history, std::move(pattern), request);
  co_await SearchAll(call, &search);
  Matching matching;
  matching.matches = search.matches();
  matching.lines = std::max<int64_t>(request.to - search.first(), 0);
  matching.found = ShowFound(search.Take(), search.matches(),
                             /*has_context=*/request.context > 0);
  co_return matching;
}

// If a line was shown in part, only the rest of it is searched.
SearchRequest UnreadOf(const session::Output& stream,
                       const record::LineMark& before) {
  SearchRequest request = LinesFrom(stream, before.line);
  if (before.lines_revision == 0) return request;
  for (terminal::Line& line :
       stream.history().Lines(before.line, before.line + 1)) {
    if (record::StripShown(before, stream.terminal(), &line)) {
      request.instead.push_back(std::move(line));
    } else {
      ++request.from;
    }
  }
  return request;
}

SearchRequest RangeIn(const session::Session& session,
                      const session::Output& stream,
                      const view::ReadRequest& request,
                      const view::ReaderMark& before, view::ReadMode used) {
  if (used == view::ReadMode::kStream) {
    record::LineMark since;
    if (request.since_line) since.line = *request.since_line - 1;
    return UnreadOf(stream, request.since_line
                                ? since
                                : session::MarkOf(session, stream, before));
  }
  view::RequestedLines wanted = view::FindRequested(stream.history(), request);
  SearchRequest range = LinesFrom(stream, wanted.from);
  range.to = std::min(range.to, wanted.to);
  return range;
}

}  // namespace

SearchRequest LinesFrom(const session::Output& stream, int64_t from) {
  SearchRequest request;
  request.from = from;
  request.to = stream.history().text_end();
  return request;
}

absl::StatusOr<LineFilter> MakeLineFilter(const std::string& pattern,
                                          int context, int max_lines,
                                          view::Truncate truncate) {
  absl::StatusOr<Pattern> compiled = Pattern::Compile(pattern);
  if (!compiled.ok()) return compiled.status();
  LineFilter filter{*std::move(compiled), context,
                    max_lines > 0 ? max_lines : 1'000};
  if (truncate == view::Truncate::kHead) filter.kept = record::Kept::kFirst;
  if (truncate == view::Truncate::kTail) filter.kept = record::Kept::kLast;
  return filter;
}

Task<view::ReadResult> OnlyMatching(mcp::ToolCall* call, LineFilter filter,
                                    session::SessionRef session,
                                    std::vector<SearchedRange> ranges,
                                    view::ReadResult read) {
  read.body.clear();
  read.errors.clear();
  read.hint.clear();
  read.whole = false;
  int64_t matches = 0, shown = 0, lines = 0;
  for (SearchedRange& range : ranges) {
    range.lines.context = filter.context;
    range.lines.max = filter.max;
    range.lines.kept = filter.kept;
    Matching one = co_await FindMatching(
        call, &range.stream->history(), filter.pattern, std::move(range.lines));
    lines += one.lines;
    matches += one.matches;
    shown += one.found.matches;
    if (one.matches == 0) continue;
    if (!read.body.empty()) read.body += '\n';
    if (range.stream == session->errors()) read.body += "stderr:\n";
    read.body += one.found.text;
  }
  read.facts = absl::StrFormat("%d of %d lines match", matches, lines);
  if (shown < matches) read.facts += absl::StrFormat(", %d shown", shown);
  read.left_out = lines - shown;
  co_return read;
}

Task<absl::StatusOr<view::ReadResult>> OnlyMatching(
    mcp::ToolCall* call, LineFilter filter, session::SessionRef session,
    view::ReadRequest request, view::ReaderMark before, view::ReadResult read) {
  using view::ReadMode;
  std::vector<SearchedRange> ranges;
  if (read.used == ReadMode::kCommand) {
    const record::CommandBlock* block =
        session->events().commands().Find(request.command);
    if (block == nullptr) co_return read;
    ranges.push_back({&session->output(),
                      SearchOfCommand(session->output().history(), *block)});
  } else if (read.used == ReadMode::kStream ||
             read.used == ReadMode::kHistory || read.used == ReadMode::kAll) {
    for (const session::Output* stream :
         session::StreamsOf(*session, request.stream)) {
      ranges.push_back(
          {stream, RangeIn(*session, *stream, request, before, read.used)});
    }
  } else {
    co_return InvalidArgument(
        "term_read: 'grep' filters lines, and this is mode=%s: give "
        "mode=stream, history or command, or leave 'grep' out",
        view::ReadModeName(read.used));
  }
  co_return co_await OnlyMatching(call, std::move(filter), session,
                                  std::move(ranges), std::move(read));
}

}  // namespace glasstty
