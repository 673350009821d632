// The environment of a session's program: the server's own, made fit for a
// terminal whatever the client passed on. Pure functions of what they are
// given.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty::session {

struct EnvironmentOptions {
  std::map<std::string, std::string> extra;  // wins over everything
  bool tame_pagers = true;                   // PAGER=cat and the like
  // Told to the program as GLASSTTY_SESSION.
  std::string session_id;
};

// `inherited` as in environ(7). Guarantees TERM=xterm-256color, COLORTERM, a
// UTF-8 character set and GLASSTTY_SESSION; leaves out the size (LINES,
// COLUMNS), our own tokens and the marks by which tools find out that an agent
// started them.
std::vector<std::string> ChildEnvironment(
    const std::vector<std::string>& inherited,
    const EnvironmentOptions& options);

// What a program finds around it: of this machine, or of another one.
struct Surroundings {
  std::vector<std::string> environment;  // "NAME=value"
  std::string shell;                     // what runs when no program is named
  std::string directory;                 // and where
  // The path of the directory in which sessions have theirs, as programs see
  // it.
  std::string sessions;
};
// $NAME there; empty: not set.
std::string VariableOf(const Surroundings& around, std::string_view name);

// The server's own environment.
std::vector<std::string> OwnEnvironment();

// False for the shells that passwd entries name to keep an account out, such as
// /usr/sbin/nologin and /bin/false.
bool MayLogIn(std::string_view shell);

// $SHELL if it can be run, else the shell of the passwd entry unless it only
// keeps the account out, else bash, else sh.
std::string UserShell();

}  // namespace glasstty::session
