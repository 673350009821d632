// Formats a screen with its colours, for readers that need them. A pure
// function.
#pragma once

#include <string>

#include "terminal/snapshot.h"

namespace glasstty::view {

// Like RenderScreen (render.h), but includes the SGR sequences that give each
// row its styles (ECMA-48 8.3.117, colours from 16 on as 38;5;N and
// 38;2;R;G;B), escaped: "\e[1;31merror\e[m". "\e" is written as these two
// characters, so that replies stay plain text. Each run begins with its
// complete style and ends with a reset.
std::string RenderStyledScreen(const terminal::Snapshot& snapshot);

}  // namespace glasstty::view
