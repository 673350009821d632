// The `until` argument: the conditions that agents may wait for
// (waits/until.h).
#pragma once

#include <vector>

#include "mcp/schema.h"
#include "waits/until.h"

namespace glasstty {

template <>
struct mcp::EnumNames<waits::MatchOn> {
  static constexpr auto& kNames = waits::kMatchOnNames;
};
template <>
struct mcp::EnumNames<session::Activity> {
  static constexpr auto& kNames = session::kActivityNames;
};
template <>
struct mcp::EnumNames<terminal::ProgramState> {
  static constexpr auto& kNames = terminal::kProgramStateNames;
};
template <>
struct mcp::EnumNames<waits::PersonIs> {
  static constexpr auto& kNames = waits::kPersonNames;
};

// Patterns are not compiled here; UntilCheck::Compile reports errors in them.
struct UntilArgs : waits::Until {
  // Built from the table of conditions, one field for each row.
  static const std::vector<mcp::Field<UntilArgs>>& Fields();
};

}  // namespace glasstty
