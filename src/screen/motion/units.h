// The units of time that may follow a number. Plain values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace glasstty::motion {

inline constexpr std::string_view kTimeUnits[] = {
    "s",    "ms",     "sec",    "min",     "h",   "m",  "secs",
    "mins", "hours",  "hour",   "minutes", "us",  "ns", "seconds",
    "d",    "minute", "second", "day",     "days"};

template <size_t N>
bool Holds(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace glasstty::motion
