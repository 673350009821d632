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
  bool has_moved = false;
  int64_t end = terminal.end_line();
  for (const terminal::Line& line :
       terminal.Lines(end - terminal.size().rows, end)) {
    if (line.text.empty()) continue;
    has_moved |=
        lines_.TakeRow(line.number, line.text) != motion::Advance::Sight::kSame;
  }
  return has_moved;
}

}  // namespace glasstty::lookout
