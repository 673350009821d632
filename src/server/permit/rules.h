// Decides about command lines by the rules of a client.
//
// Each client has its own format of rules, which client_rules.h translates to a
// RuleSet. Values and pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "permit/command_parts.h"

namespace glasstty::permit {

// In increasing order of strictness.
enum class Answer {
  kAllow,
  kNone,  // no rule applies, so the client asks its user as usual
  kAsk,
  kDeny,
};

struct Rule {
  Answer answer = Answer::kAsk;
  // The rule, much as the user wrote it, for messages.
  std::string source;
  // A pattern for the whole command, in which '*' stands for any text. A
  // pattern that ends with " *" also matches without these two characters.
  std::string pattern = {};
  // If not empty, replaces the pattern: the choices for each leading word.
  std::vector<std::vector<std::string>> prefix = {};

  bool Matches(const Part::Words& words) const;
  // Returns whether the rule begins with `text`, up to its first wildcard or
  // alternative: "sudo apt *" spells "sudo apt". False for an empty text.
  bool Spells(std::string_view text) const;
  // Returns whether the rule applies to all commands.
  bool IsForEverything() const { return prefix.empty() && pattern == "*"; }
};

struct RuleSet {
  std::vector<Rule> rules;
  // True if the last matching rule decides; false if the strictest one does.
  bool last_wins = false;
  // The answer if no rule matches.
  Answer otherwise = Answer::kNone;
  // The tools that may always be called, by the names that the client uses.
  std::vector<std::string> allowed_tools = {};
  // True if the machine's administrator has disabled the rules of other files.
  bool is_final = false;
  // Files and folders that exist but could not be read, so they may forbid
  // anything.
  std::vector<std::string> unreadable = {};
};

struct Decision {
  Answer answer = Answer::kNone;
  // The reason, as a sentence without a full stop, for the user and the model.
  std::string reason;
};

// Returns the strictest answer to any part. If other commands may run, too,
// allows the command only if the rules allow everything. If files are
// unreadable, at least asks. A rule that allows a part also allows the commands
// that the part starts and the rule spells, unless another rule is about them.
Decision Decide(const RuleSet& rules, const CommandParts& command);

// Returns the stricter of two decisions about one call.
Decision Combine(Decision one, Decision other);

// Stands for any single character in a pattern.
inline constexpr char kAnyCharacter = '\x01';

// Returns whether the text matches a pattern in which '*' stands for any text.
bool MatchesPattern(std::string_view pattern, std::string_view text);

}  // namespace glasstty::permit
