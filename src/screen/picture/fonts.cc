// A character is searched for in the font of the job, then in the fonts that
// fontconfig suggests. Drawn glyphs are kept, because a screen repeats a small
// number of them. Glyphs are not shaped, because the cells of a terminal
// determine their positions.
#include "picture/fonts.h"

#include <fontconfig/fontconfig.h>
#include <ft2build.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include FT_FREETYPE_H
#include FT_OUTLINE_H
#include FT_SYNTHESIS_H

#include "picture/embedded_fonts.h"
#include "support/status.h"

namespace glasstty::picture {
namespace {

// These free objects of FreeType and fontconfig when their owner is destroyed.
struct DoneFace {
  void operator()(FT_Face face) const { FT_Done_Face(face); }
};
using Face = std::unique_ptr<FT_FaceRec, DoneFace>;

struct DoneLibrary {
  void operator()(FT_Library library) const { FT_Done_FreeType(library); }
};
using Library = std::unique_ptr<FT_LibraryRec_, DoneLibrary>;

struct DoneFontSet {
  void operator()(FcFontSet* set) const { FcFontSetDestroy(set); }
};
using FontSet = std::unique_ptr<FcFontSet, DoneFontSet>;

struct DonePattern {
  void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
};
using Pattern = std::unique_ptr<FcPattern, DonePattern>;

// A font in a file that may contain several fonts.
struct FontFile {
  std::string path;
  int index = 0;

  auto operator<=>(const FontFile&) const = default;
};

// Returns the file and the index of a pattern that fontconfig has found;
// nullopt if the pattern has no file.
std::optional<FontFile> FileOf(FcPattern* pattern) {
  FcChar8* path = nullptr;
  FontFile file;
  if (FcPatternGetString(pattern, FC_FILE, 0, &path) != FcResultMatch) {
    return std::nullopt;
  }
  FcPatternGetInteger(pattern, FC_INDEX, 0, &file.index);
  file.path = reinterpret_cast<const char*>(path);
  return file;
}

// Returns the pattern to search for, including substitutions of the user's
// configuration.
Pattern PatternOf(const char* family, bool bold) {
  Pattern pattern(FcPatternCreate());
  FcPatternAddString(pattern.get(), FC_FAMILY,
                     reinterpret_cast<const FcChar8*>(family));
  FcPatternAddInteger(pattern.get(), FC_WEIGHT,
                      bold ? FC_WEIGHT_BOLD : FC_WEIGHT_REGULAR);
  FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
  FcDefaultSubstitute(pattern.get());
  return pattern;
}

// Finds the font of exactly this family, because fontconfig would return any
// font rather than none. "monospace" is an alias, which any family may match.
std::optional<FontFile> FindFamily(const std::string& family, bool bold) {
  Pattern pattern = PatternOf(family.c_str(), bold);
  FcResult result;
  Pattern found(FcFontMatch(nullptr, pattern.get(), &result));
  if (found == nullptr) return std::nullopt;
  FcChar8* name = nullptr;
  for (int i = 0;
       FcPatternGetString(found.get(), FC_FAMILY, i, &name) == FcResultMatch;
       ++i) {
    bool is_it =
        FcStrCmpIgnoreCase(
            name, reinterpret_cast<const FcChar8*>(family.c_str())) == 0;
    if (is_it || family == "monospace") return FileOf(found.get());
  }
  return std::nullopt;
}

// Returns fonts in the order in which they are searched for a character: the
// family first, then all fonts that add characters to the previous ones
// (FcTrue).
FontSet SortFonts(const char* family) {
  Pattern pattern = PatternOf(family, false);
  FcResult result;
  return FontSet(FcFontSort(nullptr, pattern.get(), FcTrue, nullptr, &result));
}

// Returns true if a coloured picture is preferred to an outline. Symbols below
// this range were ordinary text before there were emoji.
bool IsEmoji(char32_t c) { return c >= 0x1F000 && c < 0x1FB00; }

// Scales a coloured bitmap down to `width` by `height` pixels, each of which is
// the mean of the corresponding original pixels.
std::vector<uint32_t> Shrink(const FT_Bitmap& bitmap, int width, int height) {
  std::vector<uint32_t> out;
  int from_width = static_cast<int>(bitmap.width);
  int from_height = static_cast<int>(bitmap.rows);
  for (int i = 0; i < width * height; ++i) {
    int left = i % width * from_width / width;
    int right = std::max(left + 1, (i % width + 1) * from_width / width);
    int top = i / width * from_height / height;
    int bottom = std::max(top + 1, (i / width + 1) * from_height / height);
    uint32_t sums[4] = {};
    for (int y = top; y < std::min(bottom, from_height); ++y) {
      const uint8_t* row = bitmap.buffer + y * bitmap.pitch;
      for (int x = left; x < std::min(right, from_width); ++x) {
        for (int k = 0; k < 4; ++k) sums[k] += row[4 * x + k];
      }
    }
    // The pixels are premultiplied: blue, green, red, alpha.
    uint32_t alpha = std::max(sums[3], 1u);
    uint32_t pixel =
        sums[3] / static_cast<uint32_t>((right - left) * (bottom - top)) << 24;
    for (int k = 0; k < 3; ++k) {
      pixel |= std::min(sums[k] * 255 / alpha, 255u) << 8 * k;
    }
    out.push_back(pixel);
  }
  return out;
}

}  // namespace

class Fonts::Impl {
 public:
  absl::Status Open(const std::string& font, int px);
  const GlyphImage* Find(char32_t c, GlyphStyle style, int columns);

  CellSize cell;
  int ascent = 0;

 private:
  // These set regular_, and bold_ if there is such a face.
  absl::Status OpenNamed(const std::string& font);
  absl::Status OpenEmbedded();
  absl::StatusOr<Face> OpenFile(const FontFile& file);
  // Returns null if no font has the character.
  FT_Face FaceFor(char32_t c, bool bold);
  // Searches the fonts of the system.
  FT_Face Fallback(char32_t c);
  // Returns nullopt if the font has the character but cannot draw it.
  std::optional<GlyphImage> Render(FT_Face face, char32_t c, GlyphStyle style,
                                   int columns);
  bool LoadFitting(FT_Face face, char32_t c, int room);
  // Convert the rendered glyph to an image; `room` is the width of its cells.
  GlyphImage Mask(FT_GlyphSlot slot, int room);
  GlyphImage Picture(FT_GlyphSlot slot, int room);

  // Owned; the library is destroyed last.
  Library library_;
  int px_ = 0;
  Face regular_;
  Face bold_;  // null: derived from regular_
  std::map<FontFile, Face> others_;
  // Created on first use.
  FontSet monospace_;
  FontSet emoji_;
  // Indexed by character, style and columns.
  std::map<std::tuple<char32_t, GlyphStyle, int>, std::optional<GlyphImage>>
      glyphs_;
};

absl::StatusOr<Face> Fonts::Impl::OpenFile(const FontFile& file) {
  FT_Face face = nullptr;
  if (FT_New_Face(library_.get(), file.path.c_str(), file.index, &face) != 0) {
    return NotFound("font '%s': not a readable font file", file.path);
  }
  return Face(face);
}

// Fails only if the build is broken.
absl::Status Fonts::Impl::OpenEmbedded() {
  struct Part {
    std::string_view bytes;
    Face* face;
  };
  for (const Part& part :
       {Part{EmbeddedRegular(), &regular_}, Part{EmbeddedBold(), &bold_}}) {
    FT_Face face = nullptr;
    if (FT_New_Memory_Face(
            library_.get(), reinterpret_cast<const FT_Byte*>(part.bytes.data()),
            static_cast<FT_Long>(part.bytes.size()), 0, &face) != 0) {
      return Internal("the embedded font cannot be read");
    }
    part.face->reset(face);
  }
  return absl::OkStatus();
}

// A name with a slash is a path; every other name is a family. A file has only
// a regular face, from which bold is derived.
absl::Status Fonts::Impl::OpenNamed(const std::string& font) {
  if (font.find('/') != std::string::npos) {
    ASSIGN_OR_RETURN(regular_, OpenFile({font, 0}));
    return absl::OkStatus();
  }
  std::optional<FontFile> regular = FindFamily(font, false);
  if (!regular) {
    return NotFound(
        "font '%s': not installed; `fc-list : family` lists those that are",
        font);
  }
  ASSIGN_OR_RETURN(regular_, OpenFile(*regular));
  std::optional<FontFile> bold = FindFamily(font, true);
  if (bold && *bold != *regular) {
    ASSIGN_OR_RETURN(bold_, OpenFile(*bold));
  }
  return absl::OkStatus();
}

// The digit zero determines the width of a cell: in a font for terminals all
// glyphs have this width, and in other fonts at least the digits do.
absl::Status Fonts::Impl::Open(const std::string& font, int px) {
  FT_Library library = nullptr;
  if (FT_Init_FreeType(&library) != 0)
    return Internal("FreeType cannot be initialised");
  library_.reset(library);
  px_ = px;
  RETURN_IF_ERROR(font.empty() ? OpenEmbedded() : OpenNamed(font));
  FT_Face face = regular_.get();
  if (!FT_IS_SCALABLE(face)) {
    return InvalidArgument("font '%s': not an outline font", font);
  }
  FT_Set_Pixel_Sizes(face, 0, static_cast<FT_UInt>(px));
  if (FT_Load_Char(face, '0', FT_LOAD_TARGET_LIGHT) != 0) {
    return InvalidArgument("font '%s': it has no letters", font);
  }
  // FreeType counts in 64ths of a pixel.
  auto whole = [](FT_Pos units) { return static_cast<int>(units + 63) >> 6; };
  ascent = whole(face->size->metrics.ascender);
  cell.width = std::max(2, static_cast<int>(face->glyph->advance.x + 32) >> 6);
  cell.height = std::max(4, ascent + whole(-face->size->metrics.descender));
  return absl::OkStatus();
}

// The sorted lists are created once, which takes milliseconds; after that, a
// character costs one lookup in each font's set.
FT_Face Fonts::Impl::Fallback(char32_t c) {
  FontSet* set = IsEmoji(c) ? &emoji_ : &monospace_;
  if (*set == nullptr) *set = SortFonts(IsEmoji(c) ? "emoji" : "monospace");
  for (int i = 0; *set != nullptr && i < (*set)->nfont; ++i) {
    FcPattern* pattern = (*set)->fonts[i];
    FcCharSet* charset = nullptr;
    bool has_it = FcPatternGetCharSet(pattern, FC_CHARSET, 0, &charset) ==
                      FcResultMatch &&
                  FcCharSetHasChar(charset, c);
    std::optional<FontFile> file;
    if (has_it) file = FileOf(pattern);
    if (!file) continue;
    Face& face = others_[*file];
    if (face == nullptr) {
      absl::StatusOr<Face> opened = OpenFile(*file);
      if (!opened.ok()) continue;
      face = *std::move(opened);
    }
    if (FT_Get_Char_Index(face.get(), c) != 0) return face.get();
  }
  return nullptr;
}

FT_Face Fonts::Impl::FaceFor(char32_t c, bool bold) {
  if (bold && bold_ != nullptr && FT_Get_Char_Index(bold_.get(), c) != 0) {
    return bold_.get();
  }
  if (FT_Get_Char_Index(regular_.get(), c) != 0) return regular_.get();
  return Fallback(c);
}

// Loads the glyph into the slot of `face`, scaled down to a width of at most
// `room` pixels if it is an outline. Returns false on failure.
bool Fonts::Impl::LoadFitting(FT_Face face, char32_t c, int room) {
  if (!FT_IS_SCALABLE(face)) {
    return face->num_fixed_sizes > 0 && FT_Select_Size(face, 0) == 0 &&
           FT_Load_Char(face, c, FT_LOAD_COLOR) == 0;
  }
  // Light hinting moves outlines only vertically: widths are preserved, and
  // stems look as in most people's terminals.
  FT_Set_Pixel_Sizes(face, 0, static_cast<FT_UInt>(px_));
  if (FT_Load_Char(face, c, FT_LOAD_TARGET_LIGHT) != 0) return false;
  auto advance = static_cast<int>(face->glyph->advance.x + 32) >> 6;
  if (advance <= room) return true;
  FT_Set_Pixel_Sizes(face, 0,
                     static_cast<FT_UInt>(std::max(4, px_ * room / advance)));
  return FT_Load_Char(face, c, FT_LOAD_TARGET_LIGHT) == 0;
}

// Old fonts have bitmaps with one bit per pixel.
GlyphImage Fonts::Impl::Mask(FT_GlyphSlot slot, int room) {
  const FT_Bitmap& bitmap = slot->bitmap;
  auto advance = static_cast<int>(slot->advance.x + 32) >> 6;
  GlyphImage image;
  // Centre the glyph, because in a proportional font it may be narrower than
  // its cells.
  int margin = advance > 0 ? std::max(0, room - advance) / 2 : 0;
  image.left = slot->bitmap_left + margin;
  image.top = slot->bitmap_top;
  image.width = static_cast<int>(bitmap.width);
  image.height = static_cast<int>(bitmap.rows);
  for (int y = 0; y < image.height; ++y) {
    const uint8_t* row = bitmap.buffer + y * bitmap.pitch;
    for (int x = 0; x < image.width; ++x) {
      bool is_mono = bitmap.pixel_mode == FT_PIXEL_MODE_MONO;
      uint8_t bit = row[is_mono ? x / 8 : x];
      if (is_mono) bit = (bit >> (7 - x % 8) & 1) != 0 ? 255 : 0;
      image.mask.push_back(bit);
    }
  }
  return image;
}

// The picture is scaled to the size of the cells and centred in them.
GlyphImage Fonts::Impl::Picture(FT_GlyphSlot slot, int room) {
  const FT_Bitmap& bitmap = slot->bitmap;
  int from_width = std::max(1, static_cast<int>(bitmap.width));
  int from_height = std::max(1, static_cast<int>(bitmap.rows));
  GlyphImage image;
  image.width = room;
  image.height = std::max(1, room * from_height / from_width);
  if (image.height > cell.height) {
    image.height = cell.height;
    image.width = std::max(1, cell.height * from_width / from_height);
  }
  image.left = (room - image.width) / 2;
  image.top = ascent - (cell.height - image.height) / 2;
  image.colors = Shrink(bitmap, image.width, image.height);
  return image;
}

// Italic glyphs are always derived from upright ones, and bold ones from
// regular ones if there is no bold face.
std::optional<GlyphImage> Fonts::Impl::Render(FT_Face face, char32_t c,
                                              GlyphStyle style, int columns) {
  int room = columns * cell.width;
  if (!LoadFitting(face, c, room)) return std::nullopt;
  FT_GlyphSlot slot = face->glyph;
  if (style.bold && face != bold_.get()) FT_GlyphSlot_Embolden(slot);
  if (style.italic && slot->format == FT_GLYPH_FORMAT_OUTLINE) {
    // This slants by a fifth to the right for each unit up.
    FT_Matrix slant = {0x10000, 0x3333, 0, 0x10000};
    FT_Outline_Transform(&slot->outline, &slant);
  }
  if (FT_Render_Glyph(slot, FT_RENDER_MODE_LIGHT) != 0) return std::nullopt;
  if (slot->bitmap.pixel_mode == FT_PIXEL_MODE_BGRA) return Picture(slot, room);
  return Mask(slot, room);
}

// Keeps the result, even if no font has the character.
const GlyphImage* Fonts::Impl::Find(char32_t c, GlyphStyle style, int columns) {
  auto [entry, is_new] = glyphs_.try_emplace({c, style, columns});
  if (is_new) {
    FT_Face face = FaceFor(c, style.bold);
    if (face != nullptr) entry->second = Render(face, c, style, columns);
  }
  return entry->second ? &*entry->second : nullptr;
}

Fonts::Fonts(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Fonts::~Fonts() = default;

absl::StatusOr<std::unique_ptr<Fonts>> Fonts::Open(const std::string& font,
                                                   int px) {
  auto impl = std::make_unique<Impl>();
  RETURN_IF_ERROR(impl->Open(font, px));
  return std::unique_ptr<Fonts>(new Fonts(std::move(impl)));
}

CellSize Fonts::cell() const { return impl_->cell; }
int Fonts::ascent() const { return impl_->ascent; }
const GlyphImage* Fonts::Find(char32_t c, GlyphStyle style, int columns) {
  return impl_->Find(c, style, columns);
}

}  // namespace glasstty::picture
