// A control sequence that the parser has collected. A plain value.
//
// The parser fills it; the interpreter and the pen read it. It has a fixed
// size, so collecting a sequence allocates nothing. Surplus parameters only set
// `overflow`, and the interpreter decides whether the sequence is still
// meaningful.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace glasstty::terminal {

struct Csi {
  // Editors send 17 and more parameters in one SGR. Only SGR and lists of modes
  // need more than eight.
  static constexpr int kMaxParams = 32;
  static constexpr int kMaxValue = 9999;

  char leader = 0;        // one of < = > ?, or 0
  char intermediate = 0;  // 0x20..0x2F, or 0
  char final = 0;         // 0x40..0x7E
  uint8_t count = 0;      // number of values
  bool overflow = false;  // there were more values than kMaxParams
  uint32_t joined = 0;    // bit i: ':' joins value i to the next
  std::array<int16_t, kMaxParams> values;  // -1: not given

  // Leaves `values` unchanged, because `count` says how many are valid.
  void Clear() {
    leader = intermediate = final = 0;
    count = 0;
    overflow = false;
    joined = 0;
  }
  int Value(int i, int missing) const {
    return i < count && values[i] >= 0 ? values[i] : missing;
  }
  // Returns value `i` as a repeat count or a position: 1 if it is missing or 0.
  int Count(int i) const { return std::max(1, Value(i, 1)); }
  bool IsJoined(int i) const { return (joined >> i & 1) != 0; }
};

}  // namespace glasstty::terminal
