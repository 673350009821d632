// Distinguishes important changes of a screen from those that merely move.
//
// Takes one screen after the other. A row's text that differs only in what its
// shape leaves out (shape.h), or that stood in another row before, merely
// counts or moves. Cells that change again and again are volatile: a clock, a
// spinner, a meter, the rows of a list that is sorted anew; and so are the
// cells beside them, because texts differ in length. What is left is a change
// that matters once it has stood for kConfirm and through two more drawings, or
// for kConfirmAtRest; a failure, a warning or a question that was not on the
// screen before matters at once, also among volatile cells. A word that turns
// red matters like another word. A drawing on a blank screen matters once it is
// complete; if it has many rows, only its first row is reported.
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
  // After so many drawings it would be known that a list is sorted anew.
  static constexpr int64_t kLearned = 3;
  // Rows that change within this time belong to one drawing.
  static constexpr Duration kDrawing = std::chrono::milliseconds(500);
  static constexpr ptrdiff_t kManyRows = 4;
  // Cells are volatile that change for the third time within this time of each
  // other.
  static constexpr Duration kForget = std::chrono::seconds(60);
  static constexpr uint8_t kVolatile = 3;

  struct Change {
    int row = 0;
    std::string text;  // of the whole row; "" for a switch of screens
    // It was drawn on a blank screen.
    bool is_first = false;
  };

  // The reader has been shown these rows. If a screen was taken before, they
  // only become known, and changes count from the last screen. Otherwise, what
  // differs from them is a change; without rows, from the next screen.
  void Begin(std::vector<std::string> shown, Time now);
  // The screens so far were those of something else. The first drawing is where
  // it begins, though it may be taken in pieces.
  void Restart() {
    begun_ = false;
    is_restarted_ = true;
  }
  // The reader has been told of this row, so that it matters no more.
  void AddKnown(const std::string& row);
  void Take(const terminal::Snapshot& screen, Time now);

  // Returns the first change that has become important since the last call.
  std::optional<Change> Matters(Time now);
  // Returns when a present change will matter; Time::max() if there is none.
  Time NextDue() const;
  // Returns when cells that are not volatile last changed, or when a row last
  // made progress (advance.h).
  Time moved_at() const { return moved_at_; }

 private:
  struct Segment {
    uint8_t changes = 0;
    Time last;
  };
  struct Row {
    std::string text, shape;
    std::vector<std::pair<int, int>> red;  // columns
    std::vector<Segment> heat;
  };
  // A change that has not lasted long enough.
  struct Candidate {
    size_t row = 0;
    Time since;
    int64_t drawing = 0;    // the drawing in which it appeared
    bool is_heavy = false;  // matters at once
    std::string text;
  };

  void BeginScreen(const terminal::Snapshot& screen);
  void TakeRow(const terminal::SnapshotRow& row, size_t index, Time now);
  // Records that the cells in which both texts differ have changed. Returns
  // true if all of them are volatile.
  bool Heat(size_t index, const terminal::SnapshotRow& next, Time now);
  bool IsVolatile(size_t row, size_t segment, Time now) const;
  void Propose(size_t row, const std::string& text, bool is_heavy, Time now);
  // Drops the candidate of the row, because the row has other words now.
  void Drop(size_t row);
  Time DueOf(const Candidate& candidate) const;
  bool IsKnown(const std::string& shape) const;
  void Know(const std::string& shape);

  bool begun_ = false;
  bool is_restarted_ = false;
  Time restarted_at_ = Time::min();  // the first drawing since
  bool alternate_ = false;
  int cols_ = 0;
  std::vector<std::string> shown_;
  std::vector<Row> rows_;
  Advance advance_;
  States states_;
  // Hashes of shapes that have been on the screen; bounded.
  std::unordered_set<size_t> known_;
  std::vector<Candidate> candidates_;
  // Drawings that came at least kDrawing after the one before, and the last
  // that found a blank screen.
  int64_t drawings_ = 0;
  int64_t first_drawing_ = -1;
  Time drawn_at_;
  Time moved_at_;
};

}  // namespace glasstty::motion
