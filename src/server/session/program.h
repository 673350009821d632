// Converts the description of a program into the instructions for its holder.
//
// Functions without state. Only LaunchSpecOf may write files.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "record/origin.h"
#include "record/program_spec.h"
#include "session/environment.h"
#include "wire/launch.h"
#include "wire/messages.h"

namespace glasstty::session {

// Checks a session's name. Error: it breaks a rule; the message says which.
absl::Status CheckSessionName(const std::string& name);

// Checks the size and the variables in a description. Error: one of them is
// invalid; the message says which, and what is allowed.
absl::Status CheckProgram(const record::ProgramSpec& program);

// Returns the name of a session that was opened without one: "vim" for
// "/usr/bin/vim x" and for "FOO=1 vim x".
std::string ProgramName(const record::ProgramSpec& program);

// Returns the surroundings of programs on this machine, for sessions whose
// directories are in `sessions`. `inherited` is as in ProgramSpec.
Surroundings LocalSurroundings(const record::Inheritance* inherited,
                               std::string sessions);

// Fills in argv and cwd. If no program is given, argv becomes the user's shell.
// If a command line is given, that shell runs it; but if it is only the name of
// a shell, argv starts the named shell.
void ResolveProgram(const Surroundings& around, record::ProgramSpec* program);

// Returns the holder's instructions, except grace_ms. To integrate a shell,
// they may start it with other arguments than argv, and with files that are
// written into the session's `directory`. REQUIRES: the program is resolved.
wire::LaunchSpec LaunchSpecOf(const record::SessionOrigin& origin,
                              const Surroundings& around, int directory);

// Returns, in words for an agent, why the program could not be started.
absl::Status StartFailure(const wire::Started& started,
                          const record::SessionOrigin& origin);

}  // namespace glasstty::session
