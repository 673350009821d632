// term_search: finds lines in everything that a session has printed.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/line_search.h"
#include "session/streams.h"
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

// Converts a line number of an argument to an index from 0; 0 means the first
// line, too. `end` is one past the last line. The result may be outside the
// existing lines.
int64_t LineIndex(int64_t number, int64_t end) {
  return std::max<int64_t>(number < 0 ? end + number : number - 1, 0);
}

// Error: stderr was requested, but only a session without a terminal has a
// separate one.
absl::StatusOr<std::vector<const session::Output*>> StreamsFor(
    const session::Session& session, view::OutputStream wanted) {
  auto streams = session::StreamsOf(session, wanted);
  if (!streams.empty()) return streams;
  return InvalidArgument(
      "term_search: session '%s' has a terminal, so its stderr is not apart; "
      "leave 'stream' out",
      session.name());
}

void AddLine(std::string_view line, std::string* text) {
  if (line.empty()) return;
  if (!text->empty()) *text += '\n';
  *text += line;
}

// Returns the lines that match on the screen of a full-screen program, which
// prints no lines. The `number` of each line is its row, from 1.
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

// The matches in one stream.
struct Searched {
  std::vector<LineSearch::Found> found;
  FoundLines shown;
  int64_t matches = 0;
  std::vector<std::string> notes;
  uint64_t lost_bytes = 0;
};

// Adds notes about the searched range and about gaps in it. `of` names the
// stream if there are two.
void Note(const record::History& history, int64_t first,
          const record::SearchRequest& request, std::string_view of,
          Searched* searched) {
  searched->notes.push_back(
      absl::StrFormat("%d match%s in lines %d-%d of %d%s", searched->matches,
                      searched->matches == 1 ? "" : "es", first + 1, request.to,
                      history.text_end(), of));
  if (searched->shown.matches < searched->matches) {
    searched->notes.push_back(
        absl::StrFormat("%d shown", searched->shown.matches));
  }
  record::History::Lost lost = history.LostIn(first, request.to);
  searched->lost_bytes = lost.bytes;
  searched->notes.push_back(lost.Text());
  if (first > request.from) {
    searched->notes.push_back(
        absl::StrFormat("lines before %d%s are no longer kept", first + 1, of));
  }
}

Task<Searched> SearchStream(mcp::ToolCall* call, const session::Output* stream,
                            Pattern pattern, const SearchArgs* args,
                            std::string of) {
  const record::History& history = stream->history();
  int64_t end = history.text_end();
  record::SearchRequest request;
  request.from = LineIndex(args->from_line, end);
  request.to = std::min(LineIndex(args->to_line, end) + 1, end);
  request.context = args->context;
  request.max = args->max;
  uint64_t failed = history.failed_reads();
  LineSearch search(&history, std::move(pattern), request);
  co_await SearchAll(call, &search);
  Searched searched;
  searched.found = search.Take();
  searched.matches = search.matches();
  searched.shown = ShowFound(searched.found, search.matches(),
                             /*has_context=*/args->context > 0);
  Note(history, search.first(), request, of, &searched);
  if (history.failed_reads() > failed) {
    searched.notes.push_back(history.ReadFailure());
  }
  co_return searched;
}

Task<mcp::ToolResult> Search(Workbench* bench, mcp::ToolCall* call,
                             SearchArgs args) {
  ASSIGN_OR_CO_RETURN(Pattern pattern, Pattern::Compile(args.regex));
  ASSIGN_OR_CO_RETURN(session::SessionRef session,
                      co_await bench->FindSession(call, args.session));
  ASSIGN_OR_CO_RETURN(std::vector<const session::Output*> streams,
                      StreamsFor(*session, args.stream));
  std::vector<terminal::Line> on_screen = FindOnScreen(*session, pattern);
  Reply reply(session);
  std::string text;
  int64_t matches = 0;
  uint64_t lost_bytes = 0;
  Json lines = Json::array(), rows = Json::array();
  for (const session::Output* stream : streams) {
    bool is_error = stream == session->errors();
    bool is_named = is_error && streams.size() > 1;
    Searched searched = co_await SearchStream(call, stream, pattern, &args,
                                              is_named ? " of stderr" : "");
    if (is_named && searched.matches > 0) AddLine("stderr:", &text);
    AddLine(searched.shown.text, &text);
    for (std::string& note : searched.notes) reply.AddNote(std::move(note));
    matches += searched.matches;
    lost_bytes += searched.lost_bytes;
    for (Json& line : FoundAsJson(searched.found)) {
      if (is_error) line["stream"] = "err";
      lines.push_back(std::move(line));
    }
  }
  for (const terminal::Line& row : on_screen) {
    AddLine(absl::StrFormat("row %d: %s", row.number, row.text), &text);
    rows.push_back({{"row", row.number}, {"text", row.text}});
  }
  reply.SetBody(text);
  if (!on_screen.empty()) {
    reply.AddNote(absl::StrFormat("%d on the screen", on_screen.size()));
  }
  mcp::ToolResult result = reply.Finish(bench, *call, args.format, true);
  if (result.structured) {
    (*result.structured)["matches"] = matches;
    (*result.structured)["lost_bytes"] = lost_bytes;
    (*result.structured)["lines"] = std::move(lines);
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
