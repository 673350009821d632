// Waits for sessions: the life of a wait, and how long it may last.
//
// A condition is a Predicate (support/wait.h), a function that returns a Look:
// the reason, once the condition is met, or else the time at which to look
// again even if nothing has happened.
//
// A Waiting is the wait of one call for the conditions of an Until. It goes
// through these steps in a fixed order:
//
//   Compile  Compiles the patterns, before the call has any effect.
//   Begin    Sets the baseline, after which output counts. From here on, text
//            that appears and disappears again is remembered, while the call
//            types or waits for other sessions. AddTyped announces each line
//            whose echo must not match.
//   Start    Begins the wait itself: stillness and the default's quiet time
//            count from here. The session probes what the conditions check.
//   Await    Waits for the predicate that Start has returned.
//
// A Waiting keeps its session alive, and may be moved. Loop thread only.
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

// The call on whose behalf a wait runs.
struct Caller {
  Loop* loop;
  Cancellation* cancellation;
  // Called every 20 s of a wait, to report that the call is alive. Null if the
  // client does not accept such reports, so that waits must be shorter.
  std::function<void()> keep_alive;
};

// Clients give up after 60 s without a sign of life, so a wait may take 45 s.
// With a progress token, it may take as long as its caller wants, up to a year.
inline constexpr double kLongestWait_s = 45;
inline constexpr double kLongestWithProgress_s = 365 * 86'400;

// The deadline of a wait that starts now, and a note about it for the reply.
struct Patience {
  // On the loop's clock.
  Time deadline;
  std::string note;  // not empty if the requested time was reduced
};
Patience PatienceFor(const Caller& caller, double timeout_s);

struct Result {
  Outcome outcome = Outcome::kTimeout;
  // Empty unless `outcome` is kMet.
  Reason reason;
  // For AwaitAny: the index of the Waiting that was met; else 0.
  size_t which = 0;
  // Measured from the start, across all heartbeats.
  Duration waited{};
};

class Waiting {
 public:
  // Error: see UntilCheck::Compile.
  static absl::StatusOr<Waiting> Compile(Until until);

  void Begin(std::shared_ptr<const session::Session> session, From from);
  void AddTyped(std::string line) { check_->AddTyped(std::move(line)); }
  void AddTypedAhead(const session::InputQueue::Ahead& ahead) {
    check_->AddTypedAhead(ahead);
  }
  // Returns true if the wait has to distinguish echoed input from output.
  bool tells_echo() const { return check_->tells_echo(); }
  // Starts the wait and returns its predicate, which is valid until this object
  // is destroyed. The caller stops at `deadline`; a match found by then is not
  // held back until the screen has settled. REQUIRES: Begin.
  Predicate Start(Time deadline);
  // Starts the wait and waits.
  Task<Result> Await(Caller caller, Time deadline);

  // REQUIRES: Begin.
  const session::Session* session() const { return session_.get(); }
  const std::optional<record::ReadMark>& matched() const {
    return check_->matched();
  }
  const session::Output* changed() const { return check_->changed(); }
  // Returns true if `reason` is the end of the session and was not waited for.
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

// The sessions of a wait; the caller keeps them alive.
using Sessions = std::vector<const session::Session*>;

// Evaluates `look` whenever something has happened in one of `sessions`.
// Evaluates it again at the deadline, once the kernel has reported what the
// programs are doing. So even a wait of 0 s sees their state.
Task<Result> Await(Caller caller, Sessions sessions, Predicate look,
                   Time deadline);
// Evaluates `look` whenever one of `lists` is checked, but not at the deadline.
Task<Result> AwaitOn(Caller caller, std::vector<WaiterList*> lists,
                     Predicate look, Time deadline);
// Waits until one of `waitings` is met. The mere end of a session (IsOnlyEnd)
// counts only once all sessions have ended.
Task<Result> AwaitAny(Caller caller, std::vector<Waiting>* waitings,
                      Time deadline);

// Waits until the kernel has reported what the programs are doing. All sessions
// share one short wait, because the state of a flood is never known. States
// that are still unknown afterwards must be guessed (Verdict::LastState).
// Returns true if all are known.
Task<bool> AwaitStates(Caller caller, Sessions sessions);

// Calls `slice`, which does about Loop::kBudget of work, until it returns true.
// Between two slices, the loop serves everything else, including sessions'
// output. Returns false if the call was cancelled.
Task<bool> InSlices(Caller caller, std::function<bool()> slice);

}  // namespace glasstty::waits
