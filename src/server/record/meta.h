// Reads and writes meta.json, which contains the facts that a later server
// needs to take over a session. The environment is not among them, because it
// may hold secrets. Pure functions.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "record/origin.h"

namespace glasstty::record {

// Returns one JSON object and a newline.
std::string EncodeMeta(const SessionOrigin& origin);
// Error: the text is not a complete meta file of the format that we write.
absl::StatusOr<SessionOrigin> DecodeMeta(const std::string& text);

}  // namespace glasstty::record
