// JSON, read from strangers and written for clients.
//
// The only place that includes nlohmann/json.hpp. Its traps are closed here:
// depth is checked before parsing (copying or dumping depth 100,000 overflows
// the stack), invalid UTF-8 never makes dump() throw, lone surrogates that
// JavaScript clients send are mended. Members keep their order, so output is
// stable. Read with find/contains and the checked readers; never operator[] on
// a const object.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace glasstty {

using Json = nlohmann::ordered_json;

inline constexpr int kMaxJsonDepth = 64;

// Error: not JSON, or nested deeper than kMaxJsonDepth.
absl::StatusOr<Json> ParseJson(std::string_view text);

// One line; invalid UTF-8 inside strings becomes U+FFFD.
std::string DumpJson(const Json& value);

// Checked readers: nullopt when the value is of another type or out of range.
// A whole number given as 2.0 is an integer to JSON Schema, so also here.
std::optional<int64_t> AsInteger(const Json& value);
std::optional<double> AsNumber(const Json& value);
std::optional<bool> AsBool(const Json& value);
std::optional<std::string> AsString(const Json& value);

// The member `key`; null when `json` is not an object or lacks it.
const Json* FindMember(const Json& object, std::string_view key);

}  // namespace glasstty
