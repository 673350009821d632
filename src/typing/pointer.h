// Mouse gestures as an agent describes them: a click on "OK", three turns of
// the wheel, a drag from cell to cell. Finds the cells on the screen and
// produces the bytes that the program reads.
//
// Pure functions over the terminal at the moment of typing. Typing them is
// typing/input.h's business, parsing JSON the tools'.
#pragma once

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

// Where a gesture happens: on a text, on a cell, or wherever it suits.
struct Spot {
  enum class Kind {
    kAnywhere,  // at the cursor if it shows, else in the middle of the screen
    kText,      // in the middle of `text`, which must be there once only
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
  Spot from;
  Spot to;
};

// The places at which `text` begins, row by row. Rows count as they stand on
// the screen: a text that goes on in the next row is not found.
std::vector<CellPlace> FindOnScreen(const terminal::Snapshot& screen,
                                    const std::string& text);

// Error: nothing may be typed, for the program does not take the mouse, or the
// place is not one place of the screen. Says the way out.
absl::StatusOr<std::string> EncodeGesture(const Gesture& gesture,
                                          const terminal::Terminal& terminal);

}  // namespace glasstty::typing
