#include "terminal/row_record.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/utf8.h"
#include "terminal/colors.h"
#include "terminal/widths.h"

namespace glasstty::terminal {
namespace {

bool IsAscii(const Cell& cell) { return cell.text - 1 < 0x7F; }

// Returns true if the text would be mistaken for a mark of the previous cell.
bool IsLoneMark(const Cell& cell) {
  return cell.text >= 0x7F && cell.text < kClusterBase &&
         WidthOf(cell.text) == 0;
}

// Counts the marks of the cell before `col`.
int MarksBefore(const Row& row, int col, const ClusterTable& clusters) {
  if (col == 0) return 0;
  const Cell* cell = &row.cells[col - 1];
  if (cell->width == 0 && col > 1) --cell;
  char text[ClusterTable::kMaxBytes];
  size_t bytes = clusters.Encode(cell->text, text);
  return static_cast<int>(CountCodePoints({text, bytes})) - 1;
}

// Returns one past the last cell that must be stored.
int KeptEnd(const Row& row, int printed_end) {
  int end = row.used;
  while (end > printed_end && row.cells[end - 1].background == kDefaultColor) {
    --end;
  }
  return end;
}

template <class T>
std::string_view BytesOf(const std::vector<T>& items, const T* end) {
  const char* begin = reinterpret_cast<const char*>(items.data());
  return {begin, reinterpret_cast<const char*>(end)};
}

// Records are packed, so nothing in them is aligned.
template <class T>
T ItemAt(std::string_view bytes, size_t i) {
  T item;
  std::memcpy(&item, bytes.data() + i * sizeof(T), sizeof(T));
  return item;
}

Cell* Append(Row* row, int cols) {
  const int end = row->used + cols;
  if (static_cast<int>(row->cells.size()) < end) {
    row->cells.resize(static_cast<size_t>(end));
  }
  Cell* first = &row->cells[row->used];
  std::fill_n(first, cols, Cell());
  row->used += cols;
  return first;
}

// Marks join the previous cell. Controls are glyphs of their own, because
// PlainText shows them as such.
void AppendGlyph(char32_t c, Row* row, ClusterTable* clusters) {
  int width = c < ' ' ? 1 : WidthOf(c);
  if (width == 0 && row->used > 0) {
    int base = row->used - 1;
    if (base > 0 && row->cells[base].width == 0) --base;
    row->cells[base].text = clusters->WithMark(row->cells[base].text, c);
    return;
  }
  Cell* cell = Append(row, std::max(width, 1));
  cell->text = c;
  if (width != 2) return;
  cell[0].width = 2;
  cell[1].width = 0;
}

bool BeginsWithMark(std::string_view text) {
  return !text.empty() && static_cast<uint8_t>(text[0]) >= 0x80 &&
         WidthOf(TakeUtf8(&text)) == 0;
}

void AppendJoint(const RecordGap& gap, std::string_view* text, Row* row,
                 ClusterTable* clusters) {
  bool is_wide = gap.kind == RecordGap::kWideJoint;
  Cell* cell = Append(row, is_wide ? 2 : 1);
  cell->text = TakeUtf8(text);
  for (int i = 1; i < gap.count && !text->empty(); ++i) {
    cell->text = clusters->WithMark(cell->text, TakeUtf8(text));
  }
  row->has_joints = true;
  if (!is_wide) return;
  cell[0].width = 2;
  cell[1].width = 0;
}

// Appends the cells of the gap, and consumes its text.
void AppendGap(const RecordGap& gap, std::string_view* text, Row* row,
               ClusterTable* clusters) {
  if (gap.kind == RecordGap::kStuckTabs) {
    size_t which = row->stuck_tabs[0] == 0 ? 0 : 1;
    // If one cell had both flags, the gap counts the tabs of both.
    row->stuck_tabs[which] = std::min<uint16_t>(gap.count, Row::kMostStuckTabs);
    row->has_tabs = true;
    row->cells[row->used - 1].flags |=
        which == 0 ? kTabsBeforeLast : kTabsBehindLast;
    return text->remove_prefix(gap.count);
  }
  if (gap.kind == RecordGap::kLoneMark) {
    row->has_lone_marks = true;
    Append(row, 1)->text = TakeUtf8(text);
    return;
  }
  if (gap.kind >= RecordGap::kNarrowJoint) {
    return AppendJoint(gap, text, row, clusters);
  }
  Cell* first = Append(row, gap.count);
  if (gap.kind == RecordGap::kBlanks) {
    return text->remove_prefix(std::min<size_t>(gap.count, text->size()));
  }
  text->remove_prefix(1);
  row->has_tabs = true;
  for (int i = 0; i < gap.count; ++i) {
    first[i].flags = i == 0 ? kTabStart : kTabInside;
  }
  first[gap.count - 1].flags |= kTabEnd;
}

// Returns true if the next item is `gap` and not a glyph. Marks of the cell
// before a gap come first.
bool IsNext(const RecordGap& gap, const Row& row, std::string_view text,
            int marks) {
  if (gap.col > row.used) return false;
  if (gap.kind == RecordGap::kLoneMark) return marks == gap.count;
  return row.used == 0 || !BeginsWithMark(text);
}

// A run ends where the next one begins.
void ApplyRuns(std::string_view runs, Row* row) {
  size_t count = runs.size() / sizeof(RecordRun);
  for (size_t i = 0; i < count; ++i) {
    auto run = ItemAt<RecordRun>(runs, i);
    int end = row->used;
    if (i + 1 < count) end = ItemAt<RecordRun>(runs, i + 1).col;
    for (int col = run.col; col < end; ++col) {
      row->cells[col].foreground = run.foreground;
      row->cells[col].background = run.background;
      row->cells[col].attributes = run.attributes;
    }
  }
}

}  // namespace

// Most rows are plain, and encoding them takes half the time (measured by
// terminal_bench, feed/long).
RowRecord RowEncoder::Encode(const Row& row, const ClusterTable& clusters) {
  if (runs_.size() < row.cells.size()) {
    text_.resize(row.cells.size() * ClusterTable::kMaxBytes +
                 2 * Row::kMostStuckTabs + UINT8_MAX);
    runs_.resize(row.cells.size());
    // There may be a gap for each cell, one at the end, and two of stuck tabs.
    gaps_.resize(row.cells.size() + 3);
  }
  out_ = text_.data();
  run_ = runs_.data();
  gap_ = gaps_.data();
  conceals_ = false;
  if (row.plain) {
    EncodePlain(row);
  } else {
    EncodeAll(row, clusters);
  }
  out_ = std::fill_n(out_, row.returns, '\r');
  return {{text_.data(), out_},
          BytesOf(runs_, run_),
          BytesOf(gaps_, gap_),
          conceals_};
}

// Writes through local pointers: a char pointer in a member could alias the
// encoder's members, which prevents optimisations.
void RowEncoder::EncodePlain(const Row& row) {
  char* out = out_;
  const Cell* const last = row.cells.data() + row.used;
  for (const Cell* cell = row.cells.data(); cell < last; ++cell) {
    *out++ = static_cast<char>(cell->text);
  }
  out_ = out;
}

// Encodes the pieces between stuck tabs, lone marks and joints, of which most
// rows have none.
void RowEncoder::EncodeAll(const Row& row, const ClusterTable& clusters) {
  const Cell* cells = row.cells.data();
  const int end = row.PrintedEnd(row.used);
  static constexpr Cell kDefault;
  style_ = &kDefault;
  int begin = 0;
  int counted = 0;  // the flags of the stuck tabs so far
  bool is_simple = !row.has_tabs && !row.has_lone_marks && !row.has_joints;
  for (int col = 0; !is_simple && col < end; ++col) {
    if (row.has_lone_marks && IsLoneMark(cells[col])) {
      EncodeCells(row, clusters, std::exchange(begin, col), col);
      PushGap(col, RecordGap::kLoneMark, MarksBefore(row, col, clusters));
    }
    if (row.has_joints && clusters.IsJoint(cells[col])) {
      EncodeCells(row, clusters, std::exchange(begin, col), col);
      auto kind = cells[col].width == 2 ? RecordGap::kWideJoint
                                        : RecordGap::kNarrowJoint;
      PushGap(col, kind,
              static_cast<int>(clusters.CodePoints(cells[col].text)));
    }
    // Each flag counts only once, because the scratch memory has no more room.
    int flags = row.has_tabs ? cells[col].flags & kStuckFlags & ~counted : 0;
    int tabs = row.StuckTabs(flags);
    if (tabs == 0) continue;
    counted |= flags;
    EncodeCells(row, clusters, begin, col + 1);
    begin = col + 1;
    PushGap(begin, RecordGap::kStuckTabs, tabs);
    out_ = std::fill_n(out_, tabs, '\t');
  }
  EncodeCells(row, clusters, begin, end);
  // Cells after the printed text that have a background are encoded as runs and
  // gaps, but not in the text.
  int kept_end = KeptEnd(row, end);
  if (kept_end == end) return;
  char* text_end = out_;
  EncodeCells(row, clusters, end, kept_end);
  out_ = text_end;
}

// Handles cells of one style and kind at a time. The loops write through local
// pointers, as in EncodePlain.
void RowEncoder::EncodeCells(const Row& row, const ClusterTable& clusters,
                             int begin, int end) {
  const Cell* const cells = row.cells.data();
  const Cell* const last = cells + end;
  const Cell* style = style_;
  char* out = out_;
  for (const Cell* cell = cells + begin; cell < last;) {
    if (!SameStyle(*cell, *style)) {
      style = cell;
      *run_++ = {static_cast<uint16_t>(cell - cells), style->attributes,
                 style->foreground, style->background};
      conceals_ |= IsUnreadable(StyleOf(*style));
    }
    for (; cell < last && IsAscii(*cell) && SameStyle(*cell, *style); ++cell) {
      *out++ = static_cast<char>(cell->text);
    }
    // Both halves of a wide glyph have the same style.
    while (cell < last && cell->text >= 0x80 && SameStyle(*cell, *style)) {
      out += clusters.Encode(cell->text, out);
      cell += cell->width;
    }
    if (cell >= last || cell->text != 0 || !SameStyle(*cell, *style)) continue;
    auto col = static_cast<int>(cell - cells);
    int tab = AddTab(row, col, end);
    int blanks = tab > 0 ? 0 : AddBlanks(row, col, end);
    if (tab > 0) *out++ = '\t';
    out = std::fill_n(out, blanks, ' ');
    cell += tab + blanks;
  }
  style_ = style;
  out_ = out;
}

int RowEncoder::AddTab(const Row& row, int col, int end) {
  int tab = row.TabColumns(col, end);
  if (tab > 0) PushGap(col, RecordGap::kTab, tab);
  return tab;
}

// Extends the previous gap if the blanks continue it in another style.
int RowEncoder::AddBlanks(const Row& row, int col, int end) {
  const Cell* const cells = row.cells.data();
  auto goes_on = [&](const Cell& cell) {
    return cell.text == 0 && (cell.flags & kTabStart) == 0 &&
           SameStyle(cell, cells[col]);
  };
  int next = col + 1;
  while (next < end && goes_on(cells[next])) ++next;
  bool joins = gap_ > gaps_.data() && gap_[-1].kind == RecordGap::kBlanks &&
               gap_[-1].col + gap_[-1].count == col;
  if (!joins) PushGap(col, RecordGap::kBlanks, 0);
  gap_[-1].count =
      static_cast<uint16_t>(next - gap_[-1].col) & RecordGap::kMostCount;
  return next - col;
}

void RowEncoder::PushGap(int col, RecordGap::Kind kind, int count) {
  gap_->col = static_cast<uint16_t>(col);
  gap_->kind = kind;
  gap_->count = static_cast<uint16_t>(count & RecordGap::kMostCount);
  ++gap_;
}

size_t RowEncoder::MemoryBytes() const {
  return text_.capacity() + runs_.capacity() * sizeof(RecordRun) +
         gaps_.capacity() * sizeof(RecordGap);
}

void DecodeRow(const RowRecord& record, Row* row, ClusterTable* clusters) {
  std::string_view text = record.text;
  size_t last = text.find_last_not_of('\r') + 1;  // 0 if there is no text
  row->returns = static_cast<uint8_t>(text.size() - last);
  text = text.substr(0, last);
  row->used = 0;
  row->has_tabs = false;
  row->has_lone_marks = false;
  row->has_joints = false;
  row->stuck_tabs = {};
  size_t gaps = record.gaps.size() / sizeof(RecordGap);
  int marks = 0;  // the number of marks of the last cell so far
  for (size_t next = 0; next < gaps || !text.empty();) {
    int before = row->used;
    bool is_gap = next < gaps && IsNext(ItemAt<RecordGap>(record.gaps, next),
                                        *row, text, marks);
    if (is_gap) {
      AppendGap(ItemAt<RecordGap>(record.gaps, next++), &text, row, clusters);
    } else if (!text.empty()) {
      AppendGlyph(TakeUtf8(&text), row, clusters);
      ++marks;
    } else {
      break;
    }
    if (row->used > before) marks = 0;
  }
  ApplyRuns(record.runs, row);
  row->plain = false;
}

}  // namespace glasstty::terminal
