// Fits texts into the status line of a person's window.
//
// Pure functions. Widths are columns of the terminal.
#pragma once

#include <initializer_list>
#include <string>

namespace glasstty::attach {

// Returns the first text that fits into `cols`; if none does, the last one.
std::string FirstThatFits(int cols, std::initializer_list<std::string> texts);

// Returns the name, cut at its end to a third of `cols` but not to fewer than
// eight columns, so that there is room for the text after it.
std::string ShortName(const std::string& name, int cols);

// Returns `label` and as much of the end of `typed` as fits into `cols` after
// it. Leaves one column for the next character.
std::string TypedLine(int cols, const std::string& label,
                      const std::string& typed);

}  // namespace glasstty::attach
