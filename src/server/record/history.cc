#include "record/history.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_format.h"
#include "record/holes.h"

namespace glasstty::record {
namespace {

// The least distance, in bytes of output, between two log positions with known
// line numbers. If the log has lost its beginning, the part before the first
// such position is not replayed.
constexpr uint64_t kPlaceEvery = 256 << 10;

// Counts a newline for each line, like LineArchive::Lines.
size_t BytesOf(const std::vector<terminal::Line>& lines) {
  size_t bytes = lines.size();
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

void History::RestoreAt(uint64_t offset) {
  archive_.RestoreAt(terminal_->first_line());
  place_at_ = offset;
}

void History::Collect(uint64_t offset) {
  const std::vector<terminal::Terminal::Hole>& holes = terminal_->holes();
  // Add the gaps first: the evicted text may end the line before a gap.
  for (; holes_ < terminal_->holes_ever(); ++holes_) {
    size_t back = terminal_->holes_ever() - holes_;
    if (back > holes.size()) continue;
    const terminal::Terminal::Hole& hole = holes[holes.size() - back];
    archive_.AddGap(hole.line + 1, hole.end);
  }
  std::string evicted = terminal_->TakeEvicted();
  if (!evicted.empty()) archive_.Append(evicted);
  if (offset - place_at_ < kPlaceEvery) return;
  // A new terminal that starts at this offset must number its lines like this
  // one. So the cursor must be in the first column of the last line and the
  // main screen must be shown, as in a new terminal.
  bool at_line = !terminal_->modes().alternate_screen &&
                 terminal_->cursor().col == 0 &&
                 terminal_->cursor_line() + 1 == terminal_->end_line();
  if (!at_line) return;
  place_at_ = offset;
  archive_.AddPlace(offset, terminal_->cursor_line());
}

// The terminal's first line may be the rest of a line that began in the
// archive.
int64_t History::first_in_memory() const {
  int64_t first = terminal_->first_line();
  return !archive_.empty() && archive_.open_line() == first ? first + 1 : first;
}

int64_t History::text_end() const {
  bool is_begun = terminal_->cursor_line_bytes() > 0 ||
                  terminal_->end_line() > terminal_->cursor_line() + 1;
  return terminal_->end_line() - (is_begun ? 0 : 1);
}

int64_t History::first_line() const {
  return archive_.empty() ? terminal_->first_line() : archive_.first_line();
}

History::Lost History::LostIn(int64_t from, int64_t to) const {
  Lost lost;
  for (const terminal::Terminal::Hole& hole : terminal_->holes()) {
    if (hole.end <= from || hole.line >= to) continue;
    lost.bytes += hole.bytes;
    lost.lines += hole.lines;
    lost.all_known = lost.all_known && hole.lines > 0;
  }
  if (lost.bytes == 0) lost.lines = archive_.MissingIn(from, to);
  return lost;
}

std::string History::Lost::Text() const {
  std::string known = Grouped(static_cast<uint64_t>(lines));
  if (bytes == 0 && lines == 0) return "";
  if (bytes == 0) {
    return absl::StrFormat("%s line%s lost in this range", known,
                           lines == 1 ? " is" : "s are");
  }
  std::string text = absl::StrFormat("%s byte%s of output ", Grouped(bytes),
                                     bytes == 1 ? "" : "s");
  if (all_known) {
    text += absl::StrFormat("(%s line%s) ", known, lines == 1 ? "" : "s");
  } else if (lines > 0) {
    text += absl::StrFormat("(more than %s lines) ", known);
  }
  return text + (bytes == 1 ? "is" : "are") + " lost in this range";
}

std::string History::ReadFailure() const {
  return "lines are missing here because they cannot be read: " +
         archive_.failure() + "; call again";
}

int64_t History::SkipMissing(int64_t line) const {
  for (const terminal::Terminal::Hole& hole : terminal_->holes()) {
    if (line > hole.line && line < hole.end) return hole.end;
  }
  return archive_.SkipGap(line);
}

int64_t History::SkipMissingBack(int64_t end) const {
  for (const terminal::Terminal::Hole& hole : terminal_->holes()) {
    if (end > hole.line + 1 && end <= hole.end) return hole.line + 1;
  }
  return archive_.SkipGapBack(end);
}

std::vector<terminal::Line> History::Lines(int64_t from, int64_t to,
                                           size_t max_bytes) const {
  int64_t memory = first_in_memory();
  if (from >= memory) return terminal_->Lines(from, to);
  std::vector<terminal::Line> lines =
      archive_.Lines(from, std::min(to, memory), max_bytes);
  if (BytesOf(lines) < max_bytes) {
    // The last line of the archive may be open: the terminal holds its rest
    // under the same number.
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

// Returns the first available line after `lines`, or from `from` on if there
// are none.
int64_t History::NextAfter(const std::vector<terminal::Line>& lines,
                           int64_t from) const {
  return SkipMissing(lines.empty() ? from : lines.back().number + 1);
}

Excerpt History::Extract(int64_t from, int64_t to, const Ends& most) const {
  from = std::max(from, first_line());
  to = std::min(to, end_line());
  Excerpt excerpt;
  if (to - from <= 2 * most.lines) {
    excerpt.lines = Lines(from, to, 2 * most.bytes);
    // If the lines are long, they do not reach `to`; then both ends are limited
    // by bytes.
    if (NextAfter(excerpt.lines, from) >= to) return excerpt;
  }
  excerpt.lines = Lines(from, std::min(to, from + most.lines), most.bytes);
  int64_t head_end = NextAfter(excerpt.lines, from);
  // The length of the lines is unknown, so go backwards in small steps.
  constexpr int64_t kStep = 64;
  std::vector<std::vector<terminal::Line>> steps;
  int64_t tail_begin = to;
  size_t bytes = 0;
  while (tail_begin > head_end && bytes < most.bytes &&
         to - tail_begin < most.lines) {
    int64_t step_end = SkipMissingBack(tail_begin);
    tail_begin = std::max(head_end, step_end - kStep);
    steps.push_back(Lines(tail_begin, step_end));
    bytes += BytesOf(steps.back());
  }
  // Lines in holes do not exist, so they were not left out.
  int64_t left_out = tail_begin - head_end;
  for (const terminal::Terminal::Hole& hole : terminal_->holes()) {
    left_out -= std::max<int64_t>(
        std::min(tail_begin, hole.end) - std::max(head_end, hole.line + 1), 0);
  }
  excerpt.gap = {excerpt.lines.size(), std::max<int64_t>(left_out, 0)};
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    std::move(step->begin(), step->end(), std::back_inserter(excerpt.lines));
  }
  return excerpt;
}

}  // namespace glasstty::record
