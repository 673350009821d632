// Builds the environment of a session's program from that of the client that
// opens the session, or from the server's own, and makes it fit for a terminal.
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
  std::map<std::string, std::string> extra;  // overrides all others
  bool tame_pagers = true;                   // PAGER=cat and the like
  // The value of GLASSTTY_SESSION.
  std::string session_id;
};

// `inherited` is as in environ(7). Unless `options.extra` says otherwise, sets
// TERM=xterm-256color, COLORTERM, a UTF-8 character set and GLASSTTY_SESSION;
// leaves out the size (LINES,
// COLUMNS), our own tokens and the marks by which tools find out that an agent
// started them.
std::vector<std::string> ChildEnvironment(
    const std::vector<std::string>& inherited,
    const EnvironmentOptions& options);

// The surroundings of a program, on this machine or on another one.
struct Surroundings {
  std::vector<std::string> environment;  // "NAME=value"
  std::string shell;                     // runs if no program is named
  std::string directory;                 // where the program starts
  // The path, as programs see it, of the directory that contains the sessions'
  // directories.
  std::string sessions;
  // Shells write their history into the user's files.
  bool shares_history = false;
  // As in wire::LaunchSpec.
  std::optional<mode_t> umask = {};
  std::vector<rlimit> limits = {};
};
// Returns $NAME in an environment of "NAME=value"; nullopt: it is not set.
std::optional<std::string> FindVariable(
    const std::vector<std::string>& environment, std::string_view name);
// Returns $NAME in the environment of `around`; empty: it is not set.
std::string VariableOf(const Surroundings& around, std::string_view name);

// Removes the variables whose names match one of `patterns` (fnmatch(3)).
void WithholdSecrets(const std::vector<std::string>& patterns,
                     Surroundings* around);

// Returns `inherited`, or the server's own environment if that is null. An
// unusable SHELL is replaced, because editors and multiplexers start it as
// well.
std::vector<std::string> BaseEnvironment(
    const record::Inheritance* inherited = nullptr);

// Returns $SHELL of `inherited` (null: of the server's own environment) if it
// can be run, else the shell of the passwd entry, else bash, else sh.
std::string UserShell(const record::Inheritance* inherited = nullptr);
// Returns a note that $SHELL is set but unusable; empty: $SHELL is used.
std::string UserShellNote(const record::Inheritance* inherited = nullptr);

}  // namespace glasstty::session
