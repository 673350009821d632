#include "record/history.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace glasstty::record {
namespace {

// Bytes of output between two places in the log whose line is known. What lies
// between the beginning of a cut log and the first of them is not replayed.
constexpr uint64_t kPlaceEvery = 256 << 10;

size_t BytesOf(const std::vector<terminal::Line>& lines) {
  size_t bytes = 0;
  for (const terminal::Line& line : lines) bytes += line.text.size();
  return bytes;
}

}  // namespace

History::History(terminal::Terminal* terminal, const Folder* folder,
                 std::string stem, uint64_t cap)
    : terminal_(terminal), archive_(folder, std::move(stem), cap) {}

void History::Restore(uint64_t* offset) {
  terminal_->NumberLinesFrom(archive_.Restore(offset));
  place_at_ = *offset;
}

void History::Collect(uint64_t offset) {
  std::string evicted = terminal_->TakeEvicted();
  if (!evicted.empty()) archive_.Append(evicted);
  if (offset - place_at_ < kPlaceEvery) return;
  // A terminal that begins here must number its lines like this one. A server
  // that begins here feeds a new terminal, in which the cursor is in the first
  // column of the last line and the main screen is shown.
  bool at_line = !terminal_->modes().alternate_screen &&
                 terminal_->cursor().col == 0 &&
                 terminal_->cursor_line() + 1 == terminal_->end_line();
  if (!at_line) return;
  place_at_ = offset;
  archive_.AddPlace(offset, terminal_->cursor_line());
}

// The rows that the scrollback still has of its first line may be the rest of
// one that began in the archive.
int64_t History::first_in_memory() const {
  int64_t first = terminal_->first_line();
  return !archive_.empty() && archive_.open_line() == first ? first + 1 : first;
}

int64_t History::first_line() const {
  return archive_.empty() ? terminal_->first_line() : archive_.first_line();
}

std::vector<terminal::Line> History::Lines(int64_t from, int64_t to,
                                           size_t max_bytes) const {
  int64_t memory = first_in_memory();
  if (from >= memory) return terminal_->Lines(from, to);
  std::vector<terminal::Line> lines =
      archive_.Lines(from, std::min(to, memory), max_bytes);
  if (BytesOf(lines) < max_bytes) {
    // The last line of the archive may be open: its rest is the terminal's part
    // of the line with the same number.
    int64_t next = lines.empty() ? from : lines.back().number;
    for (terminal::Line& line : terminal_->Lines(next, to)) {
      if (!lines.empty() && lines.back().number == line.number) {
        lines.back().text += line.text;
      } else {
        lines.push_back(std::move(line));
      }
    }
  }
  return lines;
}

Excerpt History::Extract(int64_t from, int64_t to) const {
  from = std::max(from, first_line());
  to = std::min(to, end_line());
  Excerpt excerpt;
  if (to - from <= 2 * kEndLines) {
    excerpt.lines = Lines(from, to, 2 * kEndBytes);
    // Short of it when the lines are long: then the two ends are taken by
    // bytes.
    int64_t next = from + std::ssize(excerpt.lines);
    if (next >= to) return excerpt;
  }
  excerpt.lines = Lines(from, std::min(to, from + kEndLines), kEndBytes);
  int64_t head_end = from + std::ssize(excerpt.lines);
  // Backwards in small steps, for how long lines are is not known.
  constexpr int64_t kStep = 64;
  std::vector<terminal::Line> tail;
  int64_t tail_begin = to;
  size_t bytes = 0;
  while (tail_begin > head_end && bytes < kEndBytes &&
         to - tail_begin < kEndLines) {
    int64_t step_end = tail_begin;
    tail_begin = std::max(head_end, tail_begin - kStep);
    std::vector<terminal::Line> step = Lines(tail_begin, step_end);
    bytes += BytesOf(step);
    tail.insert(tail.begin(), std::make_move_iterator(step.begin()),
                std::make_move_iterator(step.end()));
  }
  // Its place among the lines, and how many are missing there.
  excerpt.gap = {excerpt.lines.size(), tail_begin - head_end};
  std::move(tail.begin(), tail.end(), std::back_inserter(excerpt.lines));
  return excerpt;
}

}  // namespace glasstty::record
