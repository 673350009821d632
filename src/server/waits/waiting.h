// Waits for sessions: the life of a wait, and how long it may last.
//
// There is one shape for "met", "not yet" and "look again". A condition is
// anything that returns a Look (support/wait.h): the reason, once it is met, or
// else the time at which to look again although nothing has happened. Waits
// take a Predicate, which is a function that returns one.
//
// A Waiting is the wait of one call for the conditions of an Until. It goes
// through these steps and cannot get their order wrong:
//
//   Compile  The patterns are compiled before the call has any effect.
//   Begin    What the session prints from here on counts. Text that comes and
//            goes is kept from now on, while the call types or waits for other
//            sessions. AddTyped announces each line whose echo is no match.
//   Start    The wait itself begins: silence counts from here. The session
//   finds
//            out what the conditions look at.
//   Await    Waits for what Start has returned, or for any other Predicate.
//
// A Waiting keeps its session alive, and may be moved at any time. Loop thread
// only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "record/read_mark.h"
#include "session/session.h"
#include "support/cancellation.h"
#include "support/loop.h"
#include "support/task.h"
#include "support/wait.h"
#include "waits/until.h"

namespace glasstty::waits {

// The call for which a wait is done.
struct Caller {
  Loop* loop;
  Cancellation* cancellation;
  // Called every 20 s of a wait; null if the caller cannot be told that the
  // call is alive, and so gives up sooner.
  std::function<void(Duration)> keep_alive;
};

// Clients give up after 60 s without a sign of life, so waits are limited to 45
// s; a call with a progress token may take as long as its caller wants. A year
// still fits into the clock.
inline constexpr double kLongestWait_s = 45;
inline constexpr double kLongestWithProgress_s = 365 * 86'400;

// The time limit of a wait from now on, and the reply's note about it.
struct Patience {
  // On the loop's clock.
  Time deadline;
  std::string note;  // if the requested time was reduced
};
Patience PatienceFor(const Caller& caller, double timeout_s);

struct Result {
  Outcome outcome = Outcome::kTimeout;
  // Empty unless `outcome` is kMet.
  Reason reason;
  // The index of the Waiting that was met.
  size_t which = 0;
  // Measured from the start, across all heartbeats.
  Duration waited{};
};

class Waiting {
 public:
  // Returns an error if a pattern does not compile.
  static absl::StatusOr<Waiting> Compile(Until until);

  void Begin(std::shared_ptr<const session::Session> session, From from);
  void AddTyped(std::string line) { check_->AddTyped(std::move(line)); }
  // Returns true if the wait has to tell echoed input from output.
  bool wants_text() const { return check_->wants_text(); }
  // REQUIRES: Begin. Whoever uses the result stops at `deadline`; what has been
  // found by then is not held back until the screen has settled. The result is
  // valid until this object is destroyed.
  Predicate Start(Time deadline);
  // Starts the wait and waits.
  Task<Result> Await(Caller caller, Time deadline);

  // REQUIRES: Begin.
  const session::Session* session() const { return session_.get(); }
  const std::optional<record::ReadMark>& matched() const {
    return check_->matched();
  }
  // Returns true if a wait with this reason ended with the session, which is
  // not what it was for.
  bool IsOnlyEnd(const Reason& reason) const {
    return check_->IsOnlyEnd(reason);
  }
  UntilCheck::Missed DescribeMissed() const { return check_->DescribeMissed(); }

 private:
  explicit Waiting(UntilCheck check)
      : check_(std::make_unique<UntilCheck>(std::move(check))) {}

  std::unique_ptr<UntilCheck> check_;
  std::shared_ptr<const session::Session> session_;
  // Looks for text from Begin to Start.
  std::unique_ptr<Watch> watch_;
};

// The callers keep them alive.
using Sessions = std::vector<const session::Session*>;

// Looks whenever something has happened in one of `sessions`. At the deadline
// it looks once more, after the kernel has said what the programs do then: a
// wait of 0 s is a single look.
Task<Result> Await(Caller caller, Sessions sessions, Predicate look,
                   Time deadline);
// Looks whenever one of `lists` is checked, and no more at the deadline.
Task<Result> AwaitOn(Caller caller, std::vector<WaiterList*> lists,
                     Predicate look, Time deadline);
// Waits for one of `waitings`. The end of a session that makes a condition
// impossible there counts only when all have ended.
Task<Result> AwaitAny(Caller caller, std::vector<Waiting>* waitings,
                      Time deadline);

// Waits briefly for the kernel's answer to what the programs do. All sessions
// share one short wait, because a flood never settles. A state that is still
// unknown after it is a guess. Returns true if all are known.
Task<bool> AwaitStates(Caller caller, Sessions sessions);

// Calls `slice`, which does about Loop::kBudget of work, until it returns true;
// everything else, including other sessions' output, has its turn between two
// slices. Returns false if the call was cancelled.
Task<bool> InSlices(Caller caller, std::function<bool()> slice);

}  // namespace glasstty::waits
