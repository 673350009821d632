// Builds the environment of a session's program from the environment of the
// client that opens the session, or of the server, and adapts it to a terminal.
// Functions without state; the last three also look at this machine.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/inheritance.h"

namespace glasstty::session {

struct EnvironmentOptions {
  std::map<std::string, std::string> extra;  // overrides all other variables
  bool tame_pagers = true;                   // PAGER=cat and the like
  // The value of GLASSTTY_SESSION.
  std::string session_id;
};

// Returns the variables of a session's program. `inherited` is as in
// environ(7). Unless `options.extra` says otherwise, the result contains
// TERM=xterm-256color, COLORTERM, a UTF-8 character set and GLASSTTY_SESSION,
// but neither our own tokens nor variables that are wrong in a session
// (foreign_marks.h), such as LINES.
std::vector<std::string> ChildEnvironment(
    const std::vector<std::string>& inherited,
    const EnvironmentOptions& options);

// The surroundings of a program, on this machine or on another one.
struct Surroundings {
  std::vector<std::string> environment;  // "NAME=value"
  std::string shell;                     // started if no program is named
  std::string directory;                 // where the program starts
  // The parent of the sessions' directories: its path, as programs see it.
  std::string sessions;
  // True if shells may write their history into the user's files.
  bool shares_history = false;
  // The umask and the limits are as in wire::LaunchSpec.
  std::optional<mode_t> umask = {};
  std::vector<rlimit> limits = {};
};
// Returns $NAME in an environment of "NAME=value"; nullopt if it is not set.
std::optional<std::string> FindVariable(
    const std::vector<std::string>& environment, std::string_view name);
// Returns $NAME in the environment of `around`; empty if it is not set.
std::string VariableOf(const Surroundings& around, std::string_view name);

// Removes the variables whose names match one of `patterns` (fnmatch(3)).
void WithholdSecrets(const std::vector<std::string>& patterns,
                     Surroundings* around);

// Returns the environment in `inherited`, or the server's own if `inherited` is
// null. An unusable value of SHELL is replaced by UserShell, because editors
// and multiplexers start what SHELL names.
std::vector<std::string> BaseEnvironment(
    const record::Inheritance* inherited = nullptr);

// Returns the first usable shell of: $SHELL of `inherited` (null: of the
// server's own environment), the user's passwd entry, bash, sh.
std::string UserShell(const record::Inheritance* inherited = nullptr);
// Returns a note that $SHELL is unusable; empty if it is usable or not set.
std::string UserShellNote(const record::Inheritance* inherited = nullptr);

}  // namespace glasstty::session
