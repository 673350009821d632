// The `until` argument: conditions as agents write them.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "mcp/schema.h"
#include "waits/until.h"

namespace glasstty {

template <>
struct EnumNames<MatchOn> {
  static constexpr std::string_view kNames[] = {"any", "screen", "output"};
};
template <>
struct EnumNames<Activity> {
  static constexpr std::string_view kNames[] = {"prompt", "input", "secret",
                                                "busy", "exited"};
};

// What an agent can wait for; a visit is what it asks for (term_wait).
enum class PersonArg { kGone, kHere };
template <>
struct EnumNames<PersonArg> {
  static constexpr std::string_view kNames[] = {"gone", "here"};
};

// The members mean what those of Until mean (waits/until.h).
struct UntilArgs {
  std::optional<std::string> text;
  std::optional<std::string> regex;
  MatchOn on = MatchOn::kAny;
  std::optional<std::string> gone;
  std::optional<std::string> stop;
  // One word or a list of them; any of them ends the wait.
  OneOrMore<Activity> state;
  // Seconds, from 0.01 to 3600.
  std::optional<double> quiet_s;
  bool change = false;
  bool bell = false;
  std::optional<std::string> title;
  // A port, or true for any.
  std::optional<std::variant<int, bool>> listening;
  std::optional<PersonArg> person;

  static const std::vector<Field<UntilArgs>>& Fields();
  // Patterns are not compiled here; UntilCheck::Compile says what is wrong.
  Until ToUntil() const;
};

}  // namespace glasstty
