#include "view/drain.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/status.h"

namespace glasstty::view {
namespace {

// A step of this size takes some 50 us. The time is checked between two steps,
// so a budget is exceeded by one step at most.
constexpr int64_t kStepLines = 500;
constexpr size_t kStepBytes = 128 << 10;

}  // namespace

Drain::Drain(const session::Session* session, DrainRequest request, Sink sink)
    : session_(session),
      request_(request),
      sink_(std::move(sink)),
      directory_(session->OpenDirectory()),
      log_(directory_->get(), request_.is_error ? "err" : "out"),
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
  const record::History& history = Stream().history();
  // The oldest lines may be dropped between two slices, if the session prints.
  if (history.first_line() > next_) {
    lost_ += history.first_line() - next_;
    next_ = history.first_line();
  }
  next_ = history.SkipMissing(next_);
  uint64_t failed = history.failed_reads();
  std::vector<terminal::Line> lines = history.Lines(
      next_, std::min(request_.to, next_ + kStepLines), kStepBytes);
  if (history.failed_reads() > failed) {
    status_ = Unavailable("%s", history.ReadFailure());
    return;
  }
  std::string text;
  for (terminal::Line& line : lines) {
    next_ = line.number + 1;
    // Only the line that contains the mark is cut; a line that was shown
    // completely is omitted.
    if (request_.mark != nullptr &&
        !record::StripShown(*request_.mark, Stream().terminal(), &line)) {
      continue;
    }
    text += line.text;
    bool is_open = request_.is_open && next_ == request_.to;
    if (!is_open) text += '\n';
    ++written_;
  }
  // No lines can be read now, and none will come, so stop instead of trying for
  // ever.
  if (lines.empty()) next_ = request_.to;
  status_ = sink_(text);
}

void Drain::WriteBytes() {
  std::string bytes(
      std::min<size_t>(kStepBytes, static_cast<size_t>(request_.to - next_)),
      '\0');
  ssize_t n =
      log_.Read(static_cast<uint64_t>(next_), bytes.data(), bytes.size());
  // A hole is skipped. If nothing is kept after it, the rest is lost.
  if (n <= 0) {
    // Check for a hole only after the reading failed, because a segment may be
    // removed at any time.
    bool is_hole = n == 0 || errno == ENODATA;
    std::optional<uint64_t> known;
    if (is_hole) known = log_.NextKept(static_cast<uint64_t>(next_));
    if (!known) {
      status_ =
          ErrnoStatus("read", absl::StrFormat("the log at byte %d", next_));
      return;
    }
    auto kept = static_cast<int64_t>(*known);
    int64_t resume = kept > next_ ? std::min(kept, request_.to) : request_.to;
    (written_ == 0 ? lost_ : missing_) += resume - next_;
    next_ = resume;
    return;
  }
  next_ += n;
  written_ += n;
  status_ = sink_(std::string_view(bytes).substr(0, n));
}

}  // namespace glasstty::view
