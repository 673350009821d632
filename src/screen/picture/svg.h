// Draws a frame as an SVG document, for web pages in which text should stay
// sharp and searchable. A pure function that needs no font and no library.
#pragma once

#include <string>

#include "picture/job.h"

namespace glasstty::picture {

// The document names the font but does not contain it: the viewer uses a font
// that is available, and each run of text is fitted to its cells. Only the
// options `font`, `px` and `light` are used.
std::string DrawSvg(const Job& job);

}  // namespace glasstty::picture
