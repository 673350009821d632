#include "permit/call.h"

#include <utility>

#include "gate/gate.h"
#include "gate/rules.h"
#include "permit/command_parts.h"
#include "support/text.h"

namespace glasstty::permit {
namespace {

// The words that a user would type to run a command at a kind of place
// (docs/anywhere.md).
struct PlaceRow {
  std::string_view scheme;
  std::vector<std::string> words;
};

std::vector<std::string> WordsOf(const Json* list) {
  std::vector<std::string> words;
  if (list == nullptr || !list->is_array()) return words;
  for (const Json& word : *list) words.push_back(AsString(word).value_or(""));
  return words;
}

std::vector<std::string> PlaceWords(const Json* on) {
  if (on == nullptr) return {};
  if (on->is_array()) return WordsOf(on);
  static const auto* rows = new std::vector<PlaceRow>{
      {"ssh:", {"ssh"}},
      {"sudo:", {"sudo", "-u"}},
      {"docker:", {"docker", "exec"}},
      {"podman:", {"podman", "exec"}},
      {"kubectl:", {"kubectl", "exec"}},
  };
  std::string text = AsString(*on).value_or("");
  for (const PlaceRow& row : *rows) {
    if (!text.starts_with(row.scheme)) continue;
    std::vector<std::string> words = row.words;
    words.push_back(text.substr(row.scheme.size()));
    return words;
  }
  return {text};
}

// Returns "" if there is no such argument.
std::string TextAt(const Json& arguments, const char* name) {
  const Json* value = FindMember(arguments, name);
  return value == nullptr ? "" : AsString(*value).value_or("");
}

// Collects the decisions about the parts of a call.
class Deciding {
 public:
  explicit Deciding(const RuleSet& rules) : rules_(rules) {}

  void AddText(const std::string& text) {
    if (!text.empty()) Add(Decide(rules_, PartsOfText(text)));
  }
  void AddWords(const std::vector<std::string>& words) {
    if (!words.empty()) Add(Decide(rules_, PartsOfArguments(words)));
  }
  void Add(Decision decision) {
    decision_ = decision_ ? Combine(*std::move(decision_), std::move(decision))
                          : std::move(decision);
  }
  // Records that something else may happen, so the call is not allowed without
  // a question, unless the client allows what no rule mentions.
  void Doubt(std::string why) {
    if (rules_.otherwise == Answer::kAllow) return;
    Add({Answer::kNone, std::move(why)});
  }
  std::optional<Decision> Take() { return std::move(decision_); }

 private:
  const RuleSet& rules_;
  std::optional<Decision> decision_;
};

void AddTyped(const TypedText& typed, Deciding* deciding) {
  for (const std::string& line : typed.lines) deciding->AddText(line);
  if (!typed.certain) deciding->Doubt("your rules cannot tell what is typed");
}

void AddCommands(const Json& arguments, Deciding* deciding) {
  std::vector<std::string> argv = WordsOf(FindMember(arguments, "argv"));
  std::string command = TextAt(arguments, "command");
  deciding->AddText(command);
  deciding->AddText(TextAt(arguments, "compare_with"));
  deciding->AddWords(argv);
  std::vector<std::string> place = PlaceWords(FindMember(arguments, "on"));
  if (!place.empty()) {
    if (!command.empty()) place.push_back(command);
    place.insert(place.end(), argv.begin(), argv.end());
    deciding->AddWords(place);
  }
  const Json* variables = FindMember(arguments, "env");
  if (variables == nullptr || !variables->is_object()) return;
  for (auto item = variables->begin(); item != variables->end(); ++item) {
    if (!gate::IsIn("run-variable", item.key())) continue;
    deciding->AddText(AsString(item.value()).value_or(""));
  }
  if (!variables->empty()) {
    deciding->Doubt("your rules cannot tell what it runs: it sets variables");
  }
}

}  // namespace

std::string ToolIn(std::string_view name) {
  size_t at = name.rfind("term_");
  bool is_ours =
      at != std::string_view::npos && (at == 0 || name.find("glasstty") < at);
  return is_ours ? std::string(name.substr(at)) : "";
}

std::string CommandsIn(const Call& call) {
  std::vector<std::string> texts;
  std::vector<std::string> place = PlaceWords(FindMember(call.arguments, "on"));
  if (!place.empty()) texts.push_back(Join(place, " "));
  for (const char* name : {"command", "compare_with"}) {
    std::string text = TextAt(call.arguments, name);
    if (!text.empty()) texts.push_back(std::move(text));
  }
  std::vector<std::string> argv = WordsOf(FindMember(call.arguments, "argv"));
  if (!argv.empty()) texts.push_back(Join(argv, " "));
  return Join(texts, " ");
}

std::optional<Decision> DecideCall(const RuleSet& rules, const Call& call) {
  Deciding deciding(rules);
  if (call.tool == "term_run" || call.tool == "term_open") {
    AddCommands(call.arguments, &deciding);
  } else if (call.tool != "term_send") {
    return std::nullopt;
  }
  AddTyped(call.typed, &deciding);
  return deciding.Take();
}

}  // namespace glasstty::permit
