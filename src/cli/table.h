// Lays out tables of text: for programs, and to fit a person's terminal.
// Single-threaded.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "support/json.h"

namespace glasstty {

// The first row is the heading, and all rows have the same number of cells.
using Table = std::vector<std::vector<std::string>>;

// Prints a table to stdout. Columns are as wide as their widest text in bytes.
void PrintTable(Table rows);

// Prints the list of a subcommand: with --json the array, otherwise the table.
// Both have the same rows; `nothing` is printed if there are none ("no
// sessions"). Returns the exit status, which follows grep: 1 if there are none.
int PrintListing(const Options& options, const Json& list, const Table& table,
                 const char* nothing);

// Determines how a column shrinks if the table is too wide.
struct Column {
  // The column is never narrower than this, unless all its texts are.
  int least;
  // The column with the greatest rank is left out first.
  int rank;
  // The end at which a text is cut: the beginning for paths.
  enum class Cut { kEnd, kBeginning };
  Cut cut = Cut::kEnd;
};

// Cuts and pads the cells so that each row fits into `width` columns of a
// terminal when its cells are written one after the other. The cells of a
// column that is left out are "". Controls and invisible characters are shown.
Table FitTable(std::span<const Column> columns, Table rows, int width);

// Returns `text` cut to `width` columns, with an ellipsis where it was cut.
std::string CutToWidth(const std::string& text, int width, Column::Cut cut);

}  // namespace glasstty
