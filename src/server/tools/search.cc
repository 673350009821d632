// term_search: finds lines in everything that a session has printed.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "record/line_search.h"
#include "support/status.h"
#include "terminal/screen_lines.h"
#include "tools/all_tools.h"
#include "tools/found_lines.h"
#include "tools/output_args.h"
#include "tools/reply.h"

namespace glasstty {

using record::LineSearch;

namespace {

struct SearchArgs {
  std::string session;
  std::string regex;
  // The number of lines around each match.
  int context = 0;
  // Lines count from 1; negative numbers count from the end.
  int64_t from_line = 1;
  int64_t to_line = -1;
  int max = 50;
  view::OutputStream stream = view::OutputStream::kBoth;
  ReplyFormat format = ReplyFormat::kText;

  static const std::vector<mcp::Field<SearchArgs>>& Fields() {
    using A = SearchArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>{
        mcp::Optional("session", &A::session, ""),
        mcp::Required("regex", &A::regex, "RE2."),
        mcp::Optional("context", &A::context, "Lines around each match.",
                      mcp::Range{0, 100}),
        mcp::Optional("from_line", &A::from_line, "Negative: from end.",
                      mcp::Range{-1e15, 1e15}),
        mcp::Unlisted(mcp::Optional("to_line", &A::to_line,
                                    "Negative: from end.",
                                    mcp::Range{-1e15, 1e15})),
        mcp::Optional("max", &A::max, "Of both ends; all are counted.",
                      mcp::Range{1, 1000}),
        mcp::Unlisted(
            mcp::Optional("stream", &A::stream,
                          "For sessions without a terminal: both, out, err.")),
        mcp::Unlisted(mcp::Optional("format", &A::format,
                                    "json: the same facts, for programs.")),
    };
    return *fields;
  }
};

// Converts a line number of an argument to an index from 0. `end` is one past
// the last line; the caller limits the result to existing lines.
int64_t LineIndex(int64_t number, int64_t end) {
  return number < 0 ? std::max<int64_t>(end + number, 0) : number - 1;
}

absl::StatusOr<const record::History*> HistoryOf(
    const session::Session& session, view::OutputStream stream) {
  if (stream != view::OutputStream::kErrors) return &session.output().history();
  if (session.errors() != nullptr) return &session.errors()->history();
  return InvalidArgument(
      "term_search: session '%s' has a terminal, so its stderr is not apart; "
      "leave 'stream' out",
      session.name());
}

// Returns the lines that match on the screen of a full-screen program, which
// prints none. `number` is the row, from 1.
std::vector<terminal::Line> FindOnScreen(const session::Session& session,
                                         const Pattern& pattern) {
  std::vector<terminal::Line> found;
  const terminal::Terminal& terminal = session.output().terminal();
  if (!terminal.modes().alternate_screen) return found;
  for (terminal::ScreenLine& line :
       terminal::ScreenLines(terminal.TakeSnapshot())) {
    if (!pattern.Find(line.text)) continue;
    found.push_back({.number = static_cast<int64_t>(line.row) + 1,
                     .text = std::move(line.text)});
  }
  return found;
}

Task<mcp::ToolResult> Search(Workbench* bench, mcp::ToolCall* call,
                             SearchArgs args) {
  ASSIGN_OR_CO_RETURN(Pattern pattern, Pattern::Compile(args.regex));
  ASSIGN_OR_CO_RETURN(session::SessionRef session,
                      co_await bench->FindSession(call, args.session));
  ASSIGN_OR_CO_RETURN(const record::History* history,
                      HistoryOf(*session, args.stream));
  int64_t end = history->end_line();
  record::SearchRequest request;
  request.from = LineIndex(args.from_line, end);
  request.to = std::min(LineIndex(args.to_line, end) + 1, end);
  request.context = args.context;
  request.max = args.max;
  std::vector<terminal::Line> on_screen = FindOnScreen(*session, pattern);
  uint64_t failed = history->failed_reads();
  LineSearch search(history, std::move(pattern), request);
  co_await SearchAll(call, &search);
  std::vector<LineSearch::Found> found = search.Take();
  FoundLines shown =
      ShowFound(found, search.matches(), /*has_context=*/args.context > 0);
  Json rows = Json::array();
  for (const terminal::Line& row : on_screen) {
    shown.text += absl::StrFormat(
        "%srow %d: %s", shown.text.empty() ? "" : "\n", row.number, row.text);
    rows.push_back({{"row", row.number}, {"text", row.text}});
  }
  Reply reply(session);
  reply.SetBody(shown.text);
  reply.AddNote(absl::StrFormat(
      "%d match%s in lines %d-%d of %d", search.matches(),
      search.matches() == 1 ? "" : "es", search.first() + 1, request.to, end));
  if (!on_screen.empty()) {
    reply.AddNote(absl::StrFormat("%d on the screen", on_screen.size()));
  }
  if (shown.matches < search.matches()) {
    reply.AddNote(absl::StrFormat("%d shown", shown.matches));
  }
  if (history->failed_reads() > failed) reply.AddNote(history->ReadFailure());
  reply.AddNote(history->LostIn(search.first(), request.to).Text());
  if (search.first() > request.from) {
    reply.AddNote(absl::StrFormat("lines before %d are no longer kept",
                                  search.first() + 1));
  }
  mcp::ToolResult result = reply.Finish(bench, *call, args.format, true);
  if (result.structured) {
    (*result.structured)["matches"] = search.matches();
    (*result.structured)["lost_bytes"] =
        history->LostIn(search.first(), request.to).bytes;
    (*result.structured)["lines"] = FoundAsJson(found);
    if (!rows.empty()) (*result.structured)["screen"] = rows;
    bool is_text = call->context().at_shell;
    if (!is_text) result.text = DumpJson(*result.structured);
  }
  co_return result;
}

}  // namespace

mcp::Tool SearchTool(Workbench* bench) {
  return mcp::MakeTool<SearchArgs>(
      bench,
      {.name = "term_search",
       .title = "Terminal search",
       .description = "Search everything a session has printed.",
       .annotations = {.read_only = true,
                       .destructive = false,
                       .idempotent = true,
                       .open_world = false}},
      Search);
}

}  // namespace glasstty
