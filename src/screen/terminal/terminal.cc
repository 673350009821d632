// Connects the parts, and converts rows to snapshots and logical lines. The
// logic for control sequences is in the interpreter, and that for cells is in
// the grid.
#include "terminal/terminal.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/terminal_size.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/colors.h"
#include "terminal/grid.h"
#include "terminal/interpreter.h"
#include "terminal/plain_text.h"
#include "terminal/reports.h"
#include "terminal/state_codec.h"

namespace glasstty::terminal {
namespace {

// Combines rows into lines. Rows arrive in order, those of the scrollback
// before those of the screen. A line is complete when a row of another line
// arrives; only then is it known whether a part of it has changed.
class LineCollector {
 public:
  explicit LineCollector(uint64_t since) : since_(since) {}

  // Returns the text of the line, to which the caller appends the text of the
  // row.
  std::string* Add(int64_t line, uint64_t revision, bool concealed) {
    if (lines_.empty() || lines_.back().number != line) {
      Finish();
      lines_.emplace_back().number = line;
    }
    Line& last = lines_.back();
    last.revision = std::max(last.revision, revision);
    last.concealed |= concealed;
    return &last.text;
  }
  std::vector<Line> Take() {
    Finish();
    return std::move(lines_);
  }

 private:
  void Finish() {
    if (lines_.empty()) return;
    if (since_ > 0 && lines_.back().revision <= since_) lines_.pop_back();
  }

  const uint64_t since_;
  std::vector<Line> lines_;
};

// Calls visit(line, revision, row) for each row of the lines from `from` on,
// until it returns false. A row is a Scrollback::RowView or a Row.
void VisitRows(const Grid& grid, int64_t from, const auto& visit) {
  const Scrollback& scrollback = grid.scrollback();
  for (size_t i = scrollback.LowerBound(from); i < scrollback.rows(); ++i) {
    Scrollback::RowView row = scrollback.row(i);
    if (!visit(row.line, row.revision, row)) return;
  }
  int64_t line = grid.LineAt(0);
  for (int i = 0; i < grid.size().rows; ++i) {
    const Row& row = grid.primary_row(i);
    if (i > 0 && !row.wrapped) ++line;
    if (line >= from && !visit(line, row.line_revision, row)) return;
  }
}

bool ConcealsSome(const Scrollback::RowView& row) { return row.concealed; }
// Includes cells that a narrower screen hides.
bool ConcealsSome(const Row& row) { return row.ConcealsSome(row.used); }

void AppendLine(const Scrollback::RowView& row, const ClusterTable&,
                std::string* text) {
  text->append(row.text);
}
void AppendLine(const Row& row, const ClusterTable& clusters,
                std::string* text) {
  row.AppendLine(clusters, text);
}

// Returns whether a row of the lines [from, to) is newer than revision `since`.
bool HasNewer(const Grid& grid, int64_t from, int64_t to, uint64_t since) {
  bool has_newer = false;
  VisitRows(grid, from, [&](int64_t line, uint64_t revision, const auto&) {
    has_newer = line < to && revision > since;
    return line < to && !has_newer;
  });
  return has_newer;
}

// Returns the visible content of the first `cols` columns of a row.
SnapshotRow ShowRow(const Row& row, int cols, const ClusterTable& clusters) {
  SnapshotRow out;
  row.AppendText(cols, clusters, &out.text);
  out.text.resize(TrimTrailingBlanks(out.text).size());
  out.styles = row.Styles(cols);
  out.joints = row.Joints(cols, clusters);
  out.wrapped = row.wrapped;
  // Most rows have no style that makes text unreadable, so their cells need not
  // be checked.
  bool may_conceal =
      std::any_of(out.styles.begin(), out.styles.end(),
                  [](const StyleRun& run) { return IsUnreadable(run.style); });
  out.concealed = may_conceal && row.ConcealsSome(cols);
  return out;
}

}  // namespace

// An invalid size is refused and not clamped, because callers rely on the size
// that they request.
absl::Status CheckSize(Size size) {
  if (size.rows < kMinTerminalSide || size.rows > kMaxTerminalRows ||
      size.cols < kMinTerminalSide || size.cols > kMaxTerminalCols) {
    return InvalidArgument(
        "size %dx%d: %d to %d rows and %d to %d columns are possible",
        size.rows, size.cols, kMinTerminalSide, kMaxTerminalRows,
        kMinTerminalSide, kMaxTerminalCols);
  }
  if (size.rows * size.cols > kMaxTerminalCells) {
    return InvalidArgument("size %dx%d: rows * columns may be %d at most",
                           size.rows, size.cols, kMaxTerminalCells);
  }
  return absl::OkStatus();
}

Size NearestSize(Size wanted) {
  Size size{std::clamp(wanted.rows, kMinTerminalSide, kMaxTerminalRows),
            std::clamp(wanted.cols, kMinTerminalSide, kMaxTerminalCols)};
  size.cols = std::min(size.cols, kMaxTerminalCells / size.rows);
  return size;
}

// The order of the members matters: the interpreter borrows those before it.
class Terminal::Impl {
 public:
  explicit Impl(Options wanted)
      : options(std::move(wanted)),
        grid(options.size, {.max_rows = options.scrollback_rows,
                            .keep_evicted = options.keep_evicted}),
        interpreter(options.size, &grid, &reports) {
    if (options.newlines) plain_text.emplace(&interpreter, &grid);
    interpreter.TrustMarks(options.nonce);
  }

  // Must be called after feeding: a motion of the cursor is a visible change.
  void Look() {
    Cursor now = interpreter.cursor();
    cursor_line = interpreter.CursorLine();
    if (now == cursor) return;
    cursor = now;
    grid.Touch();
  }

  const Options options;
  Reports reports;
  Grid grid;
  Interpreter interpreter;
  std::optional<PlainText> plain_text;  // in front of the interpreter
  // State after the last feed.
  Cursor cursor;
  int64_t cursor_line = 0;
  std::vector<Hole> holes;
  size_t holes_ever = 0;
};

Terminal::Terminal(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Terminal::~Terminal() = default;

absl::StatusOr<std::unique_ptr<Terminal>> Terminal::Create(Options options) {
  RETURN_IF_ERROR(CheckSize(options.size));
  auto impl = std::make_unique<Impl>(std::move(options));
  return std::unique_ptr<Terminal>(new Terminal(std::move(impl)));
}

// Examines the cursor once per feed, not once per byte.
void Terminal::Feed(std::string_view bytes) {
  if (impl_->plain_text) {
    impl_->plain_text->Feed(bytes);
  } else {
    impl_->interpreter.Feed(bytes);
  }
  impl_->Look();
}

// Setting the same size has no effect, not even on margins.
absl::Status Terminal::Resize(Size size) {
  RETURN_IF_ERROR(CheckSize(size));
  if (size == impl_->grid.size()) return absl::OkStatus();
  impl_->interpreter.Resize(size);
  impl_->Look();
  return absl::OkStatus();
}

void Terminal::SkipTo(uint64_t offset) {
  if (!impl_->plain_text) impl_->interpreter.SkipTo(offset);
}

uint64_t Terminal::clears() const { return impl_->interpreter.clears(); }
uint64_t Terminal::paste_requests() const {
  return impl_->interpreter.paste_requests();
}
uint64_t Terminal::offset() const { return impl_->interpreter.offset(); }
Size Terminal::size() const { return impl_->grid.size(); }
const Modes& Terminal::modes() const { return impl_->interpreter.modes(); }
uint64_t Terminal::row_addresses() const {
  return impl_->interpreter.row_addresses();
}
Cursor Terminal::cursor() const { return impl_->cursor; }
const std::string& Terminal::title() const {
  return impl_->reports.titles()->title();
}
const ProgramStatus* Terminal::program_status() const {
  return impl_->reports.statuses()->shown();
}
uint64_t Terminal::status_reports() const {
  return impl_->reports.statuses()->reports();
}
uint64_t Terminal::revision() const { return impl_->grid.revision(); }

// The cost depends on the content of the screen: tens of microseconds for a
// full 40x120.
Snapshot Terminal::TakeSnapshot(uint64_t since) const {
  const Grid& grid = impl_->grid;
  Snapshot snapshot;
  snapshot.size = grid.size();
  snapshot.cursor = impl_->cursor;
  snapshot.alternate = grid.alternate();
  snapshot.revision = grid.revision();
  snapshot.title = title();
  snapshot.rows.resize(static_cast<size_t>(grid.size().rows));
  for (int i = 0; i < grid.size().rows; ++i) {
    SnapshotRow& out = snapshot.rows[static_cast<size_t>(i)];
    out = ShowRow(grid.row(i), grid.size().cols, grid.clusters());
    out.changed = grid.RowRevision(i) > since;
  }
  return snapshot;
}

// The first line may have lost its first rows.
int64_t Terminal::first_line() const {
  return std::min(impl_->grid.scrollback().first_line(), impl_->grid.LineAt(0));
}

// A cursor below all text is in the line that the program will print next.
int64_t Terminal::end_line() const {
  return std::max(impl_->grid.TextEndLine(), impl_->cursor_line + 1);
}

int64_t Terminal::cursor_line() const { return impl_->cursor_line; }

size_t Terminal::cursor_line_bytes() const {
  if (impl_->grid.alternate()) {
    return impl_->grid.LineBytesBefore(impl_->grid.primary_cursor());
  }
  return impl_->grid.LineBytesBefore(impl_->interpreter.TextEnd());
}

// The rows in the scrollback may be very many, so they are counted from the
// end.
std::string Terminal::TextBeforeCursor(size_t most) const {
  const Grid& grid = impl_->grid;
  const Scrollback& above = grid.scrollback();
  Place at =
      grid.alternate() ? grid.primary_cursor() : impl_->interpreter.TextEnd();
  int first = at.row;
  while (first > 0 && grid.primary_row(first).wrapped) --first;
  std::string shown;
  for (int row = first; row < at.row; ++row) {
    grid.primary_row(row).AppendLine(grid.clusters(), &shown);
  }
  grid.primary_row(at.row).AppendPrinted(at.col, grid.clusters(), &shown);
  if (!grid.primary_row(first).wrapped) return shown;
  size_t begin = above.rows();
  size_t bytes = shown.size();
  for (; begin > 0 && bytes < most; --begin) {
    Scrollback::RowView row = above.row(begin - 1);
    if (row.line != grid.LineAt(0)) break;
    bytes += row.text.size();
  }
  std::string text;
  text.reserve(bytes);
  for (; begin < above.rows(); ++begin) text += above.row(begin).text;
  text += shown;
  return text;
}

uint64_t Terminal::lines_revision() const {
  return impl_->grid.lines_revision();
}

// If the screen's first row continues the last row of the scrollback, both are
// parts of one line.
std::vector<Line> Terminal::Lines(int64_t from, int64_t to,
                                  uint64_t since) const {
  const Grid& grid = impl_->grid;
  to = std::min(to, end_line());
  // Most callers ask for changes where nothing has changed.
  if (since > 0 && !HasNewer(grid, from, to, since)) return {};
  LineCollector collector(since);
  VisitRows(grid, from, [&](int64_t line, uint64_t revision, const auto& row) {
    if (line >= to) return false;
    AppendLine(row, grid.clusters(),
               collector.Add(line, revision, ConcealsSome(row)));
    return true;
  });
  return collector.Take();
}

size_t Terminal::UnchangedBytes(int64_t line, uint64_t since) const {
  const Grid& grid = impl_->grid;
  std::string text;
  VisitRows(grid, line, [&](int64_t here, uint64_t revision, const auto& row) {
    if (here != line || revision > since) return false;
    AppendLine(row, grid.clusters(), &text);
    return true;
  });
  return text.size();
}

int64_t Terminal::first_row() const {
  return impl_->grid.scrollback().dropped();
}

int64_t Terminal::top_row() const {
  const Scrollback& scrollback = impl_->grid.scrollback();
  return scrollback.dropped() + static_cast<int64_t>(scrollback.rows());
}

std::vector<SnapshotRow> Terminal::RowsAbove(int64_t from, int64_t to) const {
  const Scrollback& scrollback = impl_->grid.scrollback();
  int64_t first = first_row();
  std::vector<SnapshotRow> rows;
  to = std::min(to, top_row());
  for (int64_t i = std::max(from, first); i < to; ++i) {
    Row row;
    ClusterTable clusters;
    scrollback.Decode(static_cast<size_t>(i - first), &row, &clusters);
    rows.push_back(ShowRow(row, row.used, clusters));
  }
  return rows;
}

int64_t Terminal::RowOf(int64_t line) const {
  const Grid& grid = impl_->grid;
  const Scrollback& scrollback = grid.scrollback();
  size_t above = scrollback.LowerBound(line);
  if (above < scrollback.rows()) {
    return scrollback.dropped() + static_cast<int64_t>(above);
  }
  int64_t here = grid.LineAt(0);
  int row = 0;
  for (; row + 1 < grid.size().rows && here < line; ++row) {
    if (!grid.primary_row(row + 1).wrapped) ++here;
  }
  return top_row() + row;
}

std::string Terminal::TakeEvicted() { return impl_->grid.TakeEvicted(); }

void Terminal::NumberLinesFrom(int64_t line) {
  impl_->grid.NumberFrom(line);
  impl_->Look();
}

void Terminal::Lose(uint64_t bytes, int64_t lines, std::string_view note) {
  constexpr size_t kMostHoles = 1'000;
  if (impl_->plain_text) impl_->plain_text->Lose(bytes);
  Interpreter::Hole hole = impl_->interpreter.Lose(bytes, lines, note);
  impl_->Look();
  auto& holes = impl_->holes;
  ++impl_->holes_ever;
  holes.push_back({hole.line, hole.end, bytes, lines});
  if (holes.size() > kMostHoles) holes.erase(holes.begin());
}

const std::vector<Terminal::Hole>& Terminal::holes() const {
  return impl_->holes;
}

size_t Terminal::holes_ever() const { return impl_->holes_ever; }

std::vector<TerminalEvent> Terminal::TakeEvents() {
  return impl_->reports.TakeEvents();
}
std::string Terminal::TakeReplies() { return impl_->reports.TakeReplies(); }
void Terminal::MuteReplies(bool muted) { impl_->reports.Mute(muted); }

// The size comes first, because the reader needs a terminal of that size for
// the rest.
std::string Terminal::SaveState() const {
  StateCodec codec;
  Size size = impl_->grid.size();
  codec.Carry(&size.rows);
  codec.Carry(&size.cols);
  impl_->reports.titles()->Carry(&codec);
  impl_->reports.statuses()->Carry(&codec);
  impl_->interpreter.Carry(&codec);
  return codec.Take();
}

absl::Status Terminal::RestoreState(std::string_view state) {
  StateCodec codec(state);
  Options options = impl_->options;
  codec.Carry(&options.size.rows);
  codec.Carry(&options.size.cols);
  RETURN_IF_ERROR(CheckSize(options.size));
  auto impl = std::make_unique<Impl>(options);
  impl->reports.titles()->Carry(&codec);
  impl->reports.statuses()->Carry(&codec);
  impl->grid.CountOnFrom(impl_->grid);
  impl->interpreter.Carry(&codec);
  if (!codec.ok() || !codec.at_end()) {
    return InvalidArgument("%d bytes that are no terminal's state",
                           state.size());
  }
  impl->reports.Mute(impl_->reports.muted());
  impl->Look();
  impl_ = std::move(impl);
  return absl::OkStatus();
}

const DropCounts& Terminal::drops() const { return impl_->reports.drops(); }

size_t Terminal::MemoryBytes() const {
  return sizeof(Impl) + impl_->grid.MemoryBytes() +
         impl_->interpreter.MemoryBytes();
}

}  // namespace glasstty::terminal
