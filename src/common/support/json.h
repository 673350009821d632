// JSON, parsed from untrusted text and written for clients.
//
// This is the only file that includes nlohmann/json.hpp. It avoids the traps of
// that library: depth is checked before parsing (copying or dumping depth
// 100,000 overflows the stack), invalid UTF-8 never makes dump() throw, and
// lone surrogates from JavaScript clients are replaced. Members keep their
// order, so output is stable. Use find, contains and the readers below to read
// members. Use operator[] on a const object only for members that certainly
// exist: for a missing one its behaviour is undefined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace glasstty {

using Json = nlohmann::ordered_json;

inline constexpr int kMaxJsonDepth = 64;
inline constexpr size_t kMaxJsonMembers = 10'000;

// Fails if `text` is not JSON even after the repairs above, is nested deeper
// than kMaxJsonDepth, or has an object of more than kMaxJsonMembers or many
// large objects, because the time to parse an object grows with its square.
absl::StatusOr<Json> ParseJson(std::string_view text);

// Writes one line without control characters; invalid UTF-8 inside strings
// becomes U+FFFD.
std::string DumpJson(const Json& value);

// These readers return nullopt if the value has another type or is out of
// range. As in JSON Schema, a whole number given as 2.0 is an integer.
std::optional<int64_t> AsInteger(const Json& value);
std::optional<double> AsNumber(const Json& value);
std::optional<bool> AsBool(const Json& value);
std::optional<std::string> AsString(const Json& value);

// Returns the member `key`, or null if `object` is not an object or lacks it.
const Json* FindMember(const Json& object, std::string_view key);

}  // namespace glasstty
