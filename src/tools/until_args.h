// The `until` argument: what agents may wait for (waits/until.h).
#pragma once

#include <vector>

#include "mcp/schema.h"
#include "waits/until.h"

namespace glasstty {

template <>
struct EnumNames<MatchOn> {
  static constexpr auto& kNames = kMatchOnNames;
};
template <>
struct EnumNames<Activity> {
  static constexpr auto& kNames = kActivityNames;
};
template <>
struct EnumNames<PersonIs> {
  static constexpr auto& kNames = kPersonNames;
};

// Patterns are not compiled here; UntilCheck::Compile says what is wrong.
struct UntilArgs : Until {
  // From the table of conditions, a field for each row.
  static const std::vector<Field<UntilArgs>>& Fields();
};

}  // namespace glasstty
