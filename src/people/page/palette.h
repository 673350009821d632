// The colours of the page's terminal, which are those of pictures. Pure
// functions.
#pragma once

#include "support/json.h"

namespace glasstty::page {

// Returns {"dark": {"back", "text", "base": [16 colours]}, "light": ...}, each
// colour as a number 0xRRGGBB.
Json PaletteJson();

}  // namespace glasstty::page
