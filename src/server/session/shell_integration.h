// Makes bash, zsh and fish mark their prompts and commands (shell/), without
// changing any of the user's files.
//
// Writes the shell's script into the session's directory, which must exist
// until the shell has read its start-up files. Owns nothing.
// record/command_log.h interprets the marks.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "session/environment.h"

namespace glasstty::session {

struct ShellLaunch {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;  // additional variables
  // The file of the session's own history; empty: shells use the user's file.
  std::string history;
};

// Gives the session its own history file, in its directory `path`, so that
// shells write nothing into the user's history. Does nothing if `launch`
// already has a variable that names a history.
void KeepHistoryApart(std::string_view path, ShellLaunch* launch);

// Changes `launch` so that the shell prints marks that carry `nonce`. Returns
// false and changes nothing if the program is not a known interactive shell, if
// it has unknown flags, or if the script cannot be written. `directory` is the
// session's directory, and `path` is its path as the shell sees it.
bool IntegrateShell(const Surroundings& around, int directory,
                    std::string_view path, std::string_view nonce,
                    ShellLaunch* launch);

// Returns the names of all files that IntegrateShell may write.
const std::vector<std::string>& IntegrationFiles();

}  // namespace glasstty::session
