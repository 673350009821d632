// Defines what "new" means on a terminal.
//
// Counting bytes would show a progress bar as a hundred lines and a prompt once
// for each key. A mark therefore names the last line seen and how much of its
// text was seen: the rest of that line, lines rewritten since, and all later
// lines are new. Lines are logical (wrapped rows are joined) and are never
// renumbered, so a resize makes nothing new.
//
// Only lines within one screen of the mark are checked for rewrites: earlier
// lines had left the screen when they were seen, and cannot change any more.
#include "record/read_mark.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace glasstty::record {
bool StripShown(const LineMark& mark, const terminal::Terminal& terminal,
                terminal::Line* line) {
  if (line->number != mark.line || mark.shown.empty()) return true;
  std::string_view text = line->text;
  size_t seen = mark.shown.size();
  if (!text.starts_with(mark.shown)) {
    // A carriage return moves only to the beginning of the last row, so a
    // status that is wider than the screen adds a row each time.
    seen = terminal.UnchangedBytes(mark.line, mark.lines_revision);
    std::string_view rows = std::string_view(mark.shown).substr(0, seen);
    bool is_seen =
        seen > 0 && seen <= mark.shown.size() && text.starts_with(rows);
    if (!is_seen) return true;
  }
  line->text.erase(0, seen);
  return !line->text.empty();
}

ReadMark MarkNow(const terminal::Terminal& terminal) {
  ReadMark mark;
  mark.offset = terminal.offset();
  mark.lines_revision = terminal.lines_revision();
  mark.screen_revision = terminal.revision();
  mark.clears = terminal.clears();
  // The last line may be incomplete: its text is kept, to be removed later.
  mark.line = std::max<int64_t>(terminal.end_line() - 1, 0);
  std::vector<terminal::Line> last = terminal.Lines(mark.line, mark.line + 1);
  if (!last.empty()) mark.shown = std::move(last.front().text);
  return mark;
}

std::vector<terminal::Line> UnreadLines(const terminal::Terminal& terminal,
                                        const LineMark& mark) {
  // Lines that were still on the screen may have been rewritten since. A new
  // mark (revision 0) has seen nothing, so all of its first line is new.
  int64_t top = mark.line - terminal.size().rows;
  std::vector<terminal::Line> lines =
      terminal.Lines(top, mark.line + 1, mark.lines_revision);
  std::erase_if(lines, [&](terminal::Line& line) {
    return !StripShown(mark, terminal, &line);
  });
  // Later lines are new even if nothing was written to them: a blank line has
  // no revision of its own.
  for (terminal::Line& line :
       terminal.Lines(mark.line + 1, terminal.end_line())) {
    lines.push_back(std::move(line));
  }
  if (!lines.empty() && lines.back().text.empty()) lines.pop_back();
  return lines;
}

Excerpt UnreadExcerpt(const History& history, const LineMark& mark,
                      const History::Ends& most) {
  const terminal::Terminal& terminal = history.terminal();
  Excerpt unread;
  if (mark.line >= history.first_in_memory()) {
    unread.lines = UnreadLines(terminal, mark);
    return unread;
  }
  unread = history.Extract(mark.line, terminal.end_line(), most);
  std::vector<terminal::Line>& lines = unread.lines;
  // A blank line at the cursor counts as seen, as in UnreadLines.
  auto is_seen = [&](terminal::Line& line) {
    bool is_blank = mark.lines_revision > 0 && line.number == mark.line &&
                    line.text.empty();
    return is_blank || !StripShown(mark, terminal, &line);
  };
  if (!lines.empty() && is_seen(lines.front())) {
    lines.erase(lines.begin());
    if (unread.gap.count > 0) --unread.gap.index;
  }
  if (!lines.empty() && lines.back().text.empty()) lines.pop_back();
  return unread;
}

int64_t CountUnread(const terminal::Terminal& terminal, const LineMark& mark) {
  // No line has been written to since, so none is new.
  if (terminal.lines_revision() == mark.lines_revision) return 0;
  int64_t later = terminal.end_line() - 1 - mark.line;
  // If there are few lines, count exactly, because the last one may be empty.
  if (later > 2 * terminal.size().rows) return later;
  return static_cast<int64_t>(UnreadLines(terminal, mark).size());
}

}  // namespace glasstty::record
