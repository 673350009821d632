// The argument `on`: parses the name of a place and waits for a connection to
// it.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mcp/schema.h"
#include "support/task.h"
#include "tools/workbench.h"

namespace glasstty {

// The schema of an argument `on`.
inline constexpr char kOnShape[] = R"({"type":["string","array"]})";

// Parses "ssh:db", or the words of a client. The error says what may be
// written.
absl::StatusOr<place::Place> PlaceOfArgument(const Json& on);

// Waits until there is a connection to the place, until `deadline` or for 40 s,
// whichever is shorter; connecting goes on after that. The error says why there
// is none, in the words of its client; or it says what the client asks, and how
// to answer.
Task<absl::StatusOr<session::PlaceLink*>> ReachPlace(Workbench* bench,
                                                     mcp::ToolCall* call,
                                                     place::Place place,
                                                     Time deadline);

}  // namespace glasstty
