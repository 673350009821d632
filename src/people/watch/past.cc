#include "watch/past.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "wire/session_files.h"

namespace glasstty::watch {
namespace {

// The number of rows above the screen to which a person can scroll back from an
// earlier moment.
constexpr int kPastLines = 1000;

}  // namespace

Past::Past(Loop* loop, const Watched* session)
    : loop_(loop), session_(session) {}

Past::~Past() = default;

// The session's terminal has had these sizes, so none of them is refused.
void Past::Begin(const record::Timeline& timeline) {
  feed_.reset();
  auto terminal =
      terminal::Terminal::Create({.size = session_->origin().program.size,
                                  .scrollback_rows = kPastLines,
                                  .nonce = session_->origin().nonce});
  terminal_ = *std::move(terminal);
  terminal_->MuteReplies(true);
  feed_ = std::make_unique<session::LogFeed>(
      loop_, session_->directory(), "out", terminal_.get(),
      [](std::string_view bytes) { return bytes.size(); },
      [this] {
        terminal_->TakeEvents();
        return false;
      });
  for (const record::Timeline::Resize& resize : timeline.resizes()) {
    feed_->AddResize(resize.offset, resize.size);
  }
  feed_->StartFrom(record::FindLogStart(session_->directory()));
}

void Past::Show(double seconds, std::function<void()> there) {
  record::Timeline timeline = record::ReadTimeline(session_->directory());
  uint64_t end = LogEnd();
  uint64_t wanted = timeline.OffsetAt(seconds, end);
  if (feed_ == nullptr || wanted < feed_->end()) Begin(timeline);
  wanted_ = std::max(wanted, feed_->consumed());
  feed_->CallAt(wanted_, [this, at = wanted_, there = std::move(there)] {
    if (at == wanted_) there();
  });
  feed_->SetEnd(wanted_);
}

// If the end cannot be determined, returns the last known end.
uint64_t Past::LogEnd() const {
  auto end = wire::LogEnd(session_->directory(), "out");
  return end ? *end : session_->end();
}

double Past::Length() const {
  record::Timeline timeline = record::ReadTimeline(session_->directory());
  if (timeline.exit()) return timeline.exit()->seconds;
  return timeline.SecondsAt(LogEnd());
}

// Without event records, the beginning is unknown, and Age is the same as
// Length.
double Past::Age() const {
  record::Timeline timeline = record::ReadTimeline(session_->directory());
  bool is_running =
      !timeline.exit() && !session_->exited() && !timeline.resizes().empty();
  return is_running ? timeline.SecondsAt(loop_->Now()) : Length();
}

}  // namespace glasstty::watch
