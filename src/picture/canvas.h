// A rectangle of pixels, and functions that draw on it. A plain value.
// Coordinates count from the upper left corner; whatever lies outside the
// canvas or `clip` is not drawn.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "picture/shapes.h"
#include "picture/theme.h"

namespace glasstty::picture {

// Half open.
struct Box {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
};

class Canvas {
 public:
  // REQUIRES: both are positive.
  Canvas(int width, int height, Rgb background);

  int width() const { return width_; }
  int height() const { return height_; }
  // Rows from the top, `width` each.
  const std::vector<Rgb>& pixels() const { return pixels_; }
  // REQUIRES: inside.
  Rgb At(int x, int y) const { return pixels_[Index(x, y)]; }

  void Fill(Box box, Rgb color, int alpha = 255);
  // A piece whose coordinates count from (left, top) of `cell`, and stays in
  // it. Slanted edges are smoothed.
  void Draw(const Piece& piece, Box cell, Rgb color);
  // Coverage of 0 to 255 for `columns` times so many pixels, at (x, y).
  void Blend(std::span<const uint8_t> mask, int columns, int x, int y, Box clip,
             Rgb color);
  // One pixel of `alpha` 0 to 255.
  void Put(int x, int y, Box clip, Rgb color, int alpha);

 private:
  size_t Index(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width_) +
           static_cast<size_t>(x);
  }

  // Pixels.
  const int width_;
  const int height_;
  std::vector<Rgb> pixels_;
};

}  // namespace glasstty::picture
