// Computes the output of print_and_exit; shared with the test that looks for
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace glasstty::testing {

inline std::string PrintedBytes(size_t size, uint32_t seed) {
  std::string bytes;
  bytes.reserve(size + 2);
  while (bytes.size() < size) {
    seed = seed * 1664525 + 1013904223;
    if (seed >> 26 == 0) {
      bytes += "\r\n";
    } else {
      bytes += static_cast<char>('!' + (seed >> 16) % 94);
    }
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace glasstty::testing
