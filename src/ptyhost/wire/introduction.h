// The line by which a client of the shared server identifies itself and passes
// on the environment, umask and limits for its sessions (docs/sharing.md). It
// is the first line on a connection.
//
// The environment is encoded in Base64, because JSON cannot carry values that
// are not UTF-8. Some functions read the state of this process.
// Single-threaded.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace glasstty::wire {

// If the environment has more bytes than this, nothing is passed on for
// sessions, because the server would refuse so long a line.
inline constexpr size_t kMostEnvironment = size_t{2560} << 10;

// Introduces a client that is not this process. `directory` is its working
// directory. `name` identifies the client on later connections ("" if it makes
// none).
std::string IntroductionLine(std::string_view directory, std::string_view name);

// Introduces this process, and passes on its environment, umask and resource
// limits. Lists the ancestors of this process, so that the server can find the
// agent that runs a hook.
std::string OwnIntroductionLine(std::string_view name);

// Introduces this process, which opens no sessions, without its environment.
std::string BriefIntroductionLine(std::string_view name);

// Reports that the client `name` will not connect again, so its sessions can be
// closed.
std::string GoodbyeLine(std::string_view name);

}  // namespace glasstty::wire
