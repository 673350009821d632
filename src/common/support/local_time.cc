#include "support/local_time.h"

#include <ctime>

#include "absl/strings/str_format.h"

namespace glasstty {

int64_t ZoneSeconds(int64_t wall_ms) {
  std::time_t time = wall_ms / 1000;
  std::tm local{};
  if (localtime_r(&time, &local) == nullptr) return 0;
  return local.tm_gmtoff;
}

std::string ClockText(int64_t wall_ms) {
  return ClockText(wall_ms, ZoneSeconds(wall_ms));
}

std::string ClockText(int64_t wall_ms, int64_t zone_s) {
  int64_t of_day = (wall_ms / 1000 + zone_s) % 86'400;
  return absl::StrFormat("%02d:%02d:%02d", of_day / 3600, of_day / 60 % 60,
                         of_day % 60);
}

}  // namespace glasstty
