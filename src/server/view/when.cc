#include "view/when.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "support/local_time.h"

namespace glasstty::view {
namespace {

constexpr double kDay = 86'400;

// Reads "14:58:55" or "14:58" as seconds since midnight.
std::optional<double> ParseClock(std::string_view text) {
  int parts[3] = {};
  size_t count = 0;
  while (count < 3) {
    const char* end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data(), end, parts[count]);
    bool is_two_digits = rest - text.data() == 2;
    if (error != std::errc() || !is_two_digits) return std::nullopt;
    ++count;
    text.remove_prefix(2);
    if (text.empty()) break;
    if (text.front() != ':') return std::nullopt;
    text.remove_prefix(1);
  }
  bool fits = text.empty() && count >= 2 && parts[0] < 24 && parts[1] < 60 &&
              parts[2] < 60;
  if (!fits) return std::nullopt;
  return parts[0] * 3600.0 + parts[1] * 60.0 + parts[2];
}

// Returns the seconds since local midnight at which the session started.
double StartOfDaySeconds(int64_t started_ms) {
  double local = static_cast<double>(started_ms) / 1000 +
                 static_cast<double>(ZoneSeconds(started_ms));
  return std::fmod(local, kDay);
}

}  // namespace

std::optional<double> ParseAgo(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  double number = 0;
  auto [unit, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number >= 0 && number < 1e9)) {
    return std::nullopt;
  }
  std::string_view name(unit, static_cast<size_t>(text.end() - unit));
  if (name == "s") return number;
  if (name == "m" || name == "min") return number * 60;
  if (name == "h") return number * 3600;
  if (name == "d") return number * kDay;
  return std::nullopt;
}

std::optional<double> ParseWhen(std::string_view text, int64_t started_ms,
                                double now_s) {
  if (text.starts_with('+') || text.starts_with('-')) {
    bool is_ago = text.front() == '-';
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
    auto seconds = ParseAgo(text);
    if (!seconds) return std::nullopt;
    if (!is_ago && *seconds > now_s) return std::nullopt;
    return is_ago ? std::max(now_s - *seconds, 0.0) : *seconds;
  }
  auto clock = ParseClock(text);
  if (!clock) return std::nullopt;
  double first = *clock - StartOfDaySeconds(started_ms);
  return std::max(first + std::floor((now_s - first) / kDay) * kDay, 0.0);
}

}  // namespace glasstty::view
