// Every byte that libvterm gets is written by Send. The callbacks run inside
// it, know from `writing_` what is being written, and only touch the grid.
#include "terminal/state_layer.h"

#include <vterm.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"

namespace glasstty {
namespace {

// U+00D7 is narrow and U+38000, unassigned in a plane of ideographs, is wide
// for every libvterm.
constexpr std::string_view kNarrow = "\u00D7";
constexpr std::string_view kWide = "\U00038000";
// libvterm puts four bytes on the stack for each byte of a write.
constexpr size_t kMaxText = 4096;

Rect FromVTerm(const VTermRect& rect) {
  return {rect.start_row, rect.end_row, rect.start_col, rect.end_col};
}

}  // namespace

// Called inside vterm_input_write only: they record and return.
// Their results are C's: 1 for done.
struct StateLayer::Callbacks {
  static int PutGlyph(VTermGlyphInfo* info, VTermPos at, void* user) {
    static_cast<StateLayer*>(user)->PutGlyph({at.row, at.col},
                                             {info->chars[0], info->width});
    return 1;
  }
  static int Scroll(VTermRect rect, int down, int right, void* user) {
    return static_cast<StateLayer*>(user)->Scroll(FromVTerm(rect), down, right)
               ? 1
               : 0;
  }
  static int Move(VTermRect to, VTermRect from, void* user) {
    static_cast<StateLayer*>(user)->grid_->MoveRect(FromVTerm(to),
                                                    FromVTerm(from));
    return 1;
  }
  static int Erase(VTermRect rect, int selective, void* user) {
    static_cast<StateLayer*>(user)->grid_->Erase(FromVTerm(rect),
                                                 selective != 0);
    return 1;
  }
  static VTermStateCallbacks Table() {
    VTermStateCallbacks table = {};
    table.putglyph = &PutGlyph;
    table.scrollrect = &Scroll;
    table.moverect = &Move;
    table.erase = &Erase;
    return table;
  }
  // libvterm keeps the pointer.
  static const VTermStateCallbacks kTable;
};
const VTermStateCallbacks StateLayer::Callbacks::kTable = Table();

// Input before the reset is a null dereference in libvterm. Its callbacks for
// pen, title, bell and modes are not set: the guard keeps all of that.
StateLayer::StateLayer(Size size, Grid* grid)
    : vterm_(vterm_new(size.rows, size.cols)), grid_(grid) {
  vterm_set_utf8(vterm_, 1);  // before the reset, which picks the decoder
  VTermState* state = vterm_obtain_state(vterm_);
  vterm_state_set_callbacks(state, &Callbacks::kTable, this);
  vterm_state_reset(state, 1);
}

StateLayer::~StateLayer() { vterm_free(vterm_); }

// The stand-in, and the code point it stands for. ASCII stands for itself.
void StateLayer::AddGlyph(char32_t c, int width) {
  if (c < 0x80) {
    text_ += static_cast<char>(c);
  } else {
    text_ += width == 2 ? kWide : kNarrow;
    glyphs_.push_back(c);
  }
  if (tap_) real_ += c;
  if (text_.size() >= kMaxText - kWide.size()) Flush();
}

void StateLayer::AddAscii(std::string_view text) {
  while (!text.empty()) {
    size_t room = kMaxText - kWide.size() - text_.size();
    std::string_view part = text.substr(0, room);
    text_ += part;
    if (tap_) real_.append(part.begin(), part.end());
    text.remove_prefix(part.size());
    if (part.size() == room) Flush();
  }
}

// The callback is told where a glyph was put, not whether it wrapped there: the
// cursor before it is needed to know.
void StateLayer::Flush() {
  if (text_.empty()) return;
  VTermPos at;
  vterm_state_get_cursorpos(vterm_obtain_state(vterm_), &at);
  before_glyph_ = {at.row, at.col};
  Send(text_, Writing::kText);
  text_.clear();
  real_.clear();
  glyphs_.clear();
  next_glyph_ = 0;
}

void StateLayer::Write(std::string_view bytes, Writing writing) {
  Flush();
  Send(bytes, writing);
}

// The tap hears it first, as libvterm does.
void StateLayer::Send(std::string_view bytes, Writing writing) {
  writing_ = writing;
  if (tap_) tap_(writing, bytes, real_);
  vterm_input_write(vterm_, bytes.data(), bytes.size());
}

Place StateLayer::cursor() {
  Flush();
  VTermPos at;
  vterm_state_get_cursorpos(vterm_obtain_state(vterm_), &at);
  Size size = grid_->size();
  return {std::clamp(at.row, 0, size.rows - 1),
          std::clamp(at.col, 0, size.cols - 1)};
}

void StateLayer::EndPendingWrap() {
  Flush();
  if (!pending_wrap_) return;
  // CHA to where the cursor is: any movement forgets the wrap.
  Send(absl::StrFormat("\x1b[%dG", cursor().col + 1), Writing::kEdit);
  pending_wrap_ = false;
}

void StateLayer::SetMargins(int top, int bottom) {
  Write(absl::StrFormat("\x1b[%d;%dr", top + 1, bottom));
}

// A wrap cannot be made pending but by printing in the last column; the grid
// does not hear of that glyph.
void StateLayer::MoveTo(Place at, int pending_width) {
  std::string bytes = "\x1b[";
  bytes += std::to_string(at.row + 1);
  bytes += ';';
  bytes += std::to_string(at.col + 1);
  bytes += 'H';
  if (pending_width > 0) bytes += pending_width == 2 ? kWide : kNarrow;
  deaf_ = true;
  Send(bytes, Writing::kEdit);
  deaf_ = false;
  pending_wrap_ = pending_width > 0;
}

// Stand-ins come back in the order they went in, so the queue needs no key.
void StateLayer::PutGlyph(Place at, Glyph glyph) {
  if (deaf_) return;
  // DECALN fills the screen.
  if (writing_ != Writing::kText) return grid_->Put(at, {&glyph, 1});
  if (glyph.code_point >= 0x80) glyph.code_point = glyphs_[next_glyph_++];
  // The cursor was elsewhere: the glyph came to column 0 by a wrap.
  if (at.col == 0 && (pending_wrap_ || before_glyph_.col != 0)) {
    grid_->SetWrapped(at.row, true);
  }
  // libvterm made room for one column.
  if (insert_ && glyph.width == 2) grid_->ShiftRight(at);
  grid_->Put(at, {&glyph, 1});
  bool at_edge = at.col + glyph.width >= grid_->size().cols;
  pending_wrap_ = at_edge && autowrap_;
  before_glyph_ = {at.row, at_edge ? at.col : at.col + glyph.width};
}

// False makes libvterm fall back to moving and erasing rectangles.
bool StateLayer::Scroll(const Rect& rect, int down, int right) {
  bool full_width = rect.left == 0 && rect.right == grid_->size().cols;
  if (right != 0 || !full_width) return false;  // then Move and Erase come
  if (down > 0) {
    grid_->ScrollUp(rect.top, rect.bottom, down,
                    writing_ == Writing::kEdit ? Grid::History::kDrop
                                               : Grid::History::kKeep);
  } else {
    grid_->ScrollDown(rect.top, rect.bottom, -down);
  }
  return true;
}

// The guard has left no margin set and says afterwards where the cursor is:
// what libvterm makes of them at another size cannot be relied on.
void StateLayer::Resize(Size size) {
  pending_wrap_ = false;
  vterm_set_size(vterm_, size.rows, size.cols);
}

}  // namespace glasstty
