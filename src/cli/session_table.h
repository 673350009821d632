// Sessions as rows of a table that fits a person's terminal. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "cli/session_facts.h"

namespace glasstty {

enum class Colors { kNone, kAnsi };

// Returns kNone if NO_COLOR (no-color.org) or TERM asks for it.
Colors WantedColors();

// Returns a heading and one line for each session, of at most `width` columns.
// Columns that do not fit are cut or left out. The lines contain escape
// sequences only for `colors`.
std::vector<std::string> SessionLines(const std::vector<SessionFacts>& sessions,
                                      int width, Colors colors);

}  // namespace glasstty
