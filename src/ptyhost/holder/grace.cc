#include "holder/grace.h"

#include <algorithm>
#include <chrono>

#include "wire/packets.h"

namespace glasstty::holder {
namespace {

constexpr uint64_t kLongestMs = 1000ull * 3600 * 24 * 365;

}  // namespace

void Grace::Start(Time now) {
  if (period_ms_ == wire::kKeepForever) return;
  at_ = now + std::chrono::milliseconds(std::min(period_ms_, kLongestMs));
}

void Grace::Reset() {
  at_ = Time::max();
  is_over_ = false;
}

bool Grace::RunsOut(Time now) {
  if (now < at_) return false;
  at_ = Time::max();
  is_over_ = true;
  return true;
}

}  // namespace glasstty::holder
