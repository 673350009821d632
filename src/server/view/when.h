// The times at which people and agents point in a session, as they write them.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace glasstty::view {

// Reads "-30s", "5m", "1h" or "2d" as seconds; nullopt: it is none of them.
std::optional<double> ParseAgo(std::string_view text);

// Returns the second of a session that `text` names: "-30s" before `now_s`,
// "+30s" after its start, or the last "14:58:55" (local time) before `now_s`.
// Earlier ones than its start are its start. nullopt: it is none of them, or
// the moment has not come.
std::optional<double> ParseWhen(std::string_view text, int64_t started_ms,
                                double now_s);

}  // namespace glasstty::view
