// term_close: signal a program, end a session, or all of them, and say
// honestly what is left.
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/signals.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/all_tools.h"
#include "tools/output_args.h"
#include "tools/reply.h"

namespace glasstty {

enum class Survivors { kReport, kKill };
template <>
struct EnumNames<Survivors> {
  static constexpr std::string_view kNames[] = {"report", "kill"};
};

namespace {

// What the holder needs beyond the grace time to end a tree that resists.
constexpr Duration kKillPatience = std::chrono::seconds(8);
constexpr Duration kSignalPatience = std::chrono::milliseconds(300);

struct CloseArgs {
  std::string session;
  bool all = false;
  std::optional<std::string> signal;
  bool force = false;
  double grace_s = 2;
  Survivors survivors = Survivors::kReport;
  bool forget = false;
  ReplyFormat format = ReplyFormat::kText;

  static const std::vector<Field<CloseArgs>>& Fields() {
    using A = CloseArgs;
    static const auto* fields = new std::vector<Field<A>>{
        Optional("session", &A::session, ""),
        Optional("all", &A::all, "Every session."),
        Optional("signal", &A::signal,
                 "Only send this signal to the foreground program (INT, TERM, "
                 "USR1 ...); the session stays open."),
        Optional("force", &A::force,
                 "End everything it started at once, daemons too."),
        Optional("grace_s", &A::grace_s,
                 "Time between asking (HUP, TERM) and SIGKILL.", Range{0, 30}),
        Optional("survivors", &A::survivors,
                 "Daemons that left the session: report them or kill them."),
        Optional("forget", &A::forget,
                 "Drop the session; else its output stays readable for 30 "
                 "minutes."),
        Optional("format", &A::format, "json: for programs."),
    };
    return *fields;
  }
};

Duration Seconds(double s) {
  return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(s));
}

// A shell or a program that reads lines ends by itself at the end of its
// input; a full-screen program would take ^D for a key.
bool EndsByEof(const Session& session) {
  const ProbeAnswer* probe = session.last_probe();
  return session.LastState().activity == Activity::kPrompt ||
         (probe != nullptr && probe->canonical);
}

std::string SurvivorText(const Session& session) {
  const std::vector<ProcessInfo>& survivors = session.survivors();
  if (survivors.empty()) return "";
  std::vector<std::string> parts;
  for (const ProcessInfo& process : survivors) {
    parts.push_back("  " + DescribeProcess(process));
  }
  return absl::StrFormat(
      "%d still running (term_close survivors=kill ends them):\n%s",
      survivors.size(), Join(parts, "\n"));
}

Json SurvivorJson(const Session& session) {
  Json list = Json::array();
  for (const ProcessInfo& process : session.survivors()) {
    list.push_back(Json{{"pid", process.pid},
                        {"command", process.command},
                        {"ports", process.ports},
                        {"ports_known", process.ports_known}});
  }
  return list;
}

struct Closed {
  std::string text;
  Json json;
};

Task<Closed> CloseOne(Workbench* bench, ToolCall* call, SessionRef session,
                      const CloseArgs* args) {
  Session* s = session.get();
  if (!s->ended()) {
    Duration grace = args->force ? Duration::zero() : Seconds(args->grace_s);
    bool kill = args->force || args->survivors == Survivors::kKill;
    s->Close(grace, !args->force && EndsByEof(*s), kill);
    co_await s->WaitFor([s] { return s->close_reported() && s->finished(); },
                        bench->loop()->Now() + grace + kKillPatience,
                        call->cancellation());
  }
  Closed closed;
  std::string survivors = SurvivorText(*s);
  closed.text = absl::StrFormat(
      "[%s] %s | %s", s->name(), StateWord(*s),
      !s->close_reported() ? "does not end; try force=true"
      : survivors.empty()  ? "closed, nothing of it runs any more"
                           : survivors);
  closed.json = {{"session", s->name()},
                 {"state", StateWord(*s)},
                 {"closed", s->close_reported()},
                 {"survivors", SurvivorJson(*s)}};
  if (args->forget && s->ended()) bench->manager()->Forget(session);
  co_return closed;
}

Task<ToolResult> SignalOne(Workbench* bench, ToolCall* call,
                           const CloseArgs* args) {
  ASSIGN_OR_CO_RETURN(int number, ParseSignal(*args->signal));
  ASSIGN_OR_CO_RETURN(SessionRef session,
                      co_await bench->FindSession(call, args->session));
  if (session->finished()) {
    co_return FailedPrecondition(
        "session '%s' has %s: there is nothing to "
        "signal",
        session->name(), StateWord(*session));
  }
  Session* s = session.get();
  s->Signal(number, SignalTarget::kForeground);
  Time deadline = bench->loop()->Now() + kSignalPatience;
  co_await s->WaitFor([s] { return s->exited(); }, deadline,
                      call->cancellation());
  Reply reply(session);
  reply.AddNote("sent " + SignalName(number));
  co_return co_await ReadAndReply(bench, call, std::move(reply), session,
                                  ReadRequest{}, args->format, false);
}

Task<ToolResult> Close(Workbench* bench, ToolCall* call, CloseArgs args) {
  if (args.signal) co_return co_await SignalOne(bench, call, &args);
  std::vector<SessionRef> sessions;
  if (args.all) {
    if (absl::Status s = bench->manager()->Prepare(); !s.ok()) co_return s;
    sessions = bench->manager()->All();
  } else {
    ASSIGN_OR_CO_RETURN(SessionRef session,
                        co_await bench->FindSession(call, args.session));
    sessions.push_back(std::move(session));
  }
  std::vector<std::string> lines;
  Json list = Json::array();
  for (const SessionRef& session : sessions) {
    Closed closed = co_await CloseOne(bench, call, session, &args);
    lines.push_back(std::move(closed.text));
    list.push_back(std::move(closed.json));
  }
  ToolResult result(lines.empty() ? "no sessions" : Join(lines, "\n"));
  if (args.format == ReplyFormat::kJson) {
    result.structured = Json{{"sessions", std::move(list)}};
    result.text = DumpJson(*result.structured);
  }
  co_return result;
}

}  // namespace

Tool CloseTool(Workbench* bench) {
  return MakeTool<CloseArgs>(
      bench,
      {.name = "term_close",
       .title = "Close or signal a terminal",
       .description =
           "End a session: politely (EOF, HUP, TERM), after grace_s by force. "
           "Reports every process of it that is still running, with its "
           "listening ports. Or only send a signal.",
       .annotations = {.read_only = false,
                       .destructive = true,
                       .idempotent = true,
                       .open_world = false}},
      Close);
}

}  // namespace glasstty
