#include "observe/brush.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "terminal/widths.h"

namespace glasstty::observe {
namespace {

constexpr uint16_t kUnderline =
    terminal::kUnderlineLow | terminal::kUnderlineHigh;

// The codes that end attributes (ECMA-48, 8.3.117); 22 ends bold and faint
// together.
struct OffRow {
  uint16_t bits;
  const char* code;
};
constexpr OffRow kOff[] = {
    {terminal::kBold | terminal::kFaint, "22;"},
    {terminal::kItalic, "23;"},
    {kUnderline, "24;"},
    {terminal::kBlink, "25;"},
    {terminal::kReverse, "27;"},
    {terminal::kConceal, "28;"},
    {terminal::kStrike, "29;"},
    {terminal::kOverline, "55;"},
};

// The codes that begin attributes: a code sets the bits of `mask` to `bits`.
// For double and curly underlines, the form with a colon is the one that most
// terminals understand.
struct OnRow {
  uint16_t mask;
  uint16_t bits;
  const char* code;
};
constexpr OnRow kOn[] = {
    {terminal::kBold, terminal::kBold, "1;"},
    {terminal::kFaint, terminal::kFaint, "2;"},
    {terminal::kItalic, terminal::kItalic, "3;"},
    {kUnderline, terminal::kUnderlineLow, "4;"},
    {kUnderline, terminal::kUnderlineHigh, "4:2;"},
    {kUnderline, kUnderline, "4:3;"},
    {terminal::kBlink, terminal::kBlink, "5;"},
    {terminal::kReverse, terminal::kReverse, "7;"},
    {terminal::kConceal, terminal::kConceal, "8;"},
    {terminal::kStrike, terminal::kStrike, "9;"},
    {terminal::kOverline, terminal::kOverline, "53;"},
};

// `base` is 30 for the foreground, 40 for the background. Uses the forms with
// semicolons, which old terminals support, too.
std::string ColorCode(terminal::Color color, uint32_t base) {
  uint32_t value = color & 0xFFFFFF;
  if (color == terminal::kDefaultColor) return absl::StrFormat("%d;", base + 9);
  if ((color & terminal::kRgbColor) != 0) {
    return absl::StrFormat("%d;2;%d;%d;%d;", base + 8, value >> 16,
                           value >> 8 & 0xFF, value & 0xFF);
  }
  if (value < 8) return absl::StrFormat("%d;", base + value);
  if (value < 16) return absl::StrFormat("%d;", base + 60 + value - 8);
  return absl::StrFormat("%d;5;%d;", base + 8, value);
}

// Returns codes that turn `from` into `to`, each with its semicolon.
std::string CodesBetween(const terminal::Style& from,
                         const terminal::Style& to) {
  std::string codes;
  uint16_t kept = from.attributes;
  for (const OffRow& row : kOff) {
    if ((from.attributes & row.bits & ~to.attributes) == 0) continue;
    codes += row.code;
    kept = static_cast<uint16_t>(kept & ~row.bits);
  }
  for (const OnRow& row : kOn) {
    if ((to.attributes & row.mask) != row.bits) continue;
    if ((kept & row.mask) != row.bits) codes += row.code;
  }
  if (from.foreground != to.foreground) codes += ColorCode(to.foreground, 30);
  if (from.background != to.background) codes += ColorCode(to.background, 40);
  return codes;
}

// Replaces control characters, which the screens of pipes contain
// (terminal/plain_text.h), and puts a mark without a base on a space.
void AppendPrintable(std::string_view text, std::string* out) {
  if (text.size() == 1 && text[0] >= ' ' && text[0] < 0x7F) {
    out->push_back(text[0]);
    return;
  }
  bool is_first = true;
  while (!text.empty()) {
    char32_t c = TakeUtf8(&text);
    if (c < 0x20 || (c >= 0x7F && c < 0xA0)) c = kReplacement;
    if (is_first && terminal::WidthOf(c) == 0) out->push_back(' ');
    is_first = false;
    AppendUtf8(c, out);
  }
}

}  // namespace

// Returns either the differences or a 0 and the whole style, whichever is
// shorter.
std::string SgrBetween(const terminal::Style* from, const terminal::Style& to) {
  if (from != nullptr && *from == to) return "";
  if (to == terminal::Style()) return "\x1b[m";
  std::string codes = "0;" + CodesBetween(terminal::Style(), to);
  if (from != nullptr) {
    std::string fewer = CodesBetween(*from, to);
    if (fewer.size() < codes.size()) codes = fewer;
  }
  codes.back() = 'm';
  return "\x1b[" + codes;
}

// The first style of a paint is a complete one, because something else may have
// changed the terminal's style.
void Brush::SetStyle(const terminal::Style& style) {
  bytes_ += SgrBetween(style_ ? &*style_ : nullptr, style);
  style_ = style;
}

// Uses the shortest sequence: an absolute position or, in the same row, an
// absolute column or a motion to the right.
void Brush::MoveTo(int row, int col) {
  if (row == row_ && col == col_) return;
  std::string bytes = col > 0 ? absl::StrFormat("\x1b[%d;%dH", row + 1, col + 1)
                              : absl::StrFormat("\x1b[%dH", row + 1);
  if (row == 0 && col == 0) bytes = "\x1b[H";
  if (row == row_) {
    std::string column = absl::StrFormat("\x1b[%dG", col + 1);
    if (column.size() < bytes.size()) bytes = column;
    int right = col - col_;
    std::string forward =
        right == 1 ? std::string("\x1b[C") : absl::StrFormat("\x1b[%dC", right);
    if (right > 0 && forward.size() < bytes.size()) bytes = forward;
  }
  bytes_ += bytes;
  row_ = row;
  col_ = col;
}

// A motion usually takes four bytes, so writing up to four characters in the
// current style takes no more bytes.
void Brush::Reach(const PaintRow& cells, int row, int col) {
  constexpr int kMotion = 4;
  if (row == row_ && col_ < col && col - col_ <= kMotion) {
    auto begin = cells.begin() + col_, end = cells.begin() + col;
    bool is_plain = std::all_of(begin, end, [&](const PaintCell& cell) {
      return cell.text.size() == 1 && style_ && cell.style == *style_;
    });
    if (is_plain) {
      for (int at = col_; at < col; ++at) Put(cells, at);
    }
  }
  MoveTo(row, col);
}

// After a glyph in the last column or of unsure width, the cursor's position is
// unknown, because terminals differ. Blanks are written under a wide sequence
// first, because a terminal that gives the sequence one column leaves the other
// column unchanged.
void Brush::Put(const PaintRow& cells, int col) {
  const PaintCell& cell = cells[static_cast<size_t>(col)];
  SetStyle(cell.style);
  int width = GlyphWidth(cells, col);
  if (width == 2 && IsSequence(cell.text)) {
    bytes_ += "  ";
    MoveTo(std::exchange(row_, -1), col);
  }
  AppendPrintable(PaintedText(cells, col), &bytes_);
  col_ += width;
  bool is_known =
      col_ < static_cast<int>(cells.size()) && HasSureWidth(cell.text);
  if (!is_known) row_ = -1;
}

// Erases only in the default style, because not all terminals use the
// background of the current style.
void Brush::EraseToEnd() {
  SetStyle(terminal::Style());
  bytes_ += "\x1b[K";
}

void Brush::Erase(int count) {
  SetStyle(terminal::Style());
  bytes_ += absl::StrFormat("\x1b[%dX", count);
}

// ED 1 erases everything up to the cursor. The motion to column 9999 stops at
// the right edge.
void Brush::EraseRows(int rows) {
  SetStyle(terminal::Style());
  bytes_ += absl::StrFormat("\x1b[%d;9999H\x1b[1J", rows);
  row_ = -1;
}

void Brush::EraseAll() {
  SetStyle(terminal::Style());
  bytes_ += "\x1b[2J";
}

// New rows are blank, in the current background. Setting margins moves the
// cursor home.
void Brush::Scroll(int top, int bottom, int count) {
  SetStyle(terminal::Style());
  bytes_ += absl::StrFormat("\x1b[%d;%dr\x1b[%d%c\x1b[r", top + 1, bottom,
                            std::abs(count), count > 0 ? 'S' : 'T');
  row_ = 0;
  col_ = 0;
}

void Brush::Finish() {
  if (style_) SetStyle(terminal::Style());
}

}  // namespace glasstty::observe
