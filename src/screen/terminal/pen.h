// The style of new glyphs, and SGR, which changes it.
//
// SGR never reaches libvterm, which has room for only 16 parameters, mistakes
// the colour space of 38:2::r:g:b for red, and supports neither faint nor
// conceal. Pure functions.
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

// Applies all attributes of one SGR in order, and skips unknown ones. Returns
// the number of skipped attributes.
int ApplySgr(const Csi& csi, Style* style);

// Returns the parameters of the SGR that sets exactly `style`, such as
// "0;1;38:5:9".
std::string SgrParameters(const Style& style);

}  // namespace glasstty::terminal
