// term_list: the sessions and their state.
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "support/status.h"
#include "support/text.h"
#include "tools/all_tools.h"
#include "tools/away.h"
#include "tools/output_args.h"
#include "tools/person_facts.h"
#include "tools/reply.h"
#include "view/visible.h"

namespace glasstty {
namespace {

struct ListArgs {
  std::string session;
  // Two or three more lines a session.
  bool verbose = false;
  // 0: none.
  int lines = 0;
  ReplyFormat format = ReplyFormat::kText;

  static const std::vector<mcp::Field<ListArgs>>& Fields() {
    using A = ListArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>{
        mcp::Optional("session", &A::session, ""),
        mcp::Optional("verbose", &A::verbose, "Also command line, log, title."),
        mcp::Optional("lines", &A::lines, "Last n lines of each.",
                      mcp::Range{0, 1000}),
        mcp::Unlisted(mcp::Optional("format", &A::format,
                                    "json: the same facts, for programs.")),
    };
    return *fields;
  }
};

// Two digits are enough to see what is stale: "95s", "12m", "30h".
std::string ShortTime(Duration d) {
  auto s = std::chrono::duration_cast<std::chrono::seconds>(d).count();
  if (s < 120) return absl::StrFormat("%ds", s);
  if (s < 7200) return absl::StrFormat("%dm", s / 60);
  return absl::StrFormat("%dh", s / 3600);
}

// One session, for both formats.
struct Entry {
  Json json = Json::object();
  std::string text;
};

// Why it is no more, if nobody closed it.
std::string FateOf(Workbench* bench, const std::string& name) {
  return bench->manager()->tombstones().Of(name);
}

// Says who else uses it; nothing where this client is alone.
void AddOthers(const Clients::Others& others, Entry* entry) {
  if (!others.opened_by.empty()) {
    entry->json["opened_by"] = others.opened_by;
    entry->text += ", opened by " + others.opened_by;
  }
  struct Row {
    const char* key;
    const char* verb;
    const std::vector<std::string>& who;
  };
  for (const Row& row : {Row{"typing", "types", others.typing},
                         Row{"waiting", "waits", others.waiting}}) {
    if (row.who.empty()) continue;
    entry->json[row.key] = row.who;
    entry->text += absl::StrFormat(", %s: %s", row.verb, Join(row.who, ", "));
  }
}

// Must not suspend: everything in an entry is of one moment.
Entry Describe(Workbench* bench, const mcp::ToolCall& call,
               const session::Session& session) {
  const terminal::Terminal& terminal = session.terminal();
  Duration idle = bench->loop()->Now() - session.last_output();
  // Neither its screen nor what is unread is known before that.
  bool reading = session.replaying();
  // What this client has not read; another client's reading does not count.
  int64_t unread =
      reading ? 0 : record::CountUnread(terminal, bench->MarkOf(call, session));
  // Of the foreground, so "vim" while a shell runs it; the command's own name
  // before the first answer.
  std::string program = session.LastState().program;
  if (program.empty()) program = session.origin().program.argv[0];
  terminal::Size size = terminal.size();
  std::string cwd = CurrentDirectory(session);
  // Tells an editor or pager from a shell at a glance.
  bool alternate = terminal.modes().alternate_screen;

  Entry entry;
  entry.json = {{"session", session.name()},
                {"state", StateWord(session)},
                {"program", program},
                {"pid", session.leader_pid()},
                // rows, columns
                {"size", {size.rows, size.cols}},
                {"cwd", cwd},
                // Since the last output that was fed; input does not count.
                {"idle_s", std::chrono::duration<double>(idle).count()},
                {"unread_lines", unread},
                {"alternate_screen", alternate},
                {"keep", session.origin().program.keep}};
  const std::string& place = session.origin().place;
  std::string where = cwd;
  if (!place.empty()) where += (cwd.empty() ? "on " : " on ") + place;
  if (!place.empty()) entry.json["on"] = place;
  std::string person =
      session.person().here() ? " person=" + session.person().via() : "";
  entry.text =
      absl::StrFormat("[%s] %s%s %s pid=%d %dx%d %s idle %s", session.name(),
                      StateWord(session), person, program, session.leader_pid(),
                      size.rows, size.cols, where, ShortTime(idle));
  if (session.away_since() && !session.finished()) {
    entry.json["away"] = true;
    entry.text += ", " + AwayText(*bench, session);
  }
  if (session.person().here()) {
    entry.json["person"] = PersonJson(session);
  }
  if (reading) {
    entry.json["reading_log"] = true;
    entry.text += kReadingNote;
  }
  if (unread > 0) {
    entry.text +=
        absl::StrFormat(", %d unread line%s", unread, unread == 1 ? "" : "s");
  }
  if (alternate) entry.text += ", full-screen";
  if (session.origin().program.keep) entry.text += ", kept";
  AddOthers(bench->clients()->OthersAt(call, session), &entry);
  std::string fate = FateOf(bench, session.name());
  if (session.finished() && !fate.empty()) {
    entry.json["fate"] = fate;
    entry.text += ", " + fate;
  }
  return entry;
}

// What is too long for every look.
void AddVerbose(Workbench* bench, const session::Session& session,
                Entry* entry) {
  std::string log = bench->manager()->LogPath(session);
  const std::string& title = session.terminal().title();
  entry->json["argv"] = session.origin().program.argv;
  entry->json["title"] = title;
  entry->json["log"] = log;
  entry->text += absl::StrFormat("\n  command: %s",
                                 Join(session.origin().program.argv, " "));
  if (!title.empty()) entry->text += "\n  title: " + title;
  // The name of a directory rather than of a file: the log is in segments.
  std::string tail = "glasstty tail -f " + session.name();
  entry->json["tail"] = tail;
  entry->text +=
      absl::StrFormat("\n  raw log: %s/out.* (%d bytes so far); as text: %s",
                      log, session.feed().consumed(), tail);
}

// The last lines of the stream; for a full-screen program those of before it.
// Looking at them does not count as reading.
void AddLastLines(const session::Session& session, int count, Entry* entry) {
  const terminal::Terminal& terminal = session.terminal();
  int64_t end = terminal.end_line();
  auto lines = terminal.Lines(end - count, end);
  int64_t invisible = 0;
  std::string text = view::ShowInvisible(
      view::RenderLines(lines, {.max_lines = 0}).text, &invisible);
  entry->json["last_lines"] = text;
  for (const std::string& line : Split(text, '\n')) {
    entry->text += "\n  " + line;
  }
}

// Other machines, also without sessions: one that failed says why.
void AddPlaces(const session::SessionManager& manager, Json* list,
               std::vector<std::string>* lines) {
  for (const session::ReachedPlace& place : manager.places()) {
    const session::PlaceLink* link = place.link;
    if (link->gone()) continue;
    const wire::PlaceStatus& status = link->status();
    const char* state = wire::PlaceStateName(status.state);
    double ms = static_cast<double>(status.round_trip_ns) / 1e6;
    Json json = {{"on", link->place().text}, {"state", state}};
    std::string text =
        absl::StrFormat("place %s %s", link->place().text, state);
    if (link->up()) {
      json["round_trip_ms"] = ms;
      json["system"] = link->hello().system;
      text += absl::StrFormat(", round trip %.1f ms, %s", ms,
                              CleanText(link->hello().system));
    }
    if (!status.failure.empty()) {
      json["failure"] = status.failure;
      text += ": " + status.failure;
    }
    list->push_back(std::move(json));
    lines->push_back(std::move(text));
  }
}

Task<mcp::ToolResult> List(Workbench* bench, mcp::ToolCall* call,
                           ListArgs args) {
  if (absl::Status s = bench->manager()->Prepare(); !s.ok()) co_return s;
  bench->manager()->AdoptLeft();
  std::vector<session::SessionRef> sessions = bench->manager()->All();
  if (!args.session.empty()) {
    ASSIGN_OR_CO_RETURN(session::SessionRef only,
                        co_await bench->FindSession(call, args.session));
    sessions = {only};
  }
  co_await bench->AwaitReplays(call, sessions, Workbench::kListPatience);
  // One wait for all of them, so a long list costs no more than a short one.
  co_await bench->AwaitShownStates(call, sessions);
  Json list = Json::array();
  std::vector<std::string> lines;
  for (const session::SessionRef& session : sessions) {
    Entry entry = Describe(bench, *call, *session);
    if (args.verbose) AddVerbose(bench, *session, &entry);
    if (args.lines > 0) AddLastLines(*session, args.lines, &entry);
    list.push_back(std::move(entry.json));
    lines.push_back(std::move(entry.text));
  }
  // Only the name is known: nothing of another server's session is opened.
  for (const std::string& name : bench->manager()->elsewhere()) {
    list.push_back(Json{{"session", name}, {"state", "elsewhere"}});
    lines.push_back(absl::StrFormat(
        "[%s] elsewhere: belongs to another glasstty server", name));
  }
  for (const auto& stone : bench->manager()->tombstones().all()) {
    if (!args.session.empty() || bench->manager()->Find(stone.name).ok()) {
      continue;
    }
    list.push_back(Json{{"session", stone.name}, {"fate", stone.epitaph}});
    lines.push_back(
        absl::StrFormat("[%s] gone: %s", stone.name, stone.epitaph));
  }
  Json places = Json::array();
  if (args.session.empty()) AddPlaces(*bench->manager(), &places, &lines);
  if (lines.empty()) lines.push_back("no sessions; term_open starts one");
  mcp::ToolResult result(Join(lines, "\n"));
  if (args.format == ReplyFormat::kJson) {
    // The text repeats the structure: clients show one or the other.
    result.structured = Json{{"sessions", std::move(list)}};
    if (!places.empty()) (*result.structured)["places"] = std::move(places);
    result.text = DumpJson(*result.structured);
  }
  co_return result;
}

}  // namespace

mcp::Tool ListTool(Workbench* bench) {
  return mcp::MakeTool<ListArgs>(
      bench,
      {.name = "term_list",
       .title = "List terminals",
       .description =
           "All sessions: state, program, pid, size, directory, unread lines.",
       .annotations = {.read_only = true,
                       .destructive = false,
                       .idempotent = true,
                       .open_world = false}},
      List);
}

}  // namespace glasstty
