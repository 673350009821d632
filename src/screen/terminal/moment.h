// Splits output into moments: stretches that only add to the screen.
//
// A terminal is fed output in pieces, and a program may print a text and erase
// it within one piece. A wait that checks the screen only between pieces would
// miss that text. So while a call waits for text, a piece is fed moment by
// moment, and the waits check the screen after each moment. A moment ends just
// before something may overwrite or erase text that it has printed.
//
// Pure functions over bytes.
#pragma once

#include <cstddef>
#include <string_view>

#include "terminal/modes.h"
#include "terminal/snapshot.h"

namespace glasstty::terminal {

// Returns the length of the first moment of `bytes`, at least 1. `modes` are
// the modes at the beginning of `bytes`. A moment also ends before and after a
// synchronized frame (DECSET 2026), because the visible screen changes there.
// REQUIRES: !bytes.empty().
size_t MomentLength(std::string_view bytes, const Modes& modes);

// Returns the length up to the end of the first synchronized frame that ends in
// `bytes`, or the whole length if none does.
size_t FrameLength(std::string_view bytes);

// Returns how many of `bytes` a terminal of this size can be fed without a
// pause of more than some milliseconds, at least 1: a sequence of three bytes
// may change all cells of a screen. REQUIRES: !bytes.empty().
size_t AffordableLength(std::string_view bytes, Size size);

}  // namespace glasstty::terminal
