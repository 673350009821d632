// What the painter may say to a terminal, and nothing else.
#pragma once

#include <string>
#include <string_view>

namespace glasstty::observe {

// "" when `bytes` are valid UTF-8 of printable characters and whole sequences
// of the painter; else what is foreign, escaped.
std::string ForeignIn(std::string_view bytes);

}  // namespace glasstty::observe
