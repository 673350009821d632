// Backgrounds are drawn before the text, because a slanted glyph may extend
// slightly into the next cell.
#include "picture/draw.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/utf8.h"
#include "observe/cells.h"
#include "picture/fonts.h"
#include "support/status.h"
#include "terminal/widths.h"

namespace glasstty::picture {
namespace {

// The sizes that are tried until the picture is small enough. Below ten pixels,
// neither people nor models can distinguish letters.
constexpr int kSizes[] = {14, 12, 10};

class Artist {
 public:
  Artist(const observe::Frame& frame, const Theme& theme, Fonts* fonts)
      : frame_(frame),
        theme_(theme),
        fonts_(fonts),
        cell_(fonts->cell()),
        canvas_(frame.size.cols * cell_.width, frame.size.rows * cell_.height,
                theme.background()) {}

  void Draw() {
    for (int row = 0; row < frame_.size.rows; ++row) {
      if (static_cast<size_t>(row) >= frame_.rows.size()) break;
      DrawRow(row);
    }
  }

  Canvas TakeCanvas() { return std::move(canvas_); }
  int missing() const { return missing_; }

 private:
  Box CellAt(int row, int col, int columns) const {
    int left = col * cell_.width, top = row * cell_.height;
    return {left, top, left + columns * cell_.width, top + cell_.height};
  }
  // Returns the colours of a cell. A block cursor changes them.
  Look LookAt(const observe::PaintCell& cell, bool is_under_cursor) const;
  void DrawRow(int row);
  // These draw into `box`, which has `columns` cells, in `color`.
  void DrawText(const observe::PaintCell& cell, Box box, int columns,
                Rgb color);
  void DrawGlyph(char32_t c, const observe::PaintCell& cell, Box box,
                 int columns, Rgb color);
  void DrawBox(Box box, Rgb color);
  void DrawLines(const terminal::Style& style, Box box, Rgb color);
  void DrawWave(Box box, int y, Rgb color);
  void DrawCursor(CursorShape shape, Box box, Rgb color);

  // Borrowed.
  const observe::Frame& frame_;
  const Theme& theme_;
  Fonts* const fonts_;
  const CellSize cell_;
  // The picture so far.
  Canvas canvas_;
  int missing_ = 0;
};

Look Artist::LookAt(const observe::PaintCell& cell,
                    bool is_under_cursor) const {
  Look look = theme_.LookOf(cell.style, cell.text);
  return is_under_cursor ? UnderCursor(look) : look;
}

// Draws glyph by glyph instead of cell by cell: both halves of a wide glyph
// have the style of its left cell.
void Artist::DrawRow(int row) {
  observe::PaintRow cells = observe::PaintCells(
      frame_.rows[static_cast<size_t>(row)], frame_.size.cols);
  CursorShape shape = ShapeOfCursor(frame_);
  if (row != frame_.cursor.row) shape = CursorShape::kNone;
  auto look_at = [&](int col, int width) {
    bool is_at = frame_.cursor.col >= col && frame_.cursor.col < col + width;
    return LookAt(cells[static_cast<size_t>(col)],
                  is_at && shape == CursorShape::kBlock);
  };
  auto each = [&](auto act) {
    for (int col = 0, width = 1; col < frame_.size.cols; col += width) {
      width = observe::GlyphWidth(cells, col);
      act(col, width, look_at(col, width));
    }
  };
  each([&](int col, int width, const Look& look) {
    if (look.background == theme_.background()) return;
    canvas_.Fill(CellAt(row, col, width), look.background);
  });
  each([&](int col, int width, const Look& look) {
    const observe::PaintCell& cell = cells[static_cast<size_t>(col)];
    Box box = CellAt(row, col, width);
    DrawText(cell, box, width, look.foreground);
    DrawLines(cell.style, box, look.foreground);
  });
  if (shape == CursorShape::kNone) return;
  int col = std::clamp(frame_.cursor.col, 0, frame_.size.cols - 1);
  DrawCursor(shape, CellAt(row, col, observe::GlyphWidth(cells, col)),
             theme_.LookOf({}).foreground);
}

// Marks are drawn onto their base; joiners and selectors are not drawn. Of
// joined emoji, only the first is drawn; of a flag, both letters.
void Artist::DrawText(const observe::PaintCell& cell, Box box, int columns,
                      Rgb color) {
  std::string_view text = cell.text;
  if (text == " " || (cell.style.attributes & terminal::kConceal) != 0) return;
  bool is_base = true;
  while (!text.empty()) {
    char32_t c = TakeUtf8(&text);
    bool is_flag_half =
        columns == 2 && (terminal::TraitsOf(c) & terminal::kFlagHalf) != 0;
    if (is_flag_half) {
      int middle = box.left + cell_.width;
      Box half = is_base ? Box{box.left, box.top, middle, box.bottom}
                         : Box{middle, box.top, box.right, box.bottom};
      DrawGlyph(c, cell, half, 1, color);
    } else if (is_base || terminal::WidthOf(c) == 0)
      DrawGlyph(c, cell, box, columns, color);
    is_base = false;
  }
}

// Hand-drawn shapes take precedence over fonts, most of which have these
// characters but draw them for another size of cell.
void Artist::DrawGlyph(char32_t c, const observe::PaintCell& cell, Box box,
                       int columns, Rgb color) {
  if (HasShape(c)) {
    for (const Piece& piece : ShapeOf(c, cell_)) {
      canvas_.Draw(piece, box, color);
    }
    return;
  }
  // Spaces, the joiner and variation selectors are invisible.
  bool is_silent = c == ' ' || c == 0x00A0 || c == 0x3000 || c == 0x200D ||
                   (c >= 0xFE00 && c <= 0xFE0F);
  if (is_silent) return;
  GlyphStyle style = {(cell.style.attributes & terminal::kBold) != 0,
                      (cell.style.attributes & terminal::kItalic) != 0};
  const GlyphImage* glyph = fonts_->Find(c, style, columns);
  if (glyph == nullptr) {
    if (terminal::WidthOf(c) > 0) DrawBox(box, color);
    return;
  }
  int left = box.left + glyph->left,
      top = box.top + fonts_->ascent() - glyph->top;
  // Hinting may move an edge outwards by a pixel.
  int reach = style.italic ? cell_.width / 3 : 1;
  Box clip = {box.left - reach, box.top, box.right + reach, box.bottom};
  if (glyph->colors.empty()) {
    return canvas_.Blend(glyph->mask, glyph->width, left, top, clip, color);
  }
  for (size_t i = 0; i < glyph->colors.size(); ++i) {
    auto at = static_cast<int>(i);
    uint32_t pixel = glyph->colors[i];
    canvas_.Put(left + at % glyph->width, top + at / glyph->width, clip,
                pixel & 0xFFFFFF, static_cast<int>(pixel >> 24));
  }
}

// Draws a box in place of a glyph that no font has.
void Artist::DrawBox(Box box, Rgb color) {
  ++missing_;
  Box inner = {box.left + 1, box.top + 3, box.right - 1, box.bottom - 3};
  canvas_.Fill({inner.left, inner.top, inner.right, inner.top + 1}, color);
  canvas_.Fill({inner.left, inner.bottom - 1, inner.right, inner.bottom},
               color);
  canvas_.Fill({inner.left, inner.top, inner.left + 1, inner.bottom}, color);
  canvas_.Fill({inner.right - 1, inner.top, inner.right, inner.bottom}, color);
}

// The underline is directly below the baseline, above underscores.
void Artist::DrawLines(const terminal::Style& style, Box box, Rgb color) {
  int thin = std::max(1, cell_.height / 17);
  auto line = [&](int y) {
    canvas_.Fill({box.left, y, box.right, y + thin}, color);
  };
  int below = std::min(box.top + fonts_->ascent() + 1, box.bottom - thin);
  int underline = (style.attributes &
                   (terminal::kUnderlineLow | terminal::kUnderlineHigh)) >>
                  terminal::kUnderlineShift;
  if (underline == 1 || underline == 2) line(below);
  if (underline == 2) line(std::min(below + 2 * thin, box.bottom - thin));
  if (underline == 3) DrawWave(box, below, color);
  if ((style.attributes & terminal::kStrike) != 0) {
    line(box.top + fonts_->ascent() * 2 / 3);
  }
  if ((style.attributes & terminal::kOverline) != 0) line(box.top);
}

// Each cell has one wave, so that waves of neighbours connect.
void Artist::DrawWave(Box box, int y, Rgb color) {
  int high = std::max(1, cell_.height / 17);
  for (int x = box.left; x < box.right; ++x) {
    double turn = (x - box.left + 0.5) * 6.2831853 / cell_.width;
    int at = y + static_cast<int>(
                     std::lround(high * (1 + std::sin(turn)) / 2.0 * 1.9));
    canvas_.Fill({x, std::min(at, box.bottom - 1), x + 1,
                  std::min(at + high, box.bottom)},
                 color);
  }
}

// A block cursor is drawn with the cell itself (LookAt).
void Artist::DrawCursor(CursorShape shape, Box box, Rgb color) {
  int thick = std::max(2, cell_.height / 8);
  if (shape == CursorShape::kUnderline) box.top = box.bottom - thick;
  if (shape == CursorShape::kBar) box.right = box.left + std::min(thick, 2);
  if (shape != CursorShape::kBlock) canvas_.Fill(box, color);
}

// Opens the fonts in the size of the options. If that is 0, chooses the largest
// of kSizes at which the whole frame fits, or else the smallest.
absl::StatusOr<std::unique_ptr<Fonts>> ChooseFonts(const Job& job, int* px) {
  const Options& options = job.options;
  if (options.px != 0) {
    *px = options.px;
    return Fonts::Open(options.font, options.px);
  }
  for (int size : kSizes) {
    *px = size;
    ASSIGN_OR_RETURN(std::unique_ptr<Fonts> fonts,
                     Fonts::Open(options.font, size));
    int edge = std::max(fonts->cell().width * job.frame.size.cols,
                        fonts->cell().height * job.frame.size.rows);
    bool fits = options.max_edge == 0 || edge <= options.max_edge;
    if (fits || size == kSizes[2]) return fonts;
  }
  return Internal("the font has no usable size");
}

}  // namespace

Studio::Studio(std::unique_ptr<Fonts> fonts, int px)
    : fonts_(std::move(fonts)), px_(px) {}
Studio::Studio(Studio&&) noexcept = default;
Studio::~Studio() = default;

absl::StatusOr<Studio> Studio::Open(const Job& job) {
  int px = 0;
  ASSIGN_OR_RETURN(std::unique_ptr<Fonts> fonts, ChooseFonts(job, &px));
  return Studio(std::move(fonts), px);
}

// The visible part is chosen once the size of a cell is known.
Drawing Studio::Draw(const Job& job) {
  observe::Frame frame = job.frame;
  int edge = job.options.max_edge;
  if (edge > 0) {
    terminal::Size window = {std::max(1, edge / fonts_->cell().height),
                             std::max(1, edge / fonts_->cell().width)};
    frame = observe::PartOf(
        frame, window, observe::CornerOf(frame, window, observe::Corner()));
  }
  Theme theme(job.options.light, frame.modes.reverse_screen);
  Artist artist(frame, theme, fonts_.get());
  artist.Draw();
  return Drawing{artist.TakeCanvas(), px_, frame.size, artist.missing()};
}

absl::StatusOr<Drawing> DrawPicture(const Job& job) {
  ASSIGN_OR_RETURN(Studio studio, Studio::Open(job));
  return studio.Draw(job);
}

}  // namespace glasstty::picture
