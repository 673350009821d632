// Uses the simplified interface of libpng, which reports errors as values.
#include "picture/png_file.h"

#include <png.h>

#include <vector>

#include "picture/palette.h"
#include "support/status.h"

namespace glasstty::picture {
// Uses neither filters nor an alpha channel, so that repeated rows of text stay
// identical.
absl::StatusOr<std::string> EncodePng(const Canvas& canvas) {
  Indexed indexed = IndexColors(canvas.pixels());
  std::vector<uint8_t> colors;
  for (Rgb color : indexed.palette) {
    for (int shift = 16; shift >= 0; shift -= 8) {
      colors.push_back(static_cast<uint8_t>(color >> shift));
    }
  }
  // The bytes are red, green and blue, whatever the byte order of the machine.
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(canvas.width());
  image.height = static_cast<png_uint_32>(canvas.height());
  image.format = PNG_FORMAT_RGB_COLORMAP;
  image.colormap_entries = static_cast<png_uint_32>(indexed.palette.size());
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string file(size, '\0');
  if (png_image_write_to_memory(&image, file.data(), &size, 0,
                                indexed.pixels.data(), 0, colors.data()) == 0) {
    return Internal("no PNG could be made: %s", image.message);
  }
  file.resize(size);
  return file;
}

}  // namespace glasstty::picture
