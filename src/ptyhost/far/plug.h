// Runs the client of a place, as often as needed, with its stdin and stdout
// connected to the near relay.
//
// The plug is the program of a session in which the client may ask a person for
// a password: that session's terminal is the client's controlling terminal and
// stderr. The relay decides when the client starts. The plug ends the client
// when the relay disconnects it, and then connects again and reports the
// client's status. Single-threaded; its calls block.
#pragma once

#include <string>

namespace glasstty::far {

// `directory` is the directory of the place; `client` is the client's command
// line, ended by a null pointer. Returns the exit status of the process when
// the relay is gone.
int RunPlug(const std::string& directory, char** client);

}  // namespace glasstty::far
