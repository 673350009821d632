// The cursor is in one of two hands; every function begins by making sure whose
// it is. What is done here must be done as libvterm does it, down to where its
// cursor stands while a wrap is pending: tests and a fuzzer compare both.
#include "terminal/flow.h"

#include <algorithm>

namespace glasstty {

// The cursor begins in libvterm's hands.
Flow::Flow(Size size, Grid* grid)
    : state_(size, grid), grid_(grid), bottom_(size.rows) {}

// Asking libvterm for its cursor first prints what is queued there, so nothing
// is put out of order.
bool Flow::Enter() {
  if (live_) return true;
  if (!own_path_ || !plain_) return false;
  at_ = state_.cursor();
  pending_ = state_.pending_wrap();
  live_ = true;
  return true;
}

// The width of the glyph that left a wrap pending is what is missing to the
// edge: libvterm's cursor stays on the first column of it.
void Flow::Leave() {
  if (!live_) return;
  live_ = false;
  state_.MoveTo(at_, pending_ ? grid_->size().cols - at_.col : 0);
}

// Both take what the guard decoded: printable, of known width, never a mark.
void Flow::AddGlyph(char32_t c, int width) {
  if (Enter()) {
    Put(c, width);
  } else {
    state_.AddGlyph(c, width);
  }
}

void Flow::AddAscii(std::string_view text) {
  if (Enter()) {
    PutAscii(text);
  } else {
    state_.AddAscii(text);
  }
}

// A wide glyph that does not fit wraps without a wrap being pending.
void Flow::Put(char32_t c, int width) {
  if (pending_ || at_.col + width > grid_->size().cols) Wrap();
  grid_->Put(at_, c, width);
  Advance(width);
}

// In pieces of a row, so that each is one copy into the cells.
void Flow::PutAscii(std::string_view text) {
  while (!text.empty()) {
    if (pending_) Wrap();
    auto room = static_cast<size_t>(grid_->size().cols - at_.col);
    std::string_view part = text.substr(0, room);
    grid_->PutAscii(at_, part);
    text.remove_prefix(part.size());
    // Up to the last glyph, which may be at the edge.
    at_.col += static_cast<int>(part.size()) - 1;
    Advance(1);
  }
}

// Past a glyph that was put at the cursor.
void Flow::Advance(int width) {
  pending_ = at_.col + width >= grid_->size().cols;
  if (!pending_) at_.col += width;
}

// Below the bottom margin the cursor moves down to the last row and stays
// there; only on the margin itself does the region scroll.
void Flow::LineFeed() {
  if (at_.row == bottom_ - 1) {
    grid_->ScrollUp(top_, bottom_, 1, Grid::History::kKeep);
  } else if (at_.row < grid_->size().rows - 1) {
    ++at_.row;
  }
}

// The row is marked so that it and the one above are read as one line.
void Flow::Wrap() {
  LineFeed();
  at_.col = 0;
  pending_ = false;
  grid_->SetWrapped(at_.row, true);
}

// LF with a wrap pending only goes down: libvterm would keep the wrap when the
// screen scrolled instead of the cursor moving, and scroll once too often.
void Flow::Control(char c) {
  bool goes_down = c != '\r' && c != '\b';
  if (!Enter()) {
    EndPendingWrap();
    Write({&c, 1},
          goes_down ? StateLayer::Writing::kFlow : StateLayer::Writing::kEdit);
    return;
  }
  pending_ = false;
  if (goes_down) {
    LineFeed();
    if (newline_) at_.col = 0;
  } else {
    at_.col = c == '\r' ? 0 : std::max(at_.col - 1, 0);
  }
}

// The finals are looked at first: to enter and to leave again for what is not
// ours costs two cursor addresses.
bool Flow::Sequence(const Csi& csi) {
  constexpr std::string_view kFinals = "ABCDEFGHJKX`adefjk";
  bool is_ours = csi.leader == 0 && csi.intermediate == 0 &&
                 kFinals.find(csi.final) != std::string_view::npos;
  if (!is_ours || !Enter()) return false;
  return Move(csi) || Erase(csi);
}

// Margins do not hold the cursor here, as they do not in libvterm: origin mode,
// which counts from them, is not on while this path is taken.
bool Flow::Move(const Csi& csi) {
  int count = csi.Count(0);
  Place to = at_;
  switch (csi.final) {
    case 'H':  // CUP
    case 'f':  // HVP
      to = {count - 1, csi.Count(1) - 1};
      break;
    case 'F':  // CPL
      to.col = 0;
      [[fallthrough]];
    case 'A':  // CUU
    case 'k':  // VPB
      to.row -= count;
      break;
    case 'E':  // CNL
      to.col = 0;
      [[fallthrough]];
    case 'B':  // CUD
    case 'e':  // VPR
      to.row += count;
      break;
    case 'C':  // CUF
    case 'a':  // HPR
      to.col += count;
      break;
    case 'D':  // CUB
    case 'j':  // HPB
      to.col -= count;
      break;
    case 'G':  // CHA
    case '`':  // HPA
      to.col = count - 1;
      break;
    case 'd':  // VPA
      to.row = count - 1;
      break;
    default:
      return false;
  }
  Size size = grid_->size();
  at_ = {std::clamp(to.row, 0, size.rows - 1),
         std::clamp(to.col, 0, size.cols - 1)};
  pending_ = false;
  return true;
}

// None of them moves the cursor or ends a pending wrap.
bool Flow::Erase(const Csi& csi) {
  auto [rows, cols] = grid_->size();
  auto erase = [this](int top, int bottom, int left, int right) {
    grid_->Erase({top, bottom, left, right}, /*selective=*/false);
  };
  int what = csi.Value(0, 0);
  bool is_display = csi.final == 'J';
  if (csi.final == 'X') {  // ECH
    erase(at_.row, at_.row + 1, at_.col,
          std::min(at_.col + csi.Count(0), cols));
    return true;
  }
  if (!is_display && csi.final != 'K') return false;
  switch (what) {
    case 0:
      erase(at_.row, at_.row + 1, at_.col, cols);
      if (is_display) erase(at_.row + 1, rows, 0, cols);
      return true;
    case 1:
      if (is_display) erase(0, at_.row, 0, cols);
      erase(at_.row, at_.row + 1, 0, at_.col + 1);
      return true;
    case 2:
      erase(is_display ? 0 : at_.row, is_display ? rows : at_.row + 1, 0, cols);
      return true;
    default:
      return true;
  }
}

// What goes to libvterm finds its cursor where ours is.
void Flow::Write(std::string_view bytes, StateLayer::Writing writing) {
  Leave();
  state_.Write(bytes, writing);
}

Place Flow::cursor() { return live_ ? at_ : state_.cursor(); }

void Flow::EndPendingWrap() {
  if (live_) {
    pending_ = false;
  } else {
    state_.EndPendingWrap();
  }
}

// Switching an unusual mode on gives the cursor back before the mode is used.
void Flow::SetModes(const Modes& modes) {
  state_.set_autowrap(modes.autowrap);
  state_.set_insert(modes.insert);
  newline_ = modes.newline;
  plain_ =
      modes.autowrap && !modes.insert && !modes.origin && !modes.side_margins;
  if (!plain_) Leave();
}

void Flow::SetMargins(int top, int bottom) {
  top_ = top;
  bottom_ = bottom;
}

void Flow::Resize(Size size) {
  Leave();
  state_.Resize(size);
}

}  // namespace glasstty
