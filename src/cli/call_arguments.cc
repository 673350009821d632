#include "cli/call_arguments.h"

#include <algorithm>
#include <utility>

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

// Schemas name one type or several.
bool Takes(const mcp::FieldHead& field, std::string_view type) {
  const Json* types = FindMember(field.schema, "type");
  if (types == nullptr) return !field.members.empty() && type == "object";
  if (types->is_string()) return *types == std::string(type);
  return std::any_of(types->begin(), types->end(),
                     [type](const Json& t) { return t == std::string(type); });
}

absl::Status Wrong(const mcp::FieldHead& field, const std::string& value,
                   std::string_view wanted) {
  return InvalidArgument("--%s: '%s' is not %s", field.name, value,
                         std::string(wanted));
}

// `value` as the argument takes it. Of a list one item, unless it is JSON.
absl::StatusOr<Json> ReadValue(const mcp::FieldHead& field,
                               const std::string& value) {
  bool looks_like_json = !value.empty() && (value[0] == '[' || value[0] == '{');
  bool may_be_json = Takes(field, "array") || Takes(field, "object");
  if (looks_like_json && may_be_json) {
    auto json = ParseJson(value);
    return json.ok() ? json : Wrong(field, value, "JSON");
  }
  if (Takes(field, "string") || Takes(field, "array")) return Json(value);
  if (Takes(field, "boolean")) {
    if (value == "true") return Json(true);
    if (value == "false") return Json(false);
    return Wrong(field, value, "true or false");
  }
  auto json = ParseJson(value);
  bool is_number = json.ok() && json->is_number();
  if (is_number) return json;
  return Wrong(field, value, may_be_json ? "JSON" : "a number");
}

// Sets a member, or adds to a list that is only a list.
void Put(const mcp::FieldHead& field, Json value, Json* place) {
  bool is_list =
      Takes(field, "array") && !value.is_array() && !Takes(field, "string");
  if (!is_list) {
    (*place)[field.name] = std::move(value);
    return;
  }
  Json& list = (*place)[field.name];
  if (!list.is_array()) list = Json::array();
  list.push_back(std::move(value));
}

class Reader {
 public:
  Reader(const mcp::Tool& tool, const WordRules& rules)
      : tool_(tool), rules_(rules) {}

  absl::StatusOr<Json> Read(const std::vector<std::string>& words) {
    bool only_words = false;
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      bool is_flag = !only_words && word.size() > 2 && word.starts_with("--");
      if (is_flag) {
        RETURN_IF_ERROR(TakeFlag(words, &i));
      } else if (!only_words && word == "--") {
        only_words = true;
      } else {
        only_words |= rules_.stops_at_word;
        RETURN_IF_ERROR(TakeWord(word));
      }
    }
    if (!rest_.empty()) {
      arguments_[rules_.rest] =
          rules_.rest_is_list ? Json(rest_) : Json(Join(rest_, " "));
    }
    return std::move(arguments_);
  }

 private:
  // The row that a flag names, and where its value goes.
  const mcp::FieldHead* Resolve(std::string name, Json** place) {
    std::replace(name.begin(), name.end(), '-', '_');
    *place = &arguments_;
    const std::vector<mcp::FieldHead>* fields = &tool_.fields;
    for (size_t dot; (dot = name.find('.')) != std::string::npos;) {
      const mcp::FieldHead* outer = FindField(*fields, name.substr(0, dot));
      if (outer == nullptr) return nullptr;
      *place = &(**place)[outer->name];
      fields = &outer->members;
      name.erase(0, dot + 1);
    }
    const mcp::FieldHead* field = FindField(*fields, name);
    bool may_be_inner = field == nullptr && *place == &arguments_;
    if (!may_be_inner || rules_.inner.empty()) return field;
    const mcp::FieldHead* outer = FindField(tool_.fields, rules_.inner);
    field = FindField(outer->members, name);
    if (field != nullptr) *place = &arguments_[outer->name];
    return field;
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
    Json* place = nullptr;
    const mcp::FieldHead* field = Resolve(name, &place);
    if (field == nullptr) return Unknown(name);
    if (!has_value && Takes(*field, "boolean")) {
      value = "true";
    } else if (!has_value) {
      if (*i + 1 == words.size()) {
        return InvalidArgument("--%s needs a value", name);
      }
      value = words[++*i];
    }
    ASSIGN_OR_RETURN(Json json, ReadValue(*field, value));
    Put(*field, std::move(json), place);
    return absl::OkStatus();
  }

  absl::Status TakeWord(const std::string& word) {
    bool is_first = arguments_.empty() && rest_.empty() && next_name_ == 0;
    if (is_first && word.starts_with("{")) {
      auto json = ParseJson(word);
      if (json.ok() && json->is_object()) {
        arguments_ = *std::move(json);
        return absl::OkStatus();
      }
      if (rules_.rest.empty()) {
        return InvalidArgument("the arguments are not a JSON object: %s", word);
      }
    }
    if (next_name_ < rules_.names.size()) {
      arguments_[rules_.names[next_name_++]] = word;
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
    for (const mcp::FieldHead& field : tool_.fields)
      known.push_back(field.name);
    return InvalidArgument("%s has no argument --%s%s", tool_.name, name,
                           DidYouMean(name, known));
  }

  const mcp::Tool& tool_;
  const WordRules& rules_;
  Json arguments_ = Json::object();
  std::vector<std::string> rest_;
  size_t next_name_ = 0;
};

}  // namespace

absl::StatusOr<Json> ReadArguments(const mcp::Tool& tool,
                                   const WordRules& rules,
                                   const std::vector<std::string>& words) {
  return Reader(tool, rules).Read(words);
}

std::string DescribeArguments(const mcp::Tool& tool) {
  std::string text;
  for (const mcp::FieldHead& field : tool.fields) {
    std::string type;
    const Json* types = FindMember(field.schema, "type");
    if (types != nullptr) {
      type = types->is_string() ? types->get<std::string>() : DumpJson(*types);
    }
    text += absl::StrFormat("  --%s (%s%s)", field.name, type,
                            field.required ? ", needed" : "");
    const Json* words = FindMember(field.schema, "description");
    if (words != nullptr && words->is_string()) {
      text += ": " + words->get<std::string>();
    }
    text += "\n";
  }
  return text;
}

}  // namespace glasstty
