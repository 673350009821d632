// The environment of a session's program: that of the client that opens it, or
// the server's own, made fit for a terminal whatever the client passed on. Pure
// functions of what they are given.
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
  std::map<std::string, std::string> extra;  // wins over everything
  bool tame_pagers = true;                   // PAGER=cat and the like
  // The program finds it in GLASSTTY_SESSION.
  std::string session_id;
};

// `inherited` as in environ(7). Guarantees TERM=xterm-256color, COLORTERM, a
// UTF-8 character set and GLASSTTY_SESSION; leaves out the size (LINES,
// COLUMNS), our own tokens and the marks by which tools find out that an agent
// started them.
std::vector<std::string> ChildEnvironment(
    const std::vector<std::string>& inherited,
    const EnvironmentOptions& options);

// The surroundings of a program, on this machine or on another one.
struct Surroundings {
  std::vector<std::string> environment;  // "NAME=value"
  std::string shell;                     // what runs when no program is named
  std::string directory;                 // and where
  // The path of the directory in which sessions have theirs, as programs see
  // it.
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
// $NAME there; empty: not set.
std::string VariableOf(const Surroundings& around, std::string_view name);

// Takes out the variables whose names match one of `patterns`, as fnmatch(3)
// has them.
void WithholdSecrets(const std::vector<std::string>& patterns,
                     Surroundings* around);

// Returns `inherited`, or the server's own environment if that is null. A SHELL
// that is of no use is replaced, because editors and multiplexers start it as
// well.
std::vector<std::string> BaseEnvironment(
    const record::Inheritance* inherited = nullptr);

// Returns its $SHELL if that is a shell that can be run, else that of the
// passwd entry, else bash, else sh. Null: the server's.
std::string UserShell(const record::Inheritance* inherited = nullptr);
// Says that $SHELL is set and was of no use; empty: it is what runs.
std::string UserShellNote(const record::Inheritance* inherited = nullptr);

}  // namespace glasstty::session
