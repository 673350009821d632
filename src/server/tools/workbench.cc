#include "tools/workbench.h"

#include <algorithm>
#include <chrono>

#include "session/streams.h"
#include "support/status.h"
#include "tools/event_replies.h"
#include "tools/remains.h"

namespace glasstty {

using session::SessionRef;

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Replaying a log of 64 MiB takes seconds; the limit is for a busy machine.
constexpr Duration kReplayPatience = seconds(45);
// Reading a typical log takes less, so even a call with a shorter deadline gets
// a result.
constexpr Duration kLeastReplayPatience = milliseconds(500);
// Starting takes a fork and an exec; a holder that needs longer is in trouble.
constexpr Duration kStartPatience = seconds(10);

}  // namespace

Workbench::Workbench(Loop* loop, session::SessionManager* manager,
                     gate::Settings gate)
    : loop_(loop),
      manager_(manager),
      gatekeeper_(&clients_),
      notices_(loop),
      clients_(manager),
      lookout_(SurroundingsOf(&clients_)),
      secret_pages_(loop),
      away_timer_(loop, [this] { ForgetAway(); }) {
  ClientSettings standard;
  standard.gate = std::make_shared<const gate::Gate>(std::move(gate));
  clients_.SetSettings(std::move(standard), nullptr);
  manager_->list()->OnAdded(
      [this](const SessionRef& session) { lookout_.Add(session); });
  manager_->list()->OnForgotten(
      [this](const std::string& id) { ForgetSession(id); });
}

std::string Workbench::SetAside(const std::string& name) {
  for (const SessionRef& session : manager_->All()) {
    if (session->name() != name) continue;
    std::string remains = RemainsText(*session);
    if (remains.empty()) return "";
    manager_->list()->Rename(session);
    clients_.SetCalled(*session, session->name());
    return absl::StrFormat("the '%s' before is '%s' now: %s", name,
                           session->name(), remains);
  }
  return "";
}

std::string Workbench::TakeRemains(const session::Session& session) {
  auto node = remains_.extract(session.origin().id);
  return node.empty() ? "" : std::move(node.mapped());
}

Task<absl::StatusOr<SessionRef>> Workbench::OpenSession(
    mcp::ToolCall* call, std::string name, record::ProgramSpec program,
    view::ReaderMark* before, session::PlaceLink* where) {
  if (absl::Status ready = Prepare(); !ready.ok()) co_return ready;
  if (absl::Status share = clients_.CheckShare(*call); !share.ok()) {
    co_return share;
  }
  // A relative path starts from the directory in which the client works.
  bool is_relative = !program.cwd.empty() && program.cwd[0] != '/';
  bool here = where == nullptr;
  if (here && (program.cwd.empty() || is_relative)) {
    auto directory = co_await roots_.StartDirectory(call);
    if (!directory.ok()) co_return directory.status();
    if (!directory->empty()) {
      program.cwd = *directory + (is_relative ? "/" + program.cwd : "");
    }
  }
  // Nobody would learn of a session that a cancelled call opens.
  if (call->is_cancelled()) {
    co_return FailedPrecondition("the call was cancelled: nothing was opened");
  }
  // A restarted session keeps its inheritance.
  if (here && program.inheritance == nullptr) {
    program.inheritance = clients_.InheritanceOf(*call);
  }
  bool is_again = !program.opener.name.empty();
  program.opener = Clients::OpenerOf(call->context());
  std::string called = name;
  if (!name.empty() && !is_again) name = clients_.ChooseName(*call, name);
  std::string remains = SetAside(name);
  auto opened = manager_->Open(std::move(name), std::move(program), where);
  if (!opened.ok()) co_return opened.status();
  SessionRef session = *opened;
  if (!remains.empty()) remains_[session->origin().id] = std::move(remains);
  clients_.Opened(*call, *session);
  if (!called.empty()) clients_.SetCalled(*session, called);
  clients_.Use(call, *session);
  session::Session* s = session.get();
  if (before != nullptr) *before = session::MarkNow(*s);
  notices_.Follow(call->connection(), session,
                  clients_.NameFor(*call, *session));
  Outcome started = co_await s->WaitFor(
      [s] {
        return s->life().started() || !s->life().start_error().ok() ||
               s->life().ended();
      },
      loop_->Now() + kStartPatience, call->cancellation());
  // A cancelled call leaves the session on the list, because it may still be
  // starting.
  if (s->life().started() || started == Outcome::kCancelled) co_return session;
  // Prefer the holder's own message, which says which stage of starting failed,
  // and why.
  absl::Status error = s->life().start_error();
  // A busy machine may start the program later, and then it must be reachable.
  if (started == Outcome::kTimeout && error.ok() && !s->life().ended()) {
    co_return Unavailable(
        "session '%s' has not started yet; term_list shows it, term_close ends "
        "it",
        clients_.NameFor(*call, *session));
  }
  if (error.ok()) error = Internal("the program could not be started");
  // Leave no session that an agent would have to close after mistyping a
  // program.
  manager_->list()->Discard(session);
  co_return error;
}

absl::StatusOr<SessionRef> Workbench::FindUnread(mcp::ToolCall* call,
                                                 const std::string& name,
                                                 Servers servers) {
  RETURN_IF_ERROR(Prepare());
  std::string unique = name;
  if (!name.empty()) {
    ASSIGN_OR_RETURN(unique, clients_.Resolve(*call, name));
  }
  auto found = manager_->Find(unique);
  // A session that could not be taken over before may be available now. So may
  // a session that another server has opened since, or whose server has ended.
  if (!found.ok() && !name.empty()) {
    manager_->left()->Adopt(unique);
    found = manager_->Find(unique);
  }
  if (absl::IsNotFound(found.status()) && !name.empty() &&
      servers == Servers::kAll) {
    auto guest = manager_->Visit(unique);
    // The session's server may have died since.
    bool is_there = guest.ok() || !absl::IsNotFound(guest.status());
    found = is_there ? std::move(guest) : manager_->Find(unique);
  }
  SessionRef session = found.ok() ? *found : nullptr;
  // If several are possible, or only others' sessions, use the client's own.
  bool is_others = session != nullptr && clients_.IsOthers(*call, *session);
  if (name.empty() && (!found.ok() || is_others)) {
    session = clients_.OnlyOwn(*call);
  }
  if (session == nullptr && found.ok()) {
    return NotFound("you have no session; another client has '%s'",
                    clients_.NameFor(*call, **found));
  }
  if (session == nullptr) return found.status();
  manager_->list()->Touch(*session);
  clients_.Use(call, *session);
  return session;
}

// The name is passed by value, because the frame outlives the caller's
// expression.
Task<absl::StatusOr<SessionRef>> Workbench::FindSession(mcp::ToolCall* call,
                                                        std::string name,
                                                        Time deadline,
                                                        Servers servers) {
  auto found = FindUnread(call, name, servers);
  if (!found.ok()) co_return found.status();
  SessionRef session = *found;
  std::vector<SessionRef> only(1, session);
  Duration patience = std::clamp<Duration>(
      deadline - loop_->Now(), kLeastReplayPatience, kReplayPatience);
  // This also returns if the client has cancelled, but then nobody reads the
  // answer.
  bool is_read = co_await AwaitReplays(call, only, patience);
  // If the log is unreadable, continue: the call shows the available output and
  // why the rest is missing.
  if (!is_read && session->verdict().IsReadable()) {
    co_return Unavailable(
        "session '%s' was left by an earlier server and its log is still "
        "being read; call again",
        clients_.NameFor(*call, *session));
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
  auto is_read = [](const SessionRef& session) {
    return !session::IsReplaying(*session);
  };
  auto all_over = [&sessions, is_read] {
    return Look(std::all_of(
        sessions.begin(), sessions.end(), [is_read](const SessionRef& session) {
          return is_read(session) || !session->verdict().IsReadable();
        }));
  };
  co_await Wait(loop_, lists, all_over, loop_->Now() + patience,
                call->cancellation());
  co_return std::all_of(sessions.begin(), sessions.end(), is_read);
}

Task<bool> Workbench::AwaitStates(mcp::ToolCall* call,
                                  std::vector<SessionRef> sessions) {
  waits::Sessions views;
  for (const SessionRef& session : sessions) views.push_back(session.get());
  co_return co_await waits::AwaitStates(CallerOf(call), std::move(views));
}

// Holders of sessions with pending output are not asked, because they would
// search /proc for an answer that cannot be used.
Task<bool> Workbench::AwaitShownStates(mcp::ToolCall* call,
                                       std::vector<SessionRef> sessions) {
  std::erase_if(sessions, [](const SessionRef& session) {
    return session->output().IsBehind();
  });
  if (sessions.empty()) co_return false;
  co_return co_await AwaitStates(call, std::move(sessions));
}

const view::ReaderMark& Workbench::MarkOf(const mcp::ToolCall& call,
                                          const session::Session& session) {
  // The mark is unknown until the log has been read up to it.
  if (session::IsReplaying(session)) {
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

void Workbench::KeepMark(uint64_t connection, session::Session* session,
                         view::ReaderMark mark) {
  SetMark(connection, *session, std::move(mark));
  auto least = clients_.LeastMark(*session);
  if (least && manager_->Has(*session)) session->files()->PersistMark(*least);
}

void Workbench::ForgetConnection(uint64_t connection) {
  notices_.ForgetConnection(connection);
  roots_.Forget(connection);
  CloseAll(clients_.Leave(connection, loop_->Now()));
  SetAwayTimer();
}

void Workbench::ForgetClient(const std::string& name) {
  CloseAll(clients_.LeaveForGood(name));
}

void Workbench::SetAwayTimer() {
  Time next = clients_.NextForget();
  if (next == Time::max()) return away_timer_.Clear();
  away_timer_.Set(next);
}

void Workbench::ForgetAway() {
  CloseAll(clients_.ForgetAway(loop_->Now()));
  SetAwayTimer();
}

void Workbench::CloseAll(const std::vector<SessionRef>& left) {
  for (const SessionRef& session : left) {
    manager_->CloseUnused(session,
                          "was closed when the client that had opened it left");
  }
}

absl::Status Workbench::Prepare() {
  RETURN_IF_ERROR(manager_->Prepare());
  clients_.Recall(loop_->Now());
  SetAwayTimer();
  return absl::OkStatus();
}

void Workbench::ForgetSession(const std::string& id) {
  gatekeeper_.ForgetSession(id);
  clients_.ForgetSession(id);
  secret_pages_.ForgetSession(id);
  remains_.erase(id);
  lookout_.Forget(id);
}

waits::Caller CallerOf(mcp::ToolCall* call) {
  waits::Caller caller{call->loop(), call->cancellation(), nullptr};
  if (call->wants_progress() || call->may_outlast()) {
    caller.keep_alive = [call] { call->Progress("still waiting"); };
  }
  return caller;
}

Task<bool> SearchAll(mcp::ToolCall* call, record::LineSearch* search) {
  return waits::InSlices(CallerOf(call),
                         [search] { return search->Continue(Loop::kBudget); });
}

}  // namespace glasstty
