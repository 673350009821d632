#include "oracle.h"

#include <vterm.h>

#include "base/utf8.h"
#include "support/text.h"

namespace glasstty::terminal {
namespace {

int PushLine(int cols, const VTermScreenCell* cells, void* user) {
  std::string text;
  for (int col = 0; col < cols; ++col) {
    char32_t c = cells[col].chars[0];
    if (c != static_cast<uint32_t>(-1)) AppendUtf8(c == 0 ? ' ' : c, &text);
  }
  text.resize(TrimTrailingBlanks(text).size());
  static_cast<OracleScreen*>(user)->pushed.push_back(text);
  return 1;
}

const VTermScreenCallbacks& Callbacks() {
  static const VTermScreenCallbacks callbacks = [] {
    VTermScreenCallbacks table = {};
    table.sb_pushline = &PushLine;
    return table;
  }();
  return callbacks;
}

}  // namespace

OracleScreen::OracleScreen(Size size)
    : size_(size),
      vterm_(vterm_new(size.rows, size.cols)),
      screen_(vterm_obtain_screen(vterm_)) {
  vterm_set_utf8(vterm_, 1);
  vterm_screen_set_callbacks(screen_, &Callbacks(), this);
  vterm_screen_enable_altscreen(screen_, 1);
  vterm_screen_reset(screen_, 1);
}

OracleScreen::~OracleScreen() { vterm_free(vterm_); }

void OracleScreen::Feed(std::string_view bytes) {
  vterm_input_write(vterm_, bytes.data(), bytes.size());
}

std::vector<std::string> OracleScreen::Rows() const {
  std::vector<std::string> rows;
  for (int row = 0; row < size_.rows; ++row) {
    std::string text;
    for (int col = 0; col < size_.cols; ++col) {
      VTermScreenCell cell;
      vterm_screen_get_cell(screen_, {row, col}, &cell);
      char32_t c = cell.chars[0];
      if (c != static_cast<uint32_t>(-1)) AppendUtf8(c == 0 ? ' ' : c, &text);
    }
    text.resize(TrimTrailingBlanks(text).size());
    rows.push_back(text);
  }
  return rows;
}

Place OracleScreen::cursor() const {
  VTermPos at;
  vterm_state_get_cursorpos(vterm_obtain_state(vterm_), &at);
  return {at.row, at.col};
}

void OraclePair::Feed(std::string_view item) {
  bool is_pending = interpreter.cursor().pending_wrap;
  int last_col = interpreter.TextEnd().col;
  interpreter.Feed(item);
  bool is_text = static_cast<uint8_t>(item[0]) >= ' ';
  bool keeps_wrap = item == "\x1bH" || item.ends_with('g');
  if (is_pending && !is_text && !keeps_wrap) {
    if (item == "\t") return;
    oracle.Feed("\x1b[" + std::to_string(last_col) + "G");
  }
  oracle.Feed(item);
}

std::vector<std::string> OraclePair::GridRows() const {
  std::vector<std::string> rows;
  for (int i = 0; i < grid.size().rows; ++i) {
    std::string text;
    grid.row(i).AppendText(grid.size().cols, grid.clusters(), &text);
    text.resize(TrimTrailingBlanks(text).size());
    rows.push_back(text);
  }
  return rows;
}

}  // namespace glasstty::terminal
