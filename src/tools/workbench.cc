// The waits that calls have in common, and how long they may last.
//
// Clients give up on a call after about 60 s without a sign, whatever the
// server does, and what it answers then is lost. So no wait of ours is longer,
// unless the client has sent a progress token: then a notification every 20 s
// tells it that the call lives (MCP, "Progress"), and a wait may last an hour.
#include "tools/workbench.h"

#include <algorithm>
#include <chrono>

#include "support/status.h"

namespace glasstty {

using session::SessionRef;

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

// A probe is answered in well under a millisecond; the prober pauses up to 25
// ms while a program prints, which is not waited for.
constexpr Duration kStatePatience = milliseconds(15);
// A flood gives no moment in which its program could be judged.
constexpr Duration kFloodPatience = milliseconds(2);
// A log of 64 MiB is replayed in seconds; the limit is for a busy machine.
constexpr Duration kReplayPatience = seconds(45);
// Starting is fork and exec; a holder that needs longer is in trouble.
constexpr Duration kStartPatience = seconds(10);
// Three fit into a client's minute.
constexpr Duration kHeartbeat = seconds(20);

using Interests = std::vector<session::SessionView::Kept>;

Interests KeepStates(const std::vector<SessionRef>& sessions) {
  Interests interests;
  for (const SessionRef& session : sessions) {
    interests.push_back(session->Keep(session::Interest::kState));
  }
  return interests;
}

bool AreKnown(const std::vector<SessionRef>& sessions) {
  return std::all_of(sessions.begin(), sessions.end(),
                     [](const SessionRef& session) {
                       return session->settled_state().has_value();
                     });
}

}  // namespace

Workbench::Workbench(Loop* loop, session::SessionManager* manager,
                     gate::Settings gate)
    : loop_(loop),
      manager_(manager),
      gatekeeper_(std::move(gate)),
      notices_(loop),
      clients_(manager) {
  manager_->OnForgotten([this](const std::string& id) { ForgetSession(id); });
}

Task<absl::StatusOr<SessionRef>> Workbench::OpenSession(
    mcp::ToolCall* call, std::string name, record::ProgramSpec program,
    view::ReaderMark* before, session::PlaceLink* where) {
  if (absl::Status ready = manager_->Prepare(); !ready.ok()) co_return ready;
  if (absl::Status share = clients_.CheckShare(*call); !share.ok()) {
    co_return share;
  }
  // A path that the client gives is meant from where the client is.
  const std::string& directory = call->context().directory;
  bool is_relative = !program.cwd.empty() && program.cwd[0] != '/';
  bool here = where == nullptr;
  if (here && !directory.empty() && (program.cwd.empty() || is_relative)) {
    program.cwd = directory + (is_relative ? "/" + program.cwd : "");
  }
  auto opened = manager_->Open(std::move(name), std::move(program), where);
  if (!opened.ok()) co_return opened.status();
  SessionRef session = *opened;
  clients_.Opened(*call, *session);
  clients_.Use(call, *session);
  session::Session* s = session.get();
  if (before != nullptr) *before = record::MarkNow(s->terminal());
  notices_.Follow(call->connection(), session);
  Outcome started = co_await s->WaitFor(
      [s] { return s->started() || !s->start_error().ok() || s->ended(); },
      loop_->Now() + kStartPatience, call->cancellation());
  // A cancelled call leaves the session on the list: it may be starting still.
  if (s->started() || started == Outcome::kCancelled) co_return session;
  // The holder's own words are best: which stage of starting failed, and why.
  absl::Status error = s->start_error();
  if (error.ok()) error = Internal("the program could not be started");
  // An agent that mistyped a program must not have to close anything.
  manager_->Discard(session);
  co_return error;
}

// The name is a value: the frame outlives the caller's expression.
Task<absl::StatusOr<SessionRef>> Workbench::FindSession(mcp::ToolCall* call,
                                                        std::string name) {
  if (absl::Status ready = manager_->Prepare(); !ready.ok()) co_return ready;
  auto found = manager_->Find(name);
  SessionRef session = found.ok() ? *found : nullptr;
  // Of several the one that is this client's.
  if (name.empty() && !found.ok()) session = clients_.OnlyOwn(*call);
  if (session == nullptr) co_return found.status();
  manager_->Touch(*session);
  clients_.Use(call, *session);
  std::vector<SessionRef> only(1, session);
  // Also when the client has cancelled; nobody reads this answer then.
  if (!co_await AwaitReplays(call, only, kReplayPatience)) {
    co_return Unavailable(
        "session '%s' was left by an earlier server and its log is still "
        "being read; call again",
        session->name());
  }
  co_return session;
}

Task<bool> Workbench::AwaitReplays(mcp::ToolCall* call,
                                   std::vector<SessionRef> sessions,
                                   Duration patience) {
  std::vector<WaiterList*> lists;
  lists.reserve(sessions.size());
  for (const SessionRef& session : sessions) {
    lists.push_back(session->waiters());
  }
  auto all_read = [&sessions] {
    return Verdict(std::none_of(
        sessions.begin(), sessions.end(),
        [](const SessionRef& session) { return session->replaying(); }));
  };
  Outcome outcome = co_await Wait(
      loop_, lists, all_read, loop_->Now() + patience, call->cancellation());
  co_return outcome == Outcome::kMet;
}

Task<bool> Workbench::AwaitStates(mcp::ToolCall* call,
                                  std::vector<SessionRef> sessions) {
  std::vector<WaiterList*> lists;
  lists.reserve(sessions.size());
  for (const SessionRef& session : sessions) {
    lists.push_back(session->waiters());
  }
  Interests interests = KeepStates(sessions);
  auto all_known = [&sessions] { return Verdict(AreKnown(sessions)); };
  bool all_flood = std::all_of(
      sessions.begin(), sessions.end(),
      [](const SessionRef& session) { return session->IsFlooding(); });
  Time deadline = loop_->Now() + (all_flood ? kFloodPatience : kStatePatience);
  Outcome outcome =
      co_await Wait(loop_, lists, all_known, deadline, call->cancellation());
  co_return outcome == Outcome::kMet;
}

// The holder of one that is behind is not asked at all: it has to look through
// /proc for an answer that is of no use (crowd).
Task<bool> Workbench::AwaitShownStates(mcp::ToolCall* call,
                                       std::vector<SessionRef> sessions) {
  std::erase_if(sessions,
                [](const SessionRef& session) { return session->IsBehind(); });
  if (sessions.empty()) co_return false;
  co_return co_await AwaitStates(call, std::move(sessions));
}

const view::ReaderMark& Workbench::MarkOf(const mcp::ToolCall& call,
                                          const session::Session& session) {
  // Not kept yet: it is not known before the log has been read up to it.
  if (session.replaying()) {
    static const auto* nothing_seen = new view::ReaderMark;
    return *nothing_seen;
  }
  return clients_.MarkOf(call, session);
}

void Workbench::SetMark(uint64_t connection, const session::Session& session,
                        view::ReaderMark mark) {
  // The reply may be about a session that was forgotten before it was sent.
  if (!manager_->Has(session)) return;
  clients_.SetMark(connection, session.origin().id, std::move(mark));
}

void Workbench::ForgetConnection(uint64_t connection) {
  notices_.ForgetConnection(connection);
  for (const SessionRef& session : clients_.Leave(connection)) {
    manager_->CloseUnused(session,
                          "was closed when the client that had opened it left");
  }
}

void Workbench::ForgetSession(const std::string& id) {
  gatekeeper_.ForgetSession(id);
  clients_.ForgetSession(id);
}

// Told rather than refused: what was asked for is still useful when cut.
Patience PatienceFor(const mcp::ToolCall& call, Time now, double timeout_s) {
  double longest =
      call.wants_progress() ? kLongestWithProgress_s : kLongestWait_s;
  Patience patience;
  if (timeout_s > longest) {
    patience.note = absl::StrFormat("timeout_s cut to %g", longest);
    timeout_s = longest;
  }
  patience.deadline = now + std::chrono::duration_cast<Duration>(
                                std::chrono::duration<double>(timeout_s));
  return patience;
}

namespace {

// The deadline has passed, but what is known of the programs may be older: the
// state that the reply will show must be one that `look` has seen.
Task<bool> LookOnceMore(Loop* loop, mcp::ToolCall* call,
                        std::vector<SessionRef> sessions, Look look,
                        WaitResult* result) {
  std::vector<WaiterList*> lists;
  bool all_flood = true;
  for (const SessionRef& session : sessions) {
    lists.push_back(session->waiters());
    all_flood = all_flood && session->IsFlooding();
  }
  Interests interests = KeepStates(sessions);
  bool met = false;
  auto predicate = [&sessions, &look, &met, result] {
    Time again = Time::max();
    bool known = AreKnown(sessions);
    auto reason = look(&again);
    met = reason.has_value();
    if (met) result->reason = *reason;
    return Verdict(met || known, again);
  };
  Duration patience = all_flood ? kFloodPatience : kStatePatience;
  co_await Wait(loop, lists, predicate, loop->Now() + patience,
                call->cancellation());
  co_return met;
}

}  // namespace

Task<WaitResult> AwaitLook(Loop* loop, mcp::ToolCall* call,
                           std::vector<SessionRef> sessions, Look look,
                           Time deadline) {
  WaitResult result;
  Time began = loop->Now();
  std::vector<WaiterList*> lists;
  lists.reserve(sessions.size());
  for (const SessionRef& session : sessions) {
    lists.push_back(session->waiters());
  }
  auto predicate = [&look, &result] {
    Time again = Time::max();
    auto reason = look(&again);
    if (reason) result.reason = *reason;
    return Verdict(reason.has_value(), again);
  };
  do {
    Time until = deadline;
    if (call->wants_progress()) {
      until = std::min(deadline, loop->Now() + kHeartbeat);
    }
    result.outcome =
        co_await Wait(loop, lists, predicate, until, call->cancellation());
    result.waited = loop->Now() - began;
    // A time-out of the heartbeat, or the last one. Progress does nothing
    // without a token.
    if (result.outcome == Outcome::kTimeout) {
      call->Progress(result.waited, "still waiting");
    }
  } while (result.outcome == Outcome::kTimeout && loop->Now() < deadline);
  if (result.outcome == Outcome::kTimeout &&
      co_await LookOnceMore(loop, call, std::move(sessions), look, &result)) {
    result.outcome = Outcome::kMet;
  }
  co_return result;
}

// Every check is asked until one is met; `again` becomes the earliest of their
// wishes.
Look LookAtAny(std::vector<waits::UntilCheck>* checks, Time deadline,
               size_t* which) {
  for (waits::UntilCheck& check : *checks) check.BeginWait(deadline);
  return [checks, which](Time* again) {
    std::optional<waits::Reason> reason;
    for (size_t i = 0; i < checks->size() && !reason; ++i) {
      reason = (*checks)[i].Look(again);
      if (reason) *which = i;
    }
    return reason;
  };
}

Task<WaitResult> AwaitAny(Loop* loop, mcp::ToolCall* call,
                          std::vector<SessionRef> sessions,
                          std::vector<waits::UntilCheck>* checks,
                          Time deadline) {
  size_t which = 0;
  WaitResult result =
      co_await AwaitLook(loop, call, std::move(sessions),
                         LookAtAny(checks, deadline, &which), deadline);
  result.which = which;
  co_return result;
}

Task<bool> InSlices(Loop* loop, mcp::ToolCall* call,
                    std::function<bool()> slice) {
  bool done = false;
  WaiterList finished;
  Work work(loop, Urgency::kFeed, [&] {
    done = slice();
    if (done) finished.Check();
    return !done;
  });
  work.Schedule();
  std::vector<WaiterList*> lists(1, &finished);
  Outcome outcome = co_await Wait(
      loop, lists, [&done] { return Verdict(done); }, Time::max(),
      call->cancellation());
  co_return outcome == Outcome::kMet;
}

Task<bool> SearchAll(Loop* loop, mcp::ToolCall* call,
                     record::LineSearch* search) {
  return InSlices(loop, call,
                  [search] { return search->Continue(Loop::kBudget); });
}

}  // namespace glasstty
