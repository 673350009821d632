#include "base/poll_loop.h"

#include <algorithm>
#include <cstdint>

namespace glasstty {

void PollLoop::Add(int fd, int events, const Watched& watched) {
  if (fd < 0) return;
  set_.push_back({fd, static_cast<short>(events), 0});
  watched_.push_back(watched);
}

// Calls ppoll(2), whose time limit is in nanoseconds, because some callers wait
// for less than a millisecond.
int PollLoop::Turn(Time limit) {
  timespec left{};
  if (limit != Time::max()) {
    auto ns = std::max<int64_t>((limit - MonotonicNow()).count(), 0);
    left = {ns / 1'000'000'000, ns % 1'000'000'000};
  }
  int ready = ppoll(set_.data(), set_.size(),
                    limit == Time::max() ? nullptr : &left, nullptr);
  woke_ = MonotonicNow();
  for (size_t i = 0; ready > 0 && i < set_.size(); ++i) {
    const Watched& watched = watched_[i];
    if (set_[i].revents != 0) watched.call(watched.captured, set_[i].revents);
  }
  set_.clear();
  watched_.clear();
  return ready;
}

}  // namespace glasstty
