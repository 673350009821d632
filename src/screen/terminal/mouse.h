// Encodes pointer events that the program asked for (DECSET 9, 1000 to 1003) in
// the encoding that it asked for (X10, 1005, 1006, 1015). Pure functions.
//
// A click is two events, press and release, and one turn of the wheel is one;
// the caller decides how many to send. Nothing is sent that was not asked for,
// because a shell would treat it as typed text.
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
  kNone,  // motion without a button
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

// Returns the bytes that the program reads, or "" if it did not ask for this
// kind of event. Error: it asked for no events at all, or its encoding cannot
// express such a distant position.
absl::StatusOr<std::string> EncodeMouse(const MouseEvent& event,
                                        const Modes& modes);

}  // namespace glasstty::terminal
