// Finds the text that came closest to one that a wait did not find, for the
// reply to a time-out (Reply::SetMissed). Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terminal/terminal.h"

namespace glasstty::waits {

// Returns the last of `lines` that has `text` with other case or spacing; or
// else the one with the most words of it, at least half; or else the last that
// is unlike all others, if those are alike but for their numbers. "": there is
// none.
std::string NearMissOfText(const std::vector<terminal::Line>& lines,
                           std::string_view text);
// Returns the same for the literal parts of a pattern in RE2's syntax.
std::string NearMissOfPattern(const std::vector<terminal::Line>& lines,
                              std::string_view pattern);

}  // namespace glasstty::waits
