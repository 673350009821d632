// A rectangle of pixels, and functions that draw on it. A plain value.
// Coordinates count from the upper left corner; nothing is drawn outside the
// canvas or `clip`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "picture/shapes.h"
#include "picture/theme.h"

namespace glasstty::picture {

// A half-open rectangle.
struct Box {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
};

class Canvas {
 public:
  // REQUIRES: width and height are positive.
  Canvas(int width, int height, Rgb background);

  int width() const { return width_; }
  int height() const { return height_; }
  // The pixels row by row from the top, `width` of them in each row.
  const std::vector<Rgb>& pixels() const { return pixels_; }
  // REQUIRES: the position is inside.
  Rgb At(int x, int y) const { return pixels_[Index(x, y)]; }

  void Fill(Box box, Rgb color, int alpha = 255);
  // Draws a piece whose coordinates are relative to (left, top) of `cell`,
  // clipped to the cell. Slanted edges are smoothed.
  void Draw(const Piece& piece, Box cell, Rgb color);
  // Blends `color` over the pixels at (x, y) through `mask`, which is `columns`
  // pixels wide and contains coverage from 0 to 255.
  void Blend(std::span<const uint8_t> mask, int columns, int x, int y, Box clip,
             Rgb color);
  // Draws one pixel with `alpha` from 0 to 255.
  void Put(int x, int y, Box clip, Rgb color, int alpha);

 private:
  size_t Index(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width_) +
           static_cast<size_t>(x);
  }

  // In pixels.
  const int width_;
  const int height_;
  std::vector<Rgb> pixels_;
};

}  // namespace glasstty::picture
