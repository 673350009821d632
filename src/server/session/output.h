// Keeps one stream of a session's output: the feed of its log, the terminal
// into which it is fed, and the archive of its lines. A session without a
// terminal has a second Output for stderr.
//
// Readers see the object as const. Borrows the loop, the folder and its
// descriptor, which must outlive this object. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "record/folder.h"
#include "record/history.h"
#include "record/origin.h"
#include "record/read_mark.h"
#include "session/flood.h"
#include "session/log_feed.h"
#include "support/loop.h"
#include "terminal/terminal.h"

namespace glasstty::session {

// Returns the text of the cursor's line before the cursor, but only about the
// last 64 KiB of it, because a program may print a megabyte without a newline.
std::string TextBeforeCursor(const terminal::Terminal& terminal);

class Output {
 public:
  // The files of one stream: its log and its archive of lines.
  struct Files {
    const record::Folder* folder;
    int directory;
    const char* log;
    const char* lines;
  };
  Output(Loop* loop, const record::SessionOrigin& origin, const Files& files,
         std::unique_ptr<terminal::Terminal> terminal, LogFeed::Cut cut,
         std::function<bool()> fed);

  const terminal::Terminal& terminal() const { return *terminal_; }
  const LogFeed& feed() const { return feed_; }
  // All lines since the beginning, as far as they are kept.
  const record::History& history() const { return history_; }
  // Returns how many bytes the log had lost before this server could feed them;
  // 0 once nothing that they drew is missing on the screen.
  uint64_t undrawn() const;
  // Returns the same number, even if the program has redrawn the screen since.
  uint64_t lost_before() const { return undrawn_.lost; }
  // True while the log that an earlier server left is replayed.
  bool replaying() const { return feed_.consumed() < replay_end_; }
  // True if the session is adopted, and the end of its log is not known yet.
  bool awaits_replay() const { return replay_end_ == ~uint64_t{0}; }
  // Returns the position up to which the earlier server's reader had read, or
  // the beginning. It is complete once replaying() is false.
  const record::ReadMark& inherited_mark() const { return inherited_mark_; }
  // The time at which output, also of stderr, was last fed (not printed). The
  // creation of this object counts as output.
  Time last_output() const { return flood_.last(); }
  // False while reading the log keeps failing.
  bool IsReadable() const { return feed_.trouble().ok(); }
  // There may be output that has not been fed.
  bool HasUnfed() const { return !feed_.drained(); }
  // True if the program prints so much that the screen is behind and will not
  // catch up soon. No verdict about the program would match this screen.
  bool IsBehind() const;
  // True if the program has printed a lot for a while, so that anything known
  // about its state is immediately out of date.
  bool IsFlooding() const;
  // Returns the prompt or question before the cursor, if any.
  std::string TextBeforeCursor() const {
    return session::TextBeforeCursor(*terminal_);
  }

  // Only the session may call these.
  terminal::Terminal* terminal() { return terminal_.get(); }
  LogFeed* feed() { return &feed_; }
  record::History* history() { return &history_; }
  // The log now reaches `end`. `is_awaited`: a call waits for this session.
  void Reaches(uint64_t end, bool is_awaited);
  // A piece of the log has been fed. `is_awaited` is as in Reaches.
  void Fed(bool is_awaited);
  // Archives the lines that the terminal has dropped.
  void Collect() { history_.Collect(feed_.consumed()); }
  // All output up to `end` is a replay; ~0: the end is not known yet.
  void SetReplayEnd(uint64_t end) { replay_end_ = end; }
  // The earlier server's reader has seen all that has been fed so far.
  void InheritMark();
  // Call this before anything is fed. The screen lacks what `lost` bytes drew.
  void BeginWithout(uint64_t lost);
  // Closes all files. REQUIRES: all output has been fed, and no more will come.
  void Close();

 private:
  bool IsFedLast(bool is_awaited) const;

  Loop* const loop_;
  // Owned.
  const std::unique_ptr<terminal::Terminal> terminal_;
  record::History history_;
  LogFeed feed_;
  // State.
  Flood flood_;
  // The number of bytes that the log had lost before the feed began, and the
  // state of the terminal at that time.
  struct Undrawn {
    uint64_t lost = 0;
    uint64_t clears = 0;
    int64_t end_line = 0;
  };
  Undrawn undrawn_;
  uint64_t replay_end_ = 0;  // ~0: not known yet
  // The mark that another server left, or all zero: nothing has been seen.
  record::ReadMark inherited_mark_;
};

}  // namespace glasstty::session
