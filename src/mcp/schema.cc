#include "mcp/schema.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/utf8.h"
#include "support/check.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// What a message shows of a value or a name; the rest is the agent's own.
constexpr size_t kMaxEcho = 60;

// Arguments that some clients add by themselves. Gemini CLI 0.61 sends
// wait_for_previous with every call.
constexpr std::string_view kStrays[] = {"wait_for_previous"};

std::string Cut(std::string_view text) {
  std::string_view head = Utf8Prefix(text, kMaxEcho);
  return std::string(head) + (head.size() < text.size() ? "..." : "");
}

std::string KindOf(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return "a boolean";
  if (value.is_number()) return "a number";
  if (value.is_string()) return "a string";
  return value.is_array() ? "a list" : "an object";
}

// 500, not 500.0.
Json AsWritten(double number) {
  if (std::trunc(number) == number && std::abs(number) < 1e15) {
    return static_cast<int64_t>(number);
  }
  return number;
}

std::string ExpectedNumber(const char* what, const Range& range) {
  bool low = std::isfinite(range.min), high = std::isfinite(range.max);
  std::string min = DumpJson(AsWritten(range.min));
  std::string max = DumpJson(AsWritten(range.max));
  if (low && high) return absl::StrFormat("%s from %s to %s", what, min, max);
  if (low) return absl::StrFormat("%s of at least %s", what, min);
  if (high) return absl::StrFormat("%s of at most %s", what, max);
  return what;
}

Json NumberSchema(const char* type, const Range& range) {
  Json schema = {{"type", type}};
  if (std::isfinite(range.min)) schema["minimum"] = AsWritten(range.min);
  if (std::isfinite(range.max)) schema["maximum"] = AsWritten(range.max);
  return schema;
}

bool InRange(double value, const Range& range) {
  return value >= range.min && value <= range.max;
}

// "type" is a name or a list of names; this is always the list.
Json TypesOf(const Json& schema) {
  const Json* type = FindMember(schema, "type");
  if (type == nullptr) return Json::array();
  if (type->is_array()) return *type;
  Json types = Json::array();
  types.push_back(*type);
  return types;
}

struct TypeName {
  const char* name;
  const char* expected;
  bool (*holds)(const Json&);
};
constexpr TypeName kTypeNames[] = {
    {"string", "a string", [](const Json& v) { return v.is_string(); }},
    {"boolean", "true or false", [](const Json& v) { return v.is_boolean(); }},
    {"integer", "an integer",
     [](const Json& v) { return AsInteger(v).has_value(); }},
    {"number", "a number", [](const Json& v) { return v.is_number(); }},
    {"array", "a list", [](const Json& v) { return v.is_array(); }},
    {"object", "an object", [](const Json& v) { return v.is_object(); }},
};

std::vector<std::string> NamesOf(const std::vector<const FieldHead*>& fields) {
  std::vector<std::string> names;
  for (const FieldHead* field : fields) names.push_back(field->name);
  return names;
}

// "term_read" or "term_wait: 'until'".
std::string Subject(const ArgPlace& place) {
  if (place.path.empty()) return place.tool;
  return absl::StrFormat("%s: '%s'", place.tool, place.path);
}

absl::Status UnknownMember(const ArgPlace& place, std::string_view key,
                           const std::vector<const FieldHead*>& fields) {
  std::vector<std::string> names = NamesOf(fields);
  std::string cut = Cut(key);
  std::string hint = DidYouMean(cut, names);
  return InvalidArgument("%s has no %s '%s'%s It takes: %s", Subject(place),
                         place.path.empty() ? "argument" : "member", cut,
                         hint.empty() ? "." : hint,
                         names.empty() ? "nothing" : Join(names, ", "));
}

bool IsStray(const ArgPlace& place, const std::string& key) {
  if (!place.path.empty()) return false;
  for (std::string_view stray : kStrays) {
    if (key == stray) return true;
  }
  return false;
}

}  // namespace

ArgRules::ArgRules(Shape s) {
  auto parsed = ParseJson(s.schema);
  CHECK(parsed.ok() && parsed->contains("type"));
  shape = *std::move(parsed);
}

ArgPlace ArgPlace::Member(std::string_view name) const {
  if (path.empty()) return {tool, std::string(name)};
  return {tool, absl::StrFormat("%s.%s", path, name)};
}

ArgPlace ArgPlace::Item(size_t index) const {
  return {tool, absl::StrFormat("%s[%d]", path, index)};
}

Json ObjectSchema(const std::vector<const FieldHead*>& fields) {
  Json properties = Json::object(), required = Json::array();
  for (const FieldHead* field : fields) {
    properties[field->name] = field->schema;
    if (field->required) required.push_back(field->name);
  }
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

absl::Status CheckMembers(const Json& object,
                          const std::vector<const FieldHead*>& fields,
                          const ArgPlace& place) {
  if (!object.is_object()) return Mismatch(place, "an object", object);
  for (auto item = object.begin(); item != object.end(); ++item) {
    bool known = IsStray(place, item.key());
    for (const FieldHead* field : fields) known |= field->name == item.key();
    if (!known) return UnknownMember(place, item.key(), fields);
  }
  for (const FieldHead* field : fields) {
    if (!field->required || object.contains(field->name)) continue;
    const Json* doc = FindMember(field->schema, "description");
    return InvalidArgument(
        "%s needs '%s'%s", Subject(place), field->name,
        doc == nullptr ? "" : ": " + doc->get_ref<const std::string&>());
  }
  return absl::OkStatus();
}

absl::Status Mismatch(const ArgPlace& place, std::string_view expected,
                      const Json& got) {
  if (got.is_structured()) return KindMismatch(place, expected, got);
  return InvalidArgument("%s must be %s, got %s", Subject(place), expected,
                         Cut(DumpJson(got)));
}

absl::Status KindMismatch(const ArgPlace& place, std::string_view expected,
                          const Json& got) {
  return InvalidArgument("%s must be %s, got %s", Subject(place), expected,
                         KindOf(got));
}

// ---- std::string

Json ArgType<std::string>::Schema(const ArgRules&) {
  return {{"type", "string"}};
}
std::string ArgType<std::string>::Expected(const ArgRules&) {
  return "a string";
}
absl::Status ArgType<std::string>::Parse(const Json& value,
                                         const ArgRules& rules,
                                         const ArgPlace& place,
                                         std::string* out) {
  if (!value.is_string()) return Mismatch(place, Expected(rules), value);
  *out = value.get_ref<const std::string&>();
  return absl::OkStatus();
}
Json ArgType<std::string>::Show(const std::string& value) {
  return value.empty() ? Json() : Json(value);
}

// ---- bool

Json ArgType<bool>::Schema(const ArgRules&) { return {{"type", "boolean"}}; }
std::string ArgType<bool>::Expected(const ArgRules&) { return "true or false"; }
absl::Status ArgType<bool>::Parse(const Json& value, const ArgRules& rules,
                                  const ArgPlace& place, bool* out) {
  auto read = AsBool(value);
  if (!read) return Mismatch(place, Expected(rules), value);
  *out = *read;
  return absl::OkStatus();
}
Json ArgType<bool>::Show(const bool& value) { return value; }

// ---- int and int64_t

Json ArgType<int64_t>::Schema(const ArgRules& rules) {
  return NumberSchema("integer", rules.range);
}
std::string ArgType<int64_t>::Expected(const ArgRules& rules) {
  return ExpectedNumber("an integer", rules.range);
}
absl::Status ArgType<int64_t>::Parse(const Json& value, const ArgRules& rules,
                                     const ArgPlace& place, int64_t* out) {
  auto read = AsInteger(value);
  if (!read || !InRange(static_cast<double>(*read), rules.range)) {
    return Mismatch(place, Expected(rules), value);
  }
  *out = *read;
  return absl::OkStatus();
}
Json ArgType<int64_t>::Show(const int64_t& value) { return value; }

Json ArgType<int>::Schema(const ArgRules& rules) {
  return ArgType<int64_t>::Schema(rules);
}
std::string ArgType<int>::Expected(const ArgRules& rules) {
  return ArgType<int64_t>::Expected(rules);
}
absl::Status ArgType<int>::Parse(const Json& value, const ArgRules& rules,
                                 const ArgPlace& place, int* out) {
  int64_t wide = 0;
  RETURN_IF_ERROR(ArgType<int64_t>::Parse(value, rules, place, &wide));
  constexpr int64_t kMin = std::numeric_limits<int>::min();
  constexpr int64_t kMax = std::numeric_limits<int>::max();
  if (wide < kMin || wide > kMax) {
    // Only reached when the row gives no range of its own.
    Range fits{static_cast<double>(kMin), static_cast<double>(kMax)};
    return Mismatch(place, Expected(fits), value);
  }
  *out = static_cast<int>(wide);
  return absl::OkStatus();
}
Json ArgType<int>::Show(const int& value) { return value; }

// ---- double

Json ArgType<double>::Schema(const ArgRules& rules) {
  return NumberSchema("number", rules.range);
}
std::string ArgType<double>::Expected(const ArgRules& rules) {
  return ExpectedNumber("a number", rules.range);
}
absl::Status ArgType<double>::Parse(const Json& value, const ArgRules& rules,
                                    const ArgPlace& place, double* out) {
  auto read = AsNumber(value);
  if (!read || !InRange(*read, rules.range)) {
    return Mismatch(place, Expected(rules), value);
  }
  *out = *read;
  return absl::OkStatus();
}
Json ArgType<double>::Show(const double& value) { return AsWritten(value); }

// ---- an object of strings: environments, so values are not shown

Json ArgType<StringMap>::Schema(const ArgRules&) {
  return {{"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
}
std::string ArgType<StringMap>::Expected(const ArgRules&) {
  return "an object with string values";
}
absl::Status ArgType<StringMap>::Parse(const Json& value, const ArgRules& rules,
                                       const ArgPlace& place, StringMap* out) {
  if (!value.is_object()) return KindMismatch(place, Expected(rules), value);
  out->clear();
  for (auto item = value.begin(); item != value.end(); ++item) {
    if (!item.value().is_string()) {
      return KindMismatch(place.Member(Cut(item.key())), "a string",
                          item.value());
    }
    (*out)[item.key()] = item.value().get_ref<const std::string&>();
  }
  return absl::OkStatus();
}
Json ArgType<StringMap>::Show(const StringMap&) { return Json(); }

// ---- Json with a Shape; input may hold secrets, so values are not shown

Json ArgType<Json>::Schema(const ArgRules& rules) {
  CHECK(rules.shape.is_object());
  return rules.shape;
}
std::string ArgType<Json>::Expected(const ArgRules& rules) {
  std::vector<std::string> parts;
  for (const Json& type : TypesOf(rules.shape)) {
    for (const TypeName& known : kTypeNames) {
      if (type == known.name) parts.push_back(known.expected);
    }
  }
  return Join(parts, " or ");
}
absl::Status ArgType<Json>::Parse(const Json& value, const ArgRules& rules,
                                  const ArgPlace& place, Json* out) {
  if (!HasSchemaType(rules.shape, value)) {
    return KindMismatch(place, Expected(rules), value);
  }
  *out = value;
  return absl::OkStatus();
}
Json ArgType<Json>::Show(const Json& value) { return value; }

// ---- parts of the types made of others

Json NamesSchema(const std::vector<std::string_view>& names) {
  Json list = Json::array();
  for (std::string_view name : names) list.push_back(std::string(name));
  return {{"type", "string"}, {"enum", std::move(list)}};
}

std::string ExpectedNames(const std::vector<std::string_view>& names) {
  return "one of " + Join({names.begin(), names.end()}, ", ");
}

std::optional<size_t> FindName(const Json& value,
                               const std::vector<std::string_view>& names) {
  if (!value.is_string()) return std::nullopt;
  const auto& name = value.get_ref<const std::string&>();
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return i;
  }
  return std::nullopt;
}

Json ListSchema(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

std::string ExpectedList(std::string_view item) {
  return absl::StrFormat("a list (each %s)", item);
}

Json OneOrMoreSchema(Json one) {
  Json types = TypesOf(one);
  types.push_back("array");
  return {{"type", std::move(types)}, {"items", std::move(one)}};
}

bool HasSchemaType(const Json& schema, const Json& value) {
  for (const Json& type : TypesOf(schema)) {
    for (const TypeName& known : kTypeNames) {
      if (type == known.name && known.holds(value)) return true;
    }
  }
  return false;
}

Json EitherSchema(Json a, const Json& b) {
  Json types = TypesOf(a);
  for (const Json& type : TypesOf(b)) types.push_back(type);
  for (auto item = b.begin(); item != b.end(); ++item) {
    if (!a.contains(item.key())) a[item.key()] = item.value();
  }
  a["type"] = std::move(types);
  return a;
}

}  // namespace glasstty
