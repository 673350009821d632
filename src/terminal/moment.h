// Cuts output into moments: stretches that only add to the screen.
//
// A terminal gets output in pieces, and a program may print a text and erase it
// within one of them. Whoever looks between pieces would never see it. So a
// piece is fed moment by moment while somebody waits for text, and the waits
// look after each: just before something that may overwrite or erase what the
// moment has printed.
//
// Pure functions over bytes.
#pragma once

#include <cstddef>
#include <string_view>

#include "terminal/modes.h"

namespace glasstty::terminal {

// Length of the first moment of `bytes`; at least 1. `modes` are those at its
// beginning. Also ends before and after a synchronized frame (DECSET 2026):
// what a person sees changes there. REQUIRES: !bytes.empty().
size_t MomentLength(std::string_view bytes, const Modes& modes);

// Length up to the end of the first synchronized frame that ends in `bytes`,
// or all of them.
size_t FrameLength(std::string_view bytes);

}  // namespace glasstty::terminal
