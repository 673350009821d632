// Keeps one stream of a session's output and what is made of it: the log's
// feed, the terminal that it is fed into, and the archive of its lines. A
// session without a terminal has a second one for stderr.
//
// Readers see it as const. Borrows the loop, the folder and its descriptor,
// which must outlive it. Loop thread only.
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

// Returns the cursor's line up to the cursor.
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
  // Every line since the beginning.
  const record::History& history() const { return history_; }
  // Bytes that the log had lost before this server could feed them, while the
  // screen may lack what they drew; 0: it lacks nothing.
  uint64_t undrawn() const;
  // The same, whatever was drawn since.
  uint64_t lost_before() const { return undrawn_.lost; }
  // True while a log is replayed that an earlier server left.
  bool replaying() const { return feed_.consumed() < replay_end_; }
  // It is adopted, and it is not known yet how far its log goes.
  bool awaits_replay() const { return replay_end_ == ~uint64_t{0}; }
  // Returns what the earlier server's reader had seen, or the beginning.
  // Complete once replaying() is false.
  const record::ReadMark& inherited_mark() const { return inherited_mark_; }
  // When output was last fed, not printed; the beginning counts as output.
  Time last_output() const { return flood_.last(); }
  // False while it cannot be read, again and again.
  bool IsReadable() const { return feed_.trouble().ok(); }
  // There is output that has not been fed.
  bool HasUnfed() const { return !feed_.drained(); }
  // The screen is behind a program that prints much, and will not catch up
  // soon: no verdict about the program could be of this screen.
  bool IsBehind() const;
  // Prints much and has for a while: whatever is known of its state is out of
  // date at once.
  bool IsFlooding() const;
  // The cursor's line up to the cursor: the prompt or question, if any.
  std::string TextBeforeCursor() const {
    return session::TextBeforeCursor(*terminal_);
  }

  // Only the session may call these.
  terminal::Terminal* terminal() { return terminal_.get(); }
  LogFeed* feed() { return &feed_; }
  record::History* history() { return &history_; }
  // The log goes on to `end`. `is_awaited`: somebody waits for something.
  void Reaches(uint64_t end, bool is_awaited);
  // A piece has been fed. The same of `is_awaited`.
  void Fed(bool is_awaited);
  // Moves the lines that have been fed to the archive.
  void Collect() { history_.Collect(feed_.consumed()); }
  // Up to `end` all is a replay; ~0: it is not known yet how far.
  void SetReplayEnd(uint64_t end) { replay_end_ = end; }
  // The earlier server's reader has seen what has been fed.
  void InheritMark();
  // The log had lost so much at its beginning.
  void BeginWithout(uint64_t lost);
  // Keeps no file open. REQUIRES: all has been fed, and nothing will come.
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
  // The bytes that the log had lost when it was begun, and the state of the
  // terminal then.
  struct Undrawn {
    uint64_t lost = 0;
    uint64_t clears = 0;
    int64_t end_line = 0;
  };
  Undrawn undrawn_;
  uint64_t replay_end_ = 0;  // ~0: not known yet
  // All zero, the mark of one who has seen nothing, unless another server left
  // one.
  record::ReadMark inherited_mark_;
};

}  // namespace glasstty::session
