// Parses a tool's arguments from a command line: `--name value`, by the tool's
// own table, or one JSON object. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mcp/tool.h"
#include "support/json.h"

namespace glasstty {

// How the words without a dash are taken.
struct WordRules {
  // The arguments that the first ones fill, in order.
  std::vector<std::string> names;
  // The argument that takes all others; "" for none.
  std::string rest;
  // The others as a list; else joined by blanks.
  bool rest_is_list = false;
  // Flags end at the first word: what follows is a command's own.
  bool stops_at_word = false;
  // An argument with members that flags may name without it; "" for none.
  std::string inner;
};

// `words` as the shell gave them. `--name=value`, `--name value`, a bare
// `--name` for what is true or false, `--outer.inner value`, `-` for `_`; a
// list by repetition or as JSON. Error: what is wrong, with the nearest name.
absl::StatusOr<Json> ReadArguments(const mcp::Tool& tool,
                                   const WordRules& rules,
                                   const std::vector<std::string>& words);

// The tool's arguments, a line each, for its help.
std::string DescribeArguments(const mcp::Tool& tool);

}  // namespace glasstty
