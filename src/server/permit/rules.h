// The rules of a client about command lines, and decisions by these rules.
//
// Each client has its own format of rules (client_rules.h); here all are rows
// of one table. Values and pure functions.
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
  // The rule as the user wrote it, for messages.
  std::string source;
  // A pattern for the whole command, in which '*' stands for anything. A
  // pattern that ends with " *" also matches without these two characters.
  std::string pattern = {};
  // Instead of a pattern: the alternatives for each of the first words.
  std::vector<std::vector<std::string>> prefix = {};

  bool Matches(const Part::Words& words) const;
  // Returns whether the rule's text, up to its first wildcard or alternative,
  // begins with `text`: "sudo apt *" spells "sudo apt".
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
  // The client's names of tools that may always be called.
  std::vector<std::string> allowed_tools = {};
  // True if the machine's administrator has disabled the rules of other files.
  bool is_final = false;
  // Files that exist but could not be parsed, so they may forbid anything.
  std::vector<std::string> unreadable = {};
};

struct Decision {
  Answer answer = Answer::kNone;
  // The reason, as a sentence without a full stop, for the user and the model.
  std::string reason;
};

// Returns the strictest answer to any part. If more than the parts may run,
// allows only if a rule allows everything; if files are unreadable, at least
// asks. A rule that spells a started command allows that command, too.
Decision Decide(const RuleSet& rules, const CommandParts& command);

// Returns the stricter of two decisions about one call.
Decision Combine(Decision one, Decision other);

// Stands for any character in a pattern.
inline constexpr char kAnyCharacter = '\x01';

// Returns whether the text matches a pattern in which '*' is any text.
bool MatchesPattern(std::string_view pattern, std::string_view text);

}  // namespace glasstty::permit
