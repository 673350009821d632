// Reads the rules of Claude Code and opencode, which are JSON, for
// client_rules.h.
#include <array>
#include <utility>

#include "permit/client_rules.h"
#include "support/json.h"
#include "support/status.h"

namespace glasstty::permit {
namespace {

// Returns the pattern of a rule such as "Bash" or "Bash(git push:*)"; nullopt:
// the rule is about another tool.
std::optional<std::string> PatternOf(const std::string& rule) {
  constexpr std::string_view kTool = "Bash(";
  if (rule == "Bash") return "*";
  if (!rule.starts_with(kTool) || !rule.ends_with(")")) return std::nullopt;
  std::string pattern =
      rule.substr(kTool.size(), rule.size() - kTool.size() - 1);
  // ":*" is the older notation for " *" at the end.
  if (pattern.ends_with(":*")) pattern.replace(pattern.size() - 2, 1, " ");
  return pattern;
}

struct List {
  const char* name;
  Answer answer;
};
constexpr List kLists[] = {
    {"deny", Answer::kDeny}, {"ask", Answer::kAsk}, {"allow", Answer::kAllow}};

std::optional<Answer> AnswerOf(const Json& value) {
  for (const List& list : kLists) {
    if (value == list.name) return list.answer;
  }
  return std::nullopt;
}

// In opencode, '?' matches any single character; in Claude Code, only itself.
std::string WithAnyCharacter(std::string pattern) {
  for (char& c : pattern) c = c == '?' ? kAnyCharacter : c;
  return pattern;
}

// Replaces comments, and commas before a closing bracket, with blanks.
std::string PlainJson(std::string_view text) {
  std::string plain(text);
  size_t comma = std::string::npos;
  for (size_t i = 0; i < plain.size(); ++i) {
    if (plain[i] == '"') {
      for (++i; i < plain.size() && plain[i] != '"'; ++i) {
        if (plain[i] == '\\') ++i;
      }
      comma = std::string::npos;
    } else if (plain.compare(i, 2, "//") == 0 ||
               plain.compare(i, 2, "/*") == 0) {
      bool is_line = plain[i + 1] == '/';
      size_t end = plain.find(is_line ? "\n" : "*/", i + 2);
      end = end == std::string::npos ? plain.size() : end + (is_line ? 0 : 2);
      for (; i < end; ++i) plain[i] = ' ';
      --i;
    } else if (plain[i] == ',') {
      comma = i;
    } else if (plain[i] == '}' || plain[i] == ']') {
      if (comma != std::string::npos) plain[comma] = ' ';
      comma = std::string::npos;
    } else if (plain[i] != ' ' && plain[i] != '\t' && plain[i] != '\n' &&
               plain[i] != '\r') {
      comma = std::string::npos;
    }
  }
  return plain;
}

// Appends the rules of one permission: a single answer, or an object with an
// answer for each pattern.
absl::Status AddPermission(const Json& value, const std::string& name,
                           RuleSet* set) {
  if (auto answer = AnswerOf(value)) {
    Rule rule{*answer, name + ": " + AsString(value).value_or("")};
    rule.pattern = "*";
    set->rules.push_back(std::move(rule));
    return absl::OkStatus();
  }
  if (!value.is_object()) return InvalidArgument("'%s' has no answer", name);
  for (auto item = value.begin(); item != value.end(); ++item) {
    auto answer = AnswerOf(item.value());
    if (!answer) return InvalidArgument("'%s' has no answer", item.key());
    Rule rule{*answer, absl::StrFormat("\"%s\": %s", item.key(),
                                       DumpJson(item.value()))};
    rule.pattern = WithAnyCharacter(item.key());
    set->rules.push_back(std::move(rule));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RuleSet> ParseClaudeRules(std::string_view text) {
  RuleSet set;
  ASSIGN_OR_RETURN(Json settings, ParseJson(text));
  const Json* only = FindMember(settings, "allowManagedPermissionRulesOnly");
  set.is_final = only != nullptr && *only == true;
  const Json* permissions = FindMember(settings, "permissions");
  if (permissions == nullptr) return set;
  for (const List& list : kLists) {
    const Json* rules = FindMember(*permissions, list.name);
    if (rules == nullptr) continue;
    if (!rules->is_array()) {
      return InvalidArgument("'permissions.%s' is not a list", list.name);
    }
    for (const Json& one : *rules) {
      std::string source = AsString(one).value_or("");
      auto pattern = PatternOf(source);
      if (pattern) {
        Rule rule{list.answer, source};
        rule.pattern = *std::move(pattern);
        set.rules.push_back(std::move(rule));
      } else if (list.answer == Answer::kAllow && source.starts_with("mcp__")) {
        set.allowed_tools.push_back(source);
      }
    }
  }
  return set;
}

// opencode does not ask unless a rule requires it.
absl::StatusOr<RuleSet> ParseOpencodeRules(std::string_view text) {
  RuleSet set;
  set.last_wins = true;
  set.otherwise = Answer::kAllow;
  ASSIGN_OR_RETURN(Json config, ParseJson(PlainJson(text)));
  const Json* permission = FindMember(config, "permission");
  if (permission == nullptr) return set;
  if (!permission->is_object()) {
    RETURN_IF_ERROR(AddPermission(*permission, "permission", &set));
    return set;
  }
  // Patterns keep the order of the file, but "bash" always comes after "*",
  // because it is more specific.
  for (const char* name : {"*", "bash"}) {
    const Json* value = FindMember(*permission, name);
    if (value == nullptr) continue;
    RETURN_IF_ERROR(AddPermission(*value, name, &set));
  }
  return set;
}

}  // namespace glasstty::permit
