// Decides about one call of a tool by the rules that a user has given to the
// client: what would it run, and what do the rules say?
//
// Knows the arguments of term_run, term_open and term_send. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "permit/rules.h"
#include "support/json.h"

namespace glasstty::permit {

// Lines that a call types, as far as they are known beforehand.
struct TypedText {
  std::vector<std::string> lines;
  // False: there are keys or secrets that may make something else of them.
  bool certain = true;
};

// A call that may run something.
struct Call {
  std::string tool;  // "term_run"
  Json arguments = Json::object();
  TypedText typed;
};

// Returns "term_run" for "mcp__glasstty__term_run" and the like; "" if the name
// is not that of a tool of ours.
std::string ToolIn(std::string_view name);

// Returns the text of the call's commands, for the question; "" if it only
// types, or starts the user's shell.
std::string CommandsIn(const Call& call);

// Returns nullopt if the call runs and types nothing that rules could be about.
std::optional<Decision> DecideCall(const RuleSet& rules, const Call& call);

}  // namespace glasstty::permit
