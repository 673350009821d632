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

// Returns roughly the number of characters that may be part of a bar.
double CountSigns(std::string_view text) {
  return static_cast<double>(
      std::count_if(text.begin(), text.end(),
                    [](char c) { return !IsAlnum(c) && c != ' '; }));
}

}  // namespace

std::vector<Advance::Range> Advance::RangesOf(std::string_view text) {
  double signs = CountSigns(text);
  std::vector<Range> ranges = {{.low = signs, .high = signs}};
  for (const Reading& reading : ReadAllProgress(text)) {
    bool is_percent = reading.form == Reading::Form::kPercent;
    ranges.push_back({.low = reading.value,
                      .high = reading.value,
                      .counts = reading.form == Reading::Form::kCount,
                      .total = is_percent ? 0 : reading.total.value_or(0)});
  }
  return ranges;
}

// If a count of a total begins again at the same place, its maximum is
// forgotten, because an inner loop counts repeatedly. This is decided only
// among rows at the same place: elsewhere, a row that looks alike may be near
// its end while this one begins.
Advance::Sight Advance::Widen(Of of, size_t key,
                              const std::vector<Range>& ranges) {
  if (known_.size() >= kMostRows) known_.clear();
  auto [at, is_new] = known_.try_emplace(key, ranges);
  if (is_new) return Sight::kNew;
  // Two shapes may have the same hash, because a program can choose its lines.
  if (at->second.size() != ranges.size()) {
    at->second = ranges;
    return Sight::kNew;
  }
  bool is_further = false;
  for (size_t i = 0; i < ranges.size(); ++i) {
    Range& range = at->second[i];
    double total = ranges[i].total;
    bool begins_anew = of == Of::kPlace && total > 0 &&
                       range.high >= 0.9 * total &&
                       ranges[i].high <= 0.1 * total;
    if (begins_anew) range.high = ranges[i].high;
    is_further |= ranges[i].high > range.high ||
                  (range.counts && ranges[i].low < range.low);
    range.high = std::max(range.high, ranges[i].high);
    range.low = std::min(range.low, ranges[i].low);
  }
  return is_further ? Sight::kFurther : Sight::kSame;
}

Advance::Sight Advance::TakeRow(int64_t place, std::string_view text) {
  std::vector<Range> ranges = RangesOf(text);
  // The number of ranges is part of the key, because shapes merge adjacent
  // numbers.
  size_t key = Mixed(std::hash<std::string>()(ShapeOf(text)), ranges.size());
  Sight of_shape = Widen(Of::kShape, key, ranges);
  Sight of_place =
      Widen(Of::kPlace, Mixed(key, static_cast<size_t>(place) + 1), ranges);
  bool is_further = of_place == Sight::kFurther;
  return of_shape == Sight::kSame && is_further ? of_place : of_shape;
}

bool Advance::TakeLine(std::string_view text) {
  if (lines_.size() >= kMostLines) lines_.clear();
  std::string shape = ShapeOf(text, Ignore::kTimes);
  return lines_.insert(std::hash<std::string>()(shape)).second;
}

}  // namespace glasstty::motion
