// How a log becomes a screen, the same live and replayed.
//
// The bytes between consumed and end are fed in moments (terminal/moment.h)
// while somebody looks closely. What is fed never crosses the place of a wanted
// call, which happens between two bytes as a resize does.
#include "session/log_feed.h"

#include <optional>
#include <utility>

#include "support/log.h"
#include "support/status.h"

namespace glasstty::session {

LogFeed::LogFeed(Loop* loop, int dir_fd, std::string stem,
                 terminal::Terminal* terminal, Cut cut,
                 std::function<bool()> fed)
    : terminal_(terminal),
      cut_(std::move(cut)),
      next_look_([this](std::string_view bytes) { return NextLook(bytes); }),
      fed_(std::move(fed)),
      player_(dir_fd, std::move(stem)),
      work_(loop, Urgency::kFeed, [this] { return Slice(); }),
      flood_work_(loop, Urgency::kBulk, [this] { return Slice(); }) {}

void LogFeed::SetEnd(uint64_t end) {
  player_.SetEnd(end);
  // Also when the end is known: the disk may not have had it until now.
  if (!drained()) Schedule();
}

void LogFeed::AddResize(uint64_t offset, terminal::Size size) {
  player_.AddSize(offset, size);
  ApplyDue();
}

void LogFeed::AddInline(uint64_t offset, std::string_view bytes) {
  player_.AddBytes(offset, std::string(bytes));
  Schedule();
}

void LogFeed::StartAt(uint64_t offset) {
  player_.SkipTo(offset);
  ApplyDue();
}

void LogFeed::CallAt(uint64_t offset, std::function<void()> reached) {
  calls_.emplace(offset, std::move(reached));
  ApplyDue();
}

void LogFeed::Schedule() { (is_flood_ ? flood_work_ : work_).Schedule(); }

// What it has become decides about the next turn.
bool LogFeed::Slice() {
  Time stop = MonotonicNow() + Loop::kBudget;
  while (!drained()) {
    absl::StatusOr<record::LogStep> step = player_.Next(next_look_);
    if (!step.ok()) Warn("log: %s", Message(step.status()));
    // A later SetEnd schedules the next turn.
    if (!step.ok() || step->kind == record::LogStep::Kind::kNothing)
      return false;
    if (Take(*step) || MonotonicNow() >= stop) break;
  }
  if (!drained()) Schedule();
  return false;
}

size_t LogFeed::NextLook(std::string_view bytes) const {
  if (!calls_.empty()) {
    bytes = bytes.substr(0, calls_.begin()->first - consumed());
  }
  return cut_(bytes);
}

bool LogFeed::Take(const record::LogStep& step) {
  if (step.kind == record::LogStep::Kind::kHole) {
    Warn("log: bytes %d to %d are lost", step.offset, step.offset + step.lost);
  }
  terminal_->Feed(step.bytes);
  ApplyDue();
  return fed_();
}

void LogFeed::ApplyDue() {
  while (std::optional<terminal::Size> size = player_.TakeSize()) {
    absl::Status status = terminal_->Resize(*size);
    if (!status.ok()) Warn("log: resize: %s", status.ToString());
  }
  while (!calls_.empty() && calls_.begin()->first <= consumed()) {
    // Off the list first: the call may ask for another.
    auto call = std::move(calls_.begin()->second);
    calls_.erase(calls_.begin());
    call();
  }
}

}  // namespace glasstty::session
