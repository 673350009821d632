// How far one reader has seen one session, and what is new since then.
//
// A mark is a value: readers keep one per client, waits take one as their
// baseline. Built on the terminal's logical lines, so "new" survives resizes
// and does not depend on how the output was cut into reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/history.h"
#include "terminal/terminal.h"

namespace glasstty::record {

struct ReadMark {
  uint64_t offset = 0;           // in the raw log
  uint64_t lines_revision = 0;   // of the primary lines
  uint64_t screen_revision = 0;  // of the screen; 0: never shown
  int64_t line = 0;              // last line shown, perhaps not whole
  std::string shown;             // what of that line was shown
  int64_t error_lines = 0;       // of stderr, where it is apart
};

// The mark of a reader who has seen everything up to now.
ReadMark MarkNow(const terminal::Terminal& terminal);

// Lines that are new or changed since `mark`, in order. Of the line that was
// shown in part, only the rest, when it still begins with that part. A last
// line without text is left out.
std::vector<terminal::Line> UnreadLines(const terminal::Terminal& terminal,
                                        const ReadMark& mark);

// Takes off what of the line the reader of `mark` has seen. False when nothing
// is left.
bool StripShown(const ReadMark& mark, terminal::Line* line);

// The same with the lines that have left the terminal: both ends of what is
// unread. What was rewritten after it had been seen and has then left is not
// told again.
Excerpt UnreadExcerpt(const History& history, const ReadMark& mark);

// Number of lines that UnreadLines would give, without copying text.
int64_t CountUnread(const terminal::Terminal& terminal, const ReadMark& mark);

}  // namespace glasstty::record
