// Finds the text that came closest to one that a wait did not find. Pure
// functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terminal/terminal.h"

namespace glasstty::waits {

// The last of `lines` that has `text` with other case or spacing; "" when none
// has.
std::string NearMissOfText(const std::vector<terminal::Line>& lines,
                           std::string_view text);
// The same for the longest literal part of a pattern in RE2's syntax.
std::string NearMissOfPattern(const std::vector<terminal::Line>& lines,
                              std::string_view pattern);

}  // namespace glasstty::waits
