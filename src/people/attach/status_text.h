// Fits texts into the line below a person's window.
//
// Pure functions. Widths are columns of the terminal.
#pragma once

#include <initializer_list>
#include <string>

namespace glasstty::attach {

// Returns the first text that fits into `cols`; if none does, the last one.
std::string FirstThatFits(int cols, std::initializer_list<std::string> texts);

// Returns the name, cut at its end to a third of `cols`, so that there is room
// for what stands behind it.
std::string ShortName(const std::string& name, int cols);

// Returns `label` and as much of the end of `typed` as fits into `cols` behind
// it, and leaves one column for what is typed next.
std::string TypedLine(int cols, const std::string& label,
                      const std::string& typed);

}  // namespace glasstty::attach
