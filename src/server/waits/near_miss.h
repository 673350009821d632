// Finds the text closest to the one that a wait looked for in vain, for the
// reply after a time-out (Reply::SetMissed). Examines only the last 500 lines,
// and the first 2 KiB of each. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "terminal/terminal.h"

namespace glasstty::waits {

// Returns the last line with `text` (4 bytes or more) in other case or spacing.
// Failing that, returns the line that has the most words of `text`: at least
// two and at least half of them. Failing that, if all but a few lines differ
// only in their numbers, returns the last of those few. "": there is none.
std::string NearMissOfText(const std::vector<terminal::Line>& lines,
                           std::string_view text);
// The same for the literal parts of a pattern in RE2's syntax.
std::string NearMissOfPattern(const std::vector<terminal::Line>& lines,
                              std::string_view pattern);

}  // namespace glasstty::waits
