// Parses the words of a command line into a tool's arguments and the command's
// own flags. Arguments are one JSON object, or `--name value` for the tool's
// fields. Pure functions.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/command.h"
#include "mcp/tool.h"
#include "support/json.h"

namespace glasstty {

// Says how words without a dash are interpreted.
struct WordRules {
  // The arguments that the first words fill, in order.
  std::vector<std::string> names;
  // The argument that gets all other words; "" for none.
  std::string rest;
  enum class Rest {
    kList,     // a list of words
    kSteps,    // a list of words; after the first, "-x" is a word, too
    kCommand,  // one word is a command line; several are quoted to form one
    kArgv,     // one word is a command line; several become `argv` instead
  };
  Rest how = Rest::kList;
  // Flags end at the first word, because the following ones belong to a
  // command.
  bool stops_at_word = false;
  // Members of this argument need no prefix: `--text` for `--until.text`; ""
  // for none.
  std::string inner;
};

// The contents of a command line.
struct CallWords {
  Json arguments;                            // the tool's arguments
  std::map<std::string, std::string> flags;  // the command's own flags, by name
};

// Returns the name of an argument as a flag, without the dashes before it:
// "timeout" for "timeout_s".
std::string FlagName(std::string_view argument);

// Parses `words` as the shell passed them. An argument is written as
// `--name=value`, `--name value` or `--outer.inner value`, a boolean as a bare
// `--name` or `--name=false`, and `_` in names as `-`. A list is given by
// repeating the flag or as JSON, and a list of choices also with commas. An
// argument in seconds (`timeout_s`) may be named without its unit, and takes
// values such as 90s, 5m or 1h30m. `flags` are the command's own. The error
// names the nearest known name, if any.
absl::StatusOr<CallWords> ReadArguments(const mcp::Tool& tool,
                                        const WordRules& rules,
                                        std::span<const FlagRow> flags,
                                        const std::vector<std::string>& words);

// An argument of a tool as a flag of a command; like FlagRow.
struct ToolFlag {
  std::string name;  // as FlagName returns it
  Takes takes;
  std::string value;
  std::string help;
};
// Returns a flag for each of the tool's arguments; for the argument
// `rules.inner`, there is a flag for each of its members instead.
std::vector<ToolFlag> FlagsOf(const mcp::Tool& tool, const WordRules& rules);

}  // namespace glasstty
