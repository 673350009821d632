#include "oracle.h"

#include <vterm.h>

#include <map>

#include "base/utf8.h"
#include "support/text.h"
#include "terminal/widths.h"

namespace glasstty {
namespace {

constexpr char32_t kWide = 0x38000;
constexpr char32_t kNarrow = 0xD7;

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

int RecordWidth(VTermGlyphInfo* info, VTermPos, void* user) {
  *static_cast<int*>(user) = info->width;
  return 1;
}

// What the linked libvterm believes, asked once for each.
int LibraryWidth(char32_t c) {
  static std::map<char32_t, int> known;
  auto [entry, is_new] = known.try_emplace(c, 0);
  if (!is_new) return entry->second;
  VTerm* vterm = vterm_new(2, 10);
  vterm_set_utf8(vterm, 1);
  VTermStateCallbacks callbacks = {};
  callbacks.putglyph = &RecordWidth;
  VTermState* state = vterm_obtain_state(vterm);
  vterm_state_set_callbacks(state, &callbacks, &entry->second);
  vterm_state_reset(state, 1);
  std::string bytes;
  AppendUtf8(c, &bytes);
  vterm_input_write(vterm, bytes.data(), bytes.size());
  vterm_free(vterm);
  return entry->second;
}

char32_t AsHeard(char32_t c) {
  int width = WidthOf(c);
  if (c < 0x80 || LibraryWidth(c) == width) return c;
  return width == 2 ? kWide : kNarrow;
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

void OracleScreen::Hear(StateLayer::Writing writing, std::string_view bytes,
                        const std::u32string& text) {
  std::string real;
  if (writing == StateLayer::Writing::kText) {
    for (char32_t c : text) AppendUtf8(AsHeard(c), &real);
    bytes = real;
  }
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

std::vector<std::string> OraclePair::GridRows() const {
  std::vector<std::string> rows;
  for (int i = 0; i < grid.size().rows; ++i) {
    const Row& row = grid.row(i);
    std::string text;
    for (int col = 0; col < row.used && col < grid.size().cols; ++col) {
      const Cell& cell = row.cells[static_cast<size_t>(col)];
      if (cell.width == 0) continue;
      std::string shown;
      grid.clusters().AppendText(cell.text, &shown);
      std::string_view rest = shown;
      AppendUtf8(AsHeard(TakeUtf8(&rest)), &text);
    }
    text.resize(TrimTrailingBlanks(text).size());
    rows.push_back(text);
  }
  return rows;
}

}  // namespace glasstty
