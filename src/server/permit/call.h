// Decides about a tool call by the rules that a user has given to the client:
// finds the commands that the call would run, and applies the rules to them.
//
// Supports the arguments of term_run, term_open and term_send. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "permit/rules.h"
#include "support/json.h"

namespace glasstty::permit {

// The lines that a call types, as far as they are known beforehand.
struct TypedText {
  std::vector<std::string> lines;
  // False if keys or secrets in the input may change these lines.
  bool certain = true;
};

// A call that may run something.
struct Call {
  std::string tool;  // "term_run"
  Json arguments = Json::object();
  TypedText typed;
};

// Returns "term_run" for "mcp__glasstty__term_run" and the like; "" if the name
// does not look like that of one of our tools.
std::string ToolIn(std::string_view name);

// Returns what the call runs, and where (its argument `on`), for the reason of
// a decision. Returns "" if the call only types, or only opens the user's shell
// on this machine.
std::string CommandsIn(const Call& call);

// Returns nullopt if the tool is not term_run, term_open or term_send, or if
// the call has neither a command nor input that a rule could match.
std::optional<Decision> DecideCall(const RuleSet& rules, const Call& call);

}  // namespace glasstty::permit
