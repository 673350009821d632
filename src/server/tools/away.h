// Describes sessions whose machine is out of reach, or was until recently.
#pragma once

#include <string>

#include "tools/workbench.h"

namespace glasstty {

// Returns a text such as "away 12 s: no connection to ssh:db (try 2 in 4 s),
// ...". REQUIRES: away_since() has a value.
std::string AwayText(const Workbench& bench, const session::Session& session);

// Returns a text such as "back after 41 s; 182400 bytes were printed in the
// meantime", or "" if the absence was short or was already reported to this
// client. `told` is the number of the last absence that was reported to the
// client.
std::string BackText(const session::Session& session, uint64_t told);

}  // namespace glasstty
