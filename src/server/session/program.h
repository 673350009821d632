// Converts the description of a program into the instructions for its holder.
//
// Values, and functions that convert them; only LaunchSpecOf may write files.
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

// Error: the name of a session breaks a rule; the message says which.
absl::Status CheckSessionName(const std::string& name);

// Error: a part of the description is not possible; the message says which, and
// what is.
absl::Status CheckProgram(const record::ProgramSpec& program);

// Returns the name of a session that was opened without one: "vim" for
// "/usr/bin/vim x" and for "FOO=1 vim x".
std::string ProgramName(const record::ProgramSpec& program);

// Returns the surroundings of programs on this machine, for sessions below
// `sessions`. `inherited` is as in ProgramSpec.
Surroundings LocalSurroundings(const record::Inheritance* inherited,
                               std::string sessions);

// Fills in argv and cwd. If no program is given, argv becomes the user's shell.
// A command line is run by that shell, or started itself if it only names a
// shell.
void ResolveProgram(const Surroundings& around, record::ProgramSpec* program);

// Returns what the holder has to start, except for how long it outlives the
// server. A shell may be started in another way than argv says; the files for
// this are then written into `directory`, the session's. REQUIRES: the program
// is resolved.
wire::LaunchSpec LaunchSpecOf(const record::SessionOrigin& origin,
                              const Surroundings& around, int directory);

// Returns, in words for an agent, why the program could not be started.
absl::Status StartFailure(const wire::Started& started,
                          const record::SessionOrigin& origin);

}  // namespace glasstty::session
