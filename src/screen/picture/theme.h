// The colours of a picture: the palette, the default colours, and how
// attributes change them. Pure functions.
#pragma once

#include <cstdint>
#include <string_view>

#include "observe/frame.h"
#include "terminal/cell.h"

namespace glasstty::picture {

using Rgb = uint32_t;  // 0xRRGGBB

// Mixes two colours; `share`, from 0 to 255, is the share of `over`.
Rgb Mix(Rgb under, Rgb over, int share);

// Returns `text` if people can read it on this background, which means a
// contrast of at least 4.5 (WCAG 2). Otherwise returns the nearest colour
// towards white or black that they can read.
Rgb MakeReadable(Rgb text, Rgb background);

// The colours with which a cell is painted.
struct Look {
  Rgb foreground = 0;
  Rgb background = 0;

  bool operator==(const Look&) const = default;
};

// The colours of one picture.
class Theme {
 public:
  // With `reverse` (DECSCNM), the default colours are swapped.
  Theme(bool light, bool reverse);

  Rgb background() const { return background_; }
  Rgb foreground() const { return foreground_; }
  // Returns one of the first sixteen colours of the palette, before it is made
  // readable. REQUIRES: 0 <= index < 16.
  Rgb base(int index) const { return base_[index]; }
  // The kind of a cell's content. Colours of drawings are not adjusted, because
  // neighbouring cells may form a picture.
  enum class Content { kText, kDrawing };
  // Returns the colours of a cell: reverse swaps them, faint dims the text,
  // text is made readable, and concealed text is invisible.
  Look LookOf(const terminal::Style& style,
              Content content = Content::kText) const;
  // Like LookOf above, with the kind of content that `text` has.
  Look LookOf(const terminal::Style& style, std::string_view text) const;

 private:
  Rgb ColorOf(terminal::Color color, Rgb fallback) const;

  // The first sixteen of the palette.
  const Rgb* base_;
  Rgb foreground_;
  Rgb background_;
};

// Returns the colours of a cell in `look` under a block cursor. The cursor is
// visible even if the text is not.
Look UnderCursor(Look look);

enum class CursorShape { kNone, kBlock, kUnderline, kBar };
// Decodes DECSCUSR: 0 to 2 are block, 3 and 4 underline, 5 and 6 bar. Returns
// kNone for a hidden cursor.
CursorShape ShapeOfCursor(const observe::Frame& frame);

}  // namespace glasstty::picture
