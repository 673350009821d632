// Parses the times by which people and agents name moments of a session.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace glasstty::view {

// Reads "-30s", "5m", "1h" or "2d" as seconds; nullopt: it is none of them.
std::optional<double> ParseAgo(std::string_view text);

// Returns the moment that `text` names, in seconds since the start of the
// session: "-30s" before `now_s`, "+30s" after the start, or the last
// "14:58:55" (local time) before `now_s`. A moment before the start becomes the
// start. nullopt: it is none of them, or the moment has not come.
std::optional<double> ParseWhen(std::string_view text, int64_t started_ms,
                                double now_s);

}  // namespace glasstty::view
