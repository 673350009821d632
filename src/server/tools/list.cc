// term_list: lists the sessions and their states.
#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "base/visible.h"
#include "session/streams.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/all_tools.h"
#include "tools/away.h"
#include "tools/output_args.h"
#include "tools/person_facts.h"
#include "tools/remains.h"
#include "tools/reply.h"
#include "tools/session_words.h"
#include "tools/status_facts.h"

namespace glasstty {
namespace {

struct ListArgs {
  std::string session;
  // Adds two or three lines for each session.
  bool verbose = false;
  // The number of last lines to add of each session; 0: none.
  int lines = 0;
  ReplyFormat format = ReplyFormat::kText;

  static const std::vector<mcp::Field<ListArgs>>& Fields() {
    using A = ListArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>{
        mcp::Optional("session", &A::session, ""),
        mcp::Unlisted(mcp::Optional("verbose", &A::verbose,
                                    "Also command line, log, title.")),
        mcp::Optional("lines", &A::lines, "Last n lines of each.",
                      mcp::Range{0, 1000}),
        mcp::Unlisted(mcp::Optional("format", &A::format,
                                    "json: the same facts, for programs.")),
    };
    return *fields;
  }
};

// The maximum length of a command line, in code points; the JSON contains all
// of it.
constexpr size_t kMostCommand = 1000;

// Two or three digits suffice to see which sessions are stale: "95s", "12m",
// "30h".
std::string ShortTime(Duration d) {
  auto s = std::chrono::duration_cast<std::chrono::seconds>(d).count();
  if (s < 120) return absl::StrFormat("%ds", s);
  if (s < 7200) return absl::StrFormat("%dm", s / 60);
  return absl::StrFormat("%dh", s / 3600);
}

// A session, in both formats.
struct Entry {
  Json json = Json::object();
  std::string text;
};

// Returns why the session was closed other than by a call, or "".
std::string FateOf(Workbench* bench, const std::string& name) {
  return bench->manager()->list()->tombstones().Of(name);
}

// Adds the other clients that use the session.
void AddOthers(const Clients::Others& others, Entry* entry) {
  if (!others.opened_by.empty()) {
    entry->json["opened_by"] = others.opened_by;
    entry->text += ", opened by " + Quoted(others.opened_by);
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
    std::vector<std::string> who;
    for (const std::string& one : row.who) who.push_back(Quoted(one));
    entry->text += absl::StrFormat(", %s: %s", row.verb, Join(who, ", "));
  }
}

// Must not suspend, so that everything in an entry is from the same moment.
Entry Describe(Workbench* bench, const mcp::ToolCall& call,
               const session::Session& session, const std::string& name) {
  const terminal::Terminal& terminal = session.output().terminal();
  Duration idle = bench->loop()->Now() - session.output().last_output();
  // During a replay, neither the screen nor the unread lines are known.
  bool reading = session::IsReplaying(session);
  int64_t unread =
      reading ? 0 : session::CountUnread(session, bench->MarkOf(call, session));
  // The program in the foreground ("vim" while a shell runs it) or, before the
  // first probe, the session's own command.
  std::string program = session.verdict().LastState().program;
  if (program.empty()) program = session.origin().program.argv[0];
  terminal::Size size = terminal.size();
  std::string cwd = CurrentDirectory(session);
  // Distinguishes an editor or pager from a shell at a glance.
  bool alternate = terminal.modes().alternate_screen;

  Entry entry;
  entry.json = {{"session", name},
                {"state", StateWord(session)},
                {"program", program},
                {"pid", session.life().leader_pid()},
                // The order is rows, columns.
                {"size", {size.rows, size.cols}},
                {"cwd", WorkingDirectory(session)},
                // The time since the last output that was processed; input does
                // not count.
                {"idle_s", std::chrono::duration<double>(idle).count()},
                {"unread_lines", unread},
                {"alternate_screen", alternate},
                {"keep", session.origin().program.keep}};
  const std::string& place = session.origin().place;
  std::string where = cwd;
  if (!place.empty()) {
    where += (cwd.empty() ? "on " : " on ") + QuotedUnlessPlain(place);
  }
  if (!place.empty()) entry.json["on"] = place;
  std::string status;
  if (Json reported = StatusJson(session); !reported.is_null()) {
    entry.json["status"] = std::move(reported);
    status =
        " status=" + terminal::StatusWord(*session.verdict().ReportedStatus());
  }
  std::string person =
      session.person().here() ? " person=" + session.person().via() : "";
  // An ended session has no process, and its size no longer matters.
  std::string facts =
      session.finished()
          ? ""
          : absl::StrFormat(" pid=%d %dx%d %s", session.life().leader_pid(),
                            size.rows, size.cols, where);
  entry.text = absl::StrFormat(
      "[%s] %s%s%s %s%s idle %s", name, StateWord(session), status, person,
      QuotedUnlessPlain(program), facts, ShortTime(idle));
  if (session.contact().away_since() && !session.finished()) {
    entry.json["away"] = true;
    entry.text += ", " + AwayText(*bench, session);
  }
  if (session.person().here()) {
    entry.json["person"] = PersonJson(session);
  }
  std::string trouble = session.verdict().LogTrouble();
  if (!trouble.empty()) {
    entry.json["log_trouble"] = trouble;
    entry.text += ", " + trouble;
  } else if (reading) {
    entry.json["reading_log"] = true;
    entry.text += kReadingNote;
  }
  if (unread > 0) {
    entry.text +=
        absl::StrFormat(", %d unread line%s", unread, unread == 1 ? "" : "s");
  }
  if (alternate) entry.text += ", full-screen";
  if (session.origin().program.keep) entry.text += ", kept";
  if (session.is_guest()) {
    entry.json["elsewhere"] = true;
    entry.text += ", open in another server";
  }
  AddOthers(bench->clients()->OthersAt(call, session), &entry);
  if (std::string remains = RemainsText(session); !remains.empty()) {
    entry.json["remains"] = remains;
    entry.text += ", " + remains;
  }
  std::string fate = FateOf(bench, session.name());
  if (session.finished() && !fate.empty()) {
    entry.json["fate"] = fate;
    entry.text += ", " + fate;
  }
  if (std::string says = StatusSays(session); !says.empty()) {
    entry.text += ", " + says;
  }
  return entry;
}

// Adds facts that are too long to be shown each time.
void AddVerbose(Workbench* bench, const session::Session& session,
                Entry* entry) {
  std::string log = bench->manager()->LogPath(session);
  const std::string& title = session.output().terminal().title();
  entry->json["argv"] = session.origin().program.argv;
  entry->json["title"] = title;
  entry->json["log"] = log;
  entry->text += "\n  command: " +
                 Quoted(Join(session.origin().program.argv, " "), kMostCommand);
  if (!title.empty()) entry->text += "\n  title: " + Quoted(title);
  // The log is in segments, which tail(1) cannot follow, so our command is
  // named.
  std::string tail = "glasstty tail -f " + session.name();
  entry->json["tail"] = tail;
  entry->text +=
      absl::StrFormat("\n  raw log: %s/out.* (%d bytes so far); as text: %s",
                      log, session.output().feed().consumed(), tail);
}

std::vector<terminal::Line> LastLines(const terminal::Terminal& terminal,
                                      int count) {
  int64_t end = terminal.end_line();
  // The line after the last complete one is empty: the next output begins
  // there.
  auto lines = terminal.Lines(end - count - terminal.size().rows, end);
  while (!lines.empty() && TrimTrailingBlanks(lines.back().text).empty()) {
    lines.pop_back();
  }
  lines.erase(lines.begin(),
              lines.end() - std::min(std::ssize(lines), std::ptrdiff_t{count}));
  return lines;
}

// Returns the last rows of a full-screen program that are not blank, because
// the session's lines are those from before the program started.
std::vector<terminal::Line> LastRows(const terminal::Snapshot& screen,
                                     int count) {
  std::vector<terminal::Line> rows;
  for (const terminal::SnapshotRow& row : screen.rows) {
    if (!row.text.empty()) rows.push_back({.text = row.text});
  }
  rows.erase(rows.begin(),
             rows.end() - std::min(std::ssize(rows), std::ptrdiff_t{count}));
  return rows;
}

// Adds the last lines of each stream. Looking at them does not count as
// reading.
void AddLastLines(const session::Session& session, int count, Entry* entry) {
  std::vector<terminal::Line> lines;
  for (const session::Output* stream : session::StreamsOf(session)) {
    const terminal::Terminal& terminal = stream->terminal();
    auto last = terminal.modes().alternate_screen
                    ? LastRows(terminal.TakeSnapshot(), count)
                    : LastLines(terminal, count);
    for (terminal::Line& line : last) {
      if (stream == session.errors()) line.text.insert(0, view::kErrorSign);
      lines.push_back(std::move(line));
    }
  }
  int64_t invisible = 0;
  std::string text = ShowInvisible(
      view::RenderLines(lines, {.max_lines = 0}).text, &invisible);
  entry->json["last_lines"] = text;
  for (const std::string& line : Split(text, '\n')) {
    entry->text += "\n  " + line;
  }
}

// Adds the other machines, even those without sessions. If one cannot be
// reached, adds the reason.
void AddPlaces(const session::RemoteSessions& remote, Json* list,
               std::vector<std::string>* lines) {
  for (const session::ReachedPlace& place : remote.places()) {
    const session::PlaceLink* link = place.link.get();
    if (link->gone()) continue;
    const wire::PlaceStatus& status = link->status();
    const char* state = wire::PlaceStateName(status.state);
    double ms = static_cast<double>(status.round_trip_ns) / 1e6;
    Json json = {{"on", link->place().text}, {"state", state}};
    std::string text = absl::StrFormat(
        "place %s %s", QuotedUnlessPlain(link->place().text), state);
    if (link->up()) {
      json["round_trip_ms"] = ms;
      json["system"] = link->hello().system;
      text += absl::StrFormat(", round trip %.1f ms, %s", ms,
                              Quoted(link->hello().system));
    }
    if (!status.failure.empty()) {
      json["failure"] = status.failure;
      text += ": " + status.failure;
    }
    list->push_back(std::move(json));
    lines->push_back(std::move(text));
  }
}

// Adds the live sessions of other servers. If one cannot be accessed now, only
// its name and the reason are known.
void AddElsewhere(session::Guests* guests,
                  std::vector<session::SessionRef>* sessions, Json* list,
                  std::vector<std::string>* lines) {
  std::vector<session::Guests::Elsewhere> all = guests->elsewhere();
  for (const auto& elsewhere : all) {
    if (guests->HasEnded(elsewhere)) continue;
    auto guest = guests->Visit(elsewhere);
    if (guest.ok()) {
      sessions->push_back(*std::move(guest));
      continue;
    }
    std::string name = guests->NameOf(elsewhere);
    std::string why = Message(guest.status());
    list->push_back(
        Json{{"session", name}, {"state", "elsewhere"}, {"why", why}});
    lines->push_back(
        absl::StrFormat("[%s] open in another server: %s", name, why));
  }
}

Task<mcp::ToolResult> List(Workbench* bench, mcp::ToolCall* call,
                           ListArgs args) {
  if (absl::Status s = bench->Prepare(); !s.ok()) co_return s;
  bench->manager()->left()->Adopt();
  Json list = Json::array();
  std::vector<std::string> lines;
  std::vector<session::SessionRef> sessions = bench->manager()->All();
  if (!args.session.empty()) {
    ASSIGN_OR_CO_RETURN(session::SessionRef only,
                        bench->FindUnread(call, args.session));
    sessions = {only};
  } else {
    AddElsewhere(bench->manager()->guests(), &sessions, &list, &lines);
  }
  co_await bench->AwaitReplays(call, sessions, Workbench::kListPatience);
  // One wait serves all sessions, so a long list does not make it longer.
  co_await bench->AwaitShownStates(call, sessions);
  for (const session::SessionRef& session : sessions) {
    co_await AwaitRemains(call, session);
  }
  for (const session::SessionRef& session : sessions) {
    Entry entry = Describe(bench, *call, *session,
                           bench->clients()->NameFor(*call, *session));
    // Other clients' sessions take one line each, unless the call names one.
    bool is_full =
        !args.session.empty() || !bench->clients()->IsOthers(*call, *session);
    if (is_full && args.verbose) AddVerbose(bench, *session, &entry);
    if (is_full && args.lines > 0) AddLastLines(*session, args.lines, &entry);
    list.push_back(std::move(entry.json));
    lines.push_back(std::move(entry.text));
  }
  for (const auto& left : bench->manager()->left()->all()) {
    std::string why = DescribeLeft(left);
    list.push_back(
        Json{{"session", left.name}, {"state", "left"}, {"why", why}});
    lines.push_back(absl::StrFormat("[%s] left: %s", left.name, why));
  }
  for (const auto& stone : bench->manager()->list()->tombstones().all()) {
    if (!args.session.empty() || bench->manager()->Find(stone.name).ok()) {
      continue;
    }
    list.push_back(Json{{"session", stone.name}, {"fate", stone.epitaph}});
    lines.push_back(
        absl::StrFormat("[%s] gone: %s", stone.name, stone.epitaph));
  }
  Json places = Json::array();
  if (args.session.empty())
    AddPlaces(*bench->manager()->remote(), &places, &lines);
  if (lines.empty()) lines.push_back("no sessions; term_open starts one");
  std::string greeting = bench->clients()->TakeGreeting(*call);
  if (!greeting.empty()) lines.push_back(greeting);
  mcp::ToolResult result(Join(lines, "\n"));
  if (args.format == ReplyFormat::kJson) {
    // The text repeats the structure, because clients show one or the other.
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
       .title = "Terminal list",
       .description =
           "All sessions: state, program, pid, size, directory, unread lines.",
       .annotations = {.read_only = true,
                       .destructive = false,
                       .idempotent = true,
                       .open_world = false}},
      List);
}

}  // namespace glasstty
