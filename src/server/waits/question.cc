// Only a program that draws hides the cursor, moves it up above text, or closes
// a frame. For others, the last line asks. In a drawing, the question is
// searched upwards from the cursor or from the last line with text:
//
// - If the search begins in a box, or meets one before a line that looks like a
//   question, everything in the box is the question.
// - Wizards mark the open question by a sign before it, and give it another
//   sign once it is answered. A chosen entry may have the second sign, too, so
//   the search for an open sign goes on above it.
// - Otherwise the line with the cursor asks, or the nearest line that looks
//   like a question: those above have been answered. This search ends at an
//   empty line of a gutter, which wizards put between two questions.
// - If no line looks like a question ("Select a colour"), the paragraph where
//   the search began is the question. If it has one line, the paragraph above
//   belongs to it. On a full screen, everything is the question.
#include "waits/question.h"

#include <algorithm>

#include "base/utf8.h"

namespace glasstty::waits {
namespace {

// A question with its choices has no more lines than this.
constexpr size_t kMostLines = 40;

constexpr std::u32string_view kTopCorners = U"┌╭╔┏╒╓+";
constexpr std::u32string_view kBottomCorners = U"└╰╚┗╘╙+";
constexpr std::u32string_view kHorizontals = U"─━═╌╍┄┅┈┉-";
// Signs before a field or before the chosen entry.
constexpr std::u32string_view kPointers = U">❯›»‣▸▶→$#:●○◉◯◻◼";
constexpr std::u32string_view kOpenSigns = U"?◆▲❓";
constexpr std::u32string_view kDoneSigns = U"✔✓✅☑√◇■✖✗✘";
constexpr std::u32string_view kSpinners = U"◐◓◑◒◜◠◝◞◡◟";
// Signs that end the text before a field.
constexpr std::u32string_view kFieldSigns = U":?>)]❯›»‣…";

bool Contains(std::u32string_view set, char32_t c) {
  return set.find(c) != std::u32string_view::npos;
}

bool IsFrame(char32_t c) {
  return (c >= U'─' && c <= U'▟') || Contains(U"|+-", c);
}

bool IsBlank(char32_t c) { return Contains(U" \t\u00A0", c); }

bool IsSpinner(char32_t c) {
  return Contains(kSpinners, c) || (c > U'\u2800' && c <= U'\u28FF');
}

struct Glyph {
  char32_t code_point;
  size_t begin;
  size_t end;
};

std::vector<Glyph> GlyphsOf(std::string_view text) {
  std::vector<Glyph> glyphs;
  std::string_view rest = text;
  while (!rest.empty()) {
    size_t begin = text.size() - rest.size();
    char32_t c = TakeUtf8(&rest);
    glyphs.push_back({c, begin, text.size() - rest.size()});
  }
  return glyphs;
}

std::string_view WithoutFrame(std::string_view line) {
  std::vector<Glyph> glyphs = GlyphsOf(line);
  auto inside = [](const Glyph& glyph) {
    return !IsBlank(glyph.code_point) && !IsFrame(glyph.code_point);
  };
  auto first = std::find_if(glyphs.begin(), glyphs.end(), inside);
  if (first == glyphs.end()) return {};
  auto last = std::find_if(glyphs.rbegin(), glyphs.rend(), inside);
  return line.substr(first->begin, last->end - first->begin);
}

// Removes signs, so that an entry is the same whether it is chosen or not.
std::string_view WithoutPointer(std::string_view line) {
  std::string_view text = WithoutFrame(line);
  while (!text.empty()) {
    std::string_view rest = text;
    char32_t c = TakeUtf8(&rest);
    if (!IsBlank(c) && !Contains(kPointers, c)) break;
    text = rest;
  }
  return text;
}

bool IsText(std::string_view line) { return !WithoutFrame(line).empty(); }

bool IsGutter(std::string_view line) {
  bool is_blank = std::all_of(line.begin(), line.end(),
                              [](char c) { return c == ' ' || c == '\t'; });
  return !is_blank && !IsText(line);
}

// ---- Boxes ----

struct Corner {
  size_t column;
  bool top;     // may begin a box
  bool bottom;  // may end a box; ASCII corners may do both
};

// A wizard's gutter also ends in a corner, but without a horizontal line.
std::optional<Corner> CornerOf(std::string_view line) {
  std::vector<Glyph> glyphs = GlyphsOf(line);
  size_t at = 0;
  while (at < glyphs.size() && IsBlank(glyphs[at].code_point)) ++at;
  if (at + 1 >= glyphs.size()) return std::nullopt;
  if (!Contains(kHorizontals, glyphs[at + 1].code_point)) return std::nullopt;
  Corner corner{at, Contains(kTopCorners, glyphs[at].code_point),
                Contains(kBottomCorners, glyphs[at].code_point)};
  if (!corner.top && !corner.bottom) return std::nullopt;
  return corner;
}

struct Box {
  size_t top;
  size_t bottom;
};

// Returns the outermost boxes, from the bottom of the screen to the top.
std::vector<Box> FindBoxes(const std::vector<std::string>& lines) {
  struct Open {
    size_t column;
    size_t row;
  };
  std::vector<Box> boxes;
  std::vector<Open> open;
  for (size_t row = lines.size(); row-- > 0;) {
    std::optional<Corner> corner = CornerOf(lines[row]);
    if (!corner) continue;
    auto below = std::find_if(open.begin(), open.end(), [&](const Open& it) {
      return it.column == corner->column;
    });
    if (corner->top && below != open.end()) {
      Box box{row, below->row};
      std::erase_if(boxes, [&](const Box& it) { return it.top < box.bottom; });
      boxes.push_back(box);
      open.erase(below, open.end());
    } else if (corner->bottom) {
      open.push_back({corner->column, row});
    }
  }
  return boxes;
}

// ---- Signs ----

enum class Sign { kNone, kOpen, kDone, kAtWork };

// Returns the sign that begins a line. An open sign counts only before a blank.
Sign SignOf(std::string_view line) {
  std::vector<Glyph> glyphs = GlyphsOf(WithoutFrame(line));
  if (glyphs.empty()) return Sign::kNone;
  char32_t c = glyphs[0].code_point;
  if (IsSpinner(c)) return Sign::kAtWork;
  if (Contains(kDoneSigns, c)) return Sign::kDone;
  bool parted = glyphs.size() > 2 && IsBlank(glyphs[1].code_point);
  // "? for help" explains a key.
  bool is_hint = line.find("? for ") != std::string_view::npos;
  bool open = Contains(kOpenSigns, c) && parted && !is_hint;
  return open ? Sign::kOpen : Sign::kNone;
}

// Returns true if the line begins with the sign by which clack, a library for
// wizards, marks a rejected answer.
bool IsRefused(std::string_view line) {
  return WithoutFrame(line).starts_with("▲");
}

// Returns true if there is a colon at the end, or a question mark at the end of
// a word. A separate question mark is a key, as in the hint "q quit • ? help".
bool LooksAsking(std::string_view line) {
  std::vector<Glyph> glyphs = GlyphsOf(WithoutFrame(line));
  if (glyphs.empty()) return false;
  if (glyphs.back().code_point == U':') return true;
  for (size_t i = 1; i < glyphs.size(); ++i) {
    if (glyphs[i].code_point != U'?') continue;
    // A question mark within an address (/?x=1) does not count.
    char32_t next = i + 1 < glyphs.size() ? glyphs[i + 1].code_point : U' ';
    bool ends_word = IsBlank(next) || Contains(U")]\"'?!:", next);
    if (ends_word && !IsBlank(glyphs[i - 1].code_point)) return true;
  }
  return false;
}

// Returns true if the text before the cursor asks, and was not typed into a
// field. On a full screen, where the cursor may be anywhere, the text must look
// like a question.
bool AsksBeforeCursor(std::string_view before, bool full_screen) {
  std::vector<Glyph> glyphs = GlyphsOf(WithoutFrame(before));
  if (glyphs.empty() || Contains(kPointers, glyphs[0].code_point)) return false;
  if (!full_screen || LooksAsking(before)) return true;
  // "< Yes >" is a button.
  return !Contains(U"<[(", glyphs[0].code_point) &&
         Contains(kFieldSigns, glyphs.back().code_point);
}

// ---- The question ----

// Returns the first line of the paragraph that contains `line`.
size_t ParagraphOf(const std::vector<std::string>& lines, size_t line) {
  while (line > 0 && IsText(lines[line - 1]) &&
         SignOf(lines[line - 1]) != Sign::kDone) {
    --line;
  }
  return line;
}

size_t WithoutSigns(const std::vector<std::string>& lines, size_t anchor) {
  size_t first = ParagraphOf(lines, anchor);
  if (first < anchor) return first;
  size_t above = first;
  while (above > 0 &&
         lines[above - 1].find_first_not_of(" \t") == std::string::npos) {
    --above;
  }
  bool parted = above < first && above > 0 && IsText(lines[above - 1]) &&
                SignOf(lines[above - 1]) != Sign::kDone;
  return parted ? ParagraphOf(lines, above - 1) : first;
}

// Returns the first line of the question in `box`. If the box contains only a
// field, the label is directly above it. A full screen may have a heading in
// its first two rows.
size_t WithLabel(const Drawing& drawing, const Box& box) {
  const std::vector<std::string>& lines = drawing.lines;
  auto first = lines.begin();
  auto top = first + static_cast<std::ptrdiff_t>(box.top);
  auto bottom = first + static_cast<std::ptrdiff_t>(box.bottom);
  auto is_text = [](const std::string& line) { return IsText(line); };
  bool only_field = std::count_if(top, bottom, is_text) <= 1 &&
                    std::none_of(top, bottom, LooksAsking);
  if (only_field && box.top > 0 && is_text(*(top - 1))) return box.top - 1;
  bool has_heading = drawing.full_screen && box.top > 2 &&
                     std::none_of(first + 2, top, is_text);
  return has_heading ? 0 : box.top;
}

// The result of searching the lines from `anchor` upwards.
struct Search {
  std::optional<size_t> open;    // the line with an open sign
  std::optional<size_t> box;     // the first line of the question in a box
  std::optional<size_t> asking;  // the nearest line that looks like a question
};

Search SearchUpwards(const Drawing& drawing, size_t anchor) {
  const std::vector<std::string>& lines = drawing.lines;
  std::vector<Box> boxes = FindBoxes(lines);
  size_t limit = anchor - std::min(anchor, kMostLines);
  Search found;
  bool crossed = false;
  for (size_t line = anchor + 1; line-- > limit;) {
    for (const Box& box : boxes) {
      if (line < box.top || line > box.bottom) continue;
      if (!found.asking) found.box = WithLabel(drawing, box);
      return found;
    }
    Sign sign = SignOf(lines[line]);
    if (sign == Sign::kAtWork) return found;
    if (sign == Sign::kOpen) {
      found.open = line;
      return found;
    }
    crossed = crossed || IsGutter(lines[line]);
    bool may_ask = !crossed && !found.asking && sign != Sign::kDone;
    if (may_ask && LooksAsking(lines[line])) found.asking = line;
  }
  return found;
}

// Returns the last line with text, or nullopt if there is none.
std::optional<size_t> LastText(const std::vector<std::string>& lines) {
  size_t end = lines.size();
  while (end > 0 && !IsText(lines[end - 1])) --end;
  if (end == 0) return std::nullopt;
  return end - 1;
}

std::optional<Place> FindDrawn(const Drawing& drawing, size_t anchor) {
  const std::vector<std::string>& lines = drawing.lines;
  Search found = SearchUpwards(drawing, anchor);
  if (found.box) return Place{*found.box, lines.size()};
  if (found.open) return Place{*found.open, *found.open + 1, true};
  const std::optional<Drawing::Cursor>& cursor = drawing.cursor;
  if (cursor && cursor->line == anchor &&
      AsksBeforeCursor(lines[anchor].substr(0, cursor->bytes),
                       drawing.full_screen)) {
    return Place{anchor, anchor + 1};
  }
  Sign sign = SignOf(lines[anchor]);
  if (sign == Sign::kDone || sign == Sign::kAtWork) return std::nullopt;
  // On a full screen, the question may be anywhere.
  if (drawing.full_screen) return Place{0, lines.size()};
  if (found.asking) return Place{*found.asking, *found.asking + 1, true};
  return Place{WithoutSigns(lines, anchor), lines.size()};
}

}  // namespace

std::string_view TrimFrame(std::string_view line) {
  std::string_view text = WithoutFrame(line);
  if (SignOf(text) != Sign::kOpen) return text;
  TakeUtf8(&text);
  return WithoutFrame(text);
}

std::optional<Place> FindQuestion(const Drawing& drawing) {
  const std::vector<std::string>& lines = drawing.lines;
  std::optional<size_t> last = LastText(lines);
  if (!last) return std::nullopt;
  const std::optional<Drawing::Cursor>& cursor = drawing.cursor;
  bool is_closed = *last + 1 < lines.size();
  bool at_end = cursor && cursor->line + 1 >= lines.size() && !is_closed;
  if (at_end && !drawing.full_screen) {
    bool done = cursor->line > *last && SignOf(lines[*last]) == Sign::kDone;
    if (done) return std::nullopt;
    return Place{*last, lines.size(), false, /*printed=*/true};
  }
  size_t anchor = cursor ? std::min(cursor->line, *last) : *last;
  return FindDrawn(drawing, anchor);
}

bool IsStillAsked(const Drawing& before, const Drawing& now) {
  bool refused = !before.lines.empty() && !now.lines.empty() &&
                 IsRefused(now.lines[0]) && !IsRefused(before.lines[0]) &&
                 TrimFrame(now.lines[0]) == TrimFrame(before.lines[0]);
  if (refused) return true;
  // If the text before the cursor has grown, the lines below may have changed.
  bool is_filled = before.cursor && now.cursor &&
                   before.cursor->line == now.cursor->line &&
                   before.cursor->bytes < now.cursor->bytes;
  size_t end = is_filled ? before.cursor->line + 1 : before.lines.size();
  if (end > before.lines.size() || end > now.lines.size()) return false;
  if (!is_filled && end != now.lines.size()) return false;
  // A field below may differ, because it may have contained a proposal.
  bool has_field = !before.cursor && !before.full_screen && end > 0 &&
                   !CornerOf(before.lines[0]);
  for (size_t i = 0; i < end; ++i) {
    std::string_view old = before.lines[i], line = now.lines[i];
    bool has_cursor = before.cursor && before.cursor->line == i;
    bool is_same = has_cursor
                       ? line.starts_with(old.substr(0, before.cursor->bytes))
                       : WithoutPointer(line).starts_with(WithoutPointer(old));
    if (is_same) continue;
    if (i == 0 || !has_field) return false;
    has_field = false;
  }
  return true;
}

}  // namespace glasstty::waits
