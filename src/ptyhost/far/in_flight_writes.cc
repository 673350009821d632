#include "far/in_flight_writes.h"

#include <utility>

namespace glasstty::far {
namespace {

constexpr uint64_t kMostDoubts = 1 << 16;

}  // namespace

void InFlightWrites::Read(uint64_t last) {
  std::erase_if(on_their_way_, [&](uint64_t serial) { return serial <= last; });
}

void InFlightWrites::Refused(uint64_t serial) {
  std::erase(on_their_way_, serial);
}

void InFlightWrites::Break() {
  doubtful_.insert(doubtful_.end(), on_their_way_.begin(), on_their_way_.end());
  on_their_way_.clear();
}

void InFlightWrites::Doubt(uint64_t first, uint64_t last) {
  if (last - first >= kMostDoubts) return;
  for (uint64_t i = 0; i <= last - first; ++i) doubtful_.push_back(first + i);
}

void InFlightWrites::Clear() {
  on_their_way_.clear();
  doubtful_.clear();
}

InFlightWrites::Verdict InFlightWrites::Settle(uint64_t last_arrived) {
  Verdict verdict;
  for (uint64_t serial : std::exchange(doubtful_, {})) {
    if (serial <= last_arrived) {
      verdict.any_arrived = true;
    } else {
      verdict.lost.push_back(serial);
    }
  }
  return verdict;
}

}  // namespace glasstty::far
