// The alternate screen: entering and leaving it, and the rows that are kept in
// case the program that uses it dies.
#include <algorithm>
#include <utility>

#include "terminal/grid.h"

namespace glasstty::terminal {
namespace {

// The number of rows that are kept. Few rows are enough, because little is
// printed between the death of a program and the shell's next prompt. More
// would cost memory: programs that show text, such as less, scroll any number
// of rows.
constexpr size_t kAlternateHistory = 128;

}  // namespace

// The alternate screen is blank whenever it is entered. xterm keeps its
// content, but no program relies on that.
void Grid::EnterAlternate(Place cursor) {
  primary_cursor_ = cursor;
  shown_ = &buffers_[kAlternate];
  Allocate(shown_);
  shown_->moved = shown_revision_ = ++counter_;
}

// Frees the rows of the alternate screen, so a full-screen program takes no
// memory once it has ended.
void Grid::LeaveAlternate() {
  shown_ = &buffers_[kPrimary];
  buffers_[kAlternate].Fill({});
  alternate_history_ = {};
  alternate_next_ = 0;
  shown_->moved = shown_revision_ = ++counter_;
}

// The rows are needed only if the program dies before it leaves the screen.
// Once there are enough, each new row is swapped with the oldest one, which
// copies nothing.
void Grid::KeepAlternate(int count) {
  for (int i = 0; i < count; ++i) {
    Row& shown = At(i);
    if (alternate_history_.size() < kAlternateHistory) {
      alternate_history_.push_back(shown);
      continue;
    }
    std::swap(shown, alternate_history_[alternate_next_]);
    shown.cells.resize(size_.cols);
    alternate_next_ = (alternate_next_ + 1) % kAlternateHistory;
  }
}

int Grid::TakeAlternate(std::vector<Row>* rows) {
  bool is_full = alternate_history_.size() == kAlternateHistory;
  auto oldest = alternate_history_.begin();
  if (is_full) oldest += static_cast<std::ptrdiff_t>(alternate_next_);
  std::rotate(alternate_history_.begin(), oldest, alternate_history_.end());
  *rows = std::exchange(alternate_history_, {});
  alternate_next_ = 0;
  auto scrolled = static_cast<int>(rows->size());
  for (Row& shown : shown_->Take()) rows->push_back(std::move(shown));
  while (!rows->empty() && !rows->back().HasText()) rows->pop_back();
  if (!rows->empty()) rows->front().wrapped = false;
  return scrolled;
}

}  // namespace glasstty::terminal
