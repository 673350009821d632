// Output that a test can check byte by byte: a function of position and seed.
#pragma once

#include <cstdint>
#include <string>

namespace glasstty::holder {

inline char PatternByte(uint64_t at, uint32_t seed) {
  uint64_t x = (at + 1) * 0x9E3779B97F4A7C15ull ^ seed;
  return static_cast<char>('!' + (x >> 32) % 90);
}

inline std::string Pattern(uint64_t size, uint32_t seed) {
  std::string text(size, '\0');
  for (uint64_t i = 0; i < size; ++i) text[i] = PatternByte(i, seed);
  return text;
}

}  // namespace glasstty::holder
