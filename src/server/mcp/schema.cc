#include "mcp/schema.h"

#include "support/check.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty::mcp {
namespace {

// Some clients add these arguments by themselves. Gemini CLI 0.61 sends
// wait_for_previous with every call.
constexpr std::string_view kStrays[] = {"wait_for_previous"};

// Names the kind of a value that is too long to show, or that we must not show.
std::string KindOf(const Json& value) {
  if (value.is_null()) return "null";
  if (value.is_boolean()) return "a boolean";
  if (value.is_number()) return "a number";
  if (value.is_string()) return "a string";
  return value.is_array() ? "a list" : "an object";
}

std::vector<std::string> NamesOf(const std::vector<const FieldHead*>& fields) {
  std::vector<std::string> names;
  names.reserve(fields.size());
  for (const FieldHead* field : fields) names.push_back(field->name);
  return names;
}

// Returns "term_read" or "term_wait: 'until'".
std::string Subject(const ArgPlace& place) {
  if (place.path.empty()) return place.tool;
  return absl::StrFormat("%s: '%s'", place.tool, place.path);
}

// Clients forward arguments that are in no schema, so this message is the
// model's only way to notice its mistake. It contains the nearest name first,
// then all names.
absl::Status UnknownMember(const ArgPlace& place, std::string_view key,
                           const std::vector<const FieldHead*>& fields) {
  std::vector<std::string> names = NamesOf(fields);
  std::string cut = CutForMessage(key);
  std::string hint = DidYouMean(cut, names);
  return InvalidArgument("%s has no %s '%s'%s It takes: %s", Subject(place),
                         place.path.empty() ? "argument" : "member", cut,
                         hint.empty() ? "." : hint,
                         names.empty() ? "nothing" : Join(names, ", "));
}

// Clients add such arguments only at the top level.
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
  // The name may come from the agent, so it may be long.
  if (path.empty()) return {tool, CutForMessage(name)};
  return {tool, absl::StrFormat("%s.%s", path, CutForMessage(name))};
}

ArgPlace ArgPlace::Item(size_t index) const {
  return {tool, absl::StrFormat("%s[%d]", path, index)};
}

absl::Status CheckNoNul(const ArgPlace& place, std::string_view text) {
  size_t at = text.find('\0');
  if (at == std::string_view::npos) return absl::OkStatus();
  return InvalidArgument(
      "%s holds a NUL byte (behind %d bytes), which no program could be given; "
      "leave it out",
      Subject(place), at);
}

FieldHead HeadOf(const std::string& name, Json schema, const std::string& doc) {
  if (!doc.empty()) schema["description"] = doc;
  return {.name = name, .schema = std::move(schema)};
}

void ShowDefault(Json value, FieldHead* head) {
  bool obvious = value.is_null() || value == false || value == 0;
  if (!obvious) head->schema["default"] = std::move(value);
}

// The schema uses neither $ref nor oneOf, because converters of some clients
// fail on them.
Json ObjectSchema(const std::vector<const FieldHead*>& fields) {
  Json properties = Json::object(), required = Json::array();
  bool complete = true;
  for (const FieldHead* field : fields) {
    complete &= field->listed;
    if (!field->listed) continue;
    properties[field->name] = field->schema;
    if (field->required) required.push_back(field->name);
  }
  Json schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  // A client that checks calls itself would otherwise refuse unlisted
  // arguments.
  if (complete) schema["additionalProperties"] = false;
  return schema;
}

// Unknown names are reported before missing ones, because a mistyped name
// explains why another is missing.
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
                         CutForMessage(DumpJson(got)));
}

absl::Status KindMismatch(const ArgPlace& place, std::string_view expected,
                          const Json& got) {
  return InvalidArgument("%s must be %s, got %s", Subject(place), expected,
                         KindOf(got));
}

}  // namespace glasstty::mcp
