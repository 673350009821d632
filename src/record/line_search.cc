#include "record/line_search.h"

#include <algorithm>
#include <utility>

namespace glasstty {
namespace {

// Fetched at once: 20 us with lines of log length. Whichever comes first; a
// line longer than kStepBytes is fetched alone.
constexpr int64_t kStep = 256;
constexpr size_t kStepBytes = 64 << 10;

}  // namespace

LineSearch::LineSearch(const History* history, Pattern pattern,
                       SearchRequest request)
    : history_(history),
      pattern_(std::move(pattern)),
      request_(request),
      first_(std::max(request.from, history->first_line())),
      next_(first_) {}

bool LineSearch::Continue(Duration budget) {
  Time stop = MonotonicNow() + budget;
  while (next_ < request_.to) {
    std::vector<Line> lines = history_->Lines(
        next_, std::min(request_.to, next_ + kStep), kStepBytes);
    for (const Line& line : lines) {
      if (auto match = pattern_.Find(line.text)) Keep(line, match->begin);
    }
    // Lines may be dropped while we look. Nothing to be had here means that the
    // range was dropped: on to what is kept.
    next_ = lines.empty() ? std::max(next_ + kStep, history_->first_line())
                          : lines.back().number + 1;
    if (MonotonicNow() >= stop) break;
  }
  return next_ >= request_.to;
}

void LineSearch::Keep(const Line& line, size_t at) {
  ++matches_;
  if (std::ssize(kept_) < request_.max) kept_.push_back({line, true, at});
}

std::vector<LineSearch::Found> LineSearch::Take() const {
  if (request_.context == 0) return kept_;
  std::vector<Found> found;
  // The first line that is not in `found`.
  int64_t next = 0;
  for (size_t i = 0; i < kept_.size(); ++i) {
    int64_t number = kept_[i].line.number;
    int64_t to = number + request_.context + 1;
    // The next match shows its own line and what follows.
    if (i + 1 < kept_.size()) to = std::min(to, kept_[i + 1].line.number);
    int64_t from = std::max(number - request_.context, next);
    for (Line& line : history_->Lines(from, to)) {
      bool match = line.number == number;
      found.push_back({std::move(line), match, match ? kept_[i].at : 0});
    }
    next = to;
  }
  return found;
}

}  // namespace glasstty
