// Starts bash, zsh and fish so that they mark their prompts and commands
// (shell/), without a change to any file of the user's.
//
// Writes the shell's script into the session's directory, which must live as
// long as the shell starts; owns nothing. How the marks are read is the
// business of command_log.h.
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
};

// Changes `launch` so that its marks carry `nonce`. False, with nothing
// changed, for a program that is not an interactive shell we know, for flags
// that we do not know, or when the script cannot be written. `directory` is the
// session's, `path` its name as the shell sees it.
bool IntegrateShell(const Surroundings& around, int directory,
                    std::string_view path, std::string_view nonce,
                    ShellLaunch* launch);

// The files that it may have written there.
const std::vector<std::string>& IntegrationFiles();

}  // namespace glasstty::session
