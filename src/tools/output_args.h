// The arguments that all tools with output share.
#pragma once

#include <vector>

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

// The row without what term_read's row of that name tells already:
// descriptions are sent to every model in every tool list.
template <class Args>
mcp::Field<Args> Brief(mcp::Field<Args> field) {
  for (const char* told : {"description", "default", "enum", "minimum"}) {
    field.schema.erase(told);
  }
  return field;
}

// A base of the arguments of term_open, term_send, term_wait and term_read;
// their tables append its rows with With.
struct OutputArgs {
  // See ReadMode in view/reader.h; the names above are in its order.
  view::ReadMode mode = view::ReadMode::kAuto;
  // 0: no limit but the hard one of a reply.
  int max_lines = 100;
  // What goes when max_lines is passed; kBoth cuts the middle.
  view::Truncate truncate = view::Truncate::kBoth;
  ReplyFormat format = ReplyFormat::kText;

  static const std::vector<mcp::Field<OutputArgs>>& Fields();
  // The same without the words: term_read explains them.
  static const std::vector<mcp::Field<OutputArgs>>& BriefFields();
  // The brief ones without `mode`, for what is always read in one way.
  static const std::vector<mcp::Field<OutputArgs>>& LimitFields();
  // The request without what only some tools have (lines, scrollback, since).
  view::ReadRequest ToRequest() const;
};

}  // namespace glasstty
