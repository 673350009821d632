// The colours of a picture: the palette, the default colours, and how
// attributes change them. Pure functions.
#pragma once

#include <cstdint>

#include "observe/frame.h"
#include "terminal/cell.h"

namespace glasstty::picture {

using Rgb = uint32_t;  // 0xRRGGBB

// `share` of 0 to 255 of `over`, the rest of `under`.
Rgb Mix(Rgb under, Rgb over, int share);

// What a cell is painted with.
struct Look {
  Rgb foreground = 0;
  Rgb background = 0;

  bool operator==(const Look&) const = default;
};

// Of one picture.
class Theme {
 public:
  // `reverse`: DECSCNM exchanges the default colours.
  Theme(bool light, bool reverse);

  Rgb background() const { return background_; }
  // Of a cell: reverse exchanges, faint dims, concealed text cannot be seen.
  Look LookOf(const terminal::Style& style) const;

 private:
  Rgb ColorOf(terminal::Color color, Rgb fallback) const;

  // The first sixteen of the palette.
  const Rgb* base_;
  Rgb foreground_;
  Rgb background_;
};

enum class CursorShape { kNone, kBlock, kUnderline, kBar };
// DECSCUSR: 0 to 2 block, 3 and 4 underline, 5 and 6 bar.
CursorShape ShapeOfCursor(const observe::Frame& frame);

}  // namespace glasstty::picture
