// The shortest of three encodings is used, because none is good for all
// programs: an editor changes a few columns, a pager moves everything by one
// row, a monitor rewrites numbers in every row. The encodings are measured in
// docs/diffs.md.
//
// A block that moved is found by trying each distance. For a distance, a row's
// gain is its size if the move makes it right, so that it need not be sent; the
// gain is negative if the row was right without the move. The best block is the
// sequence of rows with the largest sum (Kadane's algorithm).
#include "view/screen_diff.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "support/text.h"
#include "terminal/row_cells.h"
#include "terminal/widths.h"

namespace glasstty::view {
namespace {

using Rows = std::vector<std::string>;

// Naming columns takes as many bytes as this many unchanged cells.
constexpr size_t kJoinedGap = 8;
// Fewer moved rows are not scrolling but a swap of lines, which is clearer if
// the rows are named.
constexpr int kLeastMoved = 3;

// A diff is used only if it takes at most this many thirds of the whole screen,
// because its reader must combine it with an earlier reply.
constexpr size_t kLargestShare = 2;

// ---- the target of a line

// The rows and columns are inclusive and count from 0.
struct Target {
  size_t first_row = 0, last_row = 0;
  // nullopt: whole rows.
  std::optional<std::pair<size_t, size_t>> cols;
};

// Returns "7" or "7-9", counted from 1.
std::string Range(size_t first, size_t last) {
  if (first == last) return absl::StrFormat("%d", first + 1);
  return absl::StrFormat("%d-%d", first + 1, last + 1);
}

std::string EditLine(const Target& target, const std::string& text) {
  std::string line = Range(target.first_row, target.last_row);
  if (target.cols) {
    line += ":" + Range(target.cols->first, target.cols->second);
  }
  return line + (text.empty() ? " blank\n" : "| " + text + "\n");
}

// ---- columns

// Returns true if each character has its own columns by any way of counting: no
// character joins the one before it, and no invisible character is spelled out.
bool HasPlainColumns(std::string_view row) {
  if (row.find("<U+") != std::string::npos) return false;
  while (!row.empty()) {
    if (row[0] >= ' ' && row[0] < '\x7F') {
      row.remove_prefix(1);
      continue;
    }
    uint8_t traits = terminal::TraitsOf(TakeUtf8(&row));
    constexpr uint8_t kJoins =
        terminal::kSpacingMark | terminal::kSkinTone | terminal::kFlagHalf;
    if ((traits & terminal::kWidthBits) == 0 || (traits & kJoins) != 0) {
      return false;
    }
  }
  return true;
}

// Returns the columns that differ, never only half of a wide glyph.
std::vector<bool> DifferentColumns(const terminal::RowCells& a,
                                   const terminal::RowCells& b) {
  std::vector<bool> different(std::max(a.size(), b.size()));
  for (size_t col = 0; col < different.size(); ++col) {
    std::string_view x = col < a.size() ? a[col] : " ";
    std::string_view y = col < b.size() ? b[col] : " ";
    bool right_half = x.empty() || y.empty();
    different[col] = x != y || (right_half && col > 0 && different[col - 1]);
  }
  return different;
}

// Marks the whole of each changed word of `row`, because the digits "62.1" of
// "22462.1" alone would be read as a number. Words longer than kLongestWord are
// bars.
void WidenToWords(const terminal::RowCells& row, std::vector<bool>* different) {
  constexpr size_t kLongestWord = 16;
  for (size_t first = 0; first < row.size(); ++first) {
    if (row[first] == " ") continue;
    size_t end = first;
    bool changed = false;
    for (; end < row.size() && row[end] != " "; ++end) {
      changed = changed || (*different)[end];
    }
    if (changed && end - first <= kLongestWord) {
      for (size_t col = first; col < end; ++col) (*different)[col] = true;
    }
    first = end;
  }
}

// Returns the lines that turn row `row` into `later`, column by column.
std::string SpanLines(size_t row, const std::string& earlier,
                      const std::string& later) {
  terminal::RowCells cells = terminal::CutIntoCells(later);
  std::vector<bool> different =
      DifferentColumns(terminal::CutIntoCells(earlier), cells);
  WidenToWords(cells, &different);
  std::string lines;
  size_t end = different.size();
  for (size_t col = 0; col < end;) {
    if (!different[col]) {
      ++col;
      continue;
    }
    size_t last = col;
    for (size_t i = col; i < end && i <= last + kJoinedGap; ++i) {
      if (different[i]) last = i;
    }
    Target target = {row, row, std::pair(col, last)};
    lines += EditLine(target, terminal::CellsText(cells, col, last + 1));
    col = last + 1;
  }
  return lines;
}

// Returns the row with columns replaced, extended by blanks if necessary.
std::string ReplaceColumns(const std::string& row, size_t first, size_t last,
                           std::string_view text) {
  terminal::RowCells old = terminal::CutIntoCells(row),
                     fresh = terminal::CutIntoCells(text);
  std::string out;
  for (size_t col = 0; col < std::max(old.size(), last + 1); ++col) {
    bool inside = col >= first && col <= last;
    const terminal::RowCells& from = inside ? fresh : old;
    size_t at = inside ? col - first : col;
    out += at < from.size() ? from[at] : " ";
  }
  out.resize(TrimTrailingBlanks(out).size());
  return out;
}

// ---- rows

// A move: the rows [first, last] of the later screen were `distance` further
// down (up if negative).
struct Move {
  int distance = 0;
  int first = 0, last = -1;
  int64_t gain = 0;

  // True for a row that moved away and was not replaced by another. Its content
  // is then unknown unless the diff names it.
  bool Vacates(size_t row) const {
    int at = static_cast<int>(row);
    return at >= first + distance && at <= last + distance &&
           (at < first || at > last);
  }
};

// `earlier` holds the rows to which `move` has been applied.
std::string EncodeRows(const Rows& earlier, const Rows& later, const Move& move,
                       bool with_spans, int* rows_changed) {
  std::string diff;
  for (size_t row = 0; row < later.size();) {
    bool vacated = move.Vacates(row);
    if (earlier[row] == later[row] && !vacated) {
      ++row;
      continue;
    }
    bool has_columns = with_spans && !vacated &&
                       HasPlainColumns(earlier[row]) &&
                       HasPlainColumns(later[row]);
    if (has_columns) {
      std::string lines = SpanLines(row, earlier[row], later[row]);
      if (lines.size() < EditLine({row, row, {}}, later[row]).size()) {
        diff += lines;
        ++*rows_changed;
        ++row;
        continue;
      }
    }
    // Consecutive rows with the same text are named together.
    size_t last = row;
    while (last + 1 < later.size() && later[last + 1] == later[row] &&
           earlier[last + 1] != later[row]) {
      ++last;
    }
    diff += EditLine({row, last, {}}, later[row]);
    *rows_changed += static_cast<int>(last - row + 1);
    row = last + 1;
  }
  return diff;
}

// ---- blocks that moved

// Returns the gain of row `row` of the later screen if it comes from `source`.
int64_t GainOf(const Rows& earlier, const Rows& later, size_t row,
               size_t source) {
  bool right_moved = later[row] == earlier[source];
  bool right_unmoved = later[row] == earlier[row];
  if (right_moved == right_unmoved) return 0;
  auto bytes =
      static_cast<int64_t>(EditLine({row, row, {}}, later[row]).size());
  return right_moved ? bytes : -bytes;
}

// Returns a move with zero gain if no move shortens the diff.
Move FindMove(const Rows& earlier, const Rows& later) {
  int rows = static_cast<int>(later.size());
  Move best;
  for (int distance = 1 - rows; distance < rows; ++distance) {
    if (distance == 0) continue;
    Move move{.distance = distance, .first = std::max(0, -distance)};
    int end = std::min(rows, rows - distance);
    for (int row = move.first; row < end; ++row) {
      const int from = row + distance;
      move.gain += GainOf(earlier, later, static_cast<size_t>(row),
                          static_cast<size_t>(from));
      move.last = row;
      bool scrolled = row - move.first + 1 >= kLeastMoved;
      if (scrolled && move.gain > best.gain) best = move;
      if (move.gain <= 0) move = {.distance = distance, .first = row + 1};
    }
  }
  return best;
}

std::string MoveLine(const Move& move) {
  return absl::StrFormat(
      "rows %d-%d moved %s %d\n", move.first + move.distance + 1,
      move.last + move.distance + 1, move.distance > 0 ? "up" : "down",
      std::abs(move.distance));
}

Rows Moved(const Rows& earlier, const Move& move) {
  Rows rows = earlier;
  for (int row = move.first; row <= move.last; ++row) {
    const int from = row + move.distance;
    rows[static_cast<size_t>(row)] = earlier[static_cast<size_t>(from)];
  }
  return rows;
}

// ---- reading a diff

// Parses one line of a diff from the front.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : rest_(line) {}

  bool Take(std::string_view word) {
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  // Parses a number from 1 on that is small enough for a screen.
  bool TakeNumber(size_t* number) {
    size_t digits =
        std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (digits == 0 || digits > 6) return false;
    *number = 0;
    for (char c : rest_.substr(0, digits)) {
      *number = *number * 10 + static_cast<size_t>(c - '0');
    }
    rest_.remove_prefix(digits);
    return *number > 0;
  }
  // Parses "7" or "7-9" and returns both counted from 0.
  bool TakeRange(size_t* first, size_t* last) {
    if (!TakeNumber(first)) return false;
    *last = *first;
    if (Take("-") && !TakeNumber(last)) return false;
    --*first;
    --*last;
    return *first <= *last;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

bool ApplyMove(LineReader line, Rows* rows) {
  size_t first = 0, last = 0, distance = 0;
  if (!line.TakeRange(&first, &last) || !line.Take(" moved ")) return false;
  bool up = line.Take("up ");
  if (!up && !line.Take("down ")) return false;
  if (!line.TakeNumber(&distance) || !line.rest().empty()) return false;
  bool fits = last < rows->size() &&
              (up ? first >= distance : last + distance < rows->size());
  if (!fits) return false;
  size_t to = up ? first - distance : first + distance;
  Rows block(rows->begin() + static_cast<std::ptrdiff_t>(first),
             rows->begin() + static_cast<std::ptrdiff_t>(last) + 1);
  std::move(block.begin(), block.end(),
            rows->begin() + static_cast<std::ptrdiff_t>(to));
  return true;
}

bool ApplyEdit(LineReader line, Rows* rows) {
  Target target;
  if (!line.TakeRange(&target.first_row, &target.last_row)) return false;
  if (target.last_row >= rows->size()) return false;
  if (line.Take(":")) {
    target.cols.emplace();
    if (!line.TakeRange(&target.cols->first, &target.cols->second)) {
      return false;
    }
  }
  std::string_view text;
  if (line.Take("| ")) {
    text = line.rest();
  } else if (line.rest() != " blank") {
    return false;
  }
  for (size_t i = target.first_row; i <= target.last_row; ++i) {
    std::string& row = (*rows)[i];
    row = target.cols ? ReplaceColumns(row, target.cols->first,
                                       target.cols->second, text)
                      : std::string(text);
  }
  return true;
}

}  // namespace

ScreenText TextOf(const terminal::Snapshot& snapshot) {
  ScreenText text{.size = snapshot.size,
                  .alternate = snapshot.alternate,
                  .revision = snapshot.revision};
  text.rows.reserve(snapshot.rows.size());
  for (const terminal::SnapshotRow& row : snapshot.rows) {
    int64_t invisible = 0;
    text.rows.push_back(ShowInvisible(row.text, &invisible));
    text.invisible.push_back(invisible);
  }
  return text;
}

std::string EncodeDiff(const Rows& earlier, const Rows& later,
                       DiffEncoding encoding, int* rows_changed) {
  int changed = 0;
  std::string diff;
  Move move;
  if (encoding == DiffEncoding::kMoved) move = FindMove(earlier, later);
  if (move.gain > 0) {
    diff = MoveLine(move) +
           EncodeRows(Moved(earlier, move), later, move, true, &changed);
  } else {
    diff = EncodeRows(earlier, later, move, encoding != DiffEncoding::kRows,
                      &changed);
  }
  // Remove the final newline.
  if (!diff.empty()) diff.pop_back();
  if (rows_changed != nullptr) *rows_changed = changed;
  return diff;
}

std::optional<ScreenDiff> DiffScreens(const ScreenText& earlier,
                                      const ScreenText& later,
                                      size_t full_bytes) {
  if (earlier.size != later.size) return std::nullopt;
  if (earlier.alternate != later.alternate) return std::nullopt;
  std::optional<ScreenDiff> best;
  for (DiffEncoding encoding :
       {DiffEncoding::kRows, DiffEncoding::kSpans, DiffEncoding::kMoved}) {
    ScreenDiff diff;
    diff.text =
        EncodeDiff(earlier.rows, later.rows, encoding, &diff.rows_changed);
    if (!best || diff.text.size() < best->text.size()) best = std::move(diff);
  }
  for (size_t row = 0; row < later.invisible.size(); ++row) {
    bool is_same = earlier.rows[row] == later.rows[row];
    if (!is_same) best->invisible += later.invisible[row];
  }
  if (best->text.size() * 3 > full_bytes * kLargestShare) return std::nullopt;
  return best;
}

std::optional<Rows> ApplyDiff(Rows earlier, std::string_view diff) {
  while (!diff.empty()) {
    size_t end = std::min(diff.find('\n'), diff.size());
    LineReader line(diff.substr(0, end));
    diff.remove_prefix(std::min(end + 1, diff.size()));
    bool applied = line.Take("rows ") ? ApplyMove(line, &earlier)
                                      : ApplyEdit(line, &earlier);
    if (!applied) return std::nullopt;
  }
  return earlier;
}

}  // namespace glasstty::view
