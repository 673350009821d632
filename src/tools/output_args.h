// Arguments that all tools with output share.
#pragma once

#include <vector>

#include "mcp/schema.h"
#include "session/reader.h"
#include "tools/reply.h"

namespace glasstty {

template <>
struct EnumNames<ReadMode> {
  static constexpr std::string_view kNames[] = {"auto", "stream", "snapshot",
                                                "history"};
};
template <>
struct EnumNames<Truncate> {
  static constexpr std::string_view kNames[] = {"both", "head", "tail", "none"};
};

struct OutputArgs {
  ReadMode mode = ReadMode::kAuto;
  int max_lines = 100;
  Truncate truncate = Truncate::kBoth;
  ReplyFormat format = ReplyFormat::kText;

  static const std::vector<Field<OutputArgs>>& Fields();
  // The same without the words: term_read explains them.
  static const std::vector<Field<OutputArgs>>& BriefFields();
  ReadRequest ToRequest() const;
};

}  // namespace glasstty
