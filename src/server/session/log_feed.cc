// Live output and a replayed log are fed in the same way.
//
// The bytes between consumed() and end() are fed in the pieces that the owner's
// `cut` chooses, for example moments (terminal/moment.h). A piece never extends
// past the offset of a call that was requested by CallAt; calls and resizes
// happen between two bytes.
#include "session/log_feed.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

#include "record/holes.h"
#include "support/log.h"
#include "support/status.h"
#include "terminal/moment.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// The pause between two attempts to read a log doubles each time.
constexpr Duration kFirstRetry = milliseconds(20);
constexpr Duration kLongestPause = seconds(5);
// The third attempt comes after 60 ms. Most shortages of descriptors are
// shorter.
constexpr int kTriesBeforeTrouble = 3;
// If the disk refuses bytes, a live holder announces them and sends them right
// afterwards. Bytes that are still missing after this time were lost, or
// somebody truncated the log.
constexpr Duration kMissingPatience = seconds(3);

}  // namespace

LogFeed::LogFeed(Loop* loop, int dir_fd, std::string stem,
                 terminal::Terminal* terminal, Cut cut,
                 std::function<bool()> fed)
    : loop_(loop),
      dir_fd_(dir_fd),
      terminal_(terminal),
      stem_(std::move(stem)),
      cut_(std::move(cut)),
      next_look_([this](std::string_view bytes) { return NextLook(bytes); }),
      fed_(std::move(fed)),
      player_(dir_fd, stem_),
      work_(loop, Urgency::kFeed, [this] { return Slice(); }),
      flood_work_(loop, Urgency::kBulk, [this] { return Slice(); }),
      retry_(loop, [this] { Schedule(); }) {}

void LogFeed::SetEnd(uint64_t end) {
  player_.SetEnd(end);
  // A turn is needed even if the end is not new, because the bytes before it
  // may not have been on disk until now.
  if (!drained()) Schedule();
}

void LogFeed::EndWithFiles() {
  ending_ = Ending::kSought;
  if (FindEnd() && !drained()) Schedule();
}

void LogFeed::AddHole(const wire::HoleRecord& hole) {
  told_holes_[hole.offset] = hole;
  player_.AddHole(hole.offset, hole.bytes);
  Schedule();
}

absl::Status LogFeed::trouble() const {
  return failures_ >= kTriesBeforeTrouble ? failure_ : absl::OkStatus();
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

bool LogFeed::StartFrom(const record::LogStart& start) {
  bool restored = false;
  int64_t line = terminal_->first_line();
  if (start.state) {
    absl::Status status = terminal_->RestoreState(start.state->terminal);
    if (!status.ok()) Warn("log: saved state: %s", Message(status));
    restored = status.ok();
  }
  // After a hole, the caller has set the line numbers, and they are kept.
  if (restored && start.state->offset != start.offset) {
    terminal_->NumberLinesFrom(line);
  }
  uint64_t lost = start.state && !restored ? start.offset : start.lost;
  std::optional<terminal::Size> size = player_.StartAt(start.offset, lost);
  if (size) Resize(*size);
  terminal_->SkipTo(start.offset);
  ApplyDue();
  return restored;
}

void LogFeed::CallAt(uint64_t offset, std::function<void()> reached) {
  calls_.emplace(offset, std::move(reached));
  ApplyDue();
}

void LogFeed::Schedule() { (is_flood_ ? flood_work_ : work_).Schedule(); }

// Schedules the next turn last, because `fed` decides whether this is a flood.
bool LogFeed::Slice() {
  Time stop = MonotonicNow() + Loop::kBudget;
  if (ending_ == Ending::kSought) {
    if (!FindEnd()) return false;
    Recover();
    // If no byte is left to feed, nothing else would report the end.
    if (drained()) fed_();
  }
  while (!drained()) {
    absl::StatusOr<record::LogStep> step = player_.Next(next_look_);
    if (!step.ok()) {
      Fail(step.status());
      return false;
    }
    if (step->kind == record::LogStep::Kind::kNothing) {
      if (!GivesUp()) return false;
      continue;
    }
    Recover();
    if (step->kind == record::LogStep::Kind::kBytes)
      LookAtSegment(step->offset);
    if (Take(*step) || MonotonicNow() >= stop) break;
  }
  if (!drained()) Schedule();
  return false;
}

bool LogFeed::FindEnd() {
  auto end = wire::LogEnd(dir_fd_, stem_);
  if (!end) {
    Fail(ErrnoStatus("read", "the directory of the log"));
    return false;
  }
  ending_ = Ending::kFound;
  player_.SetEnd(*end);
  return true;
}

bool LogFeed::GivesUp() {
  Time now = loop_->Now();
  bool waited = failures_ > 0 && now - failing_since_ >= kMissingPatience;
  if (ending_ != Ending::kOpen || waited) {
    player_.GiveUpMissing();
    return true;
  }
  Fail(Unavailable("it ends at byte %d, though %d bytes were printed",
                   consumed(), end()));
  return false;
}

// Only the first of several failures in a row is logged. Failures that persist
// are reported by trouble().
void LogFeed::Fail(absl::Status why) {
  bool is_first = failures_ == 0;
  if (is_first) failing_since_ = loop_->Now();
  if (is_first && !absl::IsUnavailable(why)) Warn("log: %s", Message(why));
  failure_ = std::move(why);
  // If the timer is armed, new output has caused this attempt; it is not
  // counted.
  if (retry_.armed()) return;
  ++failures_;
  int doublings = std::min(failures_ - 1, 8);
  retry_.SetAfter(std::min(kFirstRetry * (1 << doublings), kLongestPause));
  if (failures_ == kTriesBeforeTrouble) fed_();
}

void LogFeed::Recover() {
  failures_ = 0;
  failure_ = absl::OkStatus();
  retry_.Clear();
}

size_t LogFeed::NextLook(std::string_view bytes) const {
  if (!calls_.empty()) {
    bytes = bytes.substr(0, calls_.begin()->first - consumed());
  }
  return terminal::AffordableLength(bytes.substr(0, cut_(bytes)),
                                    terminal_->size());
}

void LogFeed::LookAtSegment(uint64_t offset) {
  if (std::exchange(segment_, player_.segment()) == player_.segment()) return;
  if (segment_begun_) segment_begun_(offset);
}

bool LogFeed::Take(const record::LogStep& step) {
  if (step.kind == record::LogStep::Kind::kHole) {
    Warn("log: bytes %d to %d are lost", step.offset, step.offset + step.lost);
    std::optional<wire::HoleRecord> told;
    auto found = told_holes_.find(step.offset);
    if (found != told_holes_.end()) told = found->second;
    record::LogHole hole = record::DescribeHole(
        dir_fd_, stem_, step.offset, step.lost, terminal_->cursor_line(), told);
    terminal_->Lose(hole.bytes, hole.lines, hole.Note());
  }
  terminal_->Feed(step.bytes);
  ApplyDue();
  return fed_();
}

void LogFeed::Resize(terminal::Size size) {
  absl::Status status = terminal_->Resize(size);
  if (!status.ok()) Warn("log: resize: %s", status.ToString());
}

void LogFeed::ApplyDue() {
  while (std::optional<terminal::Size> size = player_.TakeSize()) {
    Resize(*size);
  }
  while (!calls_.empty() && calls_.begin()->first <= consumed()) {
    // The call is removed from the list first, because it may add another call.
    auto call = std::move(calls_.begin()->second);
    calls_.erase(calls_.begin());
    call();
  }
}

}  // namespace glasstty::session
