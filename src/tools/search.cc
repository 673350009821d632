// term_search: find lines in everything that a session has printed.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "record/line_search.h"
#include "support/status.h"
#include "tools/all_tools.h"
#include "tools/output_args.h"
#include "tools/reply.h"
#include "view/visible.h"

namespace glasstty {

using record::LineSearch;

namespace {

struct SearchArgs {
  std::string session;
  std::string regex;
  // Lines around each match.
  int context = 0;
  // Counted from 1; negative from the end.
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
        mcp::Optional("max", &A::max, "Limit; all are counted.",
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

// A line number of an argument, as an index: `end` is one past the last line.
// From 0; numbers far outside are cut to the lines there are by the caller.
int64_t LineIndex(int64_t number, int64_t end) {
  return number < 0 ? std::max<int64_t>(end + number, 0) : number - 1;
}

// Of one line; the rest of it is reached by its number. Bytes.
constexpr size_t kMaxShown = 400;
// Before a match that begins far inside its line.
constexpr size_t kLead = 100;

std::string Excerpted(const LineSearch::Found& row) {
  const std::string& text = row.line.text;
  if (text.size() <= kMaxShown) return text;
  // A match near the beginning keeps the beginning: 0 until the match and its
  // lead would no longer fit.
  size_t begin = row.at + kLead > kMaxShown ? row.at - kLead : 0;
  begin = Utf8Prefix(text, begin).size();
  std::string_view part =
      Utf8Prefix(std::string_view(text).substr(begin), kMaxShown);
  size_t behind = text.size() - begin - part.size();
  return absl::StrFormat("%s%s%s", begin > 0 ? "[...]" : "", part,
                         behind > 0 ? "[...]" : "");
}

// What of the matches is shown.
struct Shown {
  std::string text;
  int64_t matches = 0;
  int64_t last = 0;  // line of the last of them
};

// "12: text" for a match, "11- text" for a line around it, as grep(1) does;
// "--" where lines are left out between contexts.
Shown Render(const std::vector<LineSearch::Found>& found, bool context) {
  Shown shown;
  int64_t before = -1;
  for (const LineSearch::Found& row : found) {
    // Looked at before each line, so one line may pass the limit.
    // At least one match, or the hint would lead nowhere.
    bool full = shown.text.size() > view::Limits::kDefaultCharacters;
    if (full && shown.matches > 0) break;
    int64_t number = row.line.number;
    if (context && before >= 0 && number > before + 1) shown.text += "--\n";
    shown.text += absl::StrFormat("%d%c %s\n", number + 1,
                                  row.match ? ':' : '-', Excerpted(row));
    before = number;
    if (!row.match) continue;
    ++shown.matches;
    shown.last = number;
  }
  if (!shown.text.empty()) shown.text.pop_back();
  return shown;
}

Json FoundAsJson(const std::vector<LineSearch::Found>& found) {
  Json rows = Json::array();
  int64_t invisible = 0;
  for (const LineSearch::Found& row : found) {
    rows.push_back({{"line", row.line.number + 1},
                    {"text", view::ShowInvisible(row.line.text, &invisible)},
                    {"match", row.match}});
  }
  return rows;
}

absl::StatusOr<const record::History*> HistoryOf(
    const session::Session& session, view::OutputStream stream) {
  if (stream != view::OutputStream::kErrors) return &session.history();
  if (session.error_history() != nullptr) return session.error_history();
  return InvalidArgument(
      "term_search: session '%s' has a terminal, so its stderr is not apart; "
      "leave 'stream' out",
      session.name());
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
  LineSearch search(history, std::move(pattern), request);
  co_await SearchAll(bench->loop(), call, &search);
  std::vector<LineSearch::Found> found = search.Take();
  Shown shown = Render(found, args.context > 0);
  Reply reply(session);
  reply.SetBody(shown.text);
  reply.AddNote(absl::StrFormat(
      "%d match%s in lines %d-%d of %d", search.matches(),
      search.matches() == 1 ? "" : "es", search.first() + 1, request.to, end));
  if (shown.matches < search.matches()) {
    reply.AddNote(absl::StrFormat("%d shown; more: from_line=%d", shown.matches,
                                  shown.last + 2));
  }
  if (search.first() > request.from) {
    reply.AddNote(absl::StrFormat("lines before %d are no longer kept",
                                  search.first() + 1));
  }
  mcp::ToolResult result = reply.Finish(bench, *call, args.format, true);
  if (result.structured) {
    (*result.structured)["matches"] = search.matches();
    (*result.structured)["lines"] = FoundAsJson(found);
    result.text = DumpJson(*result.structured);
  }
  co_return result;
}

}  // namespace

mcp::Tool SearchTool(Workbench* bench) {
  return mcp::MakeTool<SearchArgs>(
      bench,
      {.name = "term_search",
       .title = "Search output",
       .description = "Search everything a session has printed.",
       .annotations = {.read_only = true,
                       .destructive = false,
                       .idempotent = true,
                       .open_world = false}},
      Search);
}

}  // namespace glasstty
