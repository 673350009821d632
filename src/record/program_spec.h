// The description of a program to start, with which a session is opened and
// restarted. A value; any thread.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::record {

// Stored in meta.json (record/meta.h), all but the environment.
struct ProgramSpec {
  // Of a session: never empty; argv[0] as it was given, not as it was found in
  // PATH. Of a request: empty for `command`, or for the user's shell.
  std::vector<std::string> argv;
  // A line for the user's shell, which runs it with -c. Of a session: empty,
  // since it is part of argv.
  std::string command;
  std::string cwd;  // empty: the server's
  // Added to the server's own. In memory only, because it may hold secrets.
  std::map<std::string, std::string> environment;
  // At the start; the terminal knows the present one. Within CheckSize.
  terminal::Size size{40, 120};
  int scrollback_rows = 10'000;
  // No terminal: three pipes, stdout and stderr kept apart.
  bool pipe = false;
  // The session lives on after the client and the server, without a time limit.
  bool keep = false;
  // What is typed is recorded too, while the terminal echoes it.
  bool record_input = false;
  // A shell marks its prompts and commands (session/shell_integration.h).
  bool integrate = true;
  // PAGER=cat and the like, so that no pager stops the output.
  bool tame_pagers = true;
};

}  // namespace glasstty::record
