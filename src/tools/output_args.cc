#include "tools/output_args.h"

namespace glasstty {

const std::vector<mcp::Field<OutputArgs>>& OutputArgs::Fields() {
  using A = OutputArgs;
  static const auto* fields = new std::vector<mcp::Field<A>>{
      mcp::Optional(
          "mode", &A::mode,
          "auto: diff (screen changes) for full-screen programs, else "
          "stream (unseen lines). picture: layout, colours. commands: "
          "what ran."),
      mcp::Optional("max_lines", &A::max_lines, "0: no limit.",
                    mcp::Range{0, 100000}),
      mcp::Optional("truncate", &A::truncate, "What to keep."),
      mcp::Unlisted(mcp::Optional("format", &A::format,
                                  "json: the same facts, for programs.")),
  };
  return *fields;
}

// term_read explains the arguments, the instructions say that the other tools
// take them too: a list of tools is paid for in every conversation.
const std::vector<mcp::Field<OutputArgs>>& OutputArgs::BriefFields() {
  static const auto* fields = [] {
    auto* brief = new std::vector<mcp::Field<OutputArgs>>;
    for (const auto& field : Fields()) {
      brief->push_back(field.name == "max_lines" ? Brief(field)
                                                 : mcp::Unlisted(field));
    }
    return brief;
  }();
  return *fields;
}

// For tools whose mode is given, such as a command's output.
const std::vector<mcp::Field<OutputArgs>>& OutputArgs::LimitFields() {
  static const auto* fields = [] {
    auto* limits = new std::vector<mcp::Field<OutputArgs>>(BriefFields());
    std::erase_if(*limits, [](const auto& f) { return f.name == "mode"; });
    return limits;
  }();
  return *fields;
}

view::ReadRequest OutputArgs::ToRequest() const {
  view::ReadRequest request;
  request.mode = mode;
  request.limits.max_lines = max_lines;
  request.limits.truncate = truncate;
  return request;
}

}  // namespace glasstty
