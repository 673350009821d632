// The alternate screen: entering and leaving it, and the rows that are kept in
// case the program that uses it dies.
#include <algorithm>
#include <utility>

#include "terminal/grid.h"

namespace glasstty::terminal {
namespace {

// Little is printed between the death of a program and the shell's next prompt.
// Each of these rows takes as much memory as one on the screen, and programs
// that show text, like less, scroll any number of rows.
constexpr size_t kAlternateHistory = 128;

}  // namespace

// The screen is always blank: nobody relies on what mode 47 left there in older
// terminals.
void Grid::EnterAlternate(Place cursor) {
  primary_cursor_ = cursor;
  shown_ = &buffers_[kAlternate];
  Allocate(shown_);
  shown_->moved = shown_revision_ = ++counter_;
}

// Frees its rows, so a full-screen program costs nothing once it has ended.
void Grid::LeaveAlternate() {
  shown_ = &buffers_[kPrimary];
  buffers_[kAlternate].Fill({});
  alternate_history_ = {};
  alternate_next_ = 0;
  shown_->moved = shown_revision_ = ++counter_;
}

// The rows matter only if the program dies before it leaves the screen, so once
// there are enough they are swapped with the oldest ones, which costs nothing.
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
