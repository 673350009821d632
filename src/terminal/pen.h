// The style that glyphs are put with, and SGR, which changes it.
//
// No SGR reaches libvterm: it has 16 parameters, takes the colour space of
// 38:2::r:g:b for red and knows neither faint nor conceal. Pure functions.
#pragma once

#include <string>

#include "terminal/cell.h"
#include "terminal/csi.h"

namespace glasstty::terminal {

struct Pen {
  Style style;
  bool is_protected = false;  // DECSCA

  bool operator==(const Pen&) const = default;
};

// Applies all attributes of one SGR in order; what is unknown is skipped.
// Returns how many were.
int ApplySgr(const Csi& csi, Style* style);

// The parameters of the SGR that makes `style` from the default: "0;1;38;5;9".
std::string SgrParameters(const Style& style);

}  // namespace glasstty::terminal
