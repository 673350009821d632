// Implements schema_types.h: how each type is parsed, shown and described.
#include <cmath>
#include <cstdint>
#include <limits>

#include "mcp/schema.h"
#include "support/check.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty::mcp {
namespace {

// Returns 500 rather than 500.0. Below 1e15, each integer is exact in a double.
Json AsWritten(double number) {
  if (std::trunc(number) == number && std::abs(number) < 1e15) {
    return static_cast<int64_t>(number);
  }
  return number;
}

// Returns "an integer from 2 to 500", "a number of at least 0" or "an integer".
std::string ExpectedNumber(const char* what, const Range& range) {
  bool low = std::isfinite(range.min), high = std::isfinite(range.max);
  std::string min = DumpJson(AsWritten(range.min));
  std::string max = DumpJson(AsWritten(range.max));
  if (low && high) return absl::StrFormat("%s from %s to %s", what, min, max);
  if (low) return absl::StrFormat("%s of at least %s", what, min);
  if (high) return absl::StrFormat("%s of at most %s", what, max);
  return what;
}

// Every byte of a schema costs tokens in every conversation. So the schema
// omits bounds that calls hardly ever exceed; the error message gives them.
Json NumberSchema(const char* type) { return {{"type", type}}; }

bool InRange(double value, const Range& range) {
  return value >= range.min && value <= range.max;
}

// Returns the list of types: "type" may be one name or a list of names.
Json TypesOf(const Json& schema) {
  const Json* type = FindMember(schema, "type");
  if (type == nullptr) return Json::array();
  if (type->is_array()) return *type;
  Json types = Json::array();
  types.push_back(*type);
  return types;
}

// A JSON Schema type, its description for messages, and its check. There is one
// table for messages and checks, so that they cannot disagree. "integer"
// precedes "number", which includes integers.
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

}  // namespace

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
  return rules.any_bytes ? absl::OkStatus() : CheckNoNul(place, *out);
}
// An empty default is not shown, because it means the same as a missing one.
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

Json ArgType<int64_t>::Schema(const ArgRules&) {
  return NumberSchema("integer");
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

// The schema omits the range of the C++ type, which would only cost tokens.
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
    // This is reached only if the row's own range is wider than int.
    Range fits{static_cast<double>(kMin), static_cast<double>(kMax)};
    return Mismatch(place, Expected(fits), value);
  }
  *out = static_cast<int>(wide);
  return absl::OkStatus();
}
Json ArgType<int>::Show(const int& value) { return value; }

// ---- double

Json ArgType<double>::Schema(const ArgRules&) { return NumberSchema("number"); }
std::string ArgType<double>::Expected(const ArgRules& rules) {
  return ExpectedNumber("a number", rules.range);
}
// Integers are numbers, too.
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
  return {{"type", "object"}};
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
      return KindMismatch(place.Member(item.key()), "a string", item.value());
    }
    const auto& text = item.value().get_ref<const std::string&>();
    RETURN_IF_ERROR(CheckNoNul(place.Member(item.key()), item.key()));
    RETURN_IF_ERROR(CheckNoNul(place.Member(item.key()), text));
    (*out)[item.key()] = text;
  }
  return absl::OkStatus();
}
Json ArgType<StringMap>::Show(const StringMap&) { return Json(); }

// ---- Json with a Shape; input may contain secrets, so values are not shown.
// Only the outer type is checked here; the tool checks the rest.

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

// ---- shared by the composite types

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

// As in JSON Schema, 2.0 is both an integer and a number.
bool HasSchemaType(const Json& schema, const Json& value) {
  for (const Json& type : TypesOf(schema)) {
    for (const TypeName& known : kTypeNames) {
      if (type == known.name && known.holds(value)) return true;
    }
  }
  return false;
}

// A rule for one type (minimum, items) does not affect values of the other, so
// both sets of rules can coexist.
Json EitherSchema(Json a, const Json& b) {
  Json types = TypesOf(a);
  for (const Json& type : TypesOf(b)) types.push_back(type);
  for (auto item = b.begin(); item != b.end(); ++item) {
    if (!a.contains(item.key())) a[item.key()] = item.value();
  }
  a["type"] = std::move(types);
  return a;
}

}  // namespace glasstty::mcp
