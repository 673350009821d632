// Controls and sequences on our own path: motion, tabs, erasing, scrolling.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "absl/strings/str_format.h"
#include "terminal/flow.h"

namespace glasstty {
namespace {

// The final bytes of the sequences that are ours. A table, for each sequence
// is looked up (terminal_bench, feed/recorded).
constexpr auto kIsOurs = [] {
  std::array<bool, 128> table = {};
  for (char final : std::string_view("@ABCDEFGHIJKLMPSTXZ`adefjk")) {
    table[static_cast<uint8_t>(final)] = true;
  }
  return table;
}();

}  // namespace

// LF with a wrap pending only goes down: libvterm would keep the wrap when the
// screen scrolled instead of the cursor moving, and scroll once too often.
void Flow::AnyControl(char c) {
  if (c == '\t') return PutTab();
  bool is_own = Enter();
  if (!is_own) state_.Flush();
  bool goes_down = c == '\n' || c == '\v' || c == '\f';
  if (!is_own) {
    EndPendingWrap();
    return Write({&c, 1}, goes_down ? StateLayer::Writing::kFlow
                                    : StateLayer::Writing::kEdit);
  }
  pending_ = false;
  if (goes_down) LineFeed();
  if (c == '\b') at_.col = std::max(at_.col - 1, 0);
  if (c == '\r' || (goes_down && newline_)) at_.col = 0;
}

// In the last column a tab neither moves nor wraps. Beside side margins it may
// go where no line of text would.
void Flow::PutTab() {
  bool is_own = Enter();
  Place from = cursor();
  bool was_pending = pending_wrap();
  if (is_own && !was_pending) Tab(1);
  if (!is_own && !was_pending) Write("\t", StateLayer::Writing::kEdit);
  int to = cursor().col;
  if (to >= from.col) grid_->PutTab(from, to, was_pending);
}

void Flow::Escape(char final) {
  if (!Enter()) {
    EndPendingWrap();
    const char bytes[] = {'\x1b', final};
    return Write({bytes, sizeof bytes}, final == 'M'
                                            ? StateLayer::Writing::kEdit
                                            : StateLayer::Writing::kFlow);
  }
  pending_ = false;
  if (final == 'M') {
    ReverseLineFeed();
  } else {
    LineFeed();
    if (final == 'E') at_.col = 0;
  }
}

// The finals are looked at first: to enter and to leave again for what is not
// ours costs two cursor addresses.
bool Flow::Sequence(const Csi& csi) {
  bool is_ours = csi.leader == 0 && csi.intermediate == 0 &&
                 kIsOurs[static_cast<uint8_t>(csi.final)];
  if (!is_ours || !Enter()) return false;
  return Move(csi) || Erase(csi) || Scroll(csi);
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
  GoTo(to);
  return true;
}

void Flow::GoTo(Place to) {
  Size size = grid_->size();
  at_ = {std::clamp(to.row, 0, size.rows - 1),
         std::clamp(to.col, 0, size.cols - 1)};
  pending_ = false;
}

void Flow::MoveTo(Place place) {
  if (Enter()) return GoTo(place);
  EndPendingWrap();
  Write(absl::StrFormat("\x1b[%d;%dH", place.row + 1, place.col + 1),
        StateLayer::Writing::kEdit);
}

// In origin mode home is the first row of the region: libvterm's business.
void Flow::SetMargins(int top, int bottom) {
  bool is_own = Enter();
  top_ = top;
  bottom_ = bottom;
  if (is_own) {
    margins_told_ = false;
    return GoTo({0, 0});
  }
  EndPendingWrap();
  state_.SetMargins(top, bottom);
}

// Stops at the edges.
void Flow::Tab(int count) {
  int step = count > 0 ? 1 : -1;
  int last = grid_->size().cols - 1;
  while (count != 0 && at_.col != (step > 0 ? last : 0)) {
    at_.col += step;
    if (tab_stops_[at_.col]) count -= step;
  }
}

// None of them moves the cursor. No wrap is pending when they erase from the
// cursor on (guard_csi.cc).
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
  pending_ = false;
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

// The cells are ours on either path.
void Flow::EraseBelow(bool selective) {
  if (!live_) state_.Flush();
  Size size = grid_->size();
  grid_->Erase({cursor().row + 1, size.rows, 0, size.cols}, selective);
}

// What moves cells or rows, and the tabs. All but SU and SD end a pending wrap.
// Outside the margins libvterm inserts and deletes nothing, not even columns;
// xterm does columns.
bool Flow::Scroll(const Csi& csi) {
  if (csi.final != 'S' && csi.final != 'T') pending_ = false;
  int count = csi.Count(0);
  bool is_inside = at_.row >= top_ && at_.row < bottom_;
  switch (csi.final) {
    case 'I':  // CHT
      Tab(count);
      return true;
    case 'Z':  // CBT
      Tab(-count);
      return true;
    case 'S':  // SU
      grid_->ScrollUp(top_, bottom_, count, Grid::History::kDrop);
      return true;
    case 'T':  // SD
      grid_->ScrollDown(top_, bottom_, count);
      return true;
    case 'L':  // IL
      if (is_inside) grid_->ScrollDown(at_.row, bottom_, count);
      return true;
    case 'M':  // DL
      if (!is_inside) return true;
      grid_->ScrollUp(at_.row, bottom_, count, Grid::History::kDrop);
      return true;
    case '@':  // ICH
      if (is_inside) ShiftCells(count);
      return true;
    case 'P':  // DCH
      if (is_inside) ShiftCells(-count);
      return true;
    default:
      return false;
  }
}

void Flow::ShiftCells(int right) {
  int cols = grid_->size().cols;
  int room = cols - at_.col;
  right = std::clamp(right, -room, room);
  Rect kept = {at_.row, at_.row + 1, at_.col, cols - std::abs(right)};
  Rect moved = {at_.row, at_.row + 1, at_.col + std::abs(right), cols};
  Rect blank = moved;
  if (right > 0) {
    blank.left = at_.col;
    blank.right = moved.left;
    if (kept.left < kept.right) grid_->MoveRect(moved, kept);
  } else {
    blank.left = kept.right;
    blank.right = cols;
    if (kept.left < kept.right) grid_->MoveRect(kept, moved);
  }
  grid_->Erase(blank, /*selective=*/false);
}

}  // namespace glasstty
