// Reads the rules of Codex, for client_rules.h. The files are Starlark, but
// people and Codex itself write only calls with literal arguments; a file with
// anything else counts as unreadable.
#include <cctype>
#include <utility>

#include "permit/client_rules.h"
#include "support/json.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty::permit {
namespace {

// Parses one file. Literals become JSON: strings, and lists of literals.
class RuleReader {
 public:
  explicit RuleReader(std::string_view text) : text_(text) {}

  absl::StatusOr<RuleSet> Read() {
    RuleSet set;
    for (Skip(); at_ < text_.size(); Skip()) {
      std::string call = TakeName();
      if (call.empty() || !Take('(')) return Wrong();
      Json arguments = Json::object();
      while (!Take(')')) {
        std::string name = TakeName();
        if (name.empty() || !Take('=')) return Wrong();
        ASSIGN_OR_RETURN(arguments[name], TakeValue(0));
        if (!Take(',') && Peek() != ')') return Wrong();
      }
      if (call != "prefix_rule") continue;
      ASSIGN_OR_RETURN(Rule rule, RuleOf(arguments));
      set.rules.push_back(std::move(rule));
    }
    return set;
  }

 private:
  static constexpr int kDeepest = 8;

  absl::Status Wrong() const {
    size_t line = 1;
    for (char c : text_.substr(0, at_)) line += c == '\n' ? 1 : 0;
    return InvalidArgument("line %d is not understood", line);
  }

  char Peek() {
    Skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  // Skips blanks and comments.
  void Skip() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else {
        return;
      }
    }
  }

  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  std::string TakeName() {
    Skip();
    size_t begin = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
            text_[at_] == '_')) {
      ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  absl::StatusOr<Json> TakeValue(int depth) {
    char c = Peek();
    if (c == '"' || c == '\'') return TakeString();
    if (depth == kDeepest || !Take('[')) return Wrong();
    Json list = Json::array();
    while (!Take(']')) {
      ASSIGN_OR_RETURN(Json value, TakeValue(depth + 1));
      list.push_back(std::move(value));
      if (!Take(',') && Peek() != ']') return Wrong();
    }
    return list;
  }

  absl::StatusOr<Json> TakeString() {
    char quote = text_[at_];
    std::string value;
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      char c = text_[at_];
      if (c == '\n') return Wrong();
      if (c == '\\') {
        if (++at_ == text_.size()) return Wrong();
        constexpr std::string_view kSame = "\\\"'";
        if (kSame.find(text_[at_]) == std::string_view::npos) return Wrong();
        c = text_[at_];
      }
      value += c;
    }
    if (!Take(quote)) return Wrong();
    return Json(std::move(value));
  }

  absl::StatusOr<Rule> RuleOf(const Json& arguments) const {
    Rule rule;
    const Json* decision = FindMember(arguments, "decision");
    std::string said =
        decision == nullptr ? "allow" : AsString(*decision).value_or("");
    if (said == "allow") {
      rule.answer = Answer::kAllow;
    } else if (said == "prompt") {
      rule.answer = Answer::kAsk;
    } else if (said == "forbidden") {
      rule.answer = Answer::kDeny;
    } else {
      return Wrong();
    }
    const Json* pattern = FindMember(arguments, "pattern");
    if (pattern == nullptr || !pattern->is_array() || pattern->empty()) {
      return Wrong();
    }
    for (const Json& element : *pattern) {
      std::vector<std::string> words;
      if (element.is_string()) words.push_back(*AsString(element));
      if (element.is_array()) {
        for (const Json& word : element) {
          if (!word.is_string()) return Wrong();
          words.push_back(*AsString(word));
        }
      }
      rule.prefix.push_back(std::move(words));
    }
    rule.source = absl::StrFormat("%s (%s)", DumpJson(*pattern), said);
    const Json* why = FindMember(arguments, "justification");
    std::string text = why == nullptr ? "" : AsString(*why).value_or("");
    if (!text.empty()) rule.source += ", \"" + text + "\",";
    return rule;
  }

  const std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

absl::StatusOr<RuleSet> ParseCodexRules(std::string_view text) {
  return RuleReader(text).Read();
}

}  // namespace glasstty::permit
