// Feeds a session's output to the analysis in motion/ while a wait lasts, and
// finds the first change that matters.
//
// In a program that draws screens, changed cells count
// (motion/screen_motion.h); in others, lines of a new kind
// (motion/line_kinds.h). The cursor's line is judged once it rests, because it
// may be incomplete or overwritten again and again. A line to which a program
// has moved back is judged once it has stood for kLongRest, or at once if it is
// heavy (motion/weight.h). A separate stderr is judged in the same way.
// Continuous output is sampled every kPace. Lives in an UntilCheck. Loop thread
// only; the session must outlive it.
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
  // A line without a newline rests after this time without output.
  static constexpr Duration kRest = std::chrono::milliseconds(400);
  // The same for a line that is overwritten, because progress bars pause. A
  // line to which a program has moved back must stand for as long.
  static constexpr Duration kLongRest = std::chrono::seconds(3);
  // The head (motion/shape.h) of a line that is written over must stand for
  // this long, because a shorter phase is not worth ending a wait.
  static constexpr Duration kHeadRest = std::chrono::seconds(5);
  // Phases that begin this early in a job belong to its start and are no news.
  static constexpr Duration kBeginning = std::chrono::seconds(5);
  // The maximum number of lines before the baseline from which known kinds are
  // learned, and of new lines that one look takes.
  static constexpr int64_t kMostLines = 2'000;

  // The caller has seen the lines up to `baseline`, the rows `shown` (empty:
  // the current screen), and what is in `memory` (null: nothing), to which the
  // wait adds.
  void Begin(const session::Session* session, const record::ReadMark& baseline,
             std::vector<std::string> shown,
             std::shared_ptr<motion::Memory> memory);
  // Call before a line is typed, because its echo does not matter.
  void AddTyped(std::string line) { typed_.push_back(std::move(line)); }

  // REQUIRES: Begin. Takes what was drawn since the last call. Returns when to
  // call again, even if nothing is drawn until then.
  Time Refresh();
  // The first change that matters: the line or row, or "" if the program has
  // switched to the other screen.
  const std::optional<std::string>& matter() const { return matter_; }
  // The stream of which matter() is a line; null if matter() is a row of a
  // screen or a switch.
  const session::Output* source() const { return source_; }
  // The mark of a reader who has been shown matter().
  const record::ReadMark& behind() const { return behind_; }
  // When something other than clocks, spinners and volatile cells last moved.
  Time moved_at() const { return memory_->moved_at; }
  // Returns whether stillness has been reported to the reader, and nothing has
  // moved since.
  bool IsStillnessTold() const {
    return memory_->told_still_at >= memory_->moved_at;
  }
  void TellStillness(Time now) { memory_->told_still_at = now; }

 private:
  // A line to which the program has moved back or which it overwrites, and that
  // has not stood for long enough yet.
  struct Standing {
    std::string text, shape;
    Time since;
    std::string head;
    Time head_since;
    bool is_meter = false;
  };
  struct Stream {
    const terminal::Terminal& terminal() const { return output->terminal(); }
    // Returns a number for this line that no line of the other stream has.
    int64_t PlaceOf(int64_t line) const { return is_errors ? -1 - line : line; }

    const session::Output* output;
    record::LineMark seen;   // by the caller
    motion::OpenLine* open;  // in the memory
    bool is_errors;
    LineScan scan = {};
    uint64_t lines_revision = 0;
    bool is_open_taken = false;
    std::map<int64_t, Standing> standing = {};  // by number
  };

  void BeginStream(const session::Output* output);
  bool IsNew() const;
  Time RefreshScreen(Time now);
  Time RefreshLines(Stream* stream, Time now);
  // Takes whole and rewritten lines, and notes the cursor's line.
  void TakeLines(Stream* stream, Time now);
  // Takes the cursor's line once it rests. Returns when to call again.
  Time TakeOpenAtRest(Stream* stream, Time now);
  // Takes the lines that have stood long enough. Returns when to call again.
  Time TakeStanding(Stream* stream, Time now);
  // Takes a complete line.
  void TakeWhole(Stream* stream, int64_t line, const std::string& text);
  void TakeRewritten(Stream* stream, const terminal::Line& line, Time now);
  // Sets moved_at() if this incomplete or overwritten line has moved.
  void TakeOpen(const Stream& stream, int64_t line, const std::string& text,
                Time now);
  // `is_half`: the line may be incomplete.
  void Stand(Stream* stream, int64_t line, const std::string& text,
             bool is_half, Time now);
  Time DueOf(const Stream& stream, int64_t number, const Standing& line) const;
  // True until kBeginning after the last typing and the first overwritten row.
  bool IsBeginning(Time now);
  bool IsTyped(const std::string& text) const;
  // Records that the reader has seen a line of this kind.
  void Learn(const std::string& text);
  // Records the head of a line that was shown or is reported as a whole.
  void LearnHead(const Stream& stream, int64_t line, const std::string& text);
  bool IsNews(const std::string& text);
  // Sets matter() if the text of this line is news.
  void FindMatter(const Stream& stream, const std::string& text, int64_t line);
  void SetMatter(std::string text);

  const session::Session* session_ = nullptr;
  record::ReadMark baseline_;
  std::vector<std::string> typed_;
  std::shared_ptr<motion::Memory> memory_;
  bool draws_screens_ = false;
  bool alternate_ = false;
  std::vector<Stream> streams_;  // stdout first
  uint64_t screen_revision_ = 0;
  Time looked_at_ = Time::min();
  std::optional<std::string> matter_;
  const session::Output* source_ = nullptr;
  record::ReadMark behind_;
};

}  // namespace glasstty::waits
