#include "view/drain.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace glasstty::view {
namespace {

// In one go: some 50 us. Both bound one step; the time is looked at between two
// of them, so a budget is passed by one step at most.
constexpr int64_t kStepLines = 500;
constexpr size_t kStepBytes = 128 << 10;

}  // namespace

Drain::Drain(const session::SessionView* session, DrainRequest request,
             Sink sink)
    : session_(session),
      request_(request),
      sink_(std::move(sink)),
      directory_(session->OpenDirectory()),
      log_(directory_->get(), "out"),
      next_(request.from) {}

bool Drain::Continue(Duration budget) {
  Time stop = MonotonicNow() + budget;
  while (next_ < request_.to && status_.ok()) {
    if (request_.raw) {
      WriteBytes();
    } else {
      WriteLines();
    }
    if (MonotonicNow() >= stop) break;
  }
  return next_ >= request_.to || !status_.ok();
}

void Drain::WriteLines() {
  const record::History& history = session_->history();
  // The oldest may be dropped between two slices, while the session prints on.
  if (history.first_line() > next_) {
    lost_ += history.first_line() - next_;
    next_ = history.first_line();
  }
  std::vector<terminal::Line> lines = history.Lines(
      next_, std::min(request_.to, next_ + kStepLines), kStepBytes);
  std::string text;
  for (terminal::Line& line : lines) {
    next_ = line.number + 1;
    // Only the line in which the mark stands is cut; a line that was shown
    // whole is left out.
    if (request_.mark != nullptr &&
        !record::StripShown(*request_.mark, &line)) {
      continue;
    }
    text += line.text;
    bool is_open = request_.is_open && next_ == request_.to;
    if (!is_open) text += '\n';
    ++written_;
  }
  // Nothing can be had, and waiting for it would never end.
  if (lines.empty()) next_ = request_.to;
  status_ = sink_(text);
}

void Drain::WriteBytes() {
  std::string bytes(
      std::min<size_t>(kStepBytes, static_cast<size_t>(request_.to - next_)),
      '\0');
  ssize_t n =
      log_.Read(static_cast<uint64_t>(next_), bytes.data(), bytes.size());
  // A hole is stepped over; without anything kept behind it, all that is left
  // is lost.
  if (n <= 0) {
    // Asked after the reading failed: a segment may go at any time.
    auto kept =
        static_cast<int64_t>(log_.NextKept(static_cast<uint64_t>(next_)));
    int64_t resume = kept > next_ ? std::min(kept, request_.to) : request_.to;
    lost_ += resume - next_;
    next_ = resume;
    return;
  }
  next_ += n;
  written_ += n;
  status_ = sink_(std::string_view(bytes).substr(0, n));
}

}  // namespace glasstty::view
