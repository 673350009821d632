// Gives access to the lines that one stream of a session has printed, by
// number: recent lines come from the terminal, older ones from disk.
//
// Owns the archive. Borrows the terminal, which must be created with
// keep_evicted, and the session's folder; both must outlive it. Loop thread
// only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/line_archive.h"
#include "terminal/terminal.h"

namespace glasstty::record {

// Stands for the `count` lines before lines[index] that exist but were not
// fetched.
struct Gap {
  size_t index = 0;
  int64_t count = 0;  // 0: none
};

// The lines of a range, or of both of its ends.
struct Excerpt {
  std::vector<terminal::Line> lines;
  Gap gap;
};

class History {
 public:
  // By default, Extract returns about this many lines from each end at most,
  // and of lines on disk about this many bytes.
  static constexpr int64_t kEndLines = 2'000;
  static constexpr size_t kEndBytes = 96'000;
  // The limits for each end.
  struct Ends {
    int64_t lines = kEndLines;
    size_t bytes = kEndBytes;
  };

  // `stem` and `cap` are passed to LineArchive.
  History(terminal::Terminal* terminal, const Folder* folder, std::string stem,
          uint64_t cap);

  // Call before anything is fed. Advances `*offset`, from which the terminal
  // will be fed, to the next position in the log whose line number is known, if
  // there is one.
  void Restore(uint64_t* offset);
  // Like Restore, for a terminal that has restored a saved state at `offset`
  // and therefore numbers its lines correctly.
  void RestoreAt(uint64_t offset);
  // Call when the log that an earlier server left has been fed.
  void EndRestore() { archive_.EndRestore(); }
  // Archives the lines that the terminal dropped. Call it after each feed;
  // `offset` is the terminal's position in the log.
  void Collect(uint64_t offset);

  void SetCap(uint64_t cap) { archive_.SetCap(cap); }
  // Deletes all files. Nothing may be fed or read after this.
  void Remove() { archive_.Remove(); }
  // Closes all files. Nothing may be fed after this.
  void Close() { archive_.Close(); }

  // Lines [first_line, end_line) are available, except for missing ones.
  int64_t first_line() const;
  // See LineArchive.
  std::string WhyNotKept() const { return archive_.WhyNotKept(); }
  int64_t end_line() const { return terminal_->end_line(); }
  // Like end_line, but without the cursor's line if that is the last line and
  // is empty, as after a newline.
  int64_t text_end() const;
  // The first line that the terminal holds completely without the archive.
  int64_t first_in_memory() const;
  // Describes the output that is missing in a range of lines.
  struct Lost {
    uint64_t bytes = 0;
    int64_t lines = 0;      // only those that could be counted
    bool all_known = true;  // `lines` counts all lost lines
    // Returns a text such as "1,234,567 bytes of output (38,000 lines) are lost
    // in this range", or an empty string if nothing is lost. It names no bytes
    // if only the archive knows of the loss.
    std::string Text() const;
  };
  Lost LostIn(int64_t from, int64_t to) const;
  // The number of times that kept lines could not be read, and a sentence with
  // the last reason.
  uint64_t failed_reads() const { return archive_.failed_reads(); }
  std::string ReadFailure() const;
  // Returns `line`, or the next available line if `line` is missing.
  int64_t SkipMissing(int64_t line) const;
  const terminal::Terminal& terminal() const { return *terminal_; }
  const LineArchive& archive() const { return archive_; }
  // Returns the available lines of [from, to). Reads about `max_bytes` of text
  // from disk at most, but at least one line; lines in memory are not limited.
  std::vector<terminal::Line> Lines(int64_t from, int64_t to,
                                    size_t max_bytes = SIZE_MAX) const;
  // Like Lines, but returns only as much from each end as a reply could show.
  Excerpt Extract(int64_t from, int64_t to) const {
    return Extract(from, to, Ends());
  }
  Excerpt Extract(int64_t from, int64_t to, const Ends& most) const;

 private:
  // Returns the end of the last available lines before `end`, or `end` if the
  // line before it is not missing.
  int64_t SkipMissingBack(int64_t end) const;
  int64_t NextAfter(const std::vector<terminal::Line>& lines,
                    int64_t from) const;

  terminal::Terminal* const terminal_;
  LineArchive archive_;
  uint64_t place_at_ = 0;  // the last log offset whose line number is known
  size_t holes_ = 0;       // how many of the terminal's holes the archive knows
};

}  // namespace glasstty::record
