#include "permit/rules.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/visible.h"
#include "gate/gate.h"
#include "support/text.h"

namespace glasstty::permit {
namespace {

// A decision about one part, with the rule that made it.
struct Ruling {
  Answer answer = Answer::kNone;
  const Rule* rule = nullptr;
};

Ruling RulingOn(const RuleSet& set, const Part::Words& words) {
  Ruling ruling{set.otherwise, nullptr};
  for (const Rule& rule : set.rules) {
    if (!rule.Matches(words)) continue;
    bool is_first = ruling.rule == nullptr;
    if (is_first || set.last_wins || rule.answer > ruling.answer) {
      ruling = {rule.answer, &rule};
    }
  }
  return ruling;
}

// Only rules that refuse or ask also apply to the disguised forms, because a
// rule that allows `rm` does not allow `sudo rm`. A redirection, or a command
// that is not fully known, is allowed only if everything is.
Ruling RulingOn(const RuleSet& set, const Part& part) {
  Ruling ruling = RulingOn(set, part.words);
  for (const Part::Words& words : part.disguised) {
    Ruling other = RulingOn(set, words);
    bool refuses = other.answer > Answer::kNone;
    if (refuses && other.answer > ruling.answer) ruling = other;
  }
  bool for_everything =
      ruling.rule == nullptr || ruling.rule->IsForEverything();
  bool allows_all = ruling.answer == Answer::kAllow && for_everything;
  // Rules are about commands, and a redirection is not a command.
  if (part.redirects && !allows_all) return {};
  if (ruling.answer == Answer::kAllow && !part.certain && !for_everything) {
    return {};
  }
  return ruling;
}

// Returns whether a rule that allows the part's starter also spells the part.
bool IsCovered(const RuleSet& set, const Part& part, const Part& starter) {
  return std::any_of(set.rules.begin(), set.rules.end(), [&](const Rule& rule) {
    return rule.answer == Answer::kAllow && rule.Spells(part.spelled) &&
           rule.Matches(starter.words);
  });
}

// Judges the parts in their order, in which a starter precedes what it starts.
std::vector<Ruling> RulingsOn(const RuleSet& set,
                              const std::vector<Part>& parts) {
  std::vector<Ruling> rulings;
  for (const Part& part : parts) {
    Ruling ruling = RulingOn(set, part);
    bool refuses = ruling.rule != nullptr && ruling.answer > Answer::kNone &&
                   !ruling.rule->IsForEverything();
    if (part.guess && !refuses) ruling = {Answer::kAllow};
    bool about_all = ruling.rule == nullptr || ruling.rule->IsForEverything();
    if (part.starter >= 0 && about_all && ruling.answer != Answer::kDeny) {
      size_t starter = static_cast<size_t>(part.starter);
      bool is_allowed = rulings[starter].answer == Answer::kAllow;
      if (is_allowed && IsCovered(set, part, parts[starter])) {
        ruling = {Answer::kAllow};
      }
    }
    rulings.push_back(ruling);
  }
  return rulings;
}

std::string Quoted(const Part& part) {
  return "`" + ShowOnOneLine(part.text(), gate::kMaxShown) + "`";
}

std::string ReasonFor(const Ruling& ruling, const Part& part) {
  if (ruling.rule == nullptr) {
    return "none of your rules is about " + Quoted(part);
  }
  return absl::StrFormat("your rule %s is about %s", ruling.rule->source,
                         Quoted(part));
}

}  // namespace

bool MatchesPattern(std::string_view pattern, std::string_view text) {
  constexpr size_t kNone = std::string_view::npos;
  size_t p = 0, t = 0, star = kNone, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() &&
               (pattern[p] == text[t] || pattern[p] == kAnyCharacter)) {
      ++p;
      ++t;
    } else if (star != kNone) {
      // The star takes one more character.
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool Rule::Matches(const Part::Words& words) const {
  if (prefix.empty()) {
    std::string text = TextOf(words);
    std::string_view view = pattern;
    bool may_be_bare = view.ends_with(" *");
    return MatchesPattern(view, text) ||
           (may_be_bare &&
            MatchesPattern(view.substr(0, view.size() - 2), text));
  }
  if (words.size() < prefix.size()) return false;
  for (size_t i = 0; i < prefix.size(); ++i) {
    if (std::find(prefix[i].begin(), prefix[i].end(), words[i]) ==
        prefix[i].end()) {
      return false;
    }
  }
  return true;
}

bool Rule::Spells(std::string_view text) const {
  if (prefix.empty()) {
    constexpr char kAny[] = {'*', kAnyCharacter, '\0'};
    std::string_view literal(pattern);
    literal = literal.substr(0, literal.find_first_of(kAny));
    return !text.empty() && literal.starts_with(text);
  }
  std::string words;
  for (const auto& alternatives : prefix) {
    if (alternatives.size() != 1) break;
    words += (words.empty() ? "" : " ") + alternatives[0];
  }
  return !text.empty() && words.starts_with(text);
}

Decision Decide(const RuleSet& rules, const CommandParts& command) {
  Decision decision{Answer::kAllow, "your rules allow it"};
  std::vector<Ruling> rulings = RulingsOn(rules, command.parts);
  for (size_t i = 0; i < rulings.size(); ++i) {
    if (rulings[i].answer <= decision.answer) continue;
    decision = {rulings[i].answer, ReasonFor(rulings[i], command.parts[i])};
  }
  bool allows_everything =
      rules.otherwise == Answer::kAllow ||
      std::any_of(rules.rules.begin(), rules.rules.end(), [](const Rule& rule) {
        return rule.answer == Answer::kAllow && rule.IsForEverything();
      });
  if (decision.answer == Answer::kAllow && !command.doubt.empty() &&
      !allows_everything) {
    decision = {Answer::kNone,
                "your rules cannot tell what it runs: " + command.doubt};
  }
  if (!rules.unreadable.empty() && decision.answer < Answer::kAsk) {
    decision = {Answer::kAsk, absl::StrFormat("%s cannot be understood",
                                              rules.unreadable[0])};
  }
  return decision;
}

Decision Combine(Decision one, Decision other) {
  return other.answer > one.answer ? std::move(other) : std::move(one);
}

}  // namespace glasstty::permit
