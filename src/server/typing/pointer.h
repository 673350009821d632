// Mouse gestures as an agent describes them: a click on "OK", three turns of
// the wheel, a drag from cell to cell. This file finds the cells on the screen
// and encodes the events that the program reads.
//
// Pure functions over the terminal at the moment of typing. typing/input.h
// types the results, and the tools parse JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "terminal/mouse.h"
#include "terminal/terminal.h"

namespace glasstty::typing {

// A cell of the screen.
struct CellPlace {
  int row = 0;  // 0-based
  int col = 0;

  bool operator==(const CellPlace&) const = default;
};

// The place of a gesture: a text, a cell, or any place.
struct Spot {
  enum class Kind {
    kAnywhere,  // at the cursor if it is visible, else in the middle of the
                // screen
    kText,      // in the middle of `text`, which the screen must show only once
    kCell,      // on `cell`
  };
  Kind kind = Kind::kAnywhere;
  std::string text;
  CellPlace cell;
};

struct Gesture {
  enum class Kind {
    kClick,   // clicks `times` times at `from` with `button`
    kScroll,  // turns the wheel, which is `button`, `times` times at `from`
    kDrag,    // moves from `from` to `to` with `button` down
  };
  Kind kind = Kind::kClick;
  terminal::MouseButton button = terminal::MouseButton::kLeft;
  int times = 1;
  uint8_t modifiers = 0;  // the terminal::KeyModifiers that are held down
  Spot from;
  Spot to;
};

// Returns the cells at which `text` begins, row by row. Does not find a text
// that continues in the next row.
std::vector<CellPlace> FindOnScreen(const terminal::Snapshot& screen,
                                    const std::string& text);

// Returns the bytes of each event that the program has asked for, in order.
// Error: the program does not use the mouse, or not in this way, or a place is
// not on the screen, not unique, or too far right or down for the program's
// encoding. The message says what to do instead.
absl::StatusOr<std::vector<std::string>> EncodeGesture(
    const Gesture& gesture, const terminal::Terminal& terminal);

}  // namespace glasstty::typing
