// What is said of a session whose machine is out of reach, or was.
#pragma once

#include <string>

#include "tools/workbench.h"

namespace glasstty {

// "away 12 s: no connection to ssh:db (try 2 in 4 s), ...". REQUIRES:
// away_since() is there.
std::string AwayText(const Workbench& bench, const session::Session& session);

// "back after 41 s; 182400 bytes were printed in the meantime"; empty for a
// moment, and when this client knows of it. `told`: the number of the last
// absence that it was told of.
std::string BackText(const session::Session& session, uint64_t told);

}  // namespace glasstty
