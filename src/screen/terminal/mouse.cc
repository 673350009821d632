// Implements xterm's protocols. libvterm's encoder is not used, because it
// sends events even if reporting is off, and sends a release for the wheel.
#include "terminal/mouse.h"

#include <algorithm>

#include "base/utf8.h"
#include "support/status.h"
#include "terminal/keys.h"

namespace glasstty::terminal {
namespace {

bool IsWheel(MouseButton button) { return button >= MouseButton::kWheelUp; }

// 9 reports presses of the three buttons, 1000 clicks, 1002 also drags, 1003
// every motion.
bool IsWanted(const MouseEvent& event, MouseTracking tracking) {
  if (tracking == MouseTracking::kPresses) {
    return event.action == MouseAction::kPress &&
           event.button < MouseButton::kNone;
  }
  // The wheel has no release.
  if (IsWheel(event.button)) return event.action == MouseAction::kPress;
  if (event.action != MouseAction::kMove) {
    return event.button != MouseButton::kNone;
  }
  if (tracking == MouseTracking::kMotion) return true;
  return tracking == MouseTracking::kDrag && event.button != MouseButton::kNone;
}

// The low two bits are the button. Modifiers, motion and the wheel are in the
// bits above, except in mode 9.
int ButtonCode(const MouseEvent& event, MouseTracking tracking) {
  constexpr int kWheel = 64, kMotion = 32;
  int code = IsWheel(event.button) ? kWheel + static_cast<int>(event.button) -
                                         static_cast<int>(MouseButton::kWheelUp)
                                   : static_cast<int>(event.button);
  if (event.action == MouseAction::kMove) code += kMotion;
  if (tracking == MouseTracking::kPresses) return code;
  if ((event.modifiers & kShift) != 0) code += 4;
  if ((event.modifiers & kAlt) != 0) code += 8;
  if ((event.modifiers & kControl) != 0) code += 16;
  return code;
}

}  // namespace

// Positions count from 1. The oldest encoding adds 32 to each byte, so
// positions end at 223. 1005 extends it with UTF-8; 1015 and 1006 write decimal
// numbers.
absl::StatusOr<std::string> EncodeMouse(const MouseEvent& event,
                                        const Modes& modes) {
  if (modes.mouse == MouseTracking::kOff) {
    return FailedPrecondition(
        "the program did not ask for the mouse; use its keys");
  }
  if (!IsWanted(event, modes.mouse)) return std::string();
  int code = ButtonCode(event, modes.mouse);
  int col = event.col + 1, row = event.row + 1;
  bool is_release = event.action == MouseAction::kRelease;
  if (modes.mouse_encoding == MouseEncoding::kSgr) {
    return absl::StrFormat("\x1b[<%d;%d;%d%c", code, col, row,
                           is_release ? 'm' : 'M');
  }
  // The older encodings do not contain the button that was released.
  constexpr int kReleased = 3, kOffset = 32;
  if (is_release) code = (code & ~3) | kReleased;
  if (modes.mouse_encoding == MouseEncoding::kUrxvt) {
    return absl::StrFormat("\x1b[%d;%d;%dM", code + kOffset, col, row);
  }
  bool is_utf8 = modes.mouse_encoding == MouseEncoding::kUtf8;
  int limit = is_utf8 ? 0x7FF - kOffset : 0xFF - kOffset;
  if (std::max(row, col) > limit) {
    return FailedPrecondition(
        "the program's mouse encoding ends at row and column %d, not %d:%d",
        limit, row, col);
  }
  std::string out = "\x1b[M";
  for (int value : {code, col, row}) {
    if (is_utf8) {
      AppendUtf8(static_cast<char32_t>(value + kOffset), &out);
    } else {
      out += static_cast<char>(value + kOffset);
    }
  }
  return out;
}

}  // namespace glasstty::terminal
