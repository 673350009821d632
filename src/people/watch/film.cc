#include "watch/film.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "support/status.h"

namespace glasstty::watch {
namespace {

constexpr int64_t kStepUs = 100'000;
// The maximum length of a pause, and the time for which the last screen is
// shown.
constexpr int64_t kLongestPauseUs = 1'000'000;

int64_t Microseconds(double seconds) {
  return std::llround(std::clamp(seconds, 0.0, 1e9) * 1e6);
}

}  // namespace

FilmMaker::FilmMaker(double from, double to)
    : from_us_(Microseconds(from)),
      to_us_(Microseconds(to)),
      next_us_(from_us_) {}

absl::Status FilmMaker::Begin(terminal::Size size, const std::string& nonce,
                              const record::LogStart* start) {
  ASSIGN_OR_RETURN(terminal_,
                   terminal::Terminal::Create({.size = size, .nonce = nonce}));
  if (start == nullptr || !start->state) return absl::OkStatus();
  RETURN_IF_ERROR(terminal_->RestoreState(start->state->terminal));
  terminal_->SkipTo(start->offset);
  // A change of size at exactly this offset is later than the output before it.
  return terminal_->Resize(size);
}

// Adds the current screen, which was shown from next_us_ to `until_us`, to the
// film.
void FilmMaker::Show(int64_t until_us) {
  int64_t shown = std::min(until_us - next_us_, kLongestPauseUs);
  next_us_ = until_us;
  observe::Frame frame = observe::TakeFrame(*terminal_);
  bool is_same = !film_.empty() && film_.back().frame == frame;
  int milliseconds = static_cast<int>(shown / 1000);
  if (is_same) {
    film_.back().milliseconds += milliseconds;
  } else {
    film_.push_back(
        {std::move(frame), std::max(now_us_, from_us_), milliseconds});
  }
}

bool FilmMaker::Take(const record::CastEvent& event) {
  if (event.us > to_us_ || terminal_ == nullptr) return false;
  // All events within kStepUs make one frame, except that the first frame of a
  // part shows the screen at its beginning.
  bool is_first = film_.empty() && from_us_ > 0 && now_us_ <= from_us_;
  bool is_due =
      event.us >= next_us_ + kStepUs || (is_first && event.us > from_us_);
  if (event.us > now_us_ && is_due) Show(event.us);
  now_us_ = event.us;
  if (event.type == record::CastEvent::Type::kResize) {
    status_ = terminal_->Resize(event.size);
  } else if (event.type == record::CastEvent::Type::kOutput) {
    terminal_->Feed(event.data);
  }
  return status_.ok() && film_.size() <= kMostFrames;
}

absl::StatusOr<observe::Film> FilmMaker::Finish() {
  RETURN_IF_ERROR(status_);
  if (terminal_ == nullptr) return NotFound("the recording has no screen");
  Show(next_us_ + kLongestPauseUs);
  if (film_.size() > kMostFrames) {
    return InvalidArgument(
        "this stretch has more than %d different screens: choose a shorter one",
        kMostFrames);
  }
  return std::move(film_);
}

absl::StatusOr<observe::Film> FilmOf(const record::RecordedSession& session,
                                     double from, double to) {
  FilmMaker maker(from, to);
  absl::Status begun;
  RETURN_IF_ERROR(record::PlayRecorded(
      session, {},
      [&](const record::RecordedBegin& begin) {
        begun =
            maker.Begin(begin.header.size, session.origin.nonce, &begin.start);
      },
      [&](const record::CastEvent& event) {
        return begun.ok() && maker.Take(event);
      }));
  RETURN_IF_ERROR(begun);
  return maker.Finish();
}

}  // namespace glasstty::watch
