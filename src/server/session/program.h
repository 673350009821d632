// Turns the description of a program into what its holder has to start.
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

// Error: says which rule the name of a session breaks.
absl::Status CheckSessionName(const std::string& name);

// Error: says which part cannot be, and what can.
absl::Status CheckProgram(const record::ProgramSpec& program);

// The name of a session that was given none: "vim" for "/usr/bin/vim x" and for
// "FOO=1 vim x".
std::string ProgramName(const record::ProgramSpec& program);

// Returns what a program finds on this machine, for sessions below `sessions`.
// `inherited` is as in ProgramSpec.
Surroundings LocalSurroundings(const record::Inheritance* inherited,
                               std::string sessions);

// Fills argv and cwd in: the user's shell when no program was given, and for a
// command line, which becomes a part of argv.
void ResolveProgram(const Surroundings& around, record::ProgramSpec* program);

// Returns what the holder is told, except for how long it outlives the server.
// A shell may
// be started in another way than argv says; `directory`, the session's, then
// gets the files for that.
// REQUIRES: the program is resolved.
wire::LaunchSpec LaunchSpecOf(const record::SessionOrigin& origin,
                              const Surroundings& around, int directory);

// Says for an agent why it could not be started.
absl::Status StartFailure(const wire::Started& started,
                          const record::SessionOrigin& origin);

}  // namespace glasstty::session
