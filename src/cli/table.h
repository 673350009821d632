// Prints a table of text to stdout. Single-threaded.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "support/json.h"

namespace glasstty {

// The first row is the heading, and all rows have as many cells. Columns are as
// wide as their widest text in bytes.
void PrintTable(const std::vector<std::vector<std::string>>& rows);

// What a subcommand lists: with --json the array, else the table. Both have the
// same rows; `nothing` stands for none ("no sessions"). Returns the exit
// status, which is that of grep: 1 for none.
int PrintListing(const Options& options, const Json& list,
                 const std::vector<std::vector<std::string>>& table,
                 const char* nothing);

}  // namespace glasstty
