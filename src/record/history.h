// Every line that one stream of a session has printed, by its number: those
// that the terminal holds, and before them those on disk.
//
// Owns the archive. Borrows the terminal, made with keep_evicted, and the
// session's folder; both must outlive it. Loop thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/line_archive.h"
#include "terminal/terminal.h"

namespace glasstty::record {

// Lines that exist before lines[index] and were not fetched.
struct Gap {
  size_t index = 0;
  int64_t count = 0;  // 0: none
};

// The two ends of a range of lines.
struct Excerpt {
  std::vector<terminal::Line> lines;
  Gap gap;
};

class History {
 public:
  // How much Extract takes of each end of a range: lines, bytes of text.
  static constexpr int64_t kEndLines = 2'000;
  static constexpr size_t kEndBytes = 96'000;

  // `stem` and `cap` as of LineArchive.
  History(terminal::Terminal* terminal, const Folder* folder, std::string stem,
          uint64_t cap);

  // Before anything is fed: the terminal will be fed from `*offset` of the log
  // on, which is moved to a place whose line is known.
  void Restore(uint64_t* offset);
  // What an earlier server has left of the log has been fed.
  void EndRestore() { archive_.EndRestore(); }
  // Takes from the terminal what it dropped. To be called after each feed;
  // `offset` is its place in the log.
  void Collect(uint64_t offset);

  void SetCap(uint64_t cap) { archive_.SetCap(cap); }
  // Keeps no file open. Nothing more will be fed.
  void Close() { archive_.Close(); }

  // [first_line, end_line) is all that can be had.
  int64_t first_line() const;
  int64_t end_line() const { return terminal_->end_line(); }
  // The first line that the terminal alone has whole.
  int64_t first_in_memory() const;
  const terminal::Terminal& terminal() const { return *terminal_; }
  const LineArchive& archive() const { return archive_; }
  // Those of [from, to) that can be had, up to about `max_bytes` of text and at
  // least one.
  std::vector<terminal::Line> Lines(int64_t from, int64_t to,
                                    size_t max_bytes = SIZE_MAX) const;
  // The same, but no more at either end than a reply could show.
  Excerpt Extract(int64_t from, int64_t to) const;

 private:
  terminal::Terminal* const terminal_;
  LineArchive archive_;
  uint64_t place_at_ = 0;  // where the last place was looked for
};

}  // namespace glasstty::record
