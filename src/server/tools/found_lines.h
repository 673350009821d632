// Shows the lines that a search has found, as grep(1) does: "12: text" for a
// match, "11- text" for a line around it.
//
// If there are too many lines for a reply, the middle is left out, and a line
// gives the number of omitted matches. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/line_search.h"
#include "support/json.h"

namespace glasstty {

struct FoundLines {
  std::string text;     // without a final newline
  int64_t matches = 0;  // the number of matches that are shown
};
// `matches` is the number of all matches. Of a long line, only a part with the
// beginning of the match is shown. If `has_context`, "--" stands between lines
// that are not consecutive.
FoundLines ShowFound(const std::vector<record::LineSearch::Found>& found,
                     int64_t matches, bool has_context);

// Returns [{"line": 12, "text": "...", "match": true}], without a limit of
// size.
Json FoundAsJson(const std::vector<record::LineSearch::Found>& found);

}  // namespace glasstty
