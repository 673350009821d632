// Reads the lines that a program writes anywhere on the primary screen.
//
// Most programs only append. Others move back up (CSI A) and redraw rows, such
// as docker compose, BuildKit, listr2, gradle and rich. So a failure may appear
// in a line that has already been read. Each scan returns first the rewritten
// lines, then the new ones. Does not depend on a session: the caller passes the
// same terminal each time, on the loop thread.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "record/read_mark.h"
#include "terminal/terminal.h"

namespace glasstty::waits {

class LineScan {
 public:
  // Lines before `seen.line` count as read, unless they are rewritten later.
  void Begin(const terminal::Terminal& terminal, const record::LineMark& seen);
  // The first line that is new.
  int64_t next() const { return next_; }
  // Returns whether TakeRewritten (with this `open`) or TakeNew may return
  // lines.
  bool HasNews(const terminal::Terminal& terminal, int64_t open) const {
    return terminal.lines_revision() != revision_ ||
           (left_out_ >= 0 && left_out_ != open);
  }

  // Returns in order those of the last lines before next() (as many as the
  // screen has rows) that were rewritten since the last call and differ from
  // their text at Begin. The cursor's line, `open`, may be incomplete, so it is
  // returned only once the cursor has left it.
  std::vector<terminal::Line> TakeRewritten(const terminal::Terminal& terminal,
                                            int64_t open);
  // REQUIRES: TakeRewritten has just been called. Returns the lines from next()
  // up to `end`, which then count as read.
  std::vector<terminal::Line> TakeNew(const terminal::Terminal& terminal,
                                      int64_t end);
  // Moves `mark`, which is that of Begin, to the end of `line`, which is a new
  // line or the cursor's; for a rewritten line, to the first new line. A reader
  // who begins at the mark gets the lines after the mark again.
  void SetBehind(const terminal::Terminal& terminal, int64_t line,
                 record::LineMark* mark) const;
  // Skips the lines before this one.
  void SkipTo(int64_t line) { next_ = line > next_ ? line : next_; }

 private:
  int64_t next_ = 0;
  int64_t new_from_ = 0;  // next_ before the last TakeNew
  uint64_t revision_ = 0;
  // The open line that the last TakeRewritten omitted; -1: none.
  int64_t left_out_ = -1;
  // The hashes, by line number, of the last lines that had been read at Begin.
  // They are needed because a resize marks all lines as rewritten.
  std::unordered_map<int64_t, size_t> read_;
};

}  // namespace glasstty::waits
