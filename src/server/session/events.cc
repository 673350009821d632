#include "session/events.h"

#include <cstddef>
#include <utility>

namespace glasstty::session {
namespace {

// `ls --hyperlink` prints one link for each file.
constexpr size_t kMaxLinks = 1'000;
// A few repairs are enough, because they are soon reported to readers.
constexpr size_t kMaxRepairs = 16;

}  // namespace

void Events::Take(terminal::Terminal* terminal, Time now, bool is_live,
                  const std::function<void()>& marked,
                  const std::function<void()>& asked) {
  using Type = terminal::TerminalEvent::Type;
  std::optional<Time> when;
  if (is_live) when = now;
  for (const terminal::TerminalEvent& event : terminal->TakeEvents()) {
    if (event.type == Type::kBell) ++bell_count_;
    if (event.type == Type::kTitle) ++title_count_;
    if (event.type == Type::kStatus && is_live) status_at_ = now;
    if (event.type == Type::kLink) {
      links_.push_back({event.line, event.text});
      if (links_.size() > kMaxLinks) links_.pop_front();
    }
    if (event.type == Type::kSync) {
      if (event.flag) frame_began_ = now;
      frame_ended_ = !event.flag;
    }
    if (event.type == Type::kRepaired) TakeRepair(event);
    commands_.Take(event, *terminal, when);
    if (event.type == Type::kMark) marked();
    if (event.type == Type::kAsked) asked();
  }
}

void Events::TakeRepair(const terminal::TerminalEvent& event) {
  if (event.offset <= repairs_told_) return;
  repairs_.push_back({++repair_count_, event.text});
  if (repairs_.size() > kMaxRepairs) repairs_.pop_front();
}

void Events::ForgetRepairs(uint64_t offset) {
  repairs_told_ = offset;
  repairs_.clear();
}

bool Events::TakeFrameEnd() { return std::exchange(frame_ended_, false); }

}  // namespace glasstty::session
