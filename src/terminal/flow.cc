// The cursor is in one of two hands; every function begins by making sure whose
// it is. What is done here must be done as libvterm does it, down to where its
// cursor stands while a wrap is pending: tests and a fuzzer compare both.
#include "terminal/flow.h"

#include <algorithm>

namespace glasstty {

// The cursor begins in libvterm's hands.
Flow::Flow(Size size, Grid* grid)
    : state_(size, grid), grid_(grid), bottom_(size.rows) {
  ForgetTabStops();
}

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
  if (!margins_told_) state_.SetMargins(top_, bottom_);
  margins_told_ = true;
  state_.MoveTo(at_, pending_ ? grid_->size().cols - at_.col : 0);
}

// Both take what the guard decoded: printable, of known width, never a mark.
void Flow::AddGlyphs(std::span<const Glyph> glyphs) {
  if (Enter()) return Put(glyphs);
  for (const Glyph& glyph : glyphs) {
    // libvterm would wrap it; xterm shows nothing.
    bool no_room = !autowrap_ && glyph.width == 2 &&
                   state_.cursor().col + 1 == grid_->size().cols;
    if (no_room) {
      state_.Flush();
      grid_->ForgetLastPut();
    } else {
      state_.AddGlyph(glyph.code_point, glyph.width);
    }
  }
}

void Flow::AddAscii(std::string_view text) {
  if (Enter()) {
    PutAscii(text);
  } else {
    state_.AddAscii(text);
  }
}

// In pieces of a row. A wide glyph that does not fit wraps without a wrap being
// pending.
void Flow::Put(std::span<const Glyph> glyphs) {
  while (!glyphs.empty()) {
    int room = grid_->size().cols - at_.col;
    size_t count = 0;
    int cols = 0;
    while (!pending_ && count < glyphs.size() &&
           cols + glyphs[count].width <= room) {
      cols += glyphs[count++].width;
    }
    if (count == 0) {
      Wrap();
      continue;
    }
    grid_->Put(at_, glyphs.first(count));
    int last = glyphs[count - 1].width;
    at_.col += cols - last;
    Advance(last);
    glyphs = glyphs.subspan(count);
  }
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

void Flow::ReverseLineFeed() {
  if (at_.row == top_) {
    grid_->ScrollDown(top_, bottom_, 1);
  } else if (at_.row > 0) {
    --at_.row;
  }
}

// The row is marked so that it and the one above are read as one line.
void Flow::Wrap() {
  LineFeed();
  at_.col = 0;
  pending_ = false;
  grid_->SetWrapped(at_.row, true);
}

// What goes to libvterm finds its cursor where ours is.
void Flow::Write(std::string_view bytes, StateLayer::Writing writing) {
  Leave();
  state_.Write(bytes, writing);
}

// Both keep the stops, for either may be asked to tab next.
void Flow::SetTabStop() {
  size_t col = cursor().col;
  Write("\x1bH", StateLayer::Writing::kEdit);
  tab_stops_[col] = true;
}

void Flow::ClearTabStops(int what) {
  size_t col = cursor().col;
  if (what == 0) {
    Write("\x1b[g", StateLayer::Writing::kEdit);
    tab_stops_[col] = false;
  } else if (what == 3 || what == 5) {
    Write("\x1b[3g", StateLayer::Writing::kEdit);
    tab_stops_.assign(tab_stops_.size(), false);
  }
}

void Flow::ForgetMargins() {
  top_ = 0;
  bottom_ = grid_->size().rows;
  margins_told_ = true;
}

void Flow::ForgetTabStops() {
  tab_stops_.clear();
  WidenTabStops(grid_->size().cols);
}

// A new column has a stop as it had at the beginning; one that comes back after
// the screen was narrower, too.
void Flow::WidenTabStops(int cols) {
  constexpr size_t kEvery = 8;
  size_t first = tab_stops_.size();
  tab_stops_.resize(cols);
  for (size_t col = first; col < tab_stops_.size(); ++col) {
    tab_stops_[col] = col % kEvery == 0;
  }
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
  autowrap_ = modes.autowrap;
  newline_ = modes.newline;
  plain_ =
      modes.autowrap && !modes.insert && !modes.origin && !modes.side_margins;
  if (!plain_) Leave();
}

void Flow::Resize(Size size) {
  Leave();
  state_.Resize(size);
  WidenTabStops(size.cols);
  ForgetMargins();
}

}  // namespace glasstty
