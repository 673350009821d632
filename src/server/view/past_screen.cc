#include "view/past_screen.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "record/timeline.h"
#include "session/log_feed.h"
#include "support/local_time.h"
#include "support/status.h"
#include "view/when.h"
#include "wire/session_files.h"

namespace glasstty::view {
namespace {

// A log of the default size takes two seconds on an idle machine.
constexpr Duration kLimit = std::chrono::seconds(30);

// Returns nullopt if the text is not wholly an offset.
std::optional<uint64_t> ToOffset(std::string_view text) {
  uint64_t number = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional<uint64_t>(number) : std::nullopt;
}

// A moment: everything before `offset`, and the events at this offset up to
// `seconds`.
struct Moment {
  uint64_t offset = 0;
  double seconds = 0;
};

// An offset alone means the moment before the next event, so a size that was
// set there does not apply yet, except at the end of the log.
absl::StatusOr<Moment> ResolveWhen(const session::Session& session,
                                   const record::Timeline& timeline,
                                   double now_s, std::string_view when) {
  uint64_t end = session.output().feed().consumed();
  if (auto offset = ToOffset(when)) {
    constexpr double kEver = std::numeric_limits<double>::infinity();
    if (*offset <= end) return Moment{*offset, *offset == end ? kEver : 0};
    return InvalidArgument("at=%d: the output ends at byte %d", *offset, end);
  }
  auto wanted_s = ParseWhen(when, session.origin().started_ms, now_s);
  if (!wanted_s) {
    return InvalidArgument(
        "at='%s': give a time before now, or before the end of a program that "
        "has ended (\"-30s\"), after its start (\"+30s\") or of the day "
        "(\"14:58:55\"), or an offset in the raw log",
        when);
  }
  return Moment{timeline.OffsetAt(*wanted_s, end), *wanted_s};
}

// A terminal that is fed up to one offset, and the call that waits for this.
struct Replay {
  record::Folder::Hold directory;
  std::unique_ptr<terminal::Terminal> terminal;
  WaiterList waiters;
  std::unique_ptr<session::LogFeed> feed;

  // Drops the events, which nobody needs.
  bool Fed() {
    terminal->TakeEvents();
    waiters.Check();
    return false;
  }
};

// Starts the replay. Error: the directory of the log cannot be read. The size
// is valid, because the session itself has a terminal of this size.
absl::Status Begin(const session::Session& session,
                   const record::Timeline& timeline, Moment moment,
                   Replay* replay) {
  const record::SessionOrigin& origin = session.origin();
  // Keep the lines above the screen, because a screen that grows takes them
  // back.
  ASSIGN_OR_RETURN(replay->terminal,
                   terminal::Terminal::Create(
                       {.size = origin.program.size,
                        .scrollback_rows = origin.program.scrollback_rows,
                        .newlines = origin.program.pipe,
                        .nonce = origin.nonce}));
  replay->terminal->MuteReplies(true);
  replay->directory = session.OpenDirectory();
  if (!replay->directory->valid()) {
    return ErrnoStatus("open", "the directory of the log");
  }
  replay->feed = std::make_unique<session::LogFeed>(
      session.loop(), replay->directory->get(), "out", replay->terminal.get(),
      [](std::string_view bytes) { return bytes.size(); },
      [replay] { return replay->Fed(); });
  for (const record::Timeline::Resize& resize : timeline.resizes()) {
    bool came =
        resize.offset < moment.offset ||
        (resize.offset == moment.offset && resize.seconds <= moment.seconds);
    if (came) replay->feed->AddResize(resize.offset, resize.size);
  }
  RETURN_IF_ERROR(replay->feed->FirstKept().status());
  replay->feed->StartFrom(
      record::FindLogStart(replay->directory->get(), moment.offset));
  replay->feed->SetEnd(moment.offset);
  return absl::OkStatus();
}

}  // namespace

Task<absl::StatusOr<PastScreen>> ScreenAt(session::ConstSessionRef session,
                                          std::string when,
                                          Cancellation* cancellation) {
  auto events = wire::ReadEvents(session->OpenDirectory()->get());
  if (!events) {
    co_return Unavailable("at=%s: the times cannot be read: %s", when,
                          Message(ErrnoStatus("read", wire::kEventsName)));
  }
  record::Timeline timeline(*events);
  double now_s = timeline.exit() ? timeline.exit()->seconds
                                 : timeline.SecondsAt(session->loop()->Now());
  ASSIGN_OR_CO_RETURN(Moment moment,
                      ResolveWhen(*session, timeline, now_s, when));
  auto replay = std::make_unique<Replay>();
  if (absl::Status s = Begin(*session, timeline, moment, replay.get());
      !s.ok()) {
    co_return s;
  }
  session::LogFeed* feed = replay->feed.get();
  std::vector<WaiterList*> lists(1, &replay->waiters);
  Predicate reached = [feed] {
    return Look(feed->drained() || !feed->trouble().ok());
  };
  Time deadline = session->loop()->Now() + kLimit;
  Outcome outcome = co_await Wait(session->loop(), std::move(lists),
                                  std::move(reached), deadline, cancellation);
  if (absl::Status trouble = feed->trouble(); !trouble.ok()) {
    co_return Unavailable("at=%s: the log cannot be read: %s", when,
                          Message(trouble));
  }
  if (outcome != Outcome::kMet) {
    co_return Unavailable(
        "at=%s: only %d of %d bytes of the log were replayed in time", when,
        feed->consumed(), moment.offset);
  }
  PastScreen screen;
  screen.snapshot = replay->terminal->TakeSnapshot();
  screen.modes = replay->terminal->modes();
  screen.offset = moment.offset;
  // The time of the last byte that drew the screen.
  double drawn_s = timeline.SecondsAt(std::max<uint64_t>(moment.offset, 1) - 1);
  screen.ago_s = std::max(now_s - drawn_s, 0.0);
  screen.drawn_at = ClockText(session->origin().started_ms +
                              static_cast<int64_t>(drawn_s * 1000));
  screen.has_ended = timeline.exit().has_value();
  screen.lost = feed->lost();
  co_return screen;
}

}  // namespace glasstty::view
