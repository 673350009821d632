// A packet of a holder that outlives the buffer in which it came.
#pragma once

#include <chrono>
#include <string>

#include "wire/packets.h"

namespace glasstty {

// The patience for what comes at once on a machine that is not busy.
inline constexpr std::chrono::milliseconds kPatience{20'000};

struct Received {
  wire::PacketHeader header;
  std::string payload;

  template <typename T>
  T As() const {
    T value{};
    payload.copy(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
};

}  // namespace glasstty
