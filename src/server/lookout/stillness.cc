#include "lookout/stillness.h"

#include <utility>

namespace glasstty::lookout {

bool Stillness::Take(const terminal::Terminal& terminal, bool draws_screens,
                     Time now) {
  if (draws_screens) {
    if (!std::exchange(drew_screens_, true)) screen_.Restart();
    Time before = screen_.moved_at();
    screen_.Take(terminal.TakeSnapshot(), now);
    return screen_.moved_at() > before;
  }
  drew_screens_ = false;
  return TakeLines(terminal, Stream::kOutput);
}

bool Stillness::TakeErrors(const terminal::Terminal& terminal) {
  return TakeLines(terminal, Stream::kErrors);
}

bool Stillness::TakeLines(const terminal::Terminal& terminal, Stream stream) {
  bool has_moved = false;
  int64_t end = terminal.end_line();
  for (const terminal::Line& line :
       terminal.Lines(end - terminal.size().rows, end)) {
    if (line.text.empty()) continue;
    // No line of the other stream is at the same place.
    int64_t place = stream == Stream::kErrors ? -1 - line.number : line.number;
    has_moved |=
        lines_.TakeRow(place, line.text) != motion::Advance::Sight::kSame;
  }
  return has_moved;
}

}  // namespace glasstty::lookout
