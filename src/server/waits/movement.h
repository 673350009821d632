// Follows what moves in a session while a wait lasts: the keeper of motion/.
//
// In a program that draws screens, cells count (motion/screen_motion.h), in
// others lines: a new kind of line matters (motion/line_kinds.h). The line that
// is being written counts once it rests, because it may be half of one, or be
// written over for ever; a line that a program has gone back to counts once it
// has stood, or at once if it is heavy. A flood is looked at in samples. Lives
// in an UntilCheck. Loop thread only; the session must outlive it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "motion/memory.h"
#include "record/read_mark.h"
#include "session/session.h"
#include "waits/line_scan.h"

namespace glasstty::waits {

class Movement {
 public:
  // The interval between two looks at output that comes without a pause.
  static constexpr Duration kPace = std::chrono::milliseconds(50);
  // A line without an end rests after this time without output.
  static constexpr Duration kRest = std::chrono::milliseconds(400);
  // The same for a line that is written over, because progress bars pause, and
  // how long one must stand that a program has gone back to.
  static constexpr Duration kLongRest = std::chrono::seconds(3);
  // A phase that is over sooner is not worth waking anybody.
  static constexpr Duration kHeadRest = std::chrono::seconds(5);
  // The phases of a job's first seconds are how it begins.
  static constexpr Duration kBeginning = std::chrono::seconds(5);
  // The lines from which the kinds that were seen before are learned, and the
  // most that one look takes.
  static constexpr int64_t kMostLines = 2'000;

  // The lines that `baseline` has seen are known, and so are the rows of the
  // screen that was shown (no rows: the screen now), and what is in `memory`,
  // which the wait adds to. Null: the caller keeps none.
  void Begin(const session::Session* session, const record::ReadMark& baseline,
             std::vector<std::string> shown,
             std::shared_ptr<motion::Memory> memory);
  // A line is about to be typed: its echo is no news.
  void AddTyped(std::string line) { typed_.push_back(std::move(line)); }

  // REQUIRES: Begin. Takes what was drawn since the last call. Returns when to
  // call again, even if nothing is drawn.
  Time Refresh();
  // The first thing that has been found to matter: the line or row, or "" if
  // the program has switched to the other screen.
  const std::optional<std::string>& matter() const { return matter_; }
  // The mark of a reader who has been told of it.
  const record::ReadMark& behind() const { return behind_; }
  // When something other than clocks, spinners and volatile cells moved last.
  Time moved_at() const { return memory_->moved_at; }
  // Returns whether the reader was told that it stands, and nothing has moved
  // since.
  bool IsStillnessTold() const {
    return memory_->told_still_at >= memory_->moved_at;
  }
  void TellStillness(Time now) { memory_->told_still_at = now; }

 private:
  static constexpr int64_t kNoLine = -1;

  Time RefreshScreen(Time now);
  Time RefreshLines(Time now);
  // Takes the lines that are whole, and those that were written over.
  void TakeLines(Time now);
  // Takes the cursor's line once it rests. Returns when that will be.
  Time TakeOpenAtRest(Time now);
  // Takes the lines that have stood. Returns when the next one will have.
  Time TakeStanding(Time now);
  // The line has its end.
  void TakeWhole(int64_t line, const std::string& text);
  void TakeRewritten(const terminal::Line& line, Time now);
  bool IsShown(const terminal::Line& line) const;
  // The line is being written over, or has no end yet.
  void TakeOpen(int64_t line, const std::string& text, Time now);
  void NoteOpen(int64_t line, const std::string& text);
  bool IsTyped(const std::string& text) const;
  // The reader knows lines of this kind.
  void Learn(const std::string& text);
  // The reader knows what this line begins with, or is told of it as a line.
  void LearnHead(int64_t line, const std::string& text);
  // `line`: kNoLine for a row of a screen.
  void FindMatter(const std::string& text, int64_t line);
  void SetMatter(std::string text, int64_t line);

  const session::Session* session_ = nullptr;
  record::ReadMark baseline_;
  std::vector<std::string> typed_;
  std::shared_ptr<motion::Memory> memory_;
  bool draws_screens_ = false;
  bool alternate_ = false;
  LineScan scan_;
  // Lines that the program has gone back to and that have not stood long
  // enough, by number.
  struct Standing {
    std::string text, shape;
    Time since;
    std::string head;
    Time head_since;
    bool is_meter = false;
  };
  // `is_half`: there may be more of the line to come.
  void Stand(int64_t line, const std::string& text, bool is_half, Time now);
  // Returns whether the job has only just begun to write over rows.
  bool IsBeginning(Time now);
  Time DueOf(int64_t number, const Standing& line) const;
  std::map<int64_t, Standing> standing_;
  uint64_t screen_revision_ = 0;
  uint64_t lines_revision_ = 0;
  bool is_open_taken_ = false;
  Time looked_at_ = Time::min();
  std::optional<std::string> matter_;
  record::ReadMark behind_;
};

}  // namespace glasstty::waits
