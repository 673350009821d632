// The rules of a client about command lines, and the answer that they give.
//
// Clients write their rules differently (client_rules.h); here they are rows of
// one table. Values and pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "permit/command_parts.h"

namespace glasstty::permit {

// In increasing order of strictness.
enum class Answer {
  kAllow,
  kNone,  // no rule is about it, so the client's own question decides
  kAsk,
  kDeny,
};

struct Rule {
  Answer answer = Answer::kAsk;
  // As the user wrote it, for messages.
  std::string source;
  // A pattern for the whole command, in which '*' stands for anything. A
  // pattern that ends with a blank and a star also matches without these two.
  std::string pattern = {};
  // Instead of a pattern: the alternatives for each of the first words.
  std::vector<std::vector<std::string>> prefix = {};

  bool Matches(const Part::Words& words) const;
  // Its text begins so, without a star: "sudo apt *" spells "sudo apt".
  bool Spells(std::string_view text) const;
  // It allows whatever it is asked about, not only certain commands.
  bool IsForEverything() const { return prefix.empty() && pattern == "*"; }
};

struct RuleSet {
  std::vector<Rule> rules;
  // The last rule that matches decides; otherwise the strictest one does.
  bool last_wins = false;
  // The answer where no rule matches.
  Answer otherwise = Answer::kNone;
  // The client's names of tools that may always be called.
  std::vector<std::string> allowed_tools = {};
  // The machine's administrator lets no other file's rules count.
  bool is_final = false;
  // Files that exist but could not be understood: they may forbid anything.
  std::vector<std::string> unreadable = {};
};

struct Decision {
  Answer answer = Answer::kNone;
  // Says why in a sentence without a full stop, for the user and the model.
  std::string reason;
};

// Denies if any part is denied; allows only if all parts are and nothing else
// is run. A rule that spells what a program starts allows that, too.
Decision Decide(const RuleSet& rules, const CommandParts& command);

// Combines the decisions about several commands of one call likewise.
Decision Combine(Decision one, Decision other);

// Stands for any character in a pattern.
inline constexpr char kAnyCharacter = '\x01';

// Returns whether the text matches a pattern in which '*' is any text.
bool MatchesPattern(std::string_view pattern, std::string_view text);

}  // namespace glasstty::permit
