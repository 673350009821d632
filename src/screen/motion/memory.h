// Remembers which lines and rows one reader of a session has seen in earlier
// waits. So a status that returns an hour later does not count as new, although
// it was overwritten meanwhile.
//
// Waits fill the memory (waits/movement.h); the code that reports the end of a
// wait to the reader calls Tell. Memory is bounded. Single-threaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>

#include "base/clock.h"
#include "motion/advance.h"
#include "motion/line_kinds.h"
#include "motion/screen_motion.h"
#include "motion/states.h"

namespace glasstty::motion {

// The last line of a stream, which may be incomplete.
struct OpenLine {
  int64_t line = -1;
  std::string text;
  bool is_written_over = false;
};

struct Memory {
  // Records that the reader was shown this line or row, which then no longer
  // matters.
  void Tell(const std::string& text) {
    if (text.find_first_not_of(' ') == std::string::npos) return;
    screen.AddKnown(text);
    kinds.Add(text).is_new ? states.Note(text) : states.Forget(text);
  }

  // Records that rows with this head (shape.h) are known.
  void AddHead(const std::string& head) {
    constexpr size_t kMostHeads = 1'000;
    if (head.empty()) return;
    if (heads.size() >= kMostHeads) heads.clear();
    heads.insert(head);
  }

  LineKinds kinds;
  States states;
  ScreenMotion screen;
  Advance advance;
  // The heads that are no news: of lines, and of rows that were written over
  // with the same head for a while or at the beginning of a job.
  std::unordered_set<std::string> heads;
  // When a row was first written over.
  Time begins_at;
  // When movement that counts was last seen, and when its absence was last
  // reported to the reader.
  Time moved_at, told_still_at;
  OpenLine open, open_error;
};

}  // namespace glasstty::motion
