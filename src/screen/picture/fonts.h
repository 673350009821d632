// Draws glyphs as pixels, in the font of a job or in DejaVu Sans Mono, which is
// compiled in. Characters that the font lacks are drawn in fonts that
// fontconfig finds.
//
// Owns all faces and the glyphs drawn so far. Nothing else uses FreeType and
// fontconfig. fontconfig is used only if a character is missing or a font
// family was named, because it takes longer than everything else together.
// Single-threaded.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "picture/shapes.h"

namespace glasstty::picture {

struct GlyphImage {
  // The position of the upper left pixel relative to the left end of the cell's
  // baseline (up is positive).
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
  // Only one of these is filled: coverage, or colours with alpha as 0xAARRGGBB.
  std::vector<uint8_t> mask;
  std::vector<uint32_t> colors;
};

struct GlyphStyle {
  bool bold = false;
  bool italic = false;

  auto operator<=>(const GlyphStyle&) const = default;
};

class Fonts {
 public:
  // `font` is as in Options::font. Fails if there is no such font, or it is not
  // usable.
  static absl::StatusOr<std::unique_ptr<Fonts>> Open(const std::string& font,
                                                     int px);
  ~Fonts();

  CellSize cell() const;
  // The number of pixels from the top of a cell to the baseline.
  int ascent() const;
  // Returns the glyph for `columns` cells, scaled down if it does not fit, or
  // null if no font can draw it. The result is valid until the Fonts are
  // destroyed.
  const GlyphImage* Find(char32_t c, GlyphStyle style, int columns);

 private:
  class Impl;
  explicit Fonts(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace glasstty::picture
