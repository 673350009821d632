#include "tools/output_args.h"

namespace glasstty {

const std::vector<Field<OutputArgs>>& OutputArgs::Fields() {
  using A = OutputArgs;
  static const auto* fields = new std::vector<Field<A>>{
      Optional("mode", &A::mode,
               "auto: diff (screen changes) for full-screen programs, else "
               "stream (unseen lines). picture: for layout, colours. commands: "
               "what ran."),
      Optional("max_lines", &A::max_lines, "0: no limit.", Range{0, 100000}),
      Optional("truncate", &A::truncate, "What to keep."),
      Unlisted(Optional("format", &A::format,
                        "json: for programs, with the same facts.")),
  };
  return *fields;
}

// term_read explains the arguments, the instructions say that the other tools
// take them too: a list of tools is paid for in every conversation.
const std::vector<Field<OutputArgs>>& OutputArgs::BriefFields() {
  static const auto* fields = [] {
    auto* brief = new std::vector<Field<OutputArgs>>;
    for (const auto& field : Fields()) {
      brief->push_back(field.name == "max_lines" ? Brief(field)
                                                 : Unlisted(field));
    }
    return brief;
  }();
  return *fields;
}

// For tools whose mode is given, such as a command's output.
const std::vector<Field<OutputArgs>>& OutputArgs::LimitFields() {
  static const auto* fields = [] {
    auto* limits = new std::vector<Field<OutputArgs>>(BriefFields());
    std::erase_if(*limits, [](const auto& f) { return f.name == "mode"; });
    return limits;
  }();
  return *fields;
}

ReadRequest OutputArgs::ToRequest() const {
  ReadRequest request;
  request.mode = mode;
  request.limits.max_lines = max_lines;
  request.limits.truncate = truncate;
  return request;
}

}  // namespace glasstty
