#include "session/questions.h"

#include <algorithm>
#include <utility>

#include "wire/messages.h"

namespace glasstty::session {

Questions::Questions(Loop* loop, HolderLink* link, std::function<void()> wanted)
    : loop_(loop),
      wanted_(std::move(wanted)),
      prober_(loop,
              [this, link](uint64_t serial) {
                bool work = IsWanted(Interest::kWork);
                link->Send(
                    wire::Probe{serial, work ? uint64_t{wire::kProbeWork} : 0});
              }),
      listeners_(loop, [link](uint64_t serial) {
        link->Send(wire::Tree{serial, wire::kTreeListening});
      }) {}

Questions::Kept Questions::Keep(Interest interest) const {
  std::weak_ptr<const void>& slot = kept_[static_cast<size_t>(interest)];
  Kept kept = slot.lock();
  if (kept == nullptr) slot = kept = std::make_shared<char>();
  wanted_();
  return kept;
}

bool Questions::IsWanted(Interest interest) const {
  return !kept_[static_cast<size_t>(interest)].expired();
}

Time Questions::NextAnswer() const { return loop_->Now() + prober_.pace(); }

void Questions::ConnectedAgain() {
  prober_.ConnectedAgain();
  listeners_.ConnectedAgain();
}

Time Questions::Ask(bool about_foreground, bool is_urgent) {
  Time next = Time::max();
  if (about_foreground) {
    bool is_quick = is_urgent && IsWanted(Interest::kWork);
    Duration again = is_quick ? kAnswerPace : prober_.pace();
    prober_.Want(again);
    next = loop_->Now() + again;
  }
  if (IsWanted(Interest::kPorts)) {
    listeners_.Want();
    next = std::min(next, listeners_.next());
  }
  return next;
}

}  // namespace glasstty::session
