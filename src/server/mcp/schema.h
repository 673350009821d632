// Tables of arguments. A row names a member of a struct; the argument's JSON
// schema, default, validation and error texts are derived from the row.
//
//   struct ReadArgs {
//     std::string session;
//     int rows = 24;
//     static const std::vector<Field<ReadArgs>>& Fields() {
//       static const auto* fields = new std::vector<Field<ReadArgs>>{
//           Required("session", &ReadArgs::session, "Name."),
//           Optional("rows", &ReadArgs::rows, "Height.", Range{2, 500})};
//       return *fields;
//     }
//   };
//
// schema_types.h lists the supported types of members. The default of an
// argument is the member's initial value; the schema shows it unless it is
// empty, false, 0 or the first name of an enum. Values are checked strictly (a
// number in a string is an error, although 2.0 is an integer), because most
// clients do not check calls themselves. Pure functions.
#pragma once

#include <concepts>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "support/json.h"

namespace glasstty::mcp {

// Both ends are allowed values; messages do not mention an infinite end.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
};

// The schema of a member of type Json, such as
// R"({"type":["string","array"]})". Only "type" is checked; the tool parses the
// value itself.
struct Shape {
  const char* schema;
};

// For a struct that another tool describes in full: the schema contains only
// the type "object", but the values are still checked.
struct Terse {};
// The text may contain NUL bytes, because it is not passed to the kernel or
// shells.
struct AnyBytes {};

// Additional rules of a row.
struct ArgRules {
  ArgRules() = default;
  ArgRules(Range r) : range(r) {}          // NOLINT: implicit, rows stay short
  ArgRules(Shape s);                       // NOLINT: implicit
  ArgRules(Terse) : terse(true) {}         // NOLINT: implicit
  ArgRules(AnyBytes) : any_bytes(true) {}  // NOLINT: implicit

  Range range;
  Json shape;
  bool terse = false;
  bool any_bytes = false;
};

// The position of a value, for messages: the tool and the path within its
// arguments ("until.state[1]"; "" means the arguments themselves).
struct ArgPlace {
  ArgPlace Member(std::string_view name) const;
  ArgPlace Item(size_t index) const;

  std::string tool;
  std::string path;
};

// The part of a row that does not depend on the struct.
struct FieldHead {
  std::string name;
  bool required = false;
  Json schema;
  // False: accepted and documented, but in no schema. See Unlisted.
  bool listed = true;
  // Texts that a field accepts besides the values of its type, so no enum in
  // the schema lists them.
  std::vector<std::string> words = {};
  // The fields of an argument that is an object, or a list of objects, with its
  // own table.
  std::vector<FieldHead> members;
};

template <class Args>
struct Field : FieldHead {
  Field() = default;
  explicit Field(FieldHead head) : FieldHead(std::move(head)) {}
  // A table of a derived struct may hold rows of its base.
  template <class Base>
  requires(std::derived_from<Args, Base> && !std::same_as<Args, Base>)
      Field(Field<Base> base)  // NOLINT: implicit
      : FieldHead(base), parse(std::move(base.parse)) {}

  std::function<absl::Status(const Json&, const ArgPlace&, Args*)> parse;
};

// Specialised for each supported type T, with these members:
//   static Json Schema(const ArgRules&);
//   static std::string Expected(const ArgRules&);  // "an integer from 2 to 9"
//   static absl::Status Parse(const Json&, const ArgRules&, const ArgPlace&,
//                             T*);
//   static Json Show(const T&);  // as a default; null when there is none
template <class T>
struct ArgType;

// ---- the parts of which the templates below consist

Json ObjectSchema(const std::vector<const FieldHead*>& fields);
// Fails if `object` is not an object, lacks a required member, or has a member
// that no field names. Members that some clients add by themselves are allowed.
absl::Status CheckMembers(const Json& object,
                          const std::vector<const FieldHead*>& fields,
                          const ArgPlace& place);
// Returns an error such as "term_read: 'rows' must be an integer from 2 to 500,
// got "24"".
absl::Status Mismatch(const ArgPlace& place, std::string_view expected,
                      const Json& got);
// Like Mismatch, but without the value, which may be a secret: "got a number".
absl::Status KindMismatch(const ArgPlace& place, std::string_view expected,
                          const Json& got);

// Fails if the text contains a NUL byte. The kernel and shells would end the
// text there or drop the byte, so another text would run than the one that was
// checked.
absl::Status CheckNoNul(const ArgPlace& place, std::string_view text);

FieldHead HeadOf(const std::string& name, Json schema, const std::string& doc);
// Adds the default to the schema unless it is obvious (null, false, 0).
void ShowDefault(Json value, FieldHead* head);

// Returns the fields of T's table; none if T has no table.
template <class T>
std::vector<FieldHead> MembersOf() {
  std::vector<FieldHead> members;
  if constexpr (requires { T::Fields(); }) {
    for (const auto& field : T::Fields()) members.push_back(field);
  } else if constexpr (requires { T::value_type::Fields(); }) {
    // T is a list or an optional of structs with tables.
    members = MembersOf<typename T::value_type>();
  }
  return members;
}

template <class Args, class T>
Field<Args> MakeField(const std::string& name, T Args::*member,
                      const std::string& doc, ArgRules rules, bool required) {
  Field<Args> field(HeadOf(name, ArgType<T>::Schema(rules), doc));
  field.required = required;
  field.members = MembersOf<T>();
  if (!required) ShowDefault(ArgType<T>::Show(Args().*member), &field);
  field.parse = [member, rules](const Json& value, const ArgPlace& place,
                                Args* args) {
    return ArgType<T>::Parse(value, rules, place, &(args->*member));
  };
  return field;
}

template <class Args>
std::vector<const FieldHead*> HeadsOf(const std::vector<Field<Args>>& fields) {
  std::vector<const FieldHead*> heads;
  heads.reserve(fields.size());
  for (const auto& field : fields) heads.push_back(&field);
  return heads;
}

// ---- for tools

template <class Args, class T>
Field<Args> Required(const std::string& name, T Args::*member,
                     const std::string& doc, ArgRules rules = {}) {
  return MakeField(name, member, doc, std::move(rules), true);
}

template <class Args, class T>
Field<Args> Optional(const std::string& name, T Args::*member,
                     const std::string& doc, ArgRules rules = {}) {
  return MakeField(name, member, doc, std::move(rules), false);
}

// Marks an argument that only programs give. It is left out of the schema, for
// which every conversation with a model pays.
template <class Args>
Field<Args> Unlisted(Field<Args> field) {
  field.listed = false;
  return field;
}

// Returns the fields of `own`, then those of a base struct (`shared`).
template <class Args, class Base>
std::vector<Field<Args>> With(std::vector<Field<Args>> own,
                              const std::vector<Field<Base>>& shared) {
  own.insert(own.end(), shared.begin(), shared.end());
  return own;
}

template <class Args>
Json SchemaOf() {
  return ObjectSchema(HeadsOf(Args::Fields()));
}

// Fills `args` from the members of `object`; returns the first error.
template <class Args>
absl::Status ParseMembers(const Json& object, const ArgPlace& place,
                          Args* args) {
  const std::vector<Field<Args>>& fields = Args::Fields();
  absl::Status status = CheckMembers(object, HeadsOf(fields), place);
  for (const Field<Args>& field : fields) {
    if (!status.ok()) break;
    const Json* value = FindMember(object, field.name);
    if (value == nullptr) continue;
    status = field.parse(*value, place.Member(field.name), args);
  }
  return status;
}

template <class Args>
absl::Status ParseArguments(std::string tool, const Json& arguments,
                            Args* args) {
  return ParseMembers(arguments, ArgPlace{std::move(tool), ""}, args);
}

}  // namespace glasstty::mcp

#include "mcp/schema_types.h"  // IWYU pragma: export
