#include "motion/screen_motion.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "motion/letters.h"
#include "motion/shape.h"
#include "motion/weight.h"
#include "terminal/colors.h"
#include "terminal/row_cells.h"

namespace glasstty::motion {
namespace {

using terminal::SnapshotRow;

constexpr size_t kMostKnown = 8192;

// Returns true for a clear red, of the palette or as a direct colour.
bool IsRed(terminal::Color color) {
  if (color == terminal::kDefaultColor) return false;
  terminal::Rgb rgb = color & 0xFFFFFF;
  if (color < terminal::kRgbColor) {
    auto index = static_cast<int>(color & 0xFF);
    if (index < 16) return index == 1 || index == 9;
    rgb = terminal::IndexedColor(index);
  }
  auto red = static_cast<int>(rgb >> 16 & 0xFF);
  auto green = static_cast<int>(rgb >> 8 & 0xFF);
  auto blue = static_cast<int>(rgb & 0xFF);
  return red > 140 && red > 2 * green && red > 2 * blue;
}

std::vector<std::pair<int, int>> RedOf(const SnapshotRow& row) {
  std::vector<std::pair<int, int>> red;
  for (const terminal::StyleRun& run : row.styles) {
    if (IsRed(run.style.foreground) || IsRed(run.style.background)) {
      red.emplace_back(run.col, run.col + run.cols);
    }
  }
  return red;
}

bool Covers(const std::vector<std::pair<int, int>>& runs, int col) {
  return std::any_of(runs.begin(), runs.end(), [col](const auto& run) {
    return run.first <= col && col < run.second;
  });
}

// Returns true if a word of at least two letters is red now and was not before.
bool HasTurnedRed(const SnapshotRow& row,
                  const std::vector<std::pair<int, int>>& before,
                  const std::vector<std::pair<int, int>>& now) {
  if (now.empty() || now == before) return false;
  terminal::RowCells cells = terminal::CutIntoCells(row);
  for (const auto& [begin, end] : now) {
    int letters = 0;
    for (int col = begin; col < end; ++col) {
      auto at = static_cast<size_t>(col);
      bool is_letter =
          at < cells.size() && cells[at].size() == 1 && IsLetter(cells[at][0]);
      letters = is_letter && !Covers(before, col) ? letters + 1 : 0;
      if (letters >= 2) return true;
    }
  }
  return false;
}

}  // namespace

void ScreenMotion::Begin(std::vector<std::string> shown, Time now) {
  if (begun_) {
    for (const std::string& row : shown) AddKnown(row);
    return;
  }
  shown_ = std::move(shown);
  moved_at_ = now;
}

void ScreenMotion::AddKnown(const std::string& row) {
  std::string shape = ShapeOf(row);
  std::erase_if(candidates_, [&shape](const Candidate& candidate) {
    return !candidate.text.empty() && ShapeOf(candidate.text) == shape;
  });
  Know(shape);
}

bool ScreenMotion::IsKnown(const std::string& shape) const {
  return known_.contains(std::hash<std::string>()(shape));
}

void ScreenMotion::Know(const std::string& shape) {
  if (known_.size() >= kMostKnown) {
    known_.clear();
    for (const Row& row : rows_)
      known_.insert(std::hash<std::string>()(row.shape));
  }
  known_.insert(std::hash<std::string>()(shape));
}

void ScreenMotion::BeginScreen(const terminal::Snapshot& screen) {
  alternate_ = screen.alternate;
  cols_ = screen.size.cols;
  candidates_.clear();
  rows_.assign(screen.rows.size(), Row());
  bool is_shown = shown_.size() == screen.rows.size();
  size_t segments = static_cast<size_t>(cols_) / kSegment + 1;
  for (size_t i = 0; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    row.text = is_shown ? shown_[i] : screen.rows[i].text;
    row.shape = ShapeOf(row.text);
    row.heat.resize(segments);
    advance_.TakeRow(static_cast<int64_t>(i), row.text);
    row.red = RedOf(screen.rows[i]);
    Know(row.shape);
  }
  shown_.clear();
}

void ScreenMotion::Take(const terminal::Snapshot& screen, Time now) {
  bool is_other = alternate_ != screen.alternate;
  if (!begun_ || is_other || cols_ != screen.size.cols ||
      rows_.size() != screen.rows.size()) {
    bool has_switched = begun_ && is_other;
    if (!begun_) moved_at_ = now;
    BeginScreen(screen);
    begun_ = true;
    if (has_switched) Propose(0, "", true, now);
    if (std::exchange(is_restarted_, false)) restarted_at_ = now;
  }
  bool is_drawing = false;
  for (size_t i = 0; i < rows_.size() && !is_drawing; ++i) {
    is_drawing = rows_[i].text != screen.rows[i].text;
  }
  if (is_drawing && now - drawn_at_ >= kDrawing) {
    ++drawings_;
    drawn_at_ = now;
    bool is_first = std::all_of(rows_.begin(), rows_.end(), [](const Row& row) {
      return row.text.empty();
    });
    if (is_first) first_drawing_ = drawings_;
  }
  for (size_t i = 0; i < rows_.size(); ++i) TakeRow(screen.rows[i], i, now);
}

void ScreenMotion::TakeRow(const SnapshotRow& next, size_t index, Time now) {
  Row& row = rows_[index];
  std::vector<std::pair<int, int>> red = RedOf(next);
  bool is_red = HasTurnedRed(next, row.red, red);
  row.red = std::move(red);
  if (row.text == next.text) {
    if (is_red) Propose(index, next.text, false, now);
    return;
  }
  bool is_volatile = Heat(index, next, now);
  std::string shape = ShapeOf(next.text);
  bool is_same = shape == row.shape;
  bool merely_counts =
      is_same || shape.empty() || (IsKnown(shape) && !states_.IsEnd(next.text));
  Advance::Sight sight =
      advance_.TakeRow(static_cast<int64_t>(index), next.text);
  if (sight == Advance::Sight::kFurther) moved_at_ = now;
  if (!is_same) Drop(index);
  // Words that were there before may have come back for good.
  if (!is_same && !is_volatile && !shape.empty()) moved_at_ = now;
  if (!merely_counts) {
    Know(shape);
    bool is_heavy = IsHeavy(WeightOf(next.text));
    bool is_beginning =
        restarted_at_ != Time::min() && now < restarted_at_ + kDrawing;
    if ((!is_volatile && !is_beginning) || is_heavy) {
      moved_at_ = now;
      Propose(index, next.text, is_heavy, now);
    }
  } else if (is_red && !is_volatile) {
    Propose(index, next.text, false, now);
  }
  row.text = next.text;
  row.shape = std::move(shape);
}

bool ScreenMotion::Heat(size_t index, const SnapshotRow& next, Time now) {
  Row& row = rows_[index];
  terminal::RowCells before = terminal::CutIntoCells(row.text);
  terminal::RowCells after = terminal::CutIntoCells(next);
  size_t cols = std::max(before.size(), after.size());
  bool all_volatile = true;
  for (size_t col = 0; col < cols;) {
    std::string_view a = col < before.size() ? before[col] : " ";
    std::string_view b = col < after.size() ? after[col] : " ";
    if (a == b) {
      ++col;
      continue;
    }
    size_t at = std::min(col / kSegment, row.heat.size() - 1);
    Segment& segment = row.heat[at];
    bool is_recent = segment.changes > 0 && now - segment.last <= kForget;
    segment.changes = is_recent ? std::min<int>(segment.changes + 1, 100) : 1;
    segment.last = now;
    all_volatile = all_volatile && IsVolatile(index, at, now);
    col = (col / kSegment + 1) * kSegment;
  }
  return all_volatile;
}

bool ScreenMotion::IsVolatile(size_t row, size_t segment, Time now) const {
  size_t rows_end = std::min(row + 2, rows_.size());
  for (size_t r = row > 0 ? row - 1 : 0; r < rows_end; ++r) {
    const std::vector<Segment>& heat = rows_[r].heat;
    size_t end = std::min(segment + 2, heat.size());
    for (size_t s = segment > 0 ? segment - 1 : 0; s < end; ++s) {
      bool is_hot =
          heat[s].changes >= kVolatile && now - heat[s].last <= kForget;
      if (is_hot) return true;
    }
  }
  return false;
}

void ScreenMotion::Propose(size_t row, const std::string& text, bool is_heavy,
                           Time now) {
  Drop(row);
  // The newest ones are kept, because a caller may never ask what matters.
  if (candidates_.size() >= kMostCandidates) {
    candidates_.erase(candidates_.begin());
  }
  candidates_.push_back({row, now, drawings_, is_heavy, text});
}

void ScreenMotion::Drop(size_t row) {
  std::erase_if(candidates_, [row](const Candidate& candidate) {
    return candidate.row == row && !candidate.is_heavy;
  });
}

Time ScreenMotion::DueOf(const Candidate& candidate) const {
  if (candidate.is_heavy) return candidate.since;
  if (candidate.drawing == first_drawing_) return candidate.since + kDrawing;
  bool has_stood = drawings_ >= candidate.drawing + 2;
  if (has_stood) return candidate.since + kConfirm;
  bool may_be_sorted =
      candidate.drawing < kLearned && drawings_ > candidate.drawing;
  return candidate.since +
         (may_be_sorted ? 2 * kConfirmAtRest : kConfirmAtRest);
}

std::optional<ScreenMotion::Change> ScreenMotion::Matters(Time now) {
  auto due = std::find_if(candidates_.begin(), candidates_.end(),
                          [this, now](const Candidate& candidate) {
                            return now >= DueOf(candidate);
                          });
  if (due == candidates_.end()) return std::nullopt;
  Change change{static_cast<int>(due->row), due->text,
                due->drawing == first_drawing_ && !due->is_heavy};
  auto is_alike = [drawing = due->drawing](const Candidate& candidate) {
    return candidate.drawing == drawing && !candidate.is_heavy;
  };
  bool is_told = std::count_if(candidates_.begin(), candidates_.end(),
                               is_alike) >= kManyRows;
  candidates_.erase(due);
  if (is_told) std::erase_if(candidates_, is_alike);
  states_.IsEnd(change.text) ? states_.Forget(change.text)
                             : states_.Note(change.text);
  return change;
}

Time ScreenMotion::NextDue() const {
  Time next = Time::max();
  for (const Candidate& candidate : candidates_) {
    next = std::min(next, DueOf(candidate));
  }
  return next;
}

}  // namespace glasstty::motion
