#include "lookout/stillness.h"

#include <functional>
#include <utility>

#include "motion/progress.h"
#include "motion/shape.h"

namespace glasstty::lookout {
namespace {

constexpr size_t kMostRows = 500;

}  // namespace

bool Stillness::Take(const terminal::Snapshot& screen, bool draws_screens,
                     Time now) {
  if (draws_screens) {
    if (!std::exchange(drew_screens_, true)) screen_.Begin({}, now);
    Time before = screen_.moved_at();
    screen_.Take(screen, now);
    return screen_.moved_at() > before;
  }
  drew_screens_ = false;
  if (rows_.size() > kMostRows) rows_.clear();
  bool has_moved = false;
  for (const terminal::SnapshotRow& row : screen.rows) {
    has_moved |= !row.text.empty() && TakeRow(row.text);
  }
  return has_moved;
}

// A rate goes up and down while nothing comes any more.
bool Stillness::TakeRow(const std::string& row) {
  auto reading = motion::ReadProgress(row);
  std::string shape = motion::ShapeOf(
      row, reading ? motion::Ignore::kNumbers : motion::Ignore::kTimes);
  double value = reading ? reading->value : 0;
  auto [at, is_new] = rows_.try_emplace(std::hash<std::string>()(shape), value);
  bool is_further = value > at->second;
  if (is_further) at->second = value;
  return is_new || is_further;
}

}  // namespace glasstty::lookout
