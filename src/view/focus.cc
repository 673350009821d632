// A patch is a stretch of cells of one background, together with those of the
// same background that touch it in the rows above and below. What is pointed at
// is a patch whose background is rare; the rest of this file is about rare
// backgrounds that are only decoration:
//
//   bars     the whole of the first or the last row, or a row of several such
//            backgrounds: titles, status lines, the headings of htop's list
//   labels   many patches of one background in one row: the keys of mc, htop
//   windows  patches with another rare patch inside: a dialog around its menu;
//            or with stretches in the colour of the desktop inside, which then
//            are what is pointed at
//   shadows  patches without text
#include "view/focus.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "base/utf8.h"
#include "terminal/row_cells.h"

namespace glasstty {
namespace {

// Above this share of the screen a background is what things stand on. Three
// marked lines of 24 are below it.
constexpr int kRarePercent = 15;
constexpr size_t kMostPatches = 3;
constexpr size_t kMostCharacters = 60;
// A menu bar with two open entries has less, a row of key labels more.
constexpr int kLabels = 4;

// A background, and whether it comes from reverse video: the same colour as a
// background of its own means something else then.
using Ground = std::pair<Color, bool>;

Ground GroundOf(const Style& style) {
  bool reverse = (style.attributes & kReverse) != 0;
  return {reverse ? style.foreground : style.background, reverse};
}

struct Span {
  int row = 0;
  int first = 0, last = 0;  // columns
  Ground ground;

  int cols() const { return last - first + 1; }
};

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
  bool Touches(const Span& span) const {
    return std::any_of(spans.begin(), spans.end(), [&span](const Span& s) {
      return s.ground == span.ground && s.row + 1 == span.row &&
             s.first <= span.last && span.first <= s.last;
    });
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
std::vector<Span> SpansOf(const Snapshot& screen) {
  std::vector<Span> spans;
  for (int row = 0; row < std::ssize(screen.rows); ++row) {
    for (const StyleRun& run : screen.rows[static_cast<size_t>(row)].styles) {
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

void KeepRare(Size size, std::vector<Span>* spans) {
  std::map<Ground, int> cells;
  for (const Span& span : *spans) cells[span.ground] += span.cols();
  std::erase_if(*spans, [&](const Span& span) {
    return cells[span.ground] * 100 > size.rows * size.cols * kRarePercent;
  });
}

// Takes out bars and labels. A row of one background that is not at the edge
// may be a selected one.
void DropDecoration(Size size, std::vector<Span>* spans) {
  std::map<int, int> in_row;  // cells
  std::map<std::pair<int, Ground>, int> alike;
  for (const Span& span : *spans) {
    in_row[span.row] += span.cols();
    ++alike[{span.row, span.ground}];
  }
  std::erase_if(*spans, [&](const Span& span) {
    bool at_edge = span.row == 0 || span.row == size.rows - 1;
    bool several = span.cols() < size.cols;
    bool bar = in_row[span.row] == size.cols && (at_edge || several);
    return bar || alike[{span.row, span.ground}] >= kLabels;
  });
}

std::vector<Patch> PatchesOf(const std::vector<Span>& spans) {
  std::vector<Patch> patches;
  for (const Span& span : spans) {
    auto touched =
        std::find_if(patches.begin(), patches.end(),
                     [&span](const Patch& p) { return p.Touches(span); });
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

// The rows of the patch joined, then cut.
std::string TextOf(const Patch& patch, const Snapshot& screen) {
  std::string text;
  for (const Span& span : patch.spans) {
    const std::string& row = screen.rows[static_cast<size_t>(span.row)].text;
    std::string part =
        CellsText(CutIntoCells(row), static_cast<size_t>(span.first),
                  static_cast<size_t>(span.last) + 1);
    if (part.empty()) continue;
    if (!text.empty()) text += " / ";
    AppendSqueezed(part, &text);
  }
  if (CountCodePoints(text) <= kMostCharacters) return text;
  std::string_view rest = text;
  for (size_t i = 0; i + 3 < kMostCharacters; ++i) TakeUtf8(&rest);
  return text.substr(0, text.size() - rest.size()) + "...";
}

// What in a window has another background than it, however common that is.
std::vector<Patch> PatchesIn(const Patch& window,
                             const std::vector<Span>& all) {
  std::vector<Span> inside;
  for (const Span& span : all) {
    if (window.Encloses(span)) inside.push_back(span);
  }
  return PatchesOf(inside);
}

}  // namespace

std::vector<std::string> FindFocus(const Snapshot& screen) {
  const std::vector<Span> all = SpansOf(screen);
  std::vector<Span> spans = all;
  KeepRare(screen.size, &spans);
  DropDecoration(screen.size, &spans);
  std::vector<Patch> patches = PatchesOf(spans);
  std::vector<std::string> focus;
  for (const Patch& patch : patches) {
    if (focus.size() == kMostPatches) break;
    bool is_window =
        std::any_of(patches.begin(), patches.end(),
                    [&patch](const Patch& p) { return patch.Encloses(p); });
    if (is_window) continue;
    std::vector<Patch> inside = PatchesIn(patch, all);
    if (inside.empty()) inside.push_back(patch);
    for (const Patch& part : inside) {
      std::string text = TextOf(part, screen);
      bool room = focus.size() < kMostPatches;
      if (room && !text.empty()) focus.push_back(std::move(text));
    }
  }
  return focus;
}

}  // namespace glasstty
