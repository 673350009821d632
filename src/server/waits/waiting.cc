// Clients give up on a call after about 60 s without a sign of life, and lose a
// later answer. So waits are shorter, unless the client has sent a progress
// token. In this case, a notification every 20 s shows that the call is alive
// (MCP, "Progress"), and a wait lasts as long as its caller wants.
#include "waits/waiting.h"

#include <algorithm>
#include <chrono>

#include "support/status.h"

namespace glasstty::waits {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A probe is answered in well under a millisecond. While a program prints, the
// prober pauses for up to 25 ms, which calls do not wait for.
constexpr Duration kStatePatience = milliseconds(15);
// A program that floods can hardly be judged at any moment.
constexpr Duration kFloodPatience = milliseconds(2);
// Three heartbeats fit into a client's minute.
constexpr Duration kHeartbeat = seconds(20);

std::vector<WaiterList*> ListsOf(const Sessions& sessions) {
  std::vector<WaiterList*> lists;
  lists.reserve(sessions.size());
  for (const session::Session* session : sessions) {
    lists.push_back(session->waiters());
  }
  return lists;
}

bool AreKnown(const Sessions& sessions) {
  return std::all_of(sessions.begin(), sessions.end(),
                     [](const session::Session* session) {
                       return session->verdict().settled_state().has_value();
                     });
}

// Waits for `look` while the kernel is asked what the programs are doing.
Task<Outcome> AwaitBriefly(Caller caller, const Sessions* sessions,
                           Predicate look) {
  std::vector<session::Questions::Kept> interests;
  bool all_flood = true;
  for (const session::Session* session : *sessions) {
    interests.push_back(session->questions().Keep(session::Interest::kState));
    all_flood = all_flood && session->output().IsFlooding();
  }
  Duration patience = all_flood ? kFloodPatience : kStatePatience;
  co_return co_await Wait(caller.loop, ListsOf(*sessions), std::move(look),
                          caller.loop->Now() + patience, caller.cancellation);
}

// The deadline has passed, but the last report about the programs may be old,
// and `look` must see the state that the reply will show.
Task<Look> LookOnceMore(Caller caller, const Sessions* sessions,
                        const Predicate* look) {
  Look last = false;
  co_await AwaitBriefly(caller, sessions, [sessions, look, &last] {
    bool known = AreKnown(*sessions);
    last = (*look)();
    return Look(last.met() || known, last.again);
  });
  co_return last;
}

}  // namespace

absl::StatusOr<Waiting> Waiting::Compile(Until until) {
  ASSIGN_OR_RETURN(UntilCheck check, UntilCheck::Compile(std::move(until)));
  return Waiting(std::move(check));
}

void Waiting::Begin(std::shared_ptr<const session::Session> session,
                    From from) {
  session_ = std::move(session);
  check_->Begin(session_.get(), std::move(from));
  watch_ = std::make_unique<Watch>(
      session_->waiters(), [check = check_.get()] { check->Observe(); });
}

Predicate Waiting::Start(Time deadline) {
  watch_.reset();
  check_->BeginWait(deadline);
  return [check = check_.get()] { return check->Check(); };
}

Task<Result> Waiting::Await(Caller caller, Time deadline) {
  return waits::Await(std::move(caller), Sessions(1, session()),
                      Start(deadline), deadline);
}

// Shortens a wait that is too long and notes this, because a shorter wait is
// still useful.
Patience PatienceFor(const Caller& caller, double timeout_s) {
  double longest =
      caller.keep_alive == nullptr ? kLongestWait_s : kLongestWithProgress_s;
  Patience patience;
  if (timeout_s > longest) {
    patience.note = absl::StrFormat(
        "timeout_s cut to %g (clients give up after 60)", longest);
    timeout_s = longest;
  }
  patience.deadline = caller.loop->Now() + FromSeconds(timeout_s);
  return patience;
}

Task<Result> AwaitOn(Caller caller, std::vector<WaiterList*> lists,
                     Predicate look, Time deadline) {
  Loop* loop = caller.loop;
  Time began = loop->Now();
  Look last = false;
  Predicate remember = [&look, &last] { return last = look(); };
  Result result;
  do {
    bool beats = caller.keep_alive != nullptr;
    Time until =
        beats ? std::min(deadline, loop->Now() + kHeartbeat) : deadline;
    result.outcome =
        co_await Wait(loop, lists, remember, until, caller.cancellation);
    result.waited = loop->Now() - began;
    // The time-out may be the heartbeat's, or the final one.
    if (beats && result.outcome == Outcome::kTimeout) {
      caller.keep_alive();
    }
  } while (result.outcome == Outcome::kTimeout && loop->Now() < deadline);
  if (result.outcome == Outcome::kMet) result.reason = *last.reason;
  co_return result;
}

Task<Result> Await(Caller caller, Sessions sessions, Predicate look,
                   Time deadline) {
  std::vector<WaiterList*> lists = ListsOf(sessions);
  Result result = co_await AwaitOn(caller, std::move(lists), look, deadline);
  if (result.outcome != Outcome::kTimeout) co_return result;
  Look last = co_await LookOnceMore(caller, &sessions, &look);
  if (last.met()) {
    result.outcome = Outcome::kMet;
    result.reason = *last.reason;
  }
  co_return result;
}

Task<Result> AwaitAny(Caller caller, std::vector<Waiting>* waitings,
                      Time deadline) {
  Sessions sessions;
  std::vector<Predicate> looks;
  for (Waiting& waiting : *waitings) {
    sessions.push_back(waiting.session());
    looks.push_back(waiting.Start(deadline));
  }
  size_t which = 0;
  Predicate any = [waitings, &looks, &which] {
    Look not_yet = false;
    Look ended = false;
    size_t left = looks.size();
    for (size_t i = 0; i < looks.size(); ++i) {
      Look look = looks[i]();
      if (!look.met()) {
        not_yet.again = std::min(not_yet.again, look.again);
        continue;
      }
      which = i;
      if (!(*waitings)[i].IsOnlyEnd(*look.reason)) return look;
      ended = look;
      --left;
    }
    return left == 0 ? ended : not_yet;
  };
  Result result = co_await Await(std::move(caller), std::move(sessions),
                                 std::move(any), deadline);
  // If no Waiting was met, `which` is 0.
  result.which = result.outcome == Outcome::kMet ? which : 0;
  co_return result;
}

Task<bool> AwaitStates(Caller caller, Sessions sessions) {
  Outcome outcome = co_await AwaitBriefly(
      std::move(caller), &sessions, [&sessions] { return AreKnown(sessions); });
  co_return outcome == Outcome::kMet;
}

Task<bool> InSlices(Caller caller, std::function<bool()> slice) {
  bool done = false;
  WaiterList finished;
  Work work(caller.loop, Urgency::kFeed, [&] {
    done = slice();
    if (done) finished.Check();
    return !done;
  });
  work.Schedule();
  std::vector<WaiterList*> lists(1, &finished);
  Outcome outcome = co_await Wait(
      caller.loop, lists, [&done] { return done; }, Time::max(),
      caller.cancellation);
  co_return outcome == Outcome::kMet;
}

}  // namespace glasstty::waits
