#include "record/line_search.h"

#include <algorithm>
#include <utility>

namespace glasstty::record {
namespace {

// Lines are fetched in steps of this many lines or, from disk, bytes, whichever
// limit is reached first; a step takes 20 us for lines of typical log length.
constexpr int64_t kStep = 256;
constexpr size_t kStepBytes = 64 << 10;
// A piece of the archive; it takes 0.05 ms for a literal and 0.3 ms for the
// slowest patterns.
constexpr size_t kSearchedBytes = 128 << 10;

// Returns the index after `count` lines.
size_t SkipLines(std::string_view text, int64_t count) {
  size_t at = 0;
  for (; count > 0 && at < text.size(); --count) {
    at = text.find('\n', at) + 1;  // each line has a newline
  }
  return at;
}

}  // namespace

LineSearch::LineSearch(const History* history, Pattern pattern,
                       SearchRequest request)
    : history_(history),
      pattern_(std::move(pattern)),
      request_(std::move(request)),
      first_(std::max(request_.from, history->first_line())),
      reader_(&history->archive()),
      next_(first_) {}

bool LineSearch::Continue(Duration budget) {
  Time stop = MonotonicNow() + budget;
  while (next_ < request_.to) {
    next_ = history_->SkipMissing(next_);
    if (next_ >= request_.to) break;
    if (!SearchPiece()) SearchLines();
    if (MonotonicNow() >= stop) break;
  }
  return next_ >= request_.to;
}

// Searches the whole piece as one text, and counts lines only up to matches.
bool LineSearch::SearchPiece() {
  int64_t to = NextInstead();
  LineArchive::Reader::Piece piece = reader_.Read(next_, kSearchedBytes);
  if (piece.end <= next_ || to <= next_) return false;
  std::string_view text = piece.text;
  if (piece.end > to) text = text.substr(0, SkipLines(text, to - piece.first));
  text.remove_prefix(SkipLines(text, next_ - piece.first));
  int64_t number = next_;  // the number of the line at `counted`
  size_t counted = 0;
  for (size_t at = 0; auto match = pattern_.FindLine(text, at);) {
    size_t begin = match->begin == 0
                       ? 0
                       : text.rfind('\n', match->begin - 1) + 1;  // 0: none
    size_t end = text.find('\n', match->end);
    std::string_view before = text.substr(counted, begin - counted);
    number += std::count(before.begin(), before.end(), '\n');
    counted = begin;
    Keep(number, match->begin - begin);
    at = end + 1;
  }
  next_ = std::min(piece.end, to);
  return true;
}

int64_t LineSearch::NextInstead() const {
  for (const terminal::Line& line : request_.instead) {
    if (line.number >= next_) return line.number;
  }
  return request_.to;
}

std::vector<terminal::Line> LineSearch::Lines(int64_t from, int64_t to,
                                              size_t most_bytes) const {
  std::vector<terminal::Line> lines = history_->Lines(from, to, most_bytes);
  for (terminal::Line& line : lines) {
    for (const terminal::Line& instead : request_.instead) {
      if (instead.number == line.number) line = instead;
    }
  }
  return lines;
}

void LineSearch::SearchLines() {
  std::vector<terminal::Line> lines =
      Lines(next_, std::min(request_.to, next_ + kStep), kStepBytes);
  for (const terminal::Line& line : lines) {
    if (auto match = pattern_.Find(line.text)) {
      Keep(line.number, match->begin);
    }
  }
  // Lines may be dropped during the search. If the range has no lines, it was
  // dropped, so continue with the first line that is kept.
  next_ = lines.empty() ? std::max(next_ + kStep, history_->first_line())
                        : lines.back().number + 1;
}

int64_t LineSearch::MostLast() const {
  switch (request_.kept) {
    case Kept::kBothEnds:
      return request_.max / 2;
    case Kept::kFirst:
      return 0;
    case Kept::kLast:
      return request_.max;
  }
  return 0;
}

void LineSearch::Keep(int64_t number, size_t at) {
  ++matches_;
  int64_t most_last = MostLast();
  if (std::ssize(first_matches_) < request_.max - most_last) {
    first_matches_.push_back({number, at});
    return;
  }
  last_matches_.push_back({number, at});
  if (std::ssize(last_matches_) > most_last) last_matches_.pop_front();
}

std::vector<LineSearch::Found> LineSearch::Take() const {
  std::vector<Match> kept = first_matches_;
  kept.insert(kept.end(), last_matches_.begin(), last_matches_.end());
  std::vector<Found> found;
  // The first line that `found` does not contain.
  int64_t next = first_;
  for (size_t i = 0; i < kept.size(); ++i) {
    int64_t number = kept[i].number;
    int64_t to = std::min(number + request_.context + 1, request_.to);
    // The next match adds its own line and the lines after it.
    if (i + 1 < kept.size()) to = std::min(to, kept[i + 1].number);
    int64_t from = std::max(number - request_.context, next);
    bool is_behind_gap = i == first_matches_.size();
    for (terminal::Line& line : Lines(from, to, SIZE_MAX)) {
      bool match = line.number == number;
      found.push_back({std::move(line), match, match ? kept[i].at : 0});
      if (is_behind_gap) found.back().left_out = matches_ - std::ssize(kept);
      is_behind_gap = false;
    }
    next = to;
  }
  return found;
}

}  // namespace glasstty::record
