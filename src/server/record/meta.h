// Reads and writes meta.json, which contains the facts that a later server
// needs to take over a session. The environment is not among them, because it
// may hold secrets. The functions keep no state.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "record/folder.h"
#include "record/origin.h"

namespace glasstty::record {

// Returns one JSON object and a newline.
std::string EncodeMeta(const SessionOrigin& origin);
// Error: the text is not a complete meta file of the format that we write.
absl::StatusOr<SessionOrigin> DecodeMeta(const std::string& text);
// Reads the meta file of a session's directory. Error: says what is wrong with
// the file or its directory.
absl::StatusOr<SessionOrigin> ReadMeta(const Folder& folder);

}  // namespace glasstty::record
