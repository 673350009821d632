#include "motion/advance.h"

#include <algorithm>
#include <functional>

#include "motion/letters.h"
#include "motion/progress.h"
#include "motion/shape.h"

namespace glasstty::motion {
namespace {

constexpr size_t kMostRows = 4'096;
constexpr size_t kMostLines = 1'000;

size_t Mixed(size_t hash, size_t value) {
  constexpr size_t kGolden = 0x9E3779B97F4A7C15;
  return hash ^ (value * kGolden + (hash << 6) + (hash >> 2));
}

// The signs of which bars consist, roughly.
double CountSigns(std::string_view text) {
  return static_cast<double>(
      std::count_if(text.begin(), text.end(),
                    [](char c) { return !IsAlnum(c) && c != ' '; }));
}

}  // namespace

std::vector<Advance::Range> Advance::RangesOf(std::string_view text) {
  double signs = CountSigns(text);
  std::vector<Range> ranges = {{signs, signs, false}};
  for (const Reading& reading : ReadAllProgress(text)) {
    bool counts = reading.form == Reading::Form::kCount;
    ranges.push_back({reading.value, reading.value, counts});
  }
  return ranges;
}

Advance::Sight Advance::Widen(size_t key, const std::vector<Range>& ranges) {
  if (known_.size() >= kMostRows) known_.clear();
  auto [at, is_new] = known_.try_emplace(key, ranges);
  if (is_new) return Sight::kNew;
  bool is_further = false;
  for (size_t i = 0; i < ranges.size(); ++i) {
    Range& range = at->second[i];
    is_further |= ranges[i].high > range.high ||
                  (range.counts && ranges[i].low < range.low);
    range.high = std::max(range.high, ranges[i].high);
    range.low = std::min(range.low, ranges[i].low);
  }
  return is_further ? Sight::kFurther : Sight::kSame;
}

Advance::Sight Advance::TakeRow(int64_t place, std::string_view text) {
  std::vector<Range> ranges = RangesOf(text);
  // Shapes join numbers that stand side by side.
  size_t key = Mixed(std::hash<std::string>()(ShapeOf(text)), ranges.size());
  Sight of_shape = Widen(key, ranges);
  Sight of_place = Widen(Mixed(key, static_cast<size_t>(place) + 1), ranges);
  bool is_further = of_place == Sight::kFurther;
  return of_shape == Sight::kSame && is_further ? of_place : of_shape;
}

bool Advance::TakeLine(std::string_view text) {
  if (lines_.size() >= kMostLines) lines_.clear();
  std::string shape = ShapeOf(text, Ignore::kTimes);
  return lines_.insert(std::hash<std::string>()(shape)).second;
}

}  // namespace glasstty::motion
