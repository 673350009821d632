// Tells a test how often to repeat what gets surer with each repetition.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

namespace glasstty {

// True in `./dev test --long`.
inline bool IsLongRun() { return std::getenv("GLASSTTY_LONG") != nullptr; }

// Returns `few` for whoever waits for the result, and `many` in a long run.
inline int Rounds(int few, int many) { return IsLongRun() ? many : few; }

// Returns every `step`-th of `all`, and all of them in a long run.
template <typename T>
std::vector<T> Sample(std::vector<T> all, size_t step) {
  if (IsLongRun()) return all;
  std::vector<T> some;
  for (size_t i = 0; i < all.size(); i += step) {
    some.push_back(std::move(all[i]));
  }
  return some;
}

}  // namespace glasstty
