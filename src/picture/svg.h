// A frame as an SVG document, for web pages in which text should stay sharp and
// searchable. Pure function; needs no font and no library.
#pragma once

#include <string>

#include "picture/job.h"

namespace glasstty::picture {

// The font is named and not part of it: whoever shows the document takes the
// one that is there, and each run of text is fitted to its cells. Of the
// options `font`, `px` and `light` count.
std::string DrawSvg(const Job& job);

}  // namespace glasstty::picture
