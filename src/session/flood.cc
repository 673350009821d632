#include "session/flood.h"

namespace glasstty {

void Flood::Arrived(Time now, uint64_t offset) {
  if (now - last_ <= kPause) return;
  began_ = now;
  from_ = fed_ = offset;
}

void Flood::Fed(Time now, uint64_t offset) {
  last_ = now;
  fed_ = offset;
}

bool Flood::IsLasting(Time now, bool has_unfed) const {
  return IsMuch() && last_ - began_ > kLong &&
         (has_unfed || now - last_ < kPause);
}

}  // namespace glasstty
