// Splits output into moments: stretches that only add to the screen.
//
// A terminal gets output in pieces, and a program may print a text and erase it
// within one piece. Whoever looks only between pieces would never see it. So
// while somebody waits for text, a piece is fed moment by moment, and the waits
// look after each: just before something may overwrite or erase what the moment
// has printed.
//
// Pure functions over bytes.
#pragma once

#include <cstddef>
#include <string_view>

#include "terminal/modes.h"

namespace glasstty::terminal {

// Returns the length of the first moment of `bytes`, at least 1. `modes` are
// those at its beginning. A moment also ends before and after a synchronized
// frame (DECSET 2026), because what a person sees changes there. REQUIRES:
// !bytes.empty().
size_t MomentLength(std::string_view bytes, const Modes& modes);

// Returns the length up to the end of the first synchronized frame that ends in
// `bytes`, or the whole length.
size_t FrameLength(std::string_view bytes);

}  // namespace glasstty::terminal
