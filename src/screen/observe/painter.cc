// A picture is painted either onto blank rows or onto the previous ones,
// optionally after some of these were moved; the shortest result is used.
#include "observe/painter.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "observe/brush.h"

namespace glasstty::observe {
namespace {

const terminal::SnapshotRow kBlankRow;

// Rows by position; missing ones are blank.
using Rows = std::vector<const terminal::SnapshotRow*>;

// Returns exactly size.rows rows, because a hand-made frame may have more or
// fewer.
Rows RowsOf(const Frame& frame) {
  Rows rows(static_cast<size_t>(frame.size.rows), &kBlankRow);
  size_t count = std::min(rows.size(), frame.rows.size());
  for (size_t i = 0; i < count; ++i) rows[i] = &frame.rows[i];
  return rows;
}

// Ignores whether a row continues the one above, because that is invisible.
bool LooksSame(const terminal::SnapshotRow& a, const terminal::SnapshotRow& b) {
  return &a == &b ||
         (a.text == b.text && a.styles == b.styles && a.joints == b.joints);
}

// --- modes ---

// A mode that is on or off, and the sequences that switch it.
struct FlagRow {
  bool terminal::Modes::*flag;
  const char* on;
  const char* off;
};
// The flags of modes.h that affect what keys and paste send (LNM: Enter), or
// how the screen and the cursor look.
constexpr FlagRow kFlags[] = {
    {&terminal::Modes::reverse_screen, "\x1b[?5h", "\x1b[?5l"},
    {&terminal::Modes::newline, "\x1b[20h", "\x1b[20l"},
    {&terminal::Modes::application_cursor, "\x1b[?1h", "\x1b[?1l"},
    {&terminal::Modes::application_keypad, "\x1b=", "\x1b>"},
    {&terminal::Modes::bracketed_paste, "\x1b[?2004h", "\x1b[?2004l"},
    {&terminal::Modes::cursor_blink, "\x1b[?12h", "\x1b[?12l"},
    {&terminal::Modes::cursor_visible, "\x1b[?25h", "\x1b[?25l"},
};
// Indexed by MouseTracking and MouseEncoding; the first of each means none.
constexpr int kTracking[] = {0, 9, 1000, 1002, 1003};
constexpr int kEncoding[] = {0, 1005, 1006, 1015};

// Switches a group of modes of which at most one is set.
void AppendChoice(std::span<const int> numbers, int before, int after,
                  bool is_known, std::string* out) {
  if (is_known && before == after) return;
  for (int i = 1; i < std::ssize(numbers); ++i) {
    bool was_set = !is_known || i == before;
    if (was_set && i != after) *out += absl::StrFormat("\x1b[?%dl", numbers[i]);
  }
  if (after > 0) *out += absl::StrFormat("\x1b[?%dh", numbers[after]);
}

// A new observer gets all modes, because its previous ones are unknown.
std::string ModesBetween(const Frame* before, const Frame& after) {
  bool is_known = before != nullptr;
  terminal::Modes from = is_known ? PaintedModes(*before) : terminal::Modes();
  terminal::Modes to = PaintedModes(after);
  std::string out;
  for (const FlagRow& row : kFlags) {
    if (is_known && from.*row.flag == to.*row.flag) continue;
    out += to.*row.flag ? row.on : row.off;
  }
  AppendChoice(kTracking, static_cast<int>(from.mouse),
               static_cast<int>(to.mouse), is_known, &out);
  AppendChoice(kEncoding, static_cast<int>(from.mouse_encoding),
               static_cast<int>(to.mouse_encoding), is_known, &out);
  if (!is_known || from.cursor_style != to.cursor_style) {
    out += absl::StrFormat("\x1b[%d q", to.cursor_style);
  }
  return out;
}

// --- rows ---

// Returns one past the last column that is not blank.
int EndOf(const PaintRow& cells) {
  auto last =
      std::find_if(cells.rbegin(), cells.rend(),
                   [](const PaintCell& cell) { return !cell.IsBlank(); });
  return static_cast<int>(cells.rend() - last);
}

// Returns how many columns from `col` on must become blank, up to the last that
// is not blank yet.
int BlanksFrom(const PaintRow& from, const PaintRow& to, int col) {
  int count = 0;
  for (size_t at = static_cast<size_t>(col); at < to.size() && to[at].IsBlank();
       ++at) {
    if (!from[at].IsBlank()) count = static_cast<int>(at) - col + 1;
  }
  return count;
}

// The number of blanks from which on erasing pays: erasing takes one sequence,
// and the motion after it another.
constexpr int kWorthErasing = 9;

// Paints glyph by glyph from the left, so half of a wide glyph is never painted
// alone. A terminal that counts columns by code point overwrites the cells
// after a sequence, so these cells are painted again.
void PaintRowOver(const PaintRow& from, const PaintRow& to, int row,
                  Brush* brush) {
  int cols = static_cast<int>(to.size());
  int end = EndOf(to), covered = 0;
  for (int col = 0, width = 1; col < end; col += width) {
    width = GlyphWidth(to, col);
    bool is_same = col >= covered &&
                   std::equal(to.begin() + col, to.begin() + col + width,
                              from.begin() + col) &&
                   GlyphWidth(from, col) == width;
    if (is_same) continue;
    brush->Reach(to, row, col);
    int blanks = BlanksFrom(from, to, col);
    if (blanks >= kWorthErasing) {
      brush->Erase(blanks);
      width = blanks;
    } else {
      brush->Put(to, col);
      std::string_view text = to[static_cast<size_t>(col)].text;
      if (IsSequence(text)) covered = col + MostColumns(text);
    }
  }
  if (end < cols && (covered > end || BlanksFrom(from, to, end) > 0)) {
    brush->MoveTo(row, end);
    brush->EraseToEnd();
  }
}

// Unchanged rows cost a comparison, but no splitting into cells.
void PaintRows(const Rows& from, const Rows& to, int cols, Brush* brush) {
  for (size_t row = 0; row < to.size(); ++row) {
    if (LooksSame(*from[row], *to[row])) continue;
    PaintRowOver(PaintCells(*from[row], cols), PaintCells(*to[row], cols),
                 static_cast<int>(row), brush);
  }
}

// --- scrolling ---

// A move of rows [top, bottom) up by `count`, or down if `count` is negative.
struct Move {
  int top = 0;
  int bottom = 0;
  int count = 0;
};

// Returns the move that saves painting the most text, or nullopt if none does.
std::optional<Move> FindMove(const Rows& from, const Rows& to) {
  int rows = static_cast<int>(to.size());
  size_t most = 0;
  Move best;
  for (int shift = 1 - rows; shift < rows; ++shift) {
    if (shift == 0) continue;
    size_t gain = 0;
    int begin = std::max(0, -shift);
    for (int row = begin; row < rows && row + shift < rows; ++row) {
      const terminal::SnapshotRow& source = *from[row + shift];
      if (!LooksSame(source, *to[row])) {
        gain = 0;
        begin = row + 1;
        continue;
      }
      if (!LooksSame(*from[row], *to[row])) gain += source.text.size();
      if (gain <= most) continue;
      most = gain;
      best = {std::min(begin, begin + shift),
              std::max(row + 1, row + 1 + shift), shift};
    }
  }
  if (most == 0) return std::nullopt;
  return best;
}

// Returns the rows as the terminal has them after the move, with new rows
// blank.
Rows Moved(const Rows& rows, const Move& move) {
  Rows moved = rows;
  for (int row = move.top; row < move.bottom; ++row) {
    int source = row + move.count;
    bool comes_in = source < move.top || source >= move.bottom;
    moved[row] = comes_in ? &kBlankRow : rows[source];
  }
  return moved;
}

// --- the whole ---

// Moves the cursor to its position. To make a wrap pending, a glyph must be put
// into the last column.
void PaintCursor(const Frame& frame, Brush* brush) {
  terminal::Cursor cursor = PaintedCursor(frame);
  if (cursor.pending_wrap) {
    PaintRow cells = PaintCells(frame.rows[static_cast<size_t>(cursor.row)],
                                frame.size.cols);
    brush->MoveTo(cursor.row, cursor.col);
    brush->Put(cells, cursor.col);
    return brush->Finish();
  }
  brush->Finish();
  brush->MoveTo(cursor.row, cursor.col);
}

// The content onto which a picture is painted.
enum class Ground { kAsItWas, kErasedRows, kErasedScreen };

// Paints everything except the modes.
std::string PaintScreen(Ground ground, Rows from, const Frame& after,
                        std::optional<Move> move) {
  Brush brush;
  if (ground == Ground::kErasedScreen) brush.EraseAll();
  if (ground == Ground::kErasedRows) brush.EraseRows(after.size.rows);
  if (ground != Ground::kAsItWas) from.assign(from.size(), &kBlankRow);
  if (move) {
    brush.Scroll(move->top, move->bottom, move->count);
    from = Moved(from, *move);
  }
  PaintRows(from, RowsOf(after), after.size.cols, &brush);
  PaintCursor(after, &brush);
  return brush.bytes();
}

// Puts the bytes into a synchronized frame, which terminals without that mode
// ignore.
std::string Bracketed(const std::string& bytes) {
  return "\x1b[?2026h" + bytes + "\x1b[?2026l";
}

void TakeShorter(std::string other, std::string* bytes) {
  if (other.size() < bytes->size()) *bytes = std::move(other);
}

}  // namespace

// Takes the visibility from the frame's cursor, because that is where callers
// hide the cursor.
terminal::Modes PaintedModes(const Frame& frame) {
  terminal::Modes painted;
  for (const FlagRow& row : kFlags) painted.*row.flag = frame.modes.*row.flag;
  painted.mouse = frame.modes.mouse;
  painted.mouse_encoding = frame.modes.mouse_encoding;
  painted.cursor_style = std::clamp(frame.modes.cursor_style, 0, 6);
  painted.cursor_visible = frame.cursor.visible;
  return painted;
}

terminal::Cursor PaintedCursor(const Frame& frame) {
  terminal::Cursor painted = frame.cursor;
  int cols = frame.size.cols;
  painted.row = std::clamp(painted.row, 0, std::max(0, frame.size.rows - 1));
  painted.col = std::clamp(painted.col, 0, std::max(0, cols - 1));
  bool may = painted.pending_wrap &&
             static_cast<size_t>(painted.row) < frame.rows.size();
  painted.pending_wrap = false;
  if (!may) return painted;
  PaintRow cells =
      PaintCells(frame.rows[static_cast<size_t>(painted.row)], cols);
  painted.pending_wrap = painted.col + GlyphWidth(cells, painted.col) == cols;
  return painted;
}

// Tries up to two more ways if the first result is not short. This costs a few
// comparisons of rows, and saving fifty bytes saves half a millisecond on a
// slow line.
std::string Paint(const Frame* before, const Frame& after) {
  std::string modes = ModesBetween(before, after);
  Rows to = RowsOf(after);
  if (before == nullptr || before->size != after.size) {
    return Bracketed(
        modes + PaintScreen(Ground::kErasedScreen, to, after, std::nullopt));
  }
  Rows from = RowsOf(*before);
  bool is_same = std::equal(
      from.begin(), from.end(), to.begin(),
      [](const terminal::SnapshotRow* a, const terminal::SnapshotRow* b) {
        return LooksSame(*a, *b);
      });
  if (is_same && modes.empty() && before->cursor == after.cursor) return "";
  std::string screen = PaintScreen(Ground::kAsItWas, from, after, std::nullopt);
  // If little is painted, comparing gains nothing.
  constexpr size_t kWorthComparing = 60;
  bool is_compared = !is_same && screen.size() > kWorthComparing;
  if (is_compared) {
    if (std::optional<Move> move = FindMove(from, to)) {
      TakeShorter(PaintScreen(Ground::kAsItWas, from, after, move), &screen);
    }
    TakeShorter(PaintScreen(Ground::kErasedRows, from, after, std::nullopt),
                &screen);
  }
  std::string paint = modes + screen;
  // If many modes differ, beginning anew may be shorter than both.
  std::string all = modes.empty() ? "" : ModesBetween(nullptr, after);
  if (!modes.empty() && !is_compared && paint.size() > all.size()) {
    TakeShorter(
        all + PaintScreen(Ground::kErasedScreen, to, after, std::nullopt),
        &paint);
  }
  return Bracketed(paint);
}

}  // namespace glasstty::observe
