#include "picture/palette.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

namespace glasstty::picture {
namespace {

constexpr size_t kMostColors = 256;

// Returns the squared distance, with equal weights for the three channels.
int Distance(Rgb a, Rgb b) {
  int sum = 0;
  for (int shift = 0; shift <= 16; shift += 8) {
    int difference = static_cast<int>(a >> shift & 0xFF) -
                     static_cast<int>(b >> shift & 0xFF);
    sum += difference * difference;
  }
  return sum;
}

// A colour of the picture, its frequency, and the palette entry that represents
// it.
struct Used {
  uint64_t count = 0;
  Rgb color = 0;
  int distance = std::numeric_limits<int>::max();
  uint8_t index = 0;
};

// Counts each run of one colour in one step.
std::vector<Used> CountColors(const std::vector<Rgb>& pixels) {
  std::unordered_map<Rgb, uint64_t> counts;
  for (size_t i = 0, end; i < pixels.size(); i = end) {
    end = i + 1;
    while (end < pixels.size() && pixels[end] == pixels[i]) ++end;
    counts[pixels[i]] += end - i;
  }
  std::vector<Used> used;
  for (const auto& [color, count] : counts) used.push_back({count, color});
  // Sorting makes the file depend only on the pixels, not on the order of the
  // map.
  std::sort(used.begin(), used.end(), [](const Used& a, const Used& b) {
    return std::pair(b.count, a.color) < std::pair(a.count, b.color);
  });
  return used;
}

// Repeatedly adds the colour that the palette represents worst so far: the one
// with the largest squared distance from its entry, times its number of pixels.
std::vector<Rgb> ChoosePalette(std::vector<Used>* used) {
  std::vector<Rgb> palette;
  size_t next = 0;
  while (palette.size() < std::min(used->size(), kMostColors)) {
    Rgb chosen = (*used)[next].color;
    auto index = static_cast<uint8_t>(palette.size());
    palette.push_back(chosen);
    uint64_t worst = 0;
    for (size_t i = 0; i < used->size(); ++i) {
      Used& each = (*used)[i];
      int distance = Distance(chosen, each.color);
      if (distance < each.distance) {
        each.distance = distance;
        each.index = index;
      }
      uint64_t error = each.count * static_cast<uint64_t>(each.distance);
      if (error > worst) worst = error, next = i;
    }
    if (worst == 0) break;
  }
  return palette;
}

}  // namespace

Indexed IndexColors(const std::vector<Rgb>& pixels) {
  std::vector<Used> used = CountColors(pixels);
  Indexed indexed;
  indexed.palette = ChoosePalette(&used);
  // The index is looked up only where the colour changes.
  std::unordered_map<Rgb, uint8_t> index_of;
  for (const Used& each : used) index_of[each.color] = each.index;
  indexed.pixels.reserve(pixels.size());
  Rgb last = pixels[0];
  uint8_t index = index_of[last];
  for (Rgb pixel : pixels) {
    if (pixel != last) index = index_of[pixel];
    last = pixel;
    indexed.pixels.push_back(index);
  }
  return indexed;
}

}  // namespace glasstty::picture
