// Kills all processes of the session, even while they fork.
//
// A round walks the tree once and kills each member. Rounds are repeated until
// no child is left, because a walk may miss processes that are forked
// meanwhile. If the tree does not shrink, a round first stops its processes
// (SIGSTOP), so that they can no longer fork; this may take 300 ms. The caller
// waits between rounds.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace glasstty::holder {

class KillLoop {
 public:
  enum class Result {
    kDone,    // nothing is left
    kAgain,   // call again at next()
    kGaveUp,  // the remaining processes belong to another user, or did not end
              // within five seconds (state D)
  };

  void Start(Time now);
  // Does one round. REQUIRES: dead children were reaped just before.
  Result Step(Time now);
  Time next() const { return next_; }

 private:
  struct Count {
    size_t alive = 0;
    size_t forbidden = 0;  // living processes that this user may not kill
  };
  Count KillAll();

  Time deadline_{};
  Time next_{};
  int rounds_ = 0;
  int rounds_without_progress_ = 0;
  int forbidden_rounds_ = 0;
  size_t fewest_ = 0;
};

}  // namespace glasstty::holder
