// The rules are tried in this order. Each one relies on a convention by which
// programs show the focus to people:
//
//   1. The cursor is on a button or a field, whose background differs from
//      everything around it, or at an end of marked text.
//   2. A sign points at one entry, and other entries begin to the right of that
//      column.
//   3. Only one entry of a list, or one tab, has another background.
//   4. Only one entry with a check box looks different, or one radio button is
//      filled, or one of two words with a slash between them is underlined.
//   5. The caret is in a bar, or in a framed field that has a label or only one
//      row.
//
// If no rule applies, no focus is reported, because a wrong answer is worse
// than none.
#include "view/focus.h"

#include <algorithm>
#include <optional>

#include "support/text.h"
#include "view/cell_grid.h"
#include "view/choice_marks.h"
#include "view/pointer_sign.h"

namespace glasstty::view {
namespace {

using GridRun = CellGrid::Run;
using Ground = CellGrid::Ground;
using FocusTexts = std::vector<std::string>;

constexpr size_t kMostTexts = 3;
constexpr size_t kMostCharacters = 60;
constexpr std::string_view kHorizontal = "\u2500";
constexpr Ground kNoGround = terminal::kDefaultColor;

class FocusFinder {
 public:
  explicit FocusFinder(const terminal::Snapshot& screen)
      : grid_(screen), row_(screen.cursor.row), col_(screen.cursor.col) {
    // A program that cannot hide the cursor leaves it at the lower right.
    caret_ = screen.cursor.visible &&
             (row_ + 1 < grid_.rows() || col_ + 1 < grid_.cols());
    if (caret_) StayInWindow();
  }

  FocusTexts Find() const {
    for (auto rule : {&FocusFinder::AtCursor, &FocusFinder::Pointed,
                      &FocusFinder::OddInColumn, &FocusFinder::OddInRow,
                      &FocusFinder::Chosen, &FocusFinder::AtCaret}) {
      FocusTexts texts = (this->*rule)();
      std::erase(texts, "");
      if (texts.empty() && IsInField()) return {};
      texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
      if (texts.empty() || texts.size() > kMostTexts) continue;
      for (std::string& text : texts) text = CleanText(text, kMostCharacters);
      return texts;
    }
    return {};
  }

 private:
  // While the caret is in a window over others, or in a box of a window,
  // nothing outside of it has the focus. An exception is a box as wide as the
  // screen, or a box for a line of input, whose list may be outside.
  void StayInWindow() {
    auto window = grid_.FrameAround(row_, col_);
    if (!window || window->left == 0) return;
    bool is_inside = grid_.FrameAround(row_, window->left - 1) &&
                     grid_.FrameAround(row_, window->right + 1);
    bool is_tall = window->bottom - window->top > 3;
    if (is_inside || is_tall) grid_.KeepOnly(*window);
  }

  bool IsAtEdge(int row) const { return row <= 0 || row + 1 >= grid_.rows(); }
  bool IsFramed(const GridRun& panel) const {
    return panel.first > 0 && !grid_.ReachesEdge(panel);
  }
  // The caret itself shows an empty field.
  bool IsInField() const {
    GridRun run = grid_.RunAt(row_, col_), panel = grid_.Panel(row_, col_);
    Ground beside = grid_.GroundAt(row_, run.first - 1);
    return caret_ && IsFramed(panel) && beside != run.ground &&
           run.first > panel.first && run.last < panel.last &&
           beside == grid_.GroundAt(row_, run.last + 1);
  }
  bool IsInWord(int row, int col) const {
    return IsWord(grid_.At(row, col - 1)) && IsWord(grid_.At(row, col));
  }

  FocusTexts AtCursor() const {
    GridRun run = grid_.RunAt(row_, col_), panel = grid_.Panel(row_, col_);
    bool is_box = caret_ && MarkAt(grid_, row_, col_ - 1) == 3 &&
                  grid_.Start(run) == col_ - 1;
    if (is_box || IsInBox(grid_, run)) return {EntryText(grid_, run)};
    bool part = !grid_.ReachesEdge(run) && (!IsAtEdge(row_) || caret_);
    if (!part || run.cols() < 2 || !grid_.IsIsland(run)) return {MarkedText()};
    std::string label = grid_.Text({row_, panel.first, run.first - 1});
    bool empty = grid_.Start(run) < 0;
    if (label.ends_with(':')) {
      return {empty ? label : label + " " + EntryText(grid_, run)};
    }
    FocusTexts texts = {EntryText(grid_, run)};
    // A button acts on a list in a frame inside the same window.
    for (const GridRun& entry : OddRuns()) {
      GridRun list = grid_.Panel(entry.row, entry.first);
      bool inside = list.first > panel.first && list.last < panel.last;
      if (inside) texts.push_back(EntryText(grid_, entry));
    }
    return texts;
  }

  // Marked text ends before the caret or begins at it, and may flow through
  // several rows.
  std::string MarkedText() const {
    if (!caret_ || row_ + 1 == grid_.rows()) return "";
    bool none = grid_.GroundAt(row_, col_) == kNoGround;
    std::vector<GridRun> runs;
    if (col_ == 0 && row_ > 1 && none) runs = {grid_.LastIn(row_ - 1)};
    for (int col : {col_ - 1, col_, col_ + 1}) {
      runs.push_back(grid_.RunAt(row_, col));
    }
    for (GridRun run : runs) {
      // A status bar or a heading fills one row, or reaches the edge and
      // resembles no text.
      bool fills =
          grid_.IsWhole(run) && grid_.LastIn(run.row - 1).ground != run.ground;
      bool is_text = run.row == row_ ? !grid_.ReachesEdge(run)
                                     : !fills && (grid_.IsAlike(run, row_) ||
                                                  grid_.IsAlike(run, row_ - 2));
      bool touches = none || run.first == col_;
      bool words = run.cols() > 1 && grid_.Start(run) >= 0;
      if (run.ground == kNoGround || !words || !is_text || !touches) continue;
      std::string text = grid_.Text(run);
      while (run.first == 0 && run.row > 0) {
        GridRun upper = grid_.LastIn(run.row - 1);
        bool title = upper.row == 0 && grid_.IsWhole(upper);
        if (title || upper.ground != run.ground) break;
        text.insert(0, grid_.Text(upper).append(" / "));
        run = upper;
      }
      return text;
    }
    return "";
  }

  FocusTexts Pointed() const {
    return {FindPointedAt(grid_, caret_ ? row_ : -1)};
  }

  bool IsOdd(const GridRun& run) const {
    bool everything = run.ground == kNoGround && grid_.IsWhole(run);
    bool title = false;
    for (int col : {run.first - 1, run.first, run.last, run.last + 1}) {
      title = title || grid_.At(run.row, col).text == kHorizontal;
    }
    bool words = run.cols() > 1 && grid_.Start(run) >= 0;
    // The shadow of a window cuts words, but a highlighted entry never does.
    bool cuts_words =
        IsInWord(run.row, run.first) || IsInWord(run.row, run.last + 1);
    bool bar = caret_ && run.row != row_ && grid_.IsWhole(run);
    if (IsAtEdge(run.row) || everything || title || bar) return false;
    if (!IsInBox(grid_, run) && (!words || cuts_words)) return false;
    std::optional<Ground> list = grid_.GroundOfList(run);
    // Palette entry 0 (black) looks like no background at all.
    auto is_black = [](Ground ground) {
      return ground == kNoGround || ground == terminal::kPaletteColor;
    };
    if (!list || (is_black(run.ground) && is_black(*list))) return false;
    // While a caret is elsewhere, only a list in a window counts, because a
    // highlighted word in a text is a search result.
    return !caret_ || row_ == run.row || *list != kNoGround ||
           IsFramed(grid_.Panel(run.row, run.first));
  }

  // Returns the odd entry of each list. Several runs can belong to one entry.
  std::vector<GridRun> OddRuns() const {
    std::vector<GridRun> found;
    for (int row = 0; row < grid_.rows(); ++row) {
      for (const GridRun& run : grid_.Runs(row)) {
        bool second_row =
            std::any_of(found.begin(), found.end(), [&](const GridRun& o) {
              return o.row + 1 == row && o.first == run.first &&
                     o.ground == run.ground;
            });
        if (second_row || !IsOdd(run)) continue;
        bool goes_on =
            !found.empty() && found.back().row == row &&
            grid_.Start({row, found.back().last + 1, run.first - 1}) < 0;
        if (!goes_on) found.push_back(run);
        found.back().last = run.last;
      }
    }
    return found;
  }

  FocusTexts OddInColumn() const {
    FocusTexts texts;
    std::vector<GridRun> found = OddRuns();
    for (const GridRun& run : found) {
      bool here = run.row == row_ && col_ >= run.first && col_ <= run.last;
      if (here) return {EntryText(grid_, run)};
      // A heading is above its list.
      bool heads = std::any_of(found.begin(), found.end(), [&](GridRun o) {
        return o.row > run.row && o.first <= run.last && o.last >= run.first;
      });
      if (!heads) texts.push_back(EntryText(grid_, run));
    }
    return texts;
  }

  // Finds a tab whose ground differs from the rest of its row.
  FocusTexts OddInRow() const {
    FocusTexts texts;
    for (int row = 0; row < grid_.rows(); ++row) {
      std::vector<GridRun> runs = grid_.Runs(row);
      std::erase_if(runs, [&](GridRun run) { return grid_.Start(run) < 0; });
      if (runs.size() != 3 || runs[0].ground != runs[2].ground) continue;
      bool apart = grid_.At(row, runs[1].first).text == " " ||
                   grid_.At(row, runs[1].first - 1).text == " ";
      bool is_bar = runs[0].ground != kNoGround;
      bool types = caret_ && grid_.GroundAt(row_, col_) != kNoGround;
      if (types || (is_bar ? IsAtEdge(row) : caret_)) continue;
      // A heading may show the sorted column in the colour of the entry.
      GridRun below = grid_.RunAt(row + 1, runs[1].first);
      bool heads = grid_.IsWhole(below) && below.ground == runs[1].ground;
      bool odd =
          runs[1].ground != kNoGround && runs[1].cols() > 1 && apart && !heads;
      if (odd) texts.push_back(EntryText(grid_, runs[1]));
    }
    return texts.size() == 1 ? texts : FocusTexts();
  }

  FocusTexts Chosen() const { return {FindMarked(grid_)}; }

  FocusTexts AtCaret() const {
    if (!caret_) return {};
    GridRun run = grid_.RunAt(row_, col_), panel = grid_.Panel(row_, col_);
    std::string before = grid_.Text({row_, panel.first, col_ - 1});
    bool boxed = grid_.At(row_ - 1, col_).text == kHorizontal &&
                 grid_.At(row_ + 1, col_).text == kHorizontal;
    bool field =
        IsFramed(panel) && (boxed || before.find(':') != std::string::npos);
    if (field) return {grid_.Text(panel)};
    bool bar = run.ground != kNoGround && grid_.ReachesEdge(run);
    return {bar && grid_.IsIsland(run) ? grid_.Text(run) : ""};
  }

  CellGrid grid_;
  const int row_, col_;
  bool caret_;
};

}  // namespace

std::vector<std::string> FindFocus(const terminal::Snapshot& screen) {
  return FocusFinder(screen).Find();
}

}  // namespace glasstty::view
