// Encodes the pointer events that the program has requested (DECSET 9, 1000,
// 1002, 1003) in the requested encoding (X10, 1005, 1006, 1015). Pure
// functions.
//
// A click consists of two events, press and release, and a step of the wheel is
// one event; the caller sends each of them. Events that were not requested are
// not encoded, because a shell would treat them as typed text.
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

// Returns the bytes that the program reads, or "" if it has not requested this
// kind of event. Fails if it has requested no events at all, or if its encoding
// cannot express such a distant position.
absl::StatusOr<std::string> EncodeMouse(const MouseEvent& event,
                                        const Modes& modes);

}  // namespace glasstty::terminal
