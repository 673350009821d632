// Prints a table of text to stdout. Single-threaded.
#pragma once

#include <string>
#include <vector>

namespace glasstty {

// The first row is the heading, and all rows have as many cells. Columns are as
// wide as their widest text in bytes.
void PrintTable(const std::vector<std::vector<std::string>>& rows);

}  // namespace glasstty
