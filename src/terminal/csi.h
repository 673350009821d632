// One control sequence as the parser collected it. A plain value.
//
// The parser fills it, the guard and the pen read it. Of fixed size, so that
// collecting one allocates nothing; what does not fit is noted, not kept, and
// the guard decides whether the sequence still means anything.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace glasstty::terminal {

struct Csi {
  // Editors send 17 and more in one SGR; libvterm has room for 16 and does not
  // look. No sequence but SGR and mode lists needs more than two.
  static constexpr int kMaxParams = 32;
  static constexpr int kMaxValue = 9999;

  char leader = 0;                         // one of < = > ?, or 0
  char intermediate = 0;                   // 0x20..0x2F, or 0
  char final = 0;                          // 0x40..0x7E
  uint8_t count = 0;                       // of values
  bool overflow = false;                   // more came than are kept
  uint32_t joined = 0;                     // bit i: ':' joins it to the next
  std::array<int16_t, kMaxParams> values;  // -1: not given

  // The values stay where they are: `count` says how many are valid.
  void Clear() {
    leader = intermediate = final = 0;
    count = 0;
    overflow = false;
    joined = 0;
  }
  int Value(int i, int missing) const {
    return i < count && values[i] >= 0 ? values[i] : missing;
  }
  // A repeat count or a place: missing and 0 mean 1.
  int Count(int i) const { return std::max(1, Value(i, 1)); }
  bool IsJoined(int i) const { return (joined >> i & 1) != 0; }
};

}  // namespace glasstty::terminal
