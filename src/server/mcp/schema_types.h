// The types an argument can have. Included by schema.h; do not include alone.
//
// - std::string, bool, int, int64_t, double: the JSON scalar; Range applies to
//   numbers.
// - An enum with EnumNames<E>: one of its names.
// - std::optional<T>: T; the member is unset if the argument is missing.
// - std::vector<T>: a list. OneOrMore<T>: one T or a list of T.
// - std::variant<A, B>: either, distinguished by its JSON type.
// - std::map<std::string, std::string>: an object of strings.
// - A struct with Fields(): an object, checked like arguments.
// - Json with a Shape: parsed by the tool.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "mcp/schema.h"

namespace glasstty::mcp {

// Specialised with `static constexpr std::string_view kNames[]`, one name per
// enumerator, in their order from 0.
template <class E>
struct EnumNames;

template <class T>
concept NamedEnum = std::is_enum_v<T> && requires {
  EnumNames<T>::kNames;
};

template <class T>
concept HasFields = requires {
  T::Fields();
};

// The agent writes one value or a list of them.
template <class T>
struct OneOrMore {
  std::vector<T> values;
};

// ---- scalars, implemented in schema_types.cc

#define GLASSTTY_SCALAR_ARGUMENT(T)                                     \
  template <>                                                           \
  struct ArgType<T> {                                                   \
    static Json Schema(const ArgRules& rules);                          \
    static std::string Expected(const ArgRules& rules);                 \
    static absl::Status Parse(const Json& value, const ArgRules& rules, \
                              const ArgPlace& place, T* out);           \
    static Json Show(const T& value);                                   \
  }
using StringMap = std::map<std::string, std::string>;
GLASSTTY_SCALAR_ARGUMENT(std::string);
GLASSTTY_SCALAR_ARGUMENT(bool);
GLASSTTY_SCALAR_ARGUMENT(int);
GLASSTTY_SCALAR_ARGUMENT(int64_t);
GLASSTTY_SCALAR_ARGUMENT(double);
GLASSTTY_SCALAR_ARGUMENT(StringMap);
GLASSTTY_SCALAR_ARGUMENT(Json);
#undef GLASSTTY_SCALAR_ARGUMENT

Json NamesSchema(const std::vector<std::string_view>& names);
std::string ExpectedNames(const std::vector<std::string_view>& names);
// Returns the index of `value` in `names`, or nullopt.
std::optional<size_t> FindName(const Json& value,
                               const std::vector<std::string_view>& names);

template <NamedEnum E>
struct ArgType<E> {
  static std::vector<std::string_view> Names() {
    return {std::begin(EnumNames<E>::kNames), std::end(EnumNames<E>::kNames)};
  }
  static Json Schema(const ArgRules&) { return NamesSchema(Names()); }
  static std::string Expected(const ArgRules&) {
    return ExpectedNames(Names());
  }
  static absl::Status Parse(const Json& value, const ArgRules& rules,
                            const ArgPlace& place, E* out) {
    auto index = FindName(value, Names());
    if (!index) return Mismatch(place, Expected(rules), value);
    *out = static_cast<E>(*index);
    return absl::OkStatus();
  }
  // The first name is an obvious default, so it is not shown.
  static Json Show(const E& value) {
    if (value == E{}) return Json();
    return std::string(Names()[static_cast<size_t>(value)]);
  }
};

// ---- types made of others

template <class T>
struct ArgType<std::optional<T>> {
  static Json Schema(const ArgRules& rules) {
    return ArgType<T>::Schema(rules);
  }
  static std::string Expected(const ArgRules& rules) {
    return ArgType<T>::Expected(rules);
  }
  static absl::Status Parse(const Json& value, const ArgRules& rules,
                            const ArgPlace& place, std::optional<T>* out) {
    return ArgType<T>::Parse(value, rules, place, &out->emplace());
  }
  static Json Show(const std::optional<T>& value) {
    return value ? ArgType<T>::Show(*value) : Json();
  }
};

Json ListSchema(Json items);
std::string ExpectedList(std::string_view item);

template <class T>
struct ArgType<std::vector<T>> {
  static Json Schema(const ArgRules& rules) {
    return ListSchema(ArgType<T>::Schema(rules));
  }
  static std::string Expected(const ArgRules& rules) {
    return ExpectedList(ArgType<T>::Expected(rules));
  }
  static absl::Status Parse(const Json& value, const ArgRules& rules,
                            const ArgPlace& place, std::vector<T>* out) {
    if (!value.is_array()) return KindMismatch(place, Expected(rules), value);
    out->clear();
    for (size_t i = 0; i < value.size(); ++i) {
      T item{};
      absl::Status status =
          ArgType<T>::Parse(value[i], rules, place.Item(i), &item);
      if (!status.ok()) return status;
      out->push_back(std::move(item));
    }
    return absl::OkStatus();
  }
  static Json Show(const std::vector<T>& values) {
    if (values.empty()) return Json();
    Json shown = Json::array();
    for (const T& value : values) shown.push_back(ArgType<T>::Show(value));
    return shown;
  }
};

// Returns a schema for one value or a list of such values. Instead of oneOf, on
// which converters of clients fail, it has "type":["string","array"], with the
// schema of one value in "items".
Json OneOrMoreSchema(Json one);

template <class T>
struct ArgType<OneOrMore<T>> {
  using List = ArgType<std::vector<T>>;
  static Json Schema(const ArgRules& rules) {
    return OneOrMoreSchema(ArgType<T>::Schema(rules));
  }
  static std::string Expected(const ArgRules& rules) {
    return ArgType<T>::Expected(rules) + ", or a list of them";
  }
  static absl::Status Parse(const Json& value, const ArgRules& rules,
                            const ArgPlace& place, OneOrMore<T>* out) {
    if (value.is_array()) {
      return List::Parse(value, rules, place, &out->values);
    }
    T one{};
    if (!ArgType<T>::Parse(value, rules, place, &one).ok()) {
      return Mismatch(place, Expected(rules), value);
    }
    out->values = {std::move(one)};
    return absl::OkStatus();
  }
  static Json Show(const OneOrMore<T>& value) {
    if (value.values.size() != 1) return List::Show(value.values);
    return ArgType<T>::Show(value.values[0]);
  }
};

// Returns true if `value` has a JSON type that `schema` names in "type".
bool HasSchemaType(const Json& schema, const Json& value);
// Combines the types and the other members of both schemas.
Json EitherSchema(Json a, const Json& b);

template <class A, class B>
struct ArgType<std::variant<A, B>> {
  static_assert(!NamedEnum<A> && !NamedEnum<B>,
                "an enum's names would also bind the other shape");
  static Json Schema(const ArgRules& rules) {
    return EitherSchema(ArgType<A>::Schema(rules), ArgType<B>::Schema(rules));
  }
  static std::string Expected(const ArgRules& rules) {
    return ArgType<A>::Expected(rules) + " or " + ArgType<B>::Expected(rules);
  }
  static absl::Status Parse(const Json& value, const ArgRules& rules,
                            const ArgPlace& place, std::variant<A, B>* out) {
    if (HasSchemaType(ArgType<A>::Schema(rules), value)) {
      return ArgType<A>::Parse(value, rules, place,
                               &out->template emplace<0>());
    }
    if (HasSchemaType(ArgType<B>::Schema(rules), value)) {
      return ArgType<B>::Parse(value, rules, place,
                               &out->template emplace<1>());
    }
    return Mismatch(place, Expected(rules), value);
  }
  static Json Show(const std::variant<A, B>& value) {
    if (value.index() == 0) return ArgType<A>::Show(std::get<0>(value));
    return ArgType<B>::Show(std::get<1>(value));
  }
};

template <HasFields T>
struct ArgType<T> {
  static Json Schema(const ArgRules& rules) {
    if (rules.terse) return Json{{"type", "object"}};
    Json schema = SchemaOf<T>();
    // This saves tokens; Parse rejects unknown members nevertheless.
    schema.erase("additionalProperties");
    return schema;
  }
  static std::string Expected(const ArgRules&) { return "an object"; }
  static absl::Status Parse(const Json& value, const ArgRules&,
                            const ArgPlace& place, T* out) {
    return ParseMembers(value, place, out);
  }
  static Json Show(const T&) { return Json(); }
};

}  // namespace glasstty::mcp
