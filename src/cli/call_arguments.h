// Parses a tool's arguments from a command line: `--name value`, by the tool's
// own table, or one JSON object; and the flags of the command itself. Pure
// functions.
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
    kSteps,    // likewise, and from the second on, "-x" is one of them
    kCommand,  // one word is a command line; several are quoted to form one
    kArgv,     // one word is a command line; several become `argv` instead
  };
  Rest how = Rest::kList;
  // Flags end at the first word, because the following ones belong to a
  // command.
  bool stops_at_word = false;
  // An argument whose members may be flags without its name; "" for none.
  std::string inner;
};

// The contents of a command line.
struct CallWords {
  Json arguments;                            // of the tool
  std::map<std::string, std::string> flags;  // of the command, by name
};

// Returns the name of an argument as a flag, without the dashes before it:
// "timeout" for "timeout_s".
std::string FlagName(std::string_view argument);

// Parses `words` as the shell passed them: `--name=value`, `--name value`, a
// bare `--name` for booleans, `--outer.inner value`, and `-` for `_`; a list by
// repetition or as JSON, and one of choices with commas, too. An argument in
// seconds (`timeout_s`) may be named without its unit, and takes values such as
// 90s, 5m or 1h30m. `flags` are the command's own. The error says what is
// wrong, with the nearest name.
absl::StatusOr<CallWords> ReadArguments(const mcp::Tool& tool,
                                        const WordRules& rules,
                                        std::span<const FlagRow> flags,
                                        const std::vector<std::string>& words);

// An argument of a tool as a flag of a command; like FlagRow.
struct ToolFlag {
  std::string name;  // with dashes, and without the unit of seconds: "timeout"
  Takes takes;
  std::string value;
  std::string help;
};
// Returns the flags for a tool's arguments; the argument `rules.inner` has
// those for its members instead.
std::vector<ToolFlag> FlagsOf(const mcp::Tool& tool, const WordRules& rules);

}  // namespace glasstty
