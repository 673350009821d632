// The description of a program to start; sessions are opened and restarted with
// it. A value; any thread.
#pragma once

#include <sys/types.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "record/inheritance.h"
#include "terminal/snapshot.h"

namespace glasstty::record {

// The client that opened a session, described so that it is recognized when it
// returns.
struct Opener {
  std::string name;       // such as "claude-code"; empty: unknown
  std::string directory;  // the client's working directory
  pid_t parent = 0;       // the process that started the client; 0: unknown
  pid_t process = 0;      // the client's relay; 0: the relay has ended

  bool operator==(const Opener&) const = default;
};

// Stored in meta.json (record/meta.h), except for the environment and what is
// inherited.
struct ProgramSpec {
  // In a session: never empty; argv[0] is unchanged, not the path found in
  // PATH. In a request: empty to run `command` or the user's shell.
  std::vector<std::string> argv;
  // A line that the user's shell runs with -c. In a session it is empty,
  // because argv contains it.
  std::string command;
  std::string cwd;  // empty: the server's directory
  // Null: inherits from the server. Kept in memory only, because it may contain
  // secrets.
  std::shared_ptr<const Inheritance> inheritance;
  // Variables to add to the inherited environment; also kept in memory only.
  std::map<std::string, std::string> environment;
  // The initial size, which CheckSize accepts. The current size is the
  // terminal's.
  terminal::Size size{40, 120};
  int scrollback_rows = 10'000;
  // Use three pipes instead of a terminal, with stdout and stderr kept apart.
  bool pipe = false;
  // The session outlives the client and the server, without a time limit.
  bool keep = false;
  // Record what is typed, too, while the terminal echoes it.
  bool record_input = false;
  // Let a shell mark its prompts and commands (session/shell_integration.h).
  bool integrate = true;
  // Set PAGER=cat and the like, so that no pager stops the output.
  bool tame_pagers = true;
  Opener opener;
};

}  // namespace glasstty::record
