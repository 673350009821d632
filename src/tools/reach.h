// The argument `on`: parses the name of a place and waits for its connection.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mcp/schema.h"
#include "support/task.h"
#include "tools/workbench.h"

namespace glasstty {

// The schema of an argument `on`.
inline constexpr char kOnShape[] = R"({"type":["string","array"]})";

// "ssh:db", or the words of a client. Error: what can be written.
absl::StatusOr<place::Place> PlaceOfArgument(const Json& on);

// Waits until there is a connection to the place. Error: why there is none, in
// its client's own words; or what the client asks, and how that is answered.
Task<absl::StatusOr<session::PlaceLink*>> ReachPlace(Workbench* bench,
                                                     mcp::ToolCall* call,
                                                     place::Place place);

}  // namespace glasstty
