// Mouse gestures as an agent describes them: a click on "OK", three turns of
// the wheel, a drag from cell to cell. Finds the cells on the screen and
// produces the events that the program reads.
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
    kText,      // in the middle of `text`, which must occur only once
    kCell,      // on `cell`
  };
  Kind kind = Kind::kAnywhere;
  std::string text;
  CellPlace cell;
};

struct Gesture {
  enum class Kind {
    kClick,   // `times` at `from`
    kScroll,  // `times` turns of the wheel, which is `button`, at `from`
    kDrag,    // from `from` to `to` with `button` down
  };
  Kind kind = Kind::kClick;
  terminal::MouseButton button = terminal::MouseButton::kLeft;
  int times = 1;
  uint8_t modifiers = 0;  // terminal::KeyModifiers that are held down meanwhile
  Spot from;
  Spot to;
};

// Returns the places at which `text` begins, row by row. Only text within one
// row of the screen is found.
std::vector<CellPlace> FindOnScreen(const terminal::Snapshot& screen,
                                    const std::string& text);

// Returns one string for each event, in order. Error: nothing may be typed,
// because the program does not use the mouse, or the place is not on the screen
// or not unique. The message names the way out.
absl::StatusOr<std::vector<std::string>> EncodeGesture(
    const Gesture& gesture, const terminal::Terminal& terminal);

}  // namespace glasstty::typing
