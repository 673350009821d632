#include "cli/call_arguments.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/shell_words.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

const mcp::FieldHead* FindField(const std::vector<mcp::FieldHead>& fields,
                                const std::string& name) {
  for (const mcp::FieldHead& field : fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

// Returns whether a schema, which names one type or several, includes `type`.
bool Accepts(const mcp::FieldHead& field, std::string_view type) {
  const Json* types = FindMember(field.schema, "type");
  if (types == nullptr) return !field.members.empty() && type == "object";
  if (types->is_string()) return *types == std::string(type);
  return std::any_of(types->begin(), types->end(),
                     [type](const Json& t) { return t == std::string(type); });
}

bool IsNumber(const mcp::FieldHead& field) {
  return Accepts(field, "number") || Accepts(field, "integer");
}

// The names of arguments in seconds end in this.
constexpr std::string_view kSeconds = "_s";

bool IsTime(const mcp::FieldHead& field) {
  return field.name.ends_with(kSeconds);
}

absl::Status Wrong(const mcp::FieldHead& field, const std::string& value,
                   std::string_view wanted) {
  return InvalidArgument("--%s: '%s' is not %s", FlagName(field.name), value,
                         std::string(wanted));
}

// Removes a number and its unit from the beginning of `text`, and returns the
// seconds that they mean; nullopt if they are no duration.
std::optional<double> TakeDuration(std::string* text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr Unit kUnits[] = {
      {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86'400}};
  size_t digits = text->find_first_not_of("0123456789.");
  if (digits == std::string::npos) return std::nullopt;
  size_t end =
      std::min(text->find_first_of("0123456789.", digits), text->size());
  auto number = ParseJson(text->substr(0, digits));
  std::string name = text->substr(digits, end - digits);
  text->erase(0, end);
  for (const Unit& unit : kUnits) {
    bool fits = name == unit.name && number.ok() && number->is_number();
    if (fits) return number->get<double>() * unit.seconds;
  }
  return std::nullopt;
}

// Returns the seconds of a duration with units ("90s", "1.5h", "1h30m"), or
// nullopt.
std::optional<double> ReadDuration(std::string text) {
  double sum = 0;
  do {
    auto part = TakeDuration(&text);
    if (!part) return std::nullopt;
    sum += *part;
  } while (!text.empty());
  return sum;
}

std::optional<Json> ReadNumber(const mcp::FieldHead& field,
                               const std::string& value) {
  auto json = ParseJson(value);
  bool is_number = json.ok() && json->is_number();
  if (is_number) return *std::move(json);
  auto seconds = IsTime(field) ? ReadDuration(value) : std::nullopt;
  return seconds ? std::optional(Json(*seconds)) : std::nullopt;
}

// Returns the type of the field's items, as a field of its own.
mcp::FieldHead ItemOf(const mcp::FieldHead& field) {
  const Json* items = FindMember(field.schema, "items");
  return {.name = field.name,
          .schema = items == nullptr ? Json::object() : *items};
}

// Returns the items of a list that is written with commas. This is only for
// choices, because other items may contain commas.
Json ReadChoices(const std::string& value) {
  Json list = Json::array();
  for (std::string& word : Split(value, ',')) list.push_back(std::move(word));
  return list;
}

std::string_view Wanted(const mcp::FieldHead& field) {
  if (IsTime(field)) return "a time such as 90, 90s or 1h30m";
  if (IsNumber(field)) return "a number";
  return Accepts(field, "boolean") ? "true or false" : "JSON";
}

// Converts `value` to the most specific of the argument's types that it fits.
// For a list, `value` may be a single item.
absl::StatusOr<Json> ReadValue(const mcp::FieldHead& field,
                               const std::string& value) {
  bool looks_like_json = !value.empty() && (value[0] == '[' || value[0] == '{');
  bool may_be_json = Accepts(field, "array") || Accepts(field, "object");
  if (looks_like_json && may_be_json) {
    auto json = ParseJson(value);
    return json.ok() ? json : Wrong(field, value, "JSON");
  }
  bool is_switch = Accepts(field, "boolean");
  if (is_switch && value == "true") return Json(true);
  if (is_switch && value == "false") return Json(false);
  if (IsNumber(field)) {
    if (auto number = ReadNumber(field, value)) return *std::move(number);
  }
  if (Accepts(field, "array")) {
    const mcp::FieldHead item = ItemOf(field);
    bool lists = FindMember(item.schema, "enum") != nullptr &&
                 value.find(',') != std::string::npos;
    if (lists) return ReadChoices(value);
    if (IsNumber(item)) {
      if (auto number = ReadNumber(item, value)) return *std::move(number);
    }
  }
  bool is_text = Accepts(field, "string") ||
                 (Accepts(field, "array") && !IsNumber(ItemOf(field)));
  return is_text ? absl::StatusOr<Json>(value)
                 : Wrong(field, value, Wanted(field));
}

// Returns whether the argument itself, and not one of its items, may be
// `value`.
bool AcceptsAlone(const mcp::FieldHead& field, const Json& value) {
  if (value.is_string()) return Accepts(field, "string");
  if (value.is_boolean()) return Accepts(field, "boolean");
  return value.is_number() ? IsNumber(field) : Accepts(field, "object");
}

// Sets a member. A list gets the items of all the flags of its name.
void Put(const mcp::FieldHead& field, Json value, Json* place) {
  Json* old = place->contains(field.name) ? &(*place)[field.name] : nullptr;
  bool is_list = Accepts(field, "array");
  if (!is_list || (old == nullptr && AcceptsAlone(field, value))) {
    (*place)[field.name] = std::move(value);
    return;
  }
  if (!value.is_array()) value = Json::array({std::move(value)});
  Json list = Json::array();
  if (old != nullptr) list = old->is_array() ? *old : Json::array({*old});
  list.insert(list.end(), value.begin(), value.end());
  (*place)[field.name] = std::move(list);
}

class Reader {
 public:
  Reader(const mcp::Tool& tool, const WordRules& rules,
         std::span<const FlagRow> flags)
      : tool_(tool), rules_(rules), flags_(flags) {}

  absl::StatusOr<CallWords> Read(const std::vector<std::string>& words) {
    bool only_words = false;
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      bool is_flag = !only_words && word.size() > 2 && word.starts_with("--");
      bool is_text = !rest_.empty() && rules_.how == WordRules::Rest::kSteps;
      bool is_letter = !only_words && !is_text && word.size() == 2 &&
                       word[0] == '-' && FindOwn(word.substr(1)) != nullptr;
      if (is_letter) {
        read_.flags[word.substr(1)] = "";
      } else if (is_flag) {
        RETURN_IF_ERROR(TakeFlag(words, &i));
      } else if (!only_words && word == "--") {
        only_words = true;
      } else {
        only_words |= rules_.stops_at_word;
        RETURN_IF_ERROR(TakeWord(word));
      }
    }
    if (!rest_.empty()) SetRest();
    return std::move(read_);
  }

 private:
  void SetRest() {
    if (rules_.how == WordRules::Rest::kList ||
        rules_.how == WordRules::Rest::kSteps) {
      read_.arguments[rules_.rest] = rest_;
    } else if (rest_.size() == 1) {
      read_.arguments[rules_.rest] = rest_[0];
    } else if (rules_.how == WordRules::Rest::kArgv) {
      read_.arguments["argv"] = rest_;
    } else {
      read_.arguments[rules_.rest] = ShellJoin(rest_);
    }
  }

  const FlagRow* FindOwn(const std::string& name) const {
    for (const FlagRow& flag : flags_) {
      if (name == flag.name) return &flag;
    }
    return nullptr;
  }

  // Finds the field `name`, or else the field with this name and "_s".
  static const mcp::FieldHead* FindNamed(
      const std::vector<mcp::FieldHead>& fields, const std::string& name) {
    const mcp::FieldHead* field = FindField(fields, name);
    return field != nullptr ? field
                            : FindField(fields, name + std::string(kSeconds));
  }

  // Returns the field that a flag names, and adds the names of those that
  // contain it to `outer`.
  const mcp::FieldHead* Resolve(std::string name,
                                std::vector<std::string>* outer) const {
    std::replace(name.begin(), name.end(), '-', '_');
    const std::vector<mcp::FieldHead>* fields = &tool_.fields;
    for (size_t dot; (dot = name.find('.')) != std::string::npos;) {
      const mcp::FieldHead* around = FindField(*fields, name.substr(0, dot));
      if (around == nullptr) return nullptr;
      outer->push_back(around->name);
      fields = &around->members;
      name.erase(0, dot + 1);
    }
    const mcp::FieldHead* field = FindNamed(*fields, name);
    bool may_be_inner = field == nullptr && outer->empty();
    if (!may_be_inner || rules_.inner.empty()) return field;
    outer->push_back(rules_.inner);
    return FindNamed(FindField(tool_.fields, rules_.inner)->members, name);
  }

  // The flag is called `name`.
  absl::Status SetField(const std::string& name, const mcp::FieldHead& field,
                        const std::vector<std::string>& outer,
                        const std::string& value) {
    ASSIGN_OR_RETURN(Json json, ReadValue(field, value));
    Json* place = &read_.arguments;
    for (const std::string& around : outer) {
      place = &(*place)[around];
      if (!place->is_null() && !place->is_object()) {
        return InvalidArgument("--%s: %s is %s already, which has no members",
                               name, around, DumpJson(*place));
      }
    }
    Put(field, std::move(json), place);
    return absl::OkStatus();
  }

  absl::Status TakeFlag(const std::vector<std::string>& words, size_t* i) {
    std::string name = words[*i].substr(2);
    size_t equals = name.find('=');
    std::string value;
    bool has_value = equals != std::string::npos;
    if (has_value) {
      value = name.substr(equals + 1);
      name.resize(equals);
    }
    std::vector<std::string> outer;
    const FlagRow* own = FindOwn(name);
    const mcp::FieldHead* field =
        own == nullptr ? Resolve(name, &outer) : nullptr;
    if (own == nullptr && field == nullptr) return Unknown(name);
    bool is_switch = own != nullptr ? own->takes == Takes::kNothing
                                    : IsSwitch(*field, words, *i);
    if (has_value && is_switch && own != nullptr) {
      return InvalidArgument("--%s takes no value", name);
    }
    if (!has_value && is_switch) {
      value = own != nullptr ? "" : "true";
    } else if (!has_value) {
      if (*i + 1 == words.size()) {
        return InvalidArgument("--%s needs a value", name);
      }
      value = words[++*i];
    }
    if (own != nullptr) {
      read_.flags[name] = value;
      return absl::OkStatus();
    }
    return SetField(name, *field, outer, value);
  }

  // Returns true if the flag stands alone. A number may follow --listening, and
  // certain words may follow --change.
  static bool IsSwitch(const mcp::FieldHead& field,
                       const std::vector<std::string>& words, size_t i) {
    if (!Accepts(field, "boolean")) return false;
    if (i + 1 == words.size()) return true;
    const std::string& next = words[i + 1];
    bool is_word = std::find(field.words.begin(), field.words.end(), next) !=
                   field.words.end();
    bool is_number = IsNumber(field) && ReadNumber(field, next).has_value();
    return !is_word && !is_number;
  }

  absl::Status TakeWord(const std::string& word) {
    bool is_first = read_.arguments.empty() && rest_.empty() && next_name_ == 0;
    if (is_first && word.starts_with("{")) {
      auto json = ParseJson(word);
      if (json.ok() && json->is_object()) {
        read_.arguments = *std::move(json);
        return absl::OkStatus();
      }
      if (rules_.rest.empty()) {
        return InvalidArgument("the arguments are not a JSON object: %s", word);
      }
    }
    if (next_name_ < rules_.names.size()) {
      read_.arguments[rules_.names[next_name_++]] = word;
      return absl::OkStatus();
    }
    if (rules_.rest.empty()) {
      return InvalidArgument("unexpected argument '%s'", word);
    }
    rest_.push_back(word);
    return absl::OkStatus();
  }

  absl::Status Unknown(const std::string& name) const {
    std::vector<std::string> known;
    for (const FlagRow& flag : flags_) known.emplace_back(flag.name);
    for (const ToolFlag& flag : FlagsOf(tool_, rules_)) {
      known.push_back(flag.name);
    }
    return InvalidArgument("there is no argument --%s%s", name,
                           DidYouMean(name, known));
  }

  const mcp::Tool& tool_;
  const WordRules& rules_;
  const std::span<const FlagRow> flags_;
  CallWords read_{Json::object(), {}};
  std::vector<std::string> rest_;
  size_t next_name_ = 0;
};

ToolFlag FlagOf(const mcp::FieldHead& field) {
  ToolFlag flag = {FlagName(field.name), Takes::kText, "TEXT", ""};
  const Json* items = FindMember(field.schema, "items");
  const Json* choices =
      FindMember(items != nullptr ? *items : field.schema, "enum");
  if (choices != nullptr) {
    flag.takes = Takes::kChoice;
    flag.value = Join(choices->get<std::vector<std::string>>(), "|");
  } else if (!field.words.empty()) {
    flag.value = "[" + Join(field.words, "|") + "]";
  } else if (IsTime(field)) {
    flag.value = "TIME";
  } else if (IsNumber(field)) {
    flag.takes = Takes::kNumber;
    flag.value = Accepts(field, "boolean") ? "[N]" : "N";
  } else if (Accepts(field, "boolean")) {
    flag.takes = Takes::kNothing;
    flag.value = "";
  } else if (Accepts(field, "object")) {
    flag.value = "JSON";
  } else if (field.name == "session") {
    flag.takes = Takes::kSession;
    flag.value = "SESSION";
  }
  const Json* help = FindMember(field.schema, "description");
  if (help != nullptr) flag.help = InShellWords(help->get<std::string>());
  return flag;
}

}  // namespace

std::string FlagName(std::string_view argument) {
  if (argument.ends_with(kSeconds)) argument.remove_suffix(kSeconds.size());
  std::string name(argument);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

absl::StatusOr<CallWords> ReadArguments(const mcp::Tool& tool,
                                        const WordRules& rules,
                                        std::span<const FlagRow> flags,
                                        const std::vector<std::string>& words) {
  return Reader(tool, rules, flags).Read(words);
}

std::vector<ToolFlag> FlagsOf(const mcp::Tool& tool, const WordRules& rules) {
  std::vector<ToolFlag> flags;
  for (const mcp::FieldHead& field : tool.fields) {
    if (field.name != rules.inner) {
      flags.push_back(FlagOf(field));
      continue;
    }
    for (const mcp::FieldHead& member : field.members) {
      flags.push_back(FlagOf(member));
    }
  }
  return flags;
}

}  // namespace glasstty
