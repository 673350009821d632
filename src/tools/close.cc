// term_close: signal a program, end a session, or all of them, and say
// honestly what is left.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mcp/ask.h"
#include "support/signals.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/all_tools.h"
#include "tools/away.h"
#include "tools/output_args.h"
#include "tools/person_facts.h"
#include "tools/reach.h"
#include "tools/reply.h"

namespace glasstty {

using session::ProcessInfo;
using session::SessionRef;

enum class Survivors { kReport, kKill };
template <>
struct mcp::EnumNames<Survivors> {
  static constexpr std::string_view kNames[] = {"report", "kill"};
};

namespace {

// What the holder needs beyond the grace time to end a tree that resists.
// Its kill loop gives up after 5 s.
constexpr Duration kKillPatience = std::chrono::seconds(8);
// Most programs that a signal ends are gone by then, so the reply can say so;
// those that catch it are not waited for.
constexpr Duration kSignalPatience = std::chrono::milliseconds(300);

// The JSON names are those of the rows below.
struct CloseArgs {
  std::string session;
  // Sessions of this server; those of another one are never touched.
  bool all = false;
  // With it nothing is closed and the members below have no meaning.
  std::optional<std::string> signal;
  bool force = false;
  // Seconds; `force` makes it 0.
  double grace_s = 2;
  // A daemon may be what the agent wanted to start, so it is not killed
  // unasked.
  Survivors survivors = Survivors::kReport;
  // Begins anew once it has ended.
  bool restart = false;
  // Once it has ended: frees the name and ends all waits on it.
  bool forget = false;
  ReplyFormat format = ReplyFormat::kText;

  static const std::vector<mcp::Field<CloseArgs>>& Fields() {
    using A = CloseArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>{
        mcp::Optional("session", &A::session, ""),
        mcp::Optional("all", &A::all, ""),
        mcp::Optional("signal", &A::signal,
                      "Just send this (INT ...) to the foreground."),
        mcp::Optional("force", &A::force, "SIGKILL all now, daemons too."),
        mcp::Unlisted(mcp::Optional("grace_s", &A::grace_s,
                                    "Seconds before SIGKILL.",
                                    mcp::Range{0, 30})),
        mcp::Optional("survivors", &A::survivors,
                      "Processes that left the session."),
        mcp::Optional("restart", &A::restart, "Open it again."),
        mcp::Unlisted(
            mcp::Optional("forget", &A::forget,
                          "Delete its output, else readable for 30 min.")),
        mcp::Unlisted(mcp::Optional("format", &A::format,
                                    "json: the same facts, for programs.")),
    };
    return *fields;
  }
};

// A shell or a program that reads lines ends by itself at the end of its
// input; a full-screen program would take ^D for a key.
// False without an answer from the holder: ^D is typed on evidence only.
bool EndsByEof(const session::Session& session) {
  const wire::ProbeAnswer* probe = session.last_probe();
  return session.LastState().activity == session::Activity::kPrompt ||
         (probe != nullptr && probe->canonical);
}

// "" when nothing is left.
std::string SurvivorText(const session::Session& session) {
  const std::vector<ProcessInfo>& survivors = session.survivors();
  if (survivors.empty()) return "";
  std::vector<std::string> parts;
  parts.reserve(survivors.size());
  for (const ProcessInfo& process : survivors) {
    parts.push_back("  " + DescribeProcess(process));
  }
  return absl::StrFormat(
      "%d still running (term_close survivors=kill ends them):\n%s",
      survivors.size(), Join(parts, "\n"));
}

// The same facts for programs; an empty list when nothing is left.
Json SurvivorJson(const session::Session& session) {
  Json list = Json::array();
  for (const ProcessInfo& process : session.survivors()) {
    list.push_back(Json{{"pid", process.pid},
                        {"command", process.command},
                        {"ports", process.ports},
                        {"ports_known", process.ports_known}});
  }
  return list;
}

// What became of one session, for both formats.
struct Closed {
  std::string text;
  Json json;
};

Duration GraceOf(const CloseArgs& args) {
  return args.force ? Duration::zero() : FromSeconds(args.grace_s);
}

void AskToClose(session::Session* session, const CloseArgs& args) {
  if (session->ended()) return;
  // `force` means everything, at once.
  bool kill = args.force || args.survivors == Survivors::kKill;
  session->Close(GraceOf(args), !args.force && EndsByEof(*session), kill);
}

// The holder's report and the log's last byte; with nothing left the holder
// goes too, and only then can the session be forgotten.
bool IsClosed(const session::Session& session) {
  return session.close_reported() && session.finished() &&
         (session.ended() || !session.survivors().empty());
}

// The client of another machine: others need it to hear that they shall end.
bool IsClosedLast(const session::Session& session, const CloseArgs& args) {
  return args.all && session.name()[0] == '@';
}

// A person would lose what they are at; `force` overrules that.
bool IsSpared(const session::Session& session, const CloseArgs& args) {
  return session.person().here() && !args.force && !session.ended();
}

Closed DescribeSpared(const session::Session& session) {
  Closed closed;
  closed.text =
      absl::StrFormat("[%s] not closed: %s; \"force\": true closes it anyway",
                      session.name(), PersonHere(session));
  closed.json = {{"session", session.name()},
                 {"state", StateWord(session)},
                 {"closed", false},
                 {"person", PersonJson(session)}};
  return closed;
}

// Waits for the holder's report and describes what it says. A session that
// does not end in time is described as such: that is an answer, not an error.
// `args` is in the frame of the caller, which waits for this.
Task<Closed> AwaitClosed(Workbench* bench, mcp::ToolCall* call,
                         SessionRef session, const CloseArgs* args) {
  session::Session* s = session.get();
  co_await s->WaitFor(
      [s] { return IsClosed(*s) || s->away_since().has_value(); },
      bench->loop()->Now() + GraceOf(*args) + kKillPatience,
      call->cancellation());
  Closed closed;
  std::string survivors = SurvivorText(*s);
  closed.text = absl::StrFormat(
      "[%s] %s | %s", s->name(), StateWord(*s),
      !s->close_reported() && s->away_since()
          ? "not ended yet; it is asked to once connected again: " +
                AwayText(*bench, *s)
      : !s->close_reported() ? "has not ended; try force=true"
      : survivors.empty()    ? "closed; none of its processes is left"
                             : survivors);
  closed.json = {{"session", s->name()},
                 {"state", StateWord(*s)},
                 {"closed", s->close_reported()},
                 {"survivors", SurvivorJson(*s)}};
  // A session off the list can no longer be closed, so survivors keep it.
  if (args->forget && s->ended()) bench->manager()->Forget(session);
  co_return closed;
}

// Where the client can show a question: what to do with daemons that the
// session leaves behind. kLater: the call is over, the client will repeat it.
Task<mcp::Consent> AskAboutSurvivors(mcp::ToolCall* call, SessionRef session) {
  std::vector<std::string> parts;
  for (const ProcessInfo& process : session->survivors()) {
    parts.push_back(DescribeProcess(process));
  }
  co_return co_await mcp::Confirm(
      call, absl::StrFormat("Session '%s' is closed, but %d of its processes "
                            "still run:\n%s\nEnd them too?",
                            session->name(), parts.size(), Join(parts, "\n")));
}

// In the place of one that has ended: the same name, program, directory,
// environment and size. Adds to what is said of the old one.
Task<absl::Status> Restart(Workbench* bench, mcp::ToolCall* call,
                           SessionRef session, Closed* closed) {
  if (!session->ended()) {
    closed->text += "\nnot restarted: what still runs must end first";
    co_return absl::OkStatus();
  }
  session::PlaceLink* where = nullptr;
  const record::SessionOrigin& origin = session->origin();
  if (!origin.place.empty()) {
    place::Place place;
    std::string error;
    if (!place::PlaceAgain(origin.place, origin.place_prefix, &place, &error)) {
      closed->text += "\nnot restarted: " + error;
      co_return absl::OkStatus();
    }
    auto reached = co_await ReachPlace(bench, call, std::move(place));
    if (!reached.ok()) co_return reached.status();
    where = *reached;
  }
  bench->manager()->Forget(session);
  auto opened = co_await bench->OpenSession(
      call, session->name(), session->origin().program, nullptr, where);
  if (!opened.ok()) co_return opened.status();
  SessionRef again = *opened;
  co_await bench->AwaitStates(call, std::vector<SessionRef>(1, again));
  closed->text =
      absl::StrFormat("[%s] %s pid=%d | restarted; before: %s", again->name(),
                      StateWord(*again), again->leader_pid(), closed->text);
  closed->json["restarted"] = true;
  closed->json["pid"] = again->leader_pid();
  co_return absl::OkStatus();
}

// Sends a signal and shows how the session stands a moment later.
Task<mcp::ToolResult> SignalOne(Workbench* bench, mcp::ToolCall* call,
                                const CloseArgs* args) {
  ASSIGN_OR_CO_RETURN(int number, ParseSignal(*args->signal));
  ASSIGN_OR_CO_RETURN(SessionRef session,
                      co_await bench->FindSession(call, args->session));
  if (session->finished()) {
    co_return FailedPrecondition(
        "session '%s' has %s: no process is left to "
        "signal",
        session->name(), StateWord(*session));
  }
  if (IsSpared(*session, *args)) {
    co_return FailedPrecondition(
        "[%s] not signalled: %s; \"force\": true sends it anyway",
        session->name(), PersonHere(*session));
  }
  session::Session* s = session.get();
  // To the foreground group, as a key such as ^C would.
  s->Signal(number, wire::SignalTarget::kForeground);
  Time deadline = bench->loop()->Now() + kSignalPatience;
  co_await s->WaitFor([s] { return s->exited(); }, deadline,
                      call->cancellation());
  Reply reply(session);
  reply.AddNote("sent " + SignalName(number));
  co_return co_await ReadAndReply(bench, call, std::move(reply), session,
                                  view::ReadRequest{}, args->format, false);
}

Task<mcp::ToolResult> Close(Workbench* bench, mcp::ToolCall* call,
                            CloseArgs args) {
  if (args.signal && args.all) {
    co_return InvalidArgument(
        "term_close: 'signal' is for one session; leave 'all' out");
  }
  if (args.restart && (args.signal || args.forget)) {
    co_return InvalidArgument(
        "term_close: 'restart' cannot be combined with 'signal' or 'forget'");
  }
  if (args.signal) co_return co_await SignalOne(bench, call, &args);
  std::vector<SessionRef> sessions;
  if (args.all) {
    // Also sessions that an earlier server left are closed by `all`.
    if (absl::Status s = bench->manager()->Prepare(); !s.ok()) co_return s;
    sessions = bench->manager()->All();
  } else {
    ASSIGN_OR_CO_RETURN(SessionRef session,
                        co_await bench->FindSession(call, args.session));
    sessions.push_back(std::move(session));
  }
  std::vector<std::string> lines;
  Json list = Json::array();
  // All are asked before the first is waited for: their grace runs at once.
  bool is_spared = false;
  std::vector<SessionRef> closing;
  for (const SessionRef& session : sessions) {
    if (!IsSpared(*session, args)) {
      if (!IsClosedLast(*session, args)) AskToClose(session.get(), args);
      closing.push_back(session);
      continue;
    }
    Closed spared = DescribeSpared(*session);
    lines.push_back(std::move(spared.text));
    list.push_back(std::move(spared.json));
    is_spared = true;
  }
  std::stable_partition(closing.begin(), closing.end(),
                        [&args](const SessionRef& session) {
                          return !IsClosedLast(*session, args);
                        });
  for (const SessionRef& session : closing) {
    if (IsClosedLast(*session, args)) AskToClose(session.get(), args);
    Closed closed = co_await AwaitClosed(bench, call, session, &args);
    bool ask = !args.all && args.survivors == Survivors::kReport &&
               !session->survivors().empty() && mcp::CanAskUser(*call);
    if (ask) {
      mcp::Consent consent = co_await AskAboutSurvivors(call, session);
      if (consent == mcp::Consent::kLater) co_return mcp::ToolResult();
      if (consent == mcp::Consent::kYes) {
        args.survivors = Survivors::kKill;
        AskToClose(session.get(), args);
        closed = co_await AwaitClosed(bench, call, session, &args);
      }
    }
    if (args.restart) {
      absl::Status status = co_await Restart(bench, call, session, &closed);
      if (!status.ok()) co_return status;
    }
    lines.push_back(std::move(closed.text));
    list.push_back(std::move(closed.json));
  }
  mcp::ToolResult result(lines.empty() ? "no sessions" : Join(lines, "\n"));
  if (args.format == ReplyFormat::kJson) {
    // The text repeats the structure: clients show one or the other.
    result.structured = Json{{"sessions", std::move(list)}};
    result.text = DumpJson(*result.structured);
  }
  result.is_error = is_spared && sessions.size() == 1;
  co_return result;
}

}  // namespace

mcp::Tool CloseTool(Workbench* bench) {
  return mcp::MakeTool<CloseArgs>(
      bench,
      {.name = "term_close",
       .title = "Close or signal",
       .description =
           "End a session (EOF, HUP, TERM; SIGKILL after grace_s) and report "
           "what still runs, with ports.",
       .annotations = {.read_only = false,
                       .destructive = true,
                       .idempotent = true,
                       .open_world = false}},
      Close);
}

}  // namespace glasstty
