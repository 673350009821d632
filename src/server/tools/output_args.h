// Defines the arguments that all tools with output share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mcp/schema.h"
#include "tools/reply.h"
#include "view/reader.h"

namespace glasstty {

template <>
struct mcp::EnumNames<view::ReadMode> {
  static constexpr auto& kNames = view::kReadModeNames;
};
template <>
struct mcp::EnumNames<view::OutputStream> {
  static constexpr std::string_view kNames[] = {"both", "out", "err"};
};
template <>
struct mcp::EnumNames<view::Truncate> {
  static constexpr std::string_view kNames[] = {"both", "head", "tail", "none"};
};

// Returns the field without its description, default and choices, which cost
// tokens in every list of tools. For fields that another tool explains.
template <class Args>
mcp::Field<Args> Brief(mcp::Field<Args> field) {
  for (const char* told : {"description", "default", "enum", "minimum"}) {
    field.schema.erase(told);
  }
  return field;
}

// Returns the names in the argument `sessions` of `tool`, each once, in the
// given order. Error: there are more than 1,000.
absl::StatusOr<std::vector<std::string>> DistinctSessions(
    std::string_view tool, const std::vector<std::string>& names);

// A base of the arguments of term_run, term_open, term_send, term_wait and
// term_read; their tables of fields append some of the fields below
// (mcp::With).
struct OutputArgs {
  // See ReadMode in view/reader.h; the names there have the same order.
  view::ReadMode mode = view::ReadMode::kAuto;
  // 0: no limit except the hard limit of a reply.
  int max_lines = 100;
  // Says which lines are dropped beyond max_lines; kBoth cuts the middle.
  view::Truncate truncate = view::Truncate::kBoth;
  ReplyFormat format = ReplyFormat::kText;

  static const std::vector<mcp::Field<OutputArgs>>& Fields();
  // The same fields, of which the list of tools shows only max_lines, without a
  // description, because term_read explains them.
  static const std::vector<mcp::Field<OutputArgs>>& BriefFields();
  // The brief fields without `mode`, for output that is always read in one way.
  static const std::vector<mcp::Field<OutputArgs>>& LimitFields();
  // Returns the request without members that only some tools have (lines,
  // scrollback, since).
  view::ReadRequest ToRequest() const;
  // Like ToRequest, adapted to the caller: a command line gets the output as it
  // was printed.
  view::ReadRequest ToRequest(const mcp::ToolCall& call) const;
};

}  // namespace glasstty
