// Converts wall-clock times to the local time zone.
//
// Pure functions, except that they read the zone of the process (TZ); any
// thread.
#pragma once

#include <cstdint>
#include <string>

namespace glasstty {

// Returns the number of seconds by which local time is ahead of UTC at
// `wall_ms`, milliseconds since 1970.
int64_t ZoneSeconds(int64_t wall_ms);

// Returns the time of day, "14:58:55", in the local time zone or in one that is
// `zone_s` seconds ahead of UTC.
std::string ClockText(int64_t wall_ms);
std::string ClockText(int64_t wall_ms, int64_t zone_s);

}  // namespace glasstty
