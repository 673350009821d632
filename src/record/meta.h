// meta.json: what a later server must know in order to take over a session. It
// contains no environment and no secrets. Pure functions.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "record/origin.h"

namespace glasstty::record {

// One JSON object and a newline.
std::string EncodeMeta(const SessionOrigin& origin);
// Error: not a meta file of ours.
absl::StatusOr<SessionOrigin> DecodeMeta(const std::string& text);

}  // namespace glasstty::record
