// Reads what a program prints on the primary screen, line by line, wherever it
// writes.
//
// Most programs only append. Others go back to rows above the cursor and draw
// them anew (CSI A: docker compose, BuildKit, listr2, gradle, rich), so a
// failure may appear in a line that has been read already. Every look takes the
// lines that were written over first, then those that are new. Knows no
// session; its user passes the same terminal each time, on the loop thread.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "record/read_mark.h"
#include "terminal/terminal.h"

namespace glasstty::waits {

class LineScan {
 public:
  // Lines before that of `seen` have been read, except where they have been
  // written to since.
  void Begin(const terminal::Terminal& terminal, const record::LineMark& seen);
  // The first line that is new.
  int64_t next() const { return next_; }
  // Returns whether TakeRewritten or TakeNew may have something, for the same
  // `open`.
  bool HasNews(const terminal::Terminal& terminal, int64_t open) const {
    return terminal.lines_revision() != revision_ ||
           (left_out_ >= 0 && left_out_ != open);
  }

  // Returns the lines before next() that were written to since the last call,
  // and say something else than at the beginning. The cursor's line, `open`,
  // may be half of one: it comes once the cursor has left it.
  std::vector<terminal::Line> TakeRewritten(const terminal::Terminal& terminal,
                                            int64_t open);
  // REQUIRES: TakeRewritten has just been called. Returns the lines from next()
  // up to `end`, which become the ones that have been read.
  std::vector<terminal::Line> TakeNew(const terminal::Terminal& terminal,
                                      int64_t end);
  // Sets `mark` behind a line that the last calls have returned, or behind the
  // cursor's: what the reader of the mark has not been told comes again.
  void SetBehind(const terminal::Terminal& terminal, int64_t line,
                 record::LineMark* mark) const;
  // Leaves out the lines before this one.
  void SkipTo(int64_t line) { next_ = line > next_ ? line : next_; }

 private:
  int64_t next_ = 0;
  int64_t new_from_ = 0;  // next_ before the last TakeNew
  uint64_t revision_ = 0;
  // The open line, when it was left out; -1: none was.
  int64_t left_out_ = -1;
  // The hashes of the lines that had been read at the beginning, by number:
  // a window that is resized touches them all.
  std::unordered_map<int64_t, size_t> read_;
};

}  // namespace glasstty::waits
