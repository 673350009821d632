// What a new session is asked to be, and what that means for its holder.
//
// Values, and functions that make one of another; SpecOf alone may write a
// file. The session manager (session_manager.h) keeps the requests and opens by
// them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "session/session.h"
#include "wire/launch.h"

namespace glasstty {

struct OpenRequest {
  std::string name;               // empty: from the program's name
  std::vector<std::string> argv;  // empty: the user's shell
  // Run by the user's shell with -c; `argv` must be empty then.
  std::string command;  // a line for the user's shell, if not empty
  std::map<std::string, std::string> environment;
  std::string cwd;  // empty: the server's
  // Within CheckSize.
  Size size;
  int scrollback_rows = 10'000;
  bool tame_pagers = true;
  // No terminal: three pipes, stdout and stderr kept apart.
  bool pipe = false;
  // A shell marks its prompts and commands (shell_integration.h).
  bool integrate = true;
  // Lives on after the client and the server, without a time limit.
  bool keep = false;
  // What is typed is recorded too, while the terminal echoes it.
  bool record_input = false;
};

// Error: says which field cannot be, and what can.
absl::Status CheckRequest(const OpenRequest& request);

// The name of a session whose request has none: "vim" for "/usr/bin/vim x" and
// for "FOO=1 vim x".
std::string ProgramName(const OpenRequest& request);

// Makes argv of what was asked for: the user's shell when nothing was, and for
// a command line. `command` stays unless it only names a shell.
void ChooseProgram(OpenRequest* request);

// All but what is the session's alone: its id, name, nonce and cap of the log.
// REQUIRES: ChooseProgram.
SessionOrigin OriginOf(const OpenRequest& request);
// What would open such a session again. The extra environment is not known: it
// is stored nowhere.
OpenRequest RequestFor(const SessionOrigin& origin);

// What the holder is told, but for how long it outlives the server. A shell may
// be started in another way than the request says; `directory`, open at `path`,
// then has the files for that.
LaunchSpec SpecOf(const OpenRequest& request, const SessionOrigin& origin,
                  int directory, const std::string& path);

}  // namespace glasstty
