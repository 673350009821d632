#include "record/line_search.h"

#include <algorithm>
#include <utility>

namespace glasstty::record {
namespace {

// Fetched at once: 20 us with lines of log length. Whichever comes first; a
// line longer than kStepBytes is fetched alone.
constexpr int64_t kStep = 256;
constexpr size_t kStepBytes = 64 << 10;
// Of the archive: 0.05 ms for a literal, 0.3 ms for the slowest patterns.
constexpr size_t kPieceBytes = 128 << 10;

// The place behind so many lines.
size_t SkipLines(std::string_view text, int64_t count) {
  size_t at = 0;
  for (; count > 0 && at < text.size(); --count) {
    at = text.find('\n', at) + 1;  // each has one
  }
  return at;
}

}  // namespace

LineSearch::LineSearch(const History* history, Pattern pattern,
                       SearchRequest request)
    : history_(history),
      pattern_(std::move(pattern)),
      request_(request),
      first_(std::max(request.from, history->first_line())),
      reader_(&history->archive()),
      next_(first_) {}

bool LineSearch::Continue(Duration budget) {
  Time stop = MonotonicNow() + budget;
  while (next_ < request_.to) {
    if (!SearchPiece()) SearchLines();
    if (MonotonicNow() >= stop) break;
  }
  return next_ >= request_.to;
}

// The whole piece is looked at as one text, and lines are counted only where
// one is found that is kept.
bool LineSearch::SearchPiece() {
  LineArchive::Reader::Piece piece = reader_.Read(next_, kPieceBytes);
  if (piece.end <= next_) return false;
  std::string_view text = piece.text;
  if (piece.end > request_.to) {
    text = text.substr(0, SkipLines(text, request_.to - piece.first));
  }
  text.remove_prefix(SkipLines(text, next_ - piece.first));
  int64_t number = next_;  // of the line at `counted`
  size_t counted = 0;
  for (size_t at = 0; auto match = pattern_.FindLine(text, at);) {
    size_t begin = match->begin == 0
                       ? 0
                       : text.rfind('\n', match->begin - 1) + 1;  // npos: 0
    size_t end = text.find('\n', match->end);
    if (std::ssize(kept_) < request_.max) {
      std::string_view before = text.substr(counted, begin - counted);
      number += std::count(before.begin(), before.end(), '\n');
      counted = begin;
      Keep(number, text.substr(begin, end - begin), match->begin - begin);
    } else {
      ++matches_;
    }
    at = end + 1;
  }
  next_ = std::min(piece.end, request_.to);
  return true;
}

void LineSearch::SearchLines() {
  std::vector<terminal::Line> lines =
      history_->Lines(next_, std::min(request_.to, next_ + kStep), kStepBytes);
  for (const terminal::Line& line : lines) {
    if (auto match = pattern_.Find(line.text)) {
      Keep(line.number, line.text, match->begin);
    }
  }
  // Lines may be dropped while we look. Finding nothing here means that the
  // range was dropped: on to what is kept.
  next_ = lines.empty() ? std::max(next_ + kStep, history_->first_line())
                        : lines.back().number + 1;
}

void LineSearch::Keep(int64_t number, std::string_view text, size_t at) {
  ++matches_;
  if (std::ssize(kept_) >= request_.max) return;
  terminal::Line line;
  line.number = number;
  line.text = std::string(text);
  kept_.push_back({std::move(line), true, at});
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
    for (terminal::Line& line : history_->Lines(from, to)) {
      bool match = line.number == number;
      found.push_back({std::move(line), match, match ? kept_[i].at : 0});
    }
    next = to;
  }
  return found;
}

}  // namespace glasstty::record
