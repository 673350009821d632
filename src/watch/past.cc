#include "watch/past.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "wire/session_files.h"

namespace glasstty::watch {
namespace {

// Nobody reads lines of an earlier moment.
constexpr int kPastLines = 100;

}  // namespace

Past::Past(Loop* loop, const Watched* session)
    : loop_(loop), session_(session) {}

Past::~Past() = default;

// The terminal had these sizes before, so none of them is refused.
void Past::Begin(const record::Timeline& timeline) {
  feed_.reset();
  auto terminal = terminal::Terminal::Create(
      {.size = session_->origin().program.size, .scrollback_rows = kPastLines});
  terminal_ = *std::move(terminal);
  terminal_->MuteReplies(true);
  feed_ = std::make_unique<session::LogFeed>(
      loop_, session_->directory(), "out", terminal_.get(),
      [](std::string_view bytes) { return bytes.size(); },
      [this] {
        terminal_->TakeEvents();
        return false;
      });
  if (feed_->first_kept() > 0) feed_->StartAt(feed_->first_kept());
  for (const record::Timeline::Resize& resize : timeline.resizes()) {
    feed_->AddResize(resize.offset, resize.size);
  }
}

void Past::Show(double seconds, std::function<void()> there) {
  record::Timeline timeline(wire::ReadEvents(session_->directory()));
  uint64_t end = wire::LogEnd(session_->directory(), "out");
  uint64_t wanted = timeline.OffsetAt(seconds, end);
  if (feed_ == nullptr || wanted < feed_->end()) Begin(timeline);
  wanted_ = std::max(wanted, feed_->first_kept());
  feed_->CallAt(wanted_, [this, at = wanted_, there = std::move(there)] {
    if (at == wanted_) there();
  });
  feed_->SetEnd(wanted_);
}

double Past::Length() const {
  record::Timeline timeline(wire::ReadEvents(session_->directory()));
  if (timeline.exit()) return timeline.exit()->seconds;
  return timeline.SecondsAt(wire::LogEnd(session_->directory(), "out"));
}

}  // namespace glasstty::watch
