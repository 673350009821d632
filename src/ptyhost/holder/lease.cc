#include "holder/lease.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace glasstty::holder {
namespace {

constexpr std::chrono::milliseconds kSilence{3 * wire::kLeaseBeatMs};

}  // namespace

void Lease::Take(Turn turn, Time now, Time wall) {
  turn_ = std::move(turn);
  heard_ = now;
  typed_ = wall;
  ++info_.serial;
  info_.pid = turn_.pid;
  info_.since_ns = static_cast<uint64_t>(now.time_since_epoch().count());
  info_.how = wire::LeaseEnd::kNone;
  info_.rows = turn_.rows;
  info_.cols = turn_.cols;
  info_.for_call = turn_.for_call ? 1 : 0;
  std::fill(std::begin(info_.label), std::end(info_.label), '\0');
  turn_.label.copy(info_.label, sizeof info_.label - 1);
}

// Keeps the label and the time in info_, for peers that are informed later.
void Lease::End(wire::LeaseEnd how) {
  if (!held()) return;
  turn_ = {};
  ++info_.serial;
  info_.how = how;
}

void Lease::Typed(size_t bytes, bool ends, Time wall) {
  typed_ = wall;
  info_.entered = ends;
  ++info_.writes;
  info_.bytes += static_cast<uint32_t>(bytes);
}

// Does not count the keys of a secret, which would reveal its length.
void Lease::TypedSecret(bool ends, Time wall) {
  typed_ = wall;
  info_.entered = ends;
  if (ends) ++info_.secrets;
}

// A person who is away types nothing, but the observer still sends packets
// (kIdle). An observer that sends nothing is dead or stopped (kGone).
wire::LeaseEnd Lease::IsOver(Time now, Time wall) const {
  if (!held()) return wire::LeaseEnd::kNone;
  if (wall >= typed_ + turn_.idle) return wire::LeaseEnd::kIdle;
  return now >= heard_ + kSilence ? wire::LeaseEnd::kGone
                                  : wire::LeaseEnd::kNone;
}

// If the machine sleeps meanwhile, `wall` advances more than `now`, so the idle
// turn ends late, but not later than the limit on silence.
Time Lease::next(Time now, Time wall) const {
  if (!held()) return Time::max();
  return std::min(heard_ + kSilence, now + (typed_ + turn_.idle - wall));
}

}  // namespace glasstty::holder
