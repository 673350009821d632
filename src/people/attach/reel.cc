#include "attach/reel.h"

#include <algorithm>

#include "absl/strings/str_format.h"

namespace glasstty::attach {

void CutPauses(int64_t longest_us, std::vector<record::CastEvent>* events) {
  int64_t last = 0, now = 0;
  for (record::CastEvent& event : *events) {
    now += std::clamp<int64_t>(event.us - last, 0, longest_us);
    last = std::max(last, event.us);
    event.us = now;
  }
}

std::string ClockText(int64_t us) {
  constexpr int64_t kSecond = 1'000'000;
  int64_t s = us / kSecond;
  if (s < 3600) return absl::StrFormat("%d:%02d", s / 60, s % 60);
  return absl::StrFormat("%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace glasstty::attach
