// Finds the text that a line editor suggests and that nobody has typed: the
// rest of an earlier command (fish, zsh-autosuggestions, IPython), a hint about
// arguments (redis-cli), or a preview of the result (node). Such text is drawn
// in a pale colour after the cursor, or in a row below.
//
// A pure function; any thread may use it.
#pragma once

#include <string>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::view {

// Returns the texts as they are on the screen: first the one after the cursor,
// then the one below. Both may be missing.
std::vector<std::string> FindSuggestions(const terminal::Snapshot& snapshot);

}  // namespace glasstty::view
