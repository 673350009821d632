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

// Parses "ssh:db", or the words of a client. Error: the value is invalid; the
// message says what is allowed.
absl::StatusOr<place::Place> PlaceOfArgument(const Json& on);

// Waits for a connection to the place, at most until `deadline` or for 40 s,
// whichever is shorter; connecting continues after that. Error: there is no
// connection yet. The message quotes the client's reason, or the client's
// question and how to answer it.
Task<absl::StatusOr<session::PlaceLink*>> ReachPlace(Workbench* bench,
                                                     mcp::ToolCall* call,
                                                     place::Place place,
                                                     Time deadline);

}  // namespace glasstty
