// Runs the client of a place, repeatedly, with its stdin and stdout connected
// to the near relay.
//
// The plug is the program of the session in which the client may ask a person:
// the session's terminal remains the client's controlling terminal and stderr.
// The relay decides when the client starts. The plug ends a client that the
// relay disconnects, and reports a client's exit status at the next connection.
// Single-threaded; its calls block.
#pragma once

#include <string>

namespace glasstty::far {

// `directory` is the directory of the place; `client` is the client's command
// line, ended by a null pointer. Returns the exit status of the process once
// the relay has gone.
int RunPlug(const std::string& directory, char** client);

}  // namespace glasstty::far
