// A sign alone is also a quotation or a prompt. So it has to be styled, must
// not stand where the cursor is, and the row above or below must begin in the
// column of the entry, with nothing under the sign.
#include "view/pointer_sign.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "support/text.h"
#include "terminal/row_cells.h"

namespace glasstty::view {
namespace {

constexpr std::string_view kSigns[] = {">", "❯", "▶", "▸", "→", "►", "➤"};
// From the sign to the entry.
constexpr int kToEntry = 2;

// Column of the first cell that is not blank; nullopt in a blank row.
std::optional<int> FirstColumn(const terminal::RowCells& cells) {
  for (size_t col = 0; col < cells.size(); ++col) {
    if (cells[col] != " " && !cells[col].empty()) return static_cast<int>(col);
  }
  return std::nullopt;
}

bool IsStyled(const terminal::SnapshotRow& row, int col) {
  return std::any_of(row.styles.begin(), row.styles.end(),
                     [col](const terminal::StyleRun& run) {
                       return run.col <= col && col < run.col + run.cols;
                     });
}

bool BeginsAt(const terminal::Snapshot& screen, int row, int col) {
  if (row < 0 || row >= std::ssize(screen.rows)) return false;
  const std::string& text = screen.rows[static_cast<size_t>(row)].text;
  return FirstColumn(terminal::CutIntoCells(text)) == col;
}

// Column of the sign; nullopt where none stands in front of the row.
std::optional<int> SignIn(const terminal::Snapshot& screen, int row) {
  if (screen.cursor.visible && screen.cursor.row == row) return std::nullopt;
  const terminal::SnapshotRow& content = screen.rows[static_cast<size_t>(row)];
  terminal::RowCells cells = terminal::CutIntoCells(content.text);
  std::optional<int> col = FirstColumn(cells);
  if (!col || *col + kToEntry >= std::ssize(cells)) return std::nullopt;
  auto at = static_cast<size_t>(*col);
  bool is_sign = std::find(std::begin(kSigns), std::end(kSigns), cells[at]) !=
                 std::end(kSigns);
  bool parted = cells[at + 1] == " " && cells[at + kToEntry] != " ";
  return is_sign && parted && IsStyled(content, *col) ? col : std::nullopt;
}

}  // namespace

std::string FindPointedAt(const terminal::Snapshot& screen) {
  std::string found;
  for (int row = 0; row < std::ssize(screen.rows); ++row) {
    std::optional<int> col = SignIn(screen, row);
    if (!col) continue;
    bool in_list = BeginsAt(screen, row - 1, *col + kToEntry) ||
                   BeginsAt(screen, row + 1, *col + kToEntry);
    if (!in_list || !found.empty()) return "";
    terminal::RowCells cells =
        terminal::CutIntoCells(screen.rows[static_cast<size_t>(row)].text);
    found = terminal::CellsText(cells, static_cast<size_t>(*col), cells.size());
  }
  return std::string(TrimTrailingBlanks(found));
}

}  // namespace glasstty::view
