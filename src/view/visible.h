// Makes invisible characters visible. With such characters a program could show
// one thing to a person and tell a model another. Pure function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace glasstty::view {

// Control characters but tabs and the ends of lines become escapes ("\e").
// `text` (valid UTF-8) with zero-width, bidirectional and tag characters as
// "<U+200B>" (Unicode, "default ignorable"). Joiners between letters and one
// variation selector behind a symbol stay: scripts and emoji need them. Adds to
// `*count` how many were shown.
std::string ShowInvisible(std::string_view text, int64_t* count);

}  // namespace glasstty::view
