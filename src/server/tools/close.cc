// term_close: signals a program, ends one session or all of them, and reports
// what is left.
#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/visible.h"
#include "mcp/ask.h"
#include "session/orphans.h"
#include "support/signals.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/all_tools.h"
#include "tools/away.h"
#include "tools/close_words.h"
#include "tools/output_args.h"
#include "tools/person_facts.h"
#include "tools/remains.h"
#include "tools/reply.h"
#include "tools/restart.h"
#include "tools/session_words.h"

namespace glasstty {

using session::ProcessInfo;
using session::SessionRef;

enum class Survivors { kReport, kKill };
template <>
struct mcp::EnumNames<Survivors> {
  static constexpr std::string_view kNames[] = {"report", "kill"};
};

namespace {

// The time, beyond the grace time, in which the holder ends processes that
// resist. The holder's kill loop gives up after 5 s.
constexpr Duration kKillPatience = std::chrono::seconds(8);
// The polling interval for killed processes, which usually disappear within
// milliseconds.
constexpr Duration kOrphanLook = std::chrono::milliseconds(20);
// Most programs that a signal ends are gone within this time, so the reply can
// say so. The call does not wait longer, because programs may catch the signal.
constexpr Duration kSignalPatience = std::chrono::milliseconds(300);
// Holders answer within milliseconds.
constexpr Duration kGreetingPatience = std::chrono::seconds(5);

struct CloseArgs {
  std::string session;
  // All sessions of this server except, for an agent, other clients'; sessions
  // of other servers are never touched.
  bool all = false;
  // If set, nothing is closed; of the members below, only `force` and `format`
  // apply.
  std::optional<std::string> signal;
  bool force = false;
  // In seconds; `force` makes it 0.
  double grace_s = 2;
  // The agent may have wanted to start a daemon, so daemons are killed only on
  // request.
  Survivors survivors = Survivors::kReport;
  // Starts the session again once it has ended. `confirm` does so even if the
  // gate objects.
  bool restart = false;
  bool confirm = false;
  // Frees the name once the session has ended, and ends all waits on it.
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
            mcp::Optional("confirm", &A::confirm,
                          "Open it again even if refused as dangerous.")),
        mcp::Unlisted(
            mcp::Optional("forget", &A::forget,
                          "Delete its output, else readable for 30 min.")),
        mcp::Unlisted(mcp::Optional("format", &A::format,
                                    "json: the same facts, for programs.")),
    };
    return *fields;
  }
};

// Returns true for a shell at its prompt and for a program that reads lines:
// both end by themselves at the end of their input. Without evidence, returns
// false, because a full-screen program would treat ^D as a key.
bool EndsByEof(const session::Session& session) {
  const wire::ProbeAnswer* probe = session.questions().prober().last();
  return session.verdict().LastState().activity == session::Activity::kPrompt ||
         (probe != nullptr && probe->canonical);
}

session::Traces TracesOf(const session::Session& session) {
  const session::Life& life = session.life();
  return {session.origin().id, life.leader_pid(), life.exit() != nullptr};
}

// Returns the commands of a live session's processes, except for its program,
// each once. Reads all of /proc, so it is for one session only.
std::vector<std::string> CommandsBesideProgram(
    const session::Session& session) {
  std::vector<std::string> commands;
  const record::SessionOrigin& origin = session.origin();
  if (!origin.place.empty() || session.life().ended()) return commands;
  int leader = session.life().leader_pid();
  auto processes = session::FindOrphans(TracesOf(session));
  if (!processes.ok()) return commands;
  for (ProcessInfo& process : *processes) {
    bool is_known =
        process.pid == leader || std::find(commands.begin(), commands.end(),
                                           process.command) != commands.end();
    if (!is_known) commands.push_back(std::move(process.command));
  }
  return commands;
}

Duration GraceOf(const CloseArgs& args) {
  return args.force ? Duration::zero() : FromSeconds(args.grace_s);
}

void AskToClose(session::Session* session, const CloseArgs& args) {
  if (session->life().ended()) return;
  // `force` kills everything at once.
  bool kill = args.force || args.survivors == Survivors::kKill;
  session->Close(GraceOf(args), !args.force && EndsByEof(*session), kill);
}

// Returns true once the holder has reported and the log is complete. If nothing
// is left, the holder ends too, and only then can the session be forgotten.
bool IsClosed(const session::Session& session) {
  return session.life().close_reported() && session.finished() &&
         (session.life().ended() || !session.life().survivors().empty());
}

// The session of a program that connects to another machine (ssh) is closed
// last, because requests to end the sessions there go through it.
bool IsClosedLast(const session::Session& session, const CloseArgs& args) {
  return args.all && session.name()[0] == '@';
}

// Returns how many sessions at the place to which this client leads have not
// ended. If the connection is lost, the request to end them needs the next one.
int64_t CountNeeding(Workbench* bench, const session::Session& client) {
  std::string place;
  for (const session::ReachedPlace& reached :
       bench->manager()->remote()->places()) {
    if (reached.client.get() == &client) place = reached.link->place().text;
  }
  std::vector<SessionRef> all = bench->manager()->All();
  return std::ranges::count_if(all, [&place](const SessionRef& session) {
    return !place.empty() && session->origin().place == place &&
           !session->life().ended() && !IsClosed(*session);
  });
}

// A session with a person at the keyboard is not closed, unless `force` is
// given.
bool IsSpared(const session::Session& session, const CloseArgs& args) {
  return session.person().here() && !args.force && !session.life().ended();
}

// Waits until the holder of a guest's session has reported whether a person has
// the keyboard. Error: the holder does not answer, for example because too many
// others observe the session.
Task<absl::Status> AwaitPersonKnown(Workbench* bench, mcp::ToolCall* call,
                                    SessionRef session) {
  const session::Session* s = session.get();
  if (!s->is_guest()) co_return absl::OkStatus();
  Outcome outcome = co_await s->WaitFor(
      [s] { return s->person().is_known() || s->life().ended(); },
      bench->loop()->Now() + kGreetingPatience, call->cancellation());
  if (outcome == Outcome::kMet) co_return absl::OkStatus();
  co_return Unavailable(
      "session '%s' is open in another server, and its holder does not answer; "
      "try again",
      bench->clients()->NameFor(*call, *session));
}

// Returns whether the holder was killed; CloseOrphans handles such a session.
bool IsOrphaned(const session::Session& session) {
  return session.life().ended() && !session.life().end_told();
}

// With `force` or survivors=kill, kills the processes of an orphaned session
// until none is found; otherwise only searches once.
Task<Closed> CloseOrphans(Workbench* bench, mcp::ToolCall* call,
                          SessionRef session, const CloseArgs* args) {
  session::Traces traces = TracesOf(*session);
  bool kills = args->force || args->survivors == Survivors::kKill;
  Loop* loop = bench->loop();
  const std::vector<ProcessInfo> none;
  Orphans left;
  co_await session->WaitFor(
      [&left, &traces, loop, kills] {
        absl::Status killed =
            kills ? session::KillOrphans(traces) : absl::OkStatus();
        left = session::FindOrphans(traces);
        if (left.ok() && !killed.ok()) left = killed;
        bool is_over = left.ok() ? left->empty() || !kills : !kills;
        return Look(is_over, loop->Now() + kOrphanLook);
      },
      loop->Now() + kKillPatience, call->cancellation());
  std::string name = bench->clients()->NameFor(*call, *session);
  Closed closed;
  closed.text = absl::StrFormat("[%s] %s | %s", name, StateWord(*session),
                                OrphansText(left));
  closed.json = {{"session", name},
                 {"state", StateWord(*session)},
                 {"closed", left.ok()},
                 {"survivors", SurvivorJson(left.ok() ? *left : none)}};
  if (!left.ok()) closed.json["trouble"] = Message(left.status());
  if (args->forget && left.ok() && left->empty())
    bench->manager()->Forget(session);
  co_return closed;
}

// Waits for the holder's report, and describes it. It is not an error if the
// session does not end in time; the description says so. `args` must outlive
// the call.
Task<Closed> AwaitClosed(Workbench* bench, mcp::ToolCall* call,
                         SessionRef session, const CloseArgs* args) {
  session::Session* s = session.get();
  co_await s->WaitFor(
      [s] { return IsClosed(*s) || s->contact().away_since().has_value(); },
      bench->loop()->Now() + GraceOf(*args) + kKillPatience,
      call->cancellation());
  // The holder may also have been killed during the wait.
  bool is_orphaned = IsOrphaned(*s);
  if (is_orphaned && s->origin().place.empty()) {
    co_return co_await CloseOrphans(bench, call, session, args);
  }
  std::string name = bench->clients()->NameFor(*call, *s);
  Closed closed;
  std::string survivors = SurvivorText(s->life().survivors());
  closed.text = absl::StrFormat(
      "[%s] %s | %s", name, StateWord(*s),
      !s->life().close_reported() && s->contact().away_since()
          ? "not ended yet; it is asked to once connected again: " +
                AwayText(*bench, *s)
      : !s->life().close_reported() ? "has not ended; try force=true"
      : is_orphaned       ? "closed; whether processes of it are left there is "
                            "not known"
      : survivors.empty() ? "closed; none of its processes is left"
                          : survivors);
  closed.json = {{"session", name},
                 {"state", StateWord(*s)},
                 {"closed", s->life().close_reported()},
                 {"survivors", SurvivorJson(s->life().survivors())}};
  if (std::string trouble = s->verdict().LogTrouble(); !trouble.empty()) {
    closed.text += "; " + trouble;
    closed.json["log_trouble"] = trouble;
  }
  // A forgotten session can no longer be closed, so one with survivors is kept.
  if (args->forget && s->life().ended()) bench->manager()->Forget(session);
  co_return closed;
}

// Asks the user whether to end the processes that the session leaves behind.
// kLater: this call is over, and the client will repeat it.
Task<mcp::Consent> AskAboutSurvivors(Workbench* bench, mcp::ToolCall* call,
                                     SessionRef session) {
  std::string name = bench->clients()->NameFor(*call, *session);
  std::vector<std::string> parts;
  for (const ProcessInfo& process : session->life().survivors()) {
    parts.push_back(DescribeProcess(process));
  }
  mcp::YesOrNo question;
  question.message = absl::StrFormat(
      "Session '%s' is closed, but %d of its processes still run:\n%s\nEnd "
      "them too?",
      name, parts.size(), Join(parts, "\n"));
  question.title =
      absl::StrFormat("End %d processes of session '%s'?", parts.size(), name);
  question.description = Join(parts, "; ");
  co_return co_await mcp::Confirm(call, std::move(question));
}

// Replaces a session that has ended, and adds the outcome to the description of
// the old one.
Task<absl::Status> RestartClosed(Workbench* bench, mcp::ToolCall* call,
                                 SessionRef session, Closed* closed) {
  if (!session->life().ended()) {
    closed->text += "\nnot restarted: what still runs must end first";
    co_return absl::OkStatus();
  }
  ASSIGN_OR_CO_RETURN(Restarted again,
                      co_await Restart(bench, call, std::move(session)));
  if (!again.refusal.empty()) {
    closed->text += "\nnot restarted: " + again.refusal;
    co_return absl::OkStatus();
  }
  int pid = again.session->life().leader_pid();
  closed->text =
      absl::StrFormat("[%s] %s pid=%d | restarted; before: %s", again.called,
                      StateWord(*again.session), pid, closed->text);
  closed->json["restarted"] = true;
  closed->json["pid"] = pid;
  co_return absl::OkStatus();
}

// Sends a signal and shows the state of the session a moment later.
Task<mcp::ToolResult> SignalOne(Workbench* bench, mcp::ToolCall* call,
                                const CloseArgs* args) {
  ASSIGN_OR_CO_RETURN(int number, ParseSignal(*args->signal));
  ASSIGN_OR_CO_RETURN(SessionRef session,
                      bench->FindUnread(call, args->session));
  std::string name = bench->clients()->NameFor(*call, *session);
  absl::Status known = co_await AwaitPersonKnown(bench, call, session);
  if (!known.ok()) co_return known;
  if (session->finished()) {
    co_return FailedPrecondition(
        "session '%s' (%s) has no foreground to signal; term_close "
        "survivors=kill ends what still runs",
        name, StateWord(*session));
  }
  if (IsSpared(*session, *args)) {
    co_return FailedPrecondition(
        "[%s] not signalled: %s; \"force\": true sends it anyway", name,
        PersonHere(*session));
  }
  session::Session* s = session.get();
  // The signal goes to the foreground group, like that of a key such as ^C.
  if (!s->Signal(number, wire::SignalTarget::kForeground)) {
    co_return FailedPrecondition(
        "[%s] not sent: %s", name,
        s->contact().away_since() ? AwayText(*bench, *s)
                                  : "there is no connection to its holder now");
  }
  Time deadline = bench->loop()->Now() + kSignalPatience;
  co_await s->WaitFor([s] { return s->verdict().exited(); }, deadline,
                      call->cancellation());
  Reply reply(session);
  reply.AddNote("sent " + SignalName(number));
  co_return co_await ReadAndReply(bench, call, std::move(reply), session,
                                  view::ReadRequest{}, args->format, false);
}

// Ends a session that an earlier server left and that cannot be taken over.
Task<mcp::ToolResult> CloseLeft(Workbench* bench, mcp::ToolCall* call,
                                const CloseArgs* args) {
  session::LeftSessions* left = bench->manager()->left();
  auto id = left->End(args->session);
  if (!id.ok()) co_return id.status();
  Loop* loop = bench->loop();
  std::vector<WaiterList*> nobody;
  Predicate ended = [left, loop, &id] {
    return Look(left->HasEnded(*id), loop->Now() + kOrphanLook);
  };
  Outcome outcome =
      co_await Wait(loop, nobody, std::move(ended), loop->Now() + kKillPatience,
                    call->cancellation());
  bool is_closed = outcome == Outcome::kMet;
  mcp::ToolResult result(
      absl::StrFormat("[%s] %s", args->session,
                      is_closed ? "closed; no process of it was found"
                                : "has not ended; try again"));
  if (args->format == ReplyFormat::kJson) {
    result.structured = Json{
        {"sessions",
         Json::array({{{"session", args->session}, {"closed", is_closed}}})}};
    result.text = DumpJson(*result.structured);
  }
  co_return result;
}

absl::Status CheckArgs(const CloseArgs& args) {
  if (args.signal && args.all) {
    return InvalidArgument(
        "term_close: 'signal' is for one session; leave 'all' out");
  }
  if (args.restart && (args.signal || args.forget)) {
    return InvalidArgument(
        "term_close: 'restart' cannot be combined with 'signal' or 'forget'");
  }
  return absl::OkStatus();
}

// Returns the sessions for the argument `all`: all of this server except, for
// an agent, other clients'.
absl::StatusOr<std::vector<SessionRef>> AllOf(Workbench* bench,
                                              const mcp::ToolCall& call) {
  RETURN_IF_ERROR(bench->manager()->Prepare());
  std::vector<SessionRef> sessions = bench->manager()->All();
  std::erase_if(sessions, [bench, &call](const SessionRef& session) {
    return bench->clients()->IsOthers(call, *session);
  });
  return sessions;
}

// Returns an error if one of the sessions may not be started again.
Task<absl::Status> AllowRestarts(Workbench* bench, mcp::ToolCall* call,
                                 const std::vector<SessionRef>* sessions,
                                 bool confirmed) {
  for (const SessionRef& session : *sessions) {
    if (session->is_guest()) {
      co_return FailedPrecondition(
          "term_close: session '%s' is open in another server, in which it "
          "cannot be opened again from here; leave 'restart' out, then "
          "term_open opens one of your own",
          bench->clients()->NameFor(*call, *session));
    }
    auto allowed = co_await AllowRestart(bench, call, session, confirmed);
    if (!allowed.ok()) co_return allowed.status();
  }
  co_return absl::OkStatus();
}

// Waits for the end of a session that was asked to close, and asks the user
// about survivors, unless the call closes all sessions. Returns nullopt if the
// client repeats the call with the user's answer.
Task<std::optional<Closed>> CloseOne(Workbench* bench, mcp::ToolCall* call,
                                     SessionRef session, CloseArgs* args) {
  Closed closed = co_await AwaitClosed(bench, call, session, args);
  bool ask = !args->all && args->survivors == Survivors::kReport &&
             !session->life().ended() && !session->life().survivors().empty() &&
             mcp::CanAskUser(*call);
  if (!ask) co_return closed;
  mcp::Consent consent = co_await AskAboutSurvivors(bench, call, session);
  if (consent == mcp::Consent::kLater) co_return std::nullopt;
  if (consent != mcp::Consent::kYes) co_return closed;
  args->survivors = Survivors::kKill;
  AskToClose(session.get(), *args);
  co_return co_await AwaitClosed(bench, call, session, args);
}

// The outcomes of several sessions.
struct Report {
  std::vector<std::string> lines;
  Json list = Json::array();
  bool is_spared = false;  // at least one session was spared

  void Add(Closed closed) {
    lines.push_back(std::move(closed.text));
    list.push_back(std::move(closed.json));
  }
};

// Asks the sessions to close before the first is awaited, so that their grace
// times overlap; those that are closed last are not asked yet. Returns the
// sessions to wait for, in order.
std::vector<SessionRef> AskAllToClose(Workbench* bench,
                                      const mcp::ToolCall& call,
                                      const std::vector<SessionRef>& sessions,
                                      const CloseArgs& args, Report* report) {
  std::vector<SessionRef> closing;
  for (const SessionRef& session : sessions) {
    if (!IsSpared(*session, args)) {
      if (!IsClosedLast(*session, args)) AskToClose(session.get(), args);
      closing.push_back(session);
      continue;
    }
    report->Add(
        DescribeSpared(bench->clients()->NameFor(call, *session), *session));
    report->is_spared = true;
  }
  std::stable_partition(closing.begin(), closing.end(),
                        [&args](const SessionRef& session) {
                          return !IsClosedLast(*session, args);
                        });
  return closing;
}

Task<mcp::ToolResult> Close(Workbench* bench, mcp::ToolCall* call,
                            CloseArgs args) {
  if (absl::Status ok = CheckArgs(args); !ok.ok()) co_return ok;
  if (args.signal) co_return co_await SignalOne(bench, call, &args);
  std::string ended;
  std::vector<SessionRef> sessions;
  if (args.all) {
    ASSIGN_OR_CO_RETURN(sessions, AllOf(bench, *call));
  } else {
    auto found = bench->FindUnread(call, args.session);
    if (!found.ok() && args.force &&
        bench->manager()->left()->Has(args.session)) {
      co_return co_await CloseLeft(bench, call, &args);
    }
    ASSIGN_OR_CO_RETURN(SessionRef session, std::move(found));
    absl::Status known = co_await AwaitPersonKnown(bench, call, session);
    if (!known.ok()) co_return known;
    ended = EndedText(CommandsBesideProgram(*session));
    sessions.push_back(std::move(session));
  }
  if (args.restart) {
    absl::Status allowed =
        co_await AllowRestarts(bench, call, &sessions, args.confirm);
    if (!allowed.ok()) co_return allowed;
  }
  Report report;
  for (const SessionRef& session :
       AskAllToClose(bench, *call, sessions, args, &report)) {
    if (IsClosedLast(*session, args)) {
      if (int64_t needed = CountNeeding(bench, *session);
          needed > 0 && !session->life().ended()) {
        report.Add(DescribeNeeded(bench->clients()->NameFor(*call, *session),
                                  *session, needed));
        continue;
      }
      AskToClose(session.get(), args);
    }
    auto closed = co_await CloseOne(bench, call, session, &args);
    if (!closed) co_return mcp::ToolResult();
    if (session->life().ended() && !IsOrphaned(*session)) closed->text += ended;
    if (args.restart) {
      absl::Status status =
          co_await RestartClosed(bench, call, session, &*closed);
      if (!status.ok()) co_return status;
    }
    report.Add(*std::move(closed));
  }
  if (args.all) AddLeft(*bench->manager()->left(), &report.lines, &report.list);
  mcp::ToolResult result(report.lines.empty() ? "no sessions"
                                              : Join(report.lines, "\n"));
  if (args.format == ReplyFormat::kJson) {
    // The text repeats the structure, because clients show one or the other.
    result.structured = Json{{"sessions", std::move(report.list)}};
    result.text = DumpJson(*result.structured);
  }
  result.is_error = report.is_spared && sessions.size() == 1;
  co_return result;
}

}  // namespace

mcp::Tool CloseTool(Workbench* bench) {
  return mcp::MakeTool<CloseArgs>(
      bench,
      {.name = "term_close",
       .title = "Terminal close",
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
