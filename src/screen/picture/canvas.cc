#include "picture/canvas.h"

#include <algorithm>
#include <cmath>

namespace glasstty::picture {
namespace {

// Returns the pixels that the polygon may touch.
Box BoundsOf(const Piece& piece) {
  double left = 1e9, top = 1e9, right = -1e9, bottom = -1e9;
  for (const Point& point : piece.points) {
    left = std::min(left, point.x);
    right = std::max(right, point.x);
    top = std::min(top, point.y);
    bottom = std::max(bottom, point.y);
  }
  return {static_cast<int>(std::floor(left)), static_cast<int>(std::floor(top)),
          static_cast<int>(std::ceil(right)),
          static_cast<int>(std::ceil(bottom))};
}

// Uses the winding number, because the outline of a stroke may intersect
// itself.
bool IsInside(const std::vector<Point>& points, double x, double y) {
  int winding = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const Point& a = points[i];
    const Point& b = points[(i + 1) % points.size()];
    double side = (b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y);
    if (a.y <= y && b.y > y && side > 0) ++winding;
    if (a.y > y && b.y <= y && side < 0) --winding;
  }
  return winding != 0;
}

}  // namespace

Canvas::Canvas(int width, int height, Rgb background)
    : width_(width),
      height_(height),
      pixels_(static_cast<size_t>(width) * static_cast<size_t>(height),
              background) {}

// Fills whole rows at once, because nearly everything that is painted is
// background.
void Canvas::Fill(Box box, Rgb color, int alpha) {
  box = {std::max(box.left, 0), std::max(box.top, 0),
         std::min(box.right, width_), std::min(box.bottom, height_)};
  if (box.left >= box.right) return;
  for (int y = box.top; y < box.bottom; ++y) {
    auto row = pixels_.begin() + static_cast<ptrdiff_t>(Index(0, y));
    if (alpha == 255) {
      std::fill(row + box.left, row + box.right, color);
      continue;
    }
    for (int x = box.left; x < box.right; ++x) {
      row[x] = Mix(row[x], color, alpha);
    }
  }
}

// Takes five by five samples per pixel, which is cheap because a polygon has
// few pixels.
void Canvas::Draw(const Piece& piece, Box cell, Rgb color) {
  constexpr int kSamples = 5;
  Box bounds = BoundsOf(piece);
  Box box = {std::max(cell.left, cell.left + bounds.left),
             std::max(cell.top, cell.top + bounds.top),
             std::min(cell.right, cell.left + bounds.right),
             std::min(cell.bottom, cell.top + bounds.bottom)};
  if (piece.IsRect()) return Fill(box, color, piece.alpha);
  for (int y = box.top; y < box.bottom; ++y) {
    for (int x = box.left; x < box.right; ++x) {
      int hits = 0;
      for (int i = 0; i < kSamples * kSamples; ++i) {
        int column = i % kSamples, row = i / kSamples;
        double px = x - cell.left + (column + 0.5) / kSamples;
        double py = y - cell.top + (row + 0.5) / kSamples;
        hits += IsInside(piece.points, px, py) ? 1 : 0;
      }
      Put(x, y, cell, color, hits * piece.alpha / (kSamples * kSamples));
    }
  }
}

// Blending is linear in the stored values, as in the terminals with which
// people compare the picture; gamma correction would make light text on a dark
// background look bold.
void Canvas::Blend(std::span<const uint8_t> mask, int columns, int x, int y,
                   Box clip, Rgb color) {
  for (size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] == 0) continue;
    auto at = static_cast<int>(i);
    Put(x + at % columns, y + at / columns, clip, color, mask[i]);
  }
}

void Canvas::Put(int x, int y, Box clip, Rgb color, int alpha) {
  bool is_inside = x >= std::max(clip.left, 0) && y >= std::max(clip.top, 0) &&
                   x < std::min(clip.right, width_) &&
                   y < std::min(clip.bottom, height_);
  if (!is_inside) return;
  Rgb& pixel = pixels_[Index(x, y)];
  pixel = Mix(pixel, color, alpha);
}

}  // namespace glasstty::picture
