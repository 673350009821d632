// The sizes that a session's terminal may have, for the emulator and for those
// who pass sizes on.
//
// A size that the emulator refuses would leave a screen that does not fit what
// the program prints, so no process may set or believe it. Constants.
#pragma once

#include <cstdint>

namespace glasstty {

inline constexpr int kMinTerminalSide = 2;  // libvterm crashes on one column
inline constexpr int kMaxTerminalRows = 500;
inline constexpr int kMaxTerminalCols = 1000;
// This many cells take 3 MiB per screen.
inline constexpr int kMaxTerminalCells = 200'000;

// Returns true if a terminal may have this size.
constexpr bool IsTerminalSize(uint64_t rows, uint64_t cols) {
  return rows >= kMinTerminalSide && rows <= kMaxTerminalRows &&
         cols >= kMinTerminalSide && cols <= kMaxTerminalCols &&
         rows * cols <= kMaxTerminalCells;
}

}  // namespace glasstty
