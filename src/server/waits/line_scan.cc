#include "waits/line_scan.h"

#include <algorithm>
#include <functional>
#include <string>

namespace glasstty::waits {

void LineScan::Begin(const terminal::Terminal& terminal,
                     const record::LineMark& seen) {
  next_ = new_from_ = seen.line;
  revision_ = seen.lines_revision;
  left_out_ = -1;
  read_.clear();
  for (const terminal::Line& line :
       terminal.Lines(next_ - terminal.size().rows, next_)) {
    if (line.revision > revision_) continue;
    read_[line.number] = std::hash<std::string>()(line.text);
  }
}

std::vector<terminal::Line> LineScan::TakeRewritten(
    const terminal::Terminal& terminal, int64_t open) {
  // If the screen was cleared, everything that is written there is new.
  if (next_ > terminal.end_line()) next_ = terminal.end_line() - 1;
  new_from_ = next_;
  int64_t top = next_ - terminal.size().rows;
  std::vector<terminal::Line> lines;
  // For a reader who has read nothing, all lines are new.
  if (revision_ > 0) lines = terminal.Lines(top, next_, revision_);
  bool was_left_out =
      left_out_ >= top && left_out_ < next_ && left_out_ != open &&
      std::ranges::find(lines, left_out_, &terminal::Line::number) ==
          lines.end();
  if (was_left_out) {
    for (terminal::Line& line : terminal.Lines(left_out_, left_out_ + 1)) {
      lines.push_back(std::move(line));
    }
    std::ranges::sort(lines, {}, &terminal::Line::number);
  }
  if (left_out_ != open) left_out_ = -1;
  std::erase_if(lines, [&](const terminal::Line& line) {
    if (line.number == open) left_out_ = open;
    auto read = read_.find(line.number);
    bool is_same = read != read_.end() &&
                   read->second == std::hash<std::string>()(line.text);
    return line.number == open || is_same;
  });
  revision_ = terminal.lines_revision();
  return lines;
}

std::vector<terminal::Line> LineScan::TakeNew(
    const terminal::Terminal& terminal, int64_t end) {
  if (end <= next_) return {};
  std::vector<terminal::Line> lines = terminal.Lines(next_, end);
  next_ = end;
  return lines;
}

// All rewritten lines count as reported together, because the rows of a redrawn
// block have no order in time.
void LineScan::SetBehind(const terminal::Terminal& terminal, int64_t line,
                         record::LineMark* mark) const {
  int64_t to = std::max(line, new_from_);
  // The reader may have been shown a part of the first new line.
  if (mark->line != to) mark->shown.clear();
  mark->line = to;
  mark->lines_revision = terminal.lines_revision();
  if (to != line) return;
  for (terminal::Line& told : terminal.Lines(line, line + 1)) {
    mark->shown = std::move(told.text);
  }
}

}  // namespace glasstty::waits
