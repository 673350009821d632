// Runs the client of a place again and again, its stdin and stdout plugged into
// the near relay.
//
// The program of the session in which the client may ask a person: the
// session's terminal stays its controlling terminal and stderr. The relay says
// when the client starts; when it ends, or the relay lets go of it, its status
// is told with the next connection. One thread; blocks.
#pragma once

#include <string>

namespace glasstty {

// `directory` is the place's, `client` the client's words, ended by null.
// Returns the exit status of the process when there is no relay any more.
int RunPlug(const std::string& directory, char** client);

}  // namespace glasstty
