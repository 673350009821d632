// The line by which a client of the shared server says who it is and hands over
// what its sessions inherit (docs/sharing.md). It is the first line on a
// connection.
//
// The environment is encoded in Base64, because JSON cannot carry values that
// are not UTF-8. Functions of the process's state; any thread, but only one.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace glasstty::wire {

// A larger environment is not handed over, because the line would be longer
// than the server accepts.
inline constexpr size_t kMostEnvironment = size_t{2560} << 10;

// Introduces a client that is not this process. `directory` is where it works;
// `name` is the name under which it comes back ("" for a lasting connection).
std::string IntroductionLine(std::string_view directory, std::string_view name);

// Introduces this process, and hands over its environment, umask and resource
// limits. Names the processes from which it descends, by which the server finds
// the agent to which a hook belongs.
std::string OwnIntroductionLine(std::string_view name);

// Introduces this process, which opens no sessions and so hands nothing over.
std::string BriefIntroductionLine(std::string_view name);

// Says that the client of this name will not come back, so what it has opened
// can be closed.
std::string GoodbyeLine(std::string_view name);

}  // namespace glasstty::wire
