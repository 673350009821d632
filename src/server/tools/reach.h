// The tool argument `on`, which says where to run: on a host, as a user, in a
// container. Parses it and waits for the connection.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mcp/schema.h"
#include "support/task.h"
#include "tools/workbench.h"

namespace glasstty {

// The schema of an argument `on`.
inline constexpr char kOnShape[] = R"({"type":["string","array"]})";

// Parses "ssh:db", or the words of a command that runs other commands elsewhere
// (["sudo", "-u", "me"]). Error: the value is invalid; the message says what is
// allowed.
absl::StatusOr<place::Place> PlaceOfArgument(const Json& on);

// Waits for a connection to the place, at most until `deadline` and at most 40
// s; connecting continues after that. Error: there is no connection yet, or it
// failed. The message gives the reason of a failure, often what the connecting
// program (such as ssh) printed last. If that program asks something or is
// still connecting, the message says how to continue. The link is valid until
// the caller's next co_await.
Task<absl::StatusOr<session::PlaceLink*>> ReachPlace(Workbench* bench,
                                                     mcp::ToolCall* call,
                                                     place::Place place,
                                                     Time deadline);

}  // namespace glasstty
