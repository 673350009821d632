// Distinguishes important changes of a screen from mere movement.
//
// Takes one screen after the other. A new text of a row is mere movement if it
// has the shape (shape.h) of the old text, or if its shape was on the screen
// before and the text ends no reported state (states.h). Cells that change
// again and again are volatile: a clock, a spinner, a meter, the rows of a list
// that is sorted anew. The cells around them are volatile, too, because texts
// differ in length. Any other change matters once it has stayed for kConfirm
// and through two more drawings, or for kConfirmAtRest. A failure, warning or
// question that is new to the screen matters at once, even among volatile
// cells. A word that turns red is a change, too. A drawing on a blank screen
// matters when complete. Of kManyRows or more changes in one drawing, only the
// first one that matters is reported, besides failures, warnings and questions.
//
// Changes are counted for each kSegment columns of a row ("heat"). Owns
// everything, and has no clock except the times that callers pass.
// Single-threaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "motion/advance.h"
#include "motion/states.h"
#include "terminal/snapshot.h"

namespace glasstty::motion {

class ScreenMotion {
 public:
  static constexpr size_t kSegment = 4;
  // Monitors draw every one to five seconds.
  static constexpr Duration kConfirm = std::chrono::milliseconds(2500);
  static constexpr Duration kConfirmAtRest = std::chrono::seconds(5);
  // Sorted lists are recognized only from this drawing on. An earlier change
  // must stay for 2 * kConfirmAtRest if another drawing has followed.
  static constexpr int64_t kLearned = 3;
  // Rows that change within this time belong to one drawing.
  static constexpr Duration kDrawing = std::chrono::milliseconds(500);
  static constexpr ptrdiff_t kManyRows = 4;
  // Cells that have changed kVolatile times or more, each time within kForget
  // of the time before, are volatile.
  static constexpr Duration kForget = std::chrono::seconds(60);
  static constexpr uint8_t kVolatile = 3;
  // The maximum number of changes that wait to be reported: one for each row of
  // the highest screen, and as many that matter at once.
  static constexpr size_t kMostCandidates = 1000;

  struct Change {
    int row = 0;
    std::string text;  // the row's text; "" for a switch of screens
    // The row was drawn on a blank screen, and is no failure, warning or
    // question.
    bool is_first = false;
  };

  // Records that the reader has been shown these rows. If a screen was taken
  // before, the rows only become known. Otherwise the next screen is compared
  // with these rows, if it has as many.
  void Begin(std::vector<std::string> shown, Time now);
  // Records that the program that drew the screens so far has ended. Changes
  // are reported again after the next drawing, which may be taken in pieces.
  void Restart() {
    begun_ = false;
    is_restarted_ = true;
  }
  // Records that the reader knows this row, so it no longer matters.
  void AddKnown(const std::string& row);
  void Take(const terminal::Snapshot& screen, Time now);

  // Returns the next change that matters by now, each change only once; nullopt
  // if there is none.
  std::optional<Change> Matters(Time now);
  // Returns when the next of the present changes will matter; Time::max() if
  // there are none.
  Time NextDue() const;
  // Returns when a row last moved: it made progress (advance.h), its words
  // changed in cells that are not volatile, or it became a new failure, warning
  // or question. Before that, returns the time of Begin or of the first screen.
  Time moved_at() const { return moved_at_; }

 private:
  struct Segment {
    uint8_t changes = 0;
    Time last;
  };
  struct Row {
    std::string text, shape;
    std::vector<std::pair<int, int>> red;  // ranges of columns: [first, second)
    std::vector<Segment> heat;
  };
  // A change that has not been reported yet.
  struct Candidate {
    size_t row = 0;
    Time since;
    int64_t drawing = 0;    // the drawing in which it appeared
    bool is_heavy = false;  // matters at once
    std::string text;
  };

  void BeginScreen(const terminal::Snapshot& screen);
  void TakeRow(const terminal::SnapshotRow& row, size_t index, Time now);
  // Counts a change in each segment in which the row's text and `next` differ.
  // Returns true if all of these segments are volatile.
  bool Heat(size_t index, const terminal::SnapshotRow& next, Time now);
  bool IsVolatile(size_t row, size_t segment, Time now) const;
  void Propose(size_t row, const std::string& text, bool is_heavy, Time now);
  // Drops the candidate of the row, unless it is heavy, because the row has
  // other words now.
  void Drop(size_t row);
  Time DueOf(const Candidate& candidate) const;
  bool IsKnown(const std::string& shape) const;
  void Know(const std::string& shape);

  bool begun_ = false;
  bool is_restarted_ = false;
  Time restarted_at_ = Time::min();  // time of the first screen after Restart
  bool alternate_ = false;
  int cols_ = 0;
  std::vector<std::string> shown_;
  std::vector<Row> rows_;
  Advance advance_;
  States states_;
  // Hashes of shapes that have been on the screen or that the reader knows;
  // bounded.
  std::unordered_set<size_t> known_;
  std::vector<Candidate> candidates_;  // the oldest first; bounded
  // The number of drawings, each at least kDrawing after the one before, and
  // the number of the last one that found a blank screen.
  int64_t drawings_ = 0;
  int64_t first_drawing_ = -1;
  Time drawn_at_;
  Time moved_at_;
};

}  // namespace glasstty::motion
