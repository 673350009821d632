// The parts, and how they are read. All logic of sequences is in the guard, all
// of cells in the grid; here rows become values and lines.
#include "terminal/terminal.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "support/status.h"
#include "support/text.h"
#include "terminal/grid.h"
#include "terminal/guard.h"
#include "terminal/plain_text.h"
#include "terminal/reports.h"

namespace glasstty::terminal {
namespace {

// 200,000 cells are 3 MiB a screen.
constexpr int kMaxRows = 500;
constexpr int kMaxCols = 1000;
constexpr int kMaxCells = 200'000;
constexpr int kMinSide = 2;  // libvterm crashes on one column

// Rows in their order become lines.
// Rows arrive in order, those of the scrollback before those of the screen. A
// line is finished when a row of another one comes; only then is it known
// whether any of it changed.
class LineCollector {
 public:
  explicit LineCollector(uint64_t since) : since_(since) {}

  // The text of the row is appended to what this returns.
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

}  // namespace

// Refused, not clamped: a caller that asked for another size than it got would
// draw its conclusions from the wrong one.
absl::Status CheckSize(Size size) {
  if (size.rows < kMinSide || size.rows > kMaxRows || size.cols < kMinSide ||
      size.cols > kMaxCols) {
    return InvalidArgument(
        "size %dx%d: %d to %d rows and %d to %d columns are possible",
        size.rows, size.cols, kMinSide, kMaxRows, kMinSide, kMaxCols);
  }
  if (size.rows * size.cols > kMaxCells) {
    return InvalidArgument("size %dx%d: rows * columns may be %d at most",
                           size.rows, size.cols, kMaxCells);
  }
  return absl::OkStatus();
}

// Order of members: the guard is built last and borrows the others.
class Terminal::Impl {
 public:
  explicit Impl(const Options& options)
      : grid(options.size, {.max_rows = options.scrollback_rows,
                            .keep_evicted = options.keep_evicted}),
        guard(options.size, &grid, &reports) {
    if (options.newlines) plain_text.emplace(&guard, &grid);
  }

  // A cursor that moved is a visible change.
  void Look() {
    Cursor now = guard.cursor();
    cursor_line = guard.CursorLine();
    if (now == cursor) return;
    cursor = now;
    grid.Touch();
  }

  Reports reports;
  Grid grid;
  Guard guard;
  std::optional<PlainText> plain_text;  // in front of the guard
  // As of the last feed.
  Cursor cursor;
  int64_t cursor_line = 0;
};

Terminal::Terminal(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Terminal::~Terminal() = default;

absl::StatusOr<std::unique_ptr<Terminal>> Terminal::Create(Options options) {
  RETURN_IF_ERROR(CheckSize(options.size));
  auto impl = std::make_unique<Impl>(options);
  return std::unique_ptr<Terminal>(new Terminal(std::move(impl)));
}

// The cursor is looked at once a feed, not once a byte.
void Terminal::Feed(std::string_view bytes) {
  if (impl_->plain_text) {
    impl_->plain_text->Feed(bytes);
  } else {
    impl_->guard.Feed(bytes);
  }
  impl_->Look();
}

// The same size again changes nothing, not even margins.
absl::Status Terminal::Resize(Size size) {
  RETURN_IF_ERROR(CheckSize(size));
  if (size == impl_->grid.size()) return absl::OkStatus();
  impl_->guard.Resize(size);
  impl_->Look();
  return absl::OkStatus();
}

uint64_t Terminal::offset() const { return impl_->guard.offset(); }
Size Terminal::size() const { return impl_->grid.size(); }
const Modes& Terminal::modes() const { return impl_->guard.modes(); }
uint64_t Terminal::row_addresses() const {
  return impl_->guard.row_addresses();
}
Cursor Terminal::cursor() const { return impl_->cursor; }
const std::string& Terminal::title() const { return impl_->reports.title(); }
uint64_t Terminal::revision() const { return impl_->grid.revision(); }

// Costs what the screen has on it: tens of microseconds for a full 40x120.
Snapshot Terminal::TakeSnapshot(uint64_t since) const {
  const Grid& grid = impl_->grid;
  Snapshot snapshot;
  snapshot.size = grid.size();
  snapshot.cursor = impl_->cursor;
  snapshot.alternate = grid.alternate();
  snapshot.revision = grid.revision();
  snapshot.title = impl_->reports.title();
  snapshot.rows.resize(static_cast<size_t>(grid.size().rows));
  for (int i = 0; i < grid.size().rows; ++i) {
    const Row& row = grid.row(i);
    SnapshotRow& out = snapshot.rows[static_cast<size_t>(i)];
    row.AppendText(grid.size().cols, grid.clusters(), &out.text);
    out.text.resize(TrimTrailingBlanks(out.text).size());
    out.styles = row.Styles(grid.size().cols);
    out.wrapped = row.wrapped;
    out.concealed = row.ConcealsSome(grid.size().cols);
    out.changed = grid.RowRevision(i) > since;
  }
  return snapshot;
}

// The first line may have lost rows at its front.
int64_t Terminal::first_line() const {
  return std::min(impl_->grid.scrollback().first_line(), impl_->grid.LineAt(0));
}

// A cursor below all text holds the line that the program will print next.
int64_t Terminal::end_line() const {
  return std::max(impl_->grid.TextEndLine(), impl_->cursor_line + 1);
}

int64_t Terminal::cursor_line() const { return impl_->cursor_line; }

size_t Terminal::cursor_line_bytes() const {
  if (impl_->grid.alternate()) {
    return impl_->grid.LineBytesBefore(impl_->grid.primary_cursor());
  }
  return impl_->grid.LineBytesBefore(impl_->guard.TextEnd());
}

uint64_t Terminal::lines_revision() const {
  return impl_->grid.lines_revision();
}

// The screen's first row may continue the scrollback's last: then both add to
// one line.
std::vector<Line> Terminal::Lines(int64_t from, int64_t to,
                                  uint64_t since) const {
  const Grid& grid = impl_->grid;
  const Scrollback& scrollback = grid.scrollback();
  LineCollector collector(since);
  to = std::min(to, end_line());
  for (size_t i = scrollback.LowerBound(from); i < scrollback.rows(); ++i) {
    Scrollback::RowView row = scrollback.row(i);
    if (row.line >= to) return collector.Take();
    collector.Add(row.line, row.revision, row.concealed)->append(row.text);
  }
  int64_t line = grid.LineAt(0);
  for (int i = 0; i < grid.size().rows && line < to; ++i) {
    const Row& row = grid.primary_row(i);
    if (i > 0 && !row.wrapped) ++line;
    if (line < from || line >= to) continue;
    // Also what a narrower screen hides.
    row.AppendLine(grid.clusters(), collector.Add(line, row.line_revision,
                                                  row.ConcealsSome(row.used)));
  }
  return collector.Take();
}

std::string Terminal::TakeEvicted() { return impl_->grid.TakeEvicted(); }

void Terminal::NumberLinesFrom(int64_t line) {
  impl_->grid.NumberFrom(line);
  impl_->Look();
}

std::vector<TerminalEvent> Terminal::TakeEvents() {
  return impl_->reports.TakeEvents();
}
std::string Terminal::TakeReplies() { return impl_->reports.TakeReplies(); }
void Terminal::MuteReplies(bool muted) { impl_->reports.Mute(muted); }
const DropCounts& Terminal::drops() const { return impl_->reports.drops(); }

size_t Terminal::MemoryBytes() const {
  return sizeof(Impl) + impl_->grid.MemoryBytes() + impl_->guard.MemoryBytes();
}

}  // namespace glasstty::terminal
