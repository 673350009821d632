// Pointer events as the program asked for them (DECSET 1000 to 1003) and
// spelled as it asked (X10, 1005, 1006, 1015). Pure functions.
//
// A click is two events, press and release, and one turn of the wheel is one;
// whoever sends them decides how many. Nothing is sent that was not asked for:
// a shell would take it for typed text.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "terminal/modes.h"

namespace glasstty::terminal {

enum class MouseButton : uint8_t {
  kLeft,
  kMiddle,
  kRight,
  kNone,  // moving with no button down
  kWheelUp,
  kWheelDown,
  kWheelLeft,
  kWheelRight,
};
enum class MouseAction : uint8_t { kPress, kRelease, kMove };

struct MouseEvent {
  MouseAction action = MouseAction::kPress;
  MouseButton button = MouseButton::kLeft;
  int row = 0;  // 0-based
  int col = 0;
  uint8_t modifiers = 0;  // KeyModifiers of keys.h
};

// The bytes the program reads; "" when it did not ask for this kind of event.
// Error: it asked for none at all, or cannot be told a place so far out.
absl::StatusOr<std::string> EncodeMouse(const MouseEvent& event,
                                        const Modes& modes);

}  // namespace glasstty::terminal
