#include "session/flood.h"

#include <algorithm>

namespace glasstty::session {

void Flood::Arrived(Time now) {
  double seconds = std::chrono::duration<double>(now - last_).count();
  double lowered = static_cast<double>(level_) - seconds * kMuch;
  level_ = lowered > 0 ? static_cast<uint64_t>(lowered) : 0;
}

void Flood::Fed(Time now, uint64_t offset) {
  if (!IsMuch()) began_ = now;
  level_ = std::min(level_ + (offset - fed_), kMost);
  fed_ = offset;
  last_ = now;
}

bool Flood::IsLasting(Time now, bool has_unfed) const {
  return IsMuch() && last_ - began_ > kLong &&
         (has_unfed || now - last_ < kPause);
}

}  // namespace glasstty::session
