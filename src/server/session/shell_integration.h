// Starts bash, zsh and fish so that they mark their prompts and commands
// (shell/), without a change to any file of the user's.
//
// Writes the shell's script into the session's directory, which must exist
// until the shell has read its start-up files; owns nothing. command_log.h
// reads the marks.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "session/environment.h"

namespace glasstty::session {

struct ShellLaunch {
  std::vector<std::string> argv;
  std::map<std::string, std::string> environment;  // added to the program's
  // The file of the session's own history; empty: shells use the user's.
  std::string history;
};

// Gives the session a history of its own, in its directory `path`, so that
// shells write nothing into the user's. Not where the caller has named a file.
void KeepHistoryApart(std::string_view path, ShellLaunch* launch);

// Changes `launch` so that its marks carry `nonce`. False, with nothing
// changed, for a program that is not an interactive shell we know, for flags
// that we do not know, or when the script cannot be written. `directory` is the
// session's, `path` its name as the shell sees it.
bool IntegrateShell(const Surroundings& around, int directory,
                    std::string_view path, std::string_view nonce,
                    ShellLaunch* launch);

// The names of all files that IntegrateShell may write into a session's
// directory.
const std::vector<std::string>& IntegrationFiles();

}  // namespace glasstty::session
