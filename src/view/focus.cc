// A patch is a stretch of cells of one background, together with those of the
// same background that touch it in the rows above and below. What is pointed at
// is a patch whose background is rare; the rest of this file is about rare
// backgrounds that are only decoration:
//
//   bars      the whole of the first or the last row, or a row of several such
//             backgrounds: titles, status lines, the headings of htop's list
//   labels    many patches of one background in one row: the keys of mc, htop
//   titles    in the line of a frame: the directory of mc's panels
//   lists     rows of one place of which only one differs: completions of vim
//   windows   patches with another rare patch inside: a dialog around its menu;
//             or with stretches in the colour of the desktop inside, which then
//             are what is pointed at
//   shadows   patches without text
//
// What is left may still be tabs and headings beside the entry of a list. An
// entry is like the rows above and below it (words below words, figures below
// figures), and a heading is not: the most like are kept.
#include "view/focus.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "base/utf8.h"
#include "terminal/row_cells.h"
#include "view/pointer_sign.h"

namespace glasstty::view {
namespace {

// Above this share of the screen a background is what things stand on. Three
// marked lines of 24 are below it.
constexpr int kRarePercent = 20;
constexpr size_t kMostPatches = 3;
constexpr size_t kMostCharacters = 60;
// A menu bar with two open entries has less, a row of key labels more.
constexpr int kLabels = 4;
// Of a row that is a bar though a panel stands beside it.
constexpr int kBarPercent = 90;
// Columns between the parts of one entry: dialog's tag and its item.
constexpr int kEntryGap = 3;
// Rows that make a list of which one differs.
constexpr int kListRows = 3;
// A mark such as "*" says little without the entry that it stands in.
constexpr size_t kMarkCharacters = 3;
// Of 100: an entry this much less like its neighbours than the best is none.
constexpr int kLikeness = 25;
// Of 100: entries of one list have at least this much in common.
constexpr int kAlike = 50;

// A background, and whether it comes from reverse video: the same colour as a
// background of its own means something else then.
using Ground = std::pair<terminal::Color, bool>;

Ground GroundOf(const terminal::Style& style) {
  bool reverse = (style.attributes & terminal::kReverse) != 0;
  // Palette entry 0 looks like no background at all.
  if (!reverse && style.background == terminal::kPaletteColor) return {};
  return {reverse ? style.foreground : style.background, reverse};
}

struct Span {
  int row = 0;
  int first = 0, last = 0;  // columns
  Ground ground;

  int cols() const { return last - first + 1; }
  bool Holds(const terminal::Cursor& cursor) const {
    return cursor.row == row && cursor.col >= first && cursor.col <= last;
  }
};

// The screen's text by rows and columns; "" behind the end of a row.
class Cells {
 public:
  explicit Cells(const terminal::Snapshot& screen) : size_(screen.size) {
    for (const terminal::SnapshotRow& row : screen.rows) {
      rows_.push_back(terminal::CutIntoCells(row.text));
    }
  }
  terminal::Size size() const { return size_; }
  std::string_view At(int row, int col) const {
    if (row < 0 || row >= std::ssize(rows_)) return "";
    const terminal::RowCells& cells = rows_[static_cast<size_t>(row)];
    bool there = col >= 0 && col < std::ssize(cells);
    return there ? cells[static_cast<size_t>(col)] : "";
  }
  std::string Text(int row, int first, int last) const {
    return terminal::CellsText(rows_[static_cast<size_t>(row)],
                               static_cast<size_t>(std::max(first, 0)),
                               static_cast<size_t>(last) + 1);
  }
  int End(int row) const {
    return static_cast<int>(rows_[static_cast<size_t>(row)].size());
  }

 private:
  terminal::Size size_;
  std::vector<terminal::RowCells> rows_;  // point into the snapshot
};

bool IsBlank(std::string_view cell) { return cell.empty() || cell == " "; }
// Box drawing and block elements, U+2500 to U+259F.
bool IsFrame(std::string_view cell) {
  return cell.size() == 3 && cell[0] == '\xE2' &&
         (cell[1] == '\x94' || cell[1] == '\x95' || cell[1] == '\x96');
}
// ─ ━ ═
bool IsHorizontal(std::string_view cell) {
  return cell == "\u2500" || cell == "\u2501" || cell == "\u2550";
}
bool IsWord(std::string_view cell) {
  bool ascii = cell.size() == 1;
  return ascii ? std::isalnum(static_cast<unsigned char>(cell[0])) != 0
               : cell.size() > 1 && !IsFrame(cell);
}

struct Patch {
  std::vector<Span> spans;
  int top = 0, bottom = 0, left = 0, right = 0;

  void Add(const Span& span) {
    if (spans.empty()) {
      top = bottom = span.row;
      left = span.first;
      right = span.last;
    }
    bottom = span.row;
    left = std::min(left, span.first);
    right = std::max(right, span.last);
    spans.push_back(span);
  }
  // A marked text flows from the end of one row to the beginning of the next;
  // other things of several rows are blocks.
  bool Touches(const Span& span, const Cells& cells) const {
    return std::any_of(spans.begin(), spans.end(), [&](const Span& s) {
      bool below = s.ground == span.ground && s.row + 1 == span.row;
      bool block = s.first == span.first && s.last == span.last;
      bool flows = s.last + 1 >= cells.End(s.row) && span.first == 0;
      return below && (block || flows);
    });
  }
  // Another part of the same entry, in the same row.
  bool GoesOnIn(const Span& span, const Cells& cells) const {
    const Span& end = spans.back();
    int gap = span.first - end.last - 1;
    if (spans.size() > 1 && spans[0].row != end.row) return false;
    return end.row == span.row && end.ground == span.ground && gap >= 0 &&
           gap <= kEntryGap &&
           cells.Text(span.row, end.last + 1, span.first - 1).empty();
  }
  bool Encloses(const Span& span) const {
    return top < span.row && bottom > span.row && left < span.first &&
           right > span.last && span.ground != spans.front().ground;
  }
  bool Encloses(const Patch& other) const {
    return top < other.top && bottom > other.bottom && left <= other.left &&
           right >= other.right;
  }
};

// Runs that differ in the foreground only are one span.
std::vector<Span> SpansOf(const terminal::Snapshot& screen) {
  std::vector<Span> spans;
  for (int row = 0; row < std::ssize(screen.rows); ++row) {
    for (const terminal::StyleRun& run :
         screen.rows[static_cast<size_t>(row)].styles) {
      Ground ground = GroundOf(run.style);
      if (ground == Ground()) continue;
      int last = run.col + run.cols - 1;
      bool goes_on = !spans.empty() && spans.back().row == row &&
                     spans.back().last + 1 == run.col &&
                     spans.back().ground == ground;
      if (goes_on) {
        spans.back().last = last;
      } else {
        spans.push_back({row, run.col, last, ground});
      }
    }
  }
  return spans;
}

std::vector<Span> KeepRare(terminal::Size size, std::vector<Span> spans) {
  std::map<Ground, int> cells;
  for (const Span& span : spans) cells[span.ground] += span.cols();
  std::erase_if(spans, [&](const Span& span) {
    return cells[span.ground] * 100 > size.rows * size.cols * kRarePercent;
  });
  return spans;
}

// Stretches of another background, or none, between two of one that is common:
// an entry in the colour of the desktop, or what a dialog in reverse video
// leaves out. What repeats below is the same in each
// row, and points at nothing.
std::vector<Span> HolesIn(const std::vector<Span>& all) {
  std::vector<Span> holes;
  // What a row begins with is the desktop, and no window in it.
  Ground desktop;
  for (size_t i = 1; i < all.size(); ++i) {
    const Span &a = all[i - 1], &b = all[i];
    if (a.first == 0) desktop = a.ground;
    if (a.row != b.row) desktop = {};
    bool hole = a.row == b.row && a.ground == b.ground && b.first > a.last + 1;
    if (hole) holes.push_back({a.row, a.last + 1, b.first - 1, {}});
    bool entry = i + 1 < all.size() && all[i + 1].row == a.row &&
                 b.row == a.row && a.ground != desktop &&
                 all[i + 1].ground == a.ground && b.ground != a.ground &&
                 b.first == a.last + 1 && all[i + 1].first == b.last + 1;
    if (entry) holes.push_back(b);
  }
  std::vector<Span> merged;
  for (const Span& hole : holes) {
    Span* last = merged.empty() || merged.back().row != hole.row
                     ? nullptr
                     : &merged.back();
    int gap = last == nullptr ? kEntryGap + 1 : hole.first - last->last - 1;
    if (gap > kEntryGap) {
      merged.push_back(hole);
    } else if (gap > 0) {
      last->last = hole.last;
    } else if (hole.cols() < last->cols()) {
      // Of two that touch one is the window, seen from its own entry.
      *last = hole;
    }
  }
  std::map<std::pair<int, int>, int> alike;
  for (const Span& hole : merged) ++alike[{hole.first, hole.last}];
  bool some_wide = std::any_of(merged.begin(), merged.end(), [](const Span& s) {
    return s.cols() > kEntryGap;
  });
  // The letters that menus underline are holes, too.
  std::erase_if(merged, [&](const Span& hole) {
    return alike[{hole.first, hole.last}] > 1 ||
           (some_wide && hole.cols() == 1);
  });
  return merged;
}

// Takes out bars, labels and titles. A row of one background that is not at the
// edge may be a selected one.
void DropDecoration(const Cells& cells, std::vector<Span>* spans) {
  terminal::Size size = cells.size();
  std::map<int, int> in_row;  // cells
  std::map<std::pair<int, Ground>, int> alike;
  std::map<Ground, std::set<int>> rows;
  std::map<int, Span> widest;
  for (const Span& span : *spans) {
    in_row[span.row] += span.cols();
    ++alike[{span.row, span.ground}];
    rows[span.ground].insert(span.row);
    Span& most = widest.try_emplace(span.row, span).first->second;
    if (span.cols() > most.cols()) most = span;
  }
  std::erase_if(*spans, [&](const Span& span) {
    bool at_edge = span.row == 0 || span.row == size.rows - 1;
    bool several = span.cols() < size.cols;
    bool whole = in_row[span.row] == size.cols;
    bool bar = whole && (at_edge || several);
    bool beside_panel = in_row[span.row] * 100 >= size.cols * kBarPercent &&
                        several && rows[widest[span.row].ground].size() > 1;
    bool title = IsHorizontal(cells.At(span.row, span.first - 1)) ||
                 IsHorizontal(cells.At(span.row, span.last + 1));
    return bar || beside_panel || title ||
           alike[{span.row, span.ground}] >= kLabels;
  });
}

// Of the rows of a list in a background of its own only the one that differs is
// kept: by its background, or by having none.
void KeepOddOfLists(std::vector<Span>* spans) {
  std::map<std::pair<int, int>, std::vector<Span>> places;
  for (const Span& span : *spans) {
    places[{span.first, span.last}].push_back(span);
  }
  for (auto& [columns, rows] : places) {
    int height = rows.back().row - rows.front().row + 1;
    int missing = height - static_cast<int>(rows.size());
    if (height < kListRows || missing > 1) continue;
    std::map<Ground, int> count;
    for (const Span& row : rows) ++count[row.ground];
    Span odd = rows.front();
    bool found = false;
    if (missing == 1 && count.size() == 1) {
      for (size_t i = 1; i < rows.size(); ++i) {
        if (rows[i].row == rows[i - 1].row + 1) continue;
        odd.row = rows[i - 1].row + 1;
        found = true;
      }
    } else if (missing == 0 && count.size() == 2) {
      for (const Span& row : rows) {
        if (count[row.ground] != 1) continue;
        odd = row;
        found = true;
      }
    }
    if (!found) continue;
    std::erase_if(*spans, [&c = columns, &odd](const Span& span) {
      bool in_odd = span.row == odd.row && span.first >= odd.first &&
                    span.last <= odd.last;
      return std::pair(span.first, span.last) == c || in_odd;
    });
    auto place = std::find_if(spans->begin(), spans->end(), [&](const Span& s) {
      return std::pair(s.row, s.first) > std::pair(odd.row, odd.first);
    });
    spans->insert(place, odd);
  }
}

std::vector<Patch> PatchesOf(const std::vector<Span>& spans,
                             const Cells& cells) {
  std::vector<Patch> patches;
  for (const Span& span : spans) {
    auto touched =
        std::find_if(patches.begin(), patches.end(), [&](const Patch& p) {
          return p.Touches(span, cells) || p.GoesOnIn(span, cells);
        });
    if (touched == patches.end()) touched = patches.emplace(touched);
    touched->Add(span);
  }
  return patches;
}

// Of several blanks one is left.
void AppendSqueezed(std::string_view part, std::string* text) {
  for (char c : part) {
    bool again = c == ' ' && (text->empty() || text->back() == ' ');
    if (!again) *text += c;
  }
}

// A mark without words stands in an entry, which goes on to the right up to the
// frame.
Span WithItsEntry(Span span, const Cells& cells) {
  int words = 0;
  for (int col = span.first; col <= span.last; ++col) {
    words += IsWord(cells.At(span.row, col));
  }
  bool is_mark = span.cols() <= static_cast<int>(kMarkCharacters) && words == 0;
  if (!is_mark) return span;
  auto is_bracket = [&](int col) {
    std::string_view cell = cells.At(span.row, col);
    return cell == "[" || cell == "(" || cell == "]" || cell == ")";
  };
  bool boxed = (is_bracket(span.first - 1) && is_bracket(span.last + 1)) ||
               (is_bracket(span.first) && is_bracket(span.last));
  if (!boxed) return span;
  if (!is_bracket(span.first)) --span.first;
  int end = cells.End(span.row);
  while (span.last + 1 < end && !IsFrame(cells.At(span.row, span.last + 1))) {
    ++span.last;
  }
  return span;
}

std::string Shortened(std::string text) {
  if (CountCodePoints(text) <= kMostCharacters) return text;
  std::string_view rest = text;
  for (size_t i = 0; i + 3 < kMostCharacters; ++i) TakeUtf8(&rest);
  return text.substr(0, text.size() - rest.size()) + "...";
}

// The rows of the patch joined, without frames, then cut. "" for a shadow.
std::string EntryText(const Patch& patch, const Cells& cells) {
  std::string text;
  int row = -1, end = -1;
  for (const Span& part : patch.spans) {
    // It stands in the entry of a mark already.
    if (part.row == row && part.last <= end) continue;
    Span span = WithItsEntry(part, cells);
    std::string words;
    // The right half of a wide glyph is no blank behind it.
    int last = std::min(span.last, cells.End(span.row) - 1);
    for (int col = span.first; col <= last; ++col) {
      std::string_view cell = cells.At(span.row, col);
      words += IsFrame(cell) ? " " : cell;
    }
    std::string squeezed;
    AppendSqueezed(words, &squeezed);
    while (!squeezed.empty() && squeezed.back() == ' ') squeezed.pop_back();
    if (squeezed.empty()) continue;
    if (!text.empty()) text += span.row == row ? " " : " / ";
    text += squeezed;
    row = span.row;
    end = span.last;
  }
  return Shortened(std::move(text));
}

// Words, figures, blanks, and anything else by itself.
std::string_view KindOf(std::string_view cell) {
  if (IsBlank(cell)) return " ";
  if (!IsWord(cell)) return cell;
  return std::isdigit(static_cast<unsigned char>(cell[0])) ? "0" : "a";
}

// Of 100, how much `row` has the same kinds of characters as `span` in the same
// columns.
int Likeness(const Span& span, int row, const Cells& cells) {
  int same = 0, all = 0;
  for (int col = span.first; col <= span.last; ++col) {
    std::string_view here = KindOf(cells.At(span.row, col));
    std::string_view there = KindOf(cells.At(row, col));
    if (here == " " && there == " ") continue;
    ++all;
    same += here == there;
  }
  return all > 0 ? same * 100 / all : 0;
}

// With the row above or below, whichever is more like it.
int LikenessOf(const Patch& patch, const Cells& cells) {
  // Nothing at the edges of the screen is an entry of a list.
  if (patch.bottom == 0 || patch.top == cells.size().rows - 1) return 0;
  return std::max(Likeness(patch.spans.front(), patch.top - 1, cells),
                  Likeness(patch.spans.back(), patch.bottom + 1, cells));
}

// A heading that touches the selected row below it is a patch of its own.
std::vector<Patch> SplitAtHeadings(const Patch& patch, const Cells& cells) {
  std::vector<Patch> parts;
  for (const Span& span : patch.spans) {
    const Span* above = parts.empty() ? nullptr : &parts.back().spans.back();
    bool heads = above != nullptr && above->row + 1 == span.row &&
                 span.cols() * 2 > cells.size().cols &&
                 Likeness(span, above->row, cells) < kAlike;
    if (above == nullptr || heads) parts.emplace_back();
    parts.back().Add(span);
  }
  return parts;
}

// A row above a table whose rows are like each other and not like it.
bool IsHeading(const Patch& patch, const terminal::Cursor& cursor,
               const Cells& cells) {
  const Span& span = patch.spans.front();
  bool whole = patch.spans.size() == 1 &&
               span.cols() * 100 >= cells.size().cols * kBarPercent;
  if (!whole || (cursor.visible && cursor.row == span.row)) return false;
  Span below = span;
  ++below.row;
  return below.row + 1 < cells.size().rows &&
         Likeness(below, below.row + 1, cells) >= kAlike &&
         Likeness(span, span.row + 1, cells) < kAlike &&
         Likeness(span, span.row - 1, cells) < kAlike;
}

// A message in the last row, unless a list reaches down to it.
bool IsMessage(const Patch& patch, const Cells& cells) {
  return patch.top == cells.size().rows - 1 &&
         Likeness(patch.spans.front(), patch.top - 1, cells) < kAlike;
}

// What in a window has another background than it, however common that is.
std::vector<Patch> PatchesIn(const Patch& window, const std::vector<Span>& all,
                             const Cells& cells) {
  std::vector<Span> inside;
  for (const Span& span : all) {
    if (window.Encloses(span)) inside.push_back(span);
  }
  return PatchesOf(inside, cells);
}

// What stands out, without windows around something else and without shadows.
std::vector<Patch> Candidates(const terminal::Snapshot& screen,
                              const Cells& cells) {
  const std::vector<Span> all = SpansOf(screen);
  std::vector<Span> spans = KeepRare(screen.size, all);
  DropDecoration(cells, &spans);
  KeepOddOfLists(&spans);
  if (spans.empty()) spans = HolesIn(all);
  // Of the buttons in a row the cursor's is the one.
  bool at_cursor = screen.cursor.visible &&
                   std::any_of(spans.begin(), spans.end(), [&](const Span& s) {
                     return s.Holds(screen.cursor);
                   });
  if (at_cursor) {
    std::erase_if(spans, [&](const Span& s) {
      return s.row == screen.cursor.row && !s.Holds(screen.cursor);
    });
  }
  std::vector<Patch> patches = PatchesOf(spans, cells);
  std::vector<Patch> candidates;
  for (const Patch& patch : patches) {
    bool is_window =
        std::any_of(patches.begin(), patches.end(),
                    [&patch](const Patch& p) { return patch.Encloses(p); });
    if (is_window) continue;
    std::vector<Patch> inside = PatchesIn(patch, all, cells);
    if (inside.empty()) inside.push_back(patch);
    for (const Patch& part : inside) {
      for (Patch& entry : SplitAtHeadings(part, cells)) {
        bool shown = !EntryText(entry, cells).empty() &&
                     !IsMessage(entry, cells) &&
                     !IsHeading(entry, screen.cursor, cells);
        if (shown) candidates.push_back(std::move(entry));
      }
    }
  }
  return candidates;
}

}  // namespace

std::vector<std::string> FindFocus(const terminal::Snapshot& screen) {
  const Cells cells(screen);
  std::vector<Patch> patches = Candidates(screen, cells);
  int most_like = 0;
  for (const Patch& patch : patches) {
    most_like = std::max(most_like, LikenessOf(patch, cells));
  }
  std::erase_if(patches, [&](const Patch& patch) {
    return LikenessOf(patch, cells) + kLikeness < most_like;
  });
  std::vector<std::string> focus;
  for (const Patch& patch : patches) {
    if (focus.size() == kMostPatches) break;
    focus.push_back(EntryText(patch, cells));
  }
  if (!focus.empty()) return focus;
  std::string pointed = Shortened(FindPointedAt(screen));
  if (!pointed.empty()) focus.push_back(std::move(pointed));
  return focus;
}

}  // namespace glasstty::view
