// Draws glyphs as pixels: from DejaVu Sans Mono, which is compiled in, and from
// the fonts that fontconfig finds for characters that it lacks.
//
// Owns all faces and the glyphs drawn so far. Nothing else uses FreeType and
// fontconfig. fontconfig is asked only if a character is missing or a font was
// named, because that takes longer than everything else together. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "picture/shapes.h"

namespace glasstty::picture {

struct GlyphImage {
  // Of the upper left pixel, from the left end of the cell and its baseline
  // (up is positive).
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
  // Coverage, or colours with alpha as 0xAARRGGBB; one of both.
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
  // See Options::font.
  // Error: no such font.
  static absl::StatusOr<std::unique_ptr<Fonts>> Open(const std::string& font,
                                                     int px);
  ~Fonts();

  CellSize cell() const;
  // Pixels from the top of a cell to the baseline.
  int ascent() const;
  // For `columns` cells; made smaller where it does not fit. Null: no font has
  // it. Valid until the Fonts die.
  const GlyphImage* Find(char32_t c, GlyphStyle style, int columns);

 private:
  class Impl;
  explicit Fonts(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace glasstty::picture
