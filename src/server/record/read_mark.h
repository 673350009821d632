// The position up to which a reader has read a session, and the lines that are
// new since then.
//
// A mark is a value: readers keep one per client, and waits use one as their
// baseline. It is based on the terminal's logical lines, so "new" survives
// resizes and does not depend on how the output was split into reads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/history.h"
#include "terminal/terminal.h"

namespace glasstty::record {

// The position of a reader in the lines of one stream.
struct LineMark {
  uint64_t offset = 0;          // the position in the raw log
  uint64_t lines_revision = 0;  // the revision of the primary screen's lines
  int64_t line = 0;             // the last line shown, perhaps incomplete
  std::string shown;            // the shown part of that line
};

struct ReadMark : LineMark {
  uint64_t screen_revision = 0;  // the revision of the screen; 0: never shown
  uint64_t clears = 0;           // how often the screen had been cleared
  LineMark errors;               // the position in a separate stderr
};

// Returns the mark of a reader who has seen everything up to now; for both
// streams of a session, see session/streams.h.
ReadMark MarkNow(const terminal::Terminal& terminal);

// Returns the lines that are new or changed since `mark`, in order. If the line
// that was shown in part still begins with that part, only its rest is
// returned; if it was rewritten, the text from the first row that changed on.
// An empty last line is left out.
std::vector<terminal::Line> UnreadLines(const terminal::Terminal& terminal,
                                        const LineMark& mark);

// Removes from `line`, which is or was a line of the terminal, the part that
// the reader of `mark` has seen. Returns false if nothing is left.
bool StripShown(const LineMark& mark, const terminal::Terminal& terminal,
                terminal::Line* line);

// Like UnreadLines while the terminal holds the last line that was shown.
// Otherwise includes lines that have left the terminal, and returns only both
// ends (`most`) of a long text; text that was rewritten after it had been seen,
// and that has then left the terminal, is not shown again.
Excerpt UnreadExcerpt(const History& history, const LineMark& mark,
                      const History::Ends& most = {});

// Returns how many lines UnreadLines would return. If there are more lines than
// on two screens, copies none of them and counts only those after the mark.
int64_t CountUnread(const terminal::Terminal& terminal, const LineMark& mark);

}  // namespace glasstty::record
