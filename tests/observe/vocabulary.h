// Checks that the painter sends a terminal only what it may.
#pragma once

#include <string>
#include <string_view>

namespace glasstty::observe {

// Returns "" if `bytes` are valid UTF-8 of printable characters and whole
// sequences of the painter; otherwise the first foreign part, escaped.
std::string ForeignIn(std::string_view bytes);

}  // namespace glasstty::observe
