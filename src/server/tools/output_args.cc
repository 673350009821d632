#include "tools/output_args.h"

#include <unordered_set>

#include "support/status.h"

namespace glasstty {
namespace {

// Each name costs time during which the call cannot suspend.
constexpr size_t kMostNames = 1000;

}  // namespace

absl::StatusOr<std::vector<std::string>> DistinctSessions(
    std::string_view tool, const std::vector<std::string>& names) {
  std::vector<std::string> distinct;
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (seen.insert(name).second) distinct.push_back(name);
  }
  if (distinct.size() > kMostNames) {
    return InvalidArgument("%s: 'sessions' holds %d names; at most %d are read",
                           tool, distinct.size(), kMostNames);
  }
  return distinct;
}

const std::vector<mcp::Field<OutputArgs>>& OutputArgs::Fields() {
  using A = OutputArgs;
  static const auto* fields = new std::vector<mcp::Field<A>>{
      mcp::Optional(
          "mode", &A::mode,
          "auto: diff for full-screen programs, else stream (unseen). "
          "picture: colours. commands: what ran. digest: what happened. "
          "events: of watches."),
      mcp::Optional("max_lines", &A::max_lines, "0: no limit.",
                    mcp::Range{0, 100000}),
      mcp::Optional("truncate", &A::truncate, "What to keep."),
      mcp::Unlisted(mcp::Optional("format", &A::format,
                                  "json: the same facts, for programs.")),
  };
  return *fields;
}

// Every conversation pays for the list of tools, so only term_read explains the
// arguments; the instructions say that the other tools have them, too.
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

// The fields for tools whose mode is fixed, such as those that show the output
// of a command.
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
  request.limits.crop =
      mode == view::ReadMode::kAuto && format == ReplyFormat::kText;
  return request;
}

view::ReadRequest OutputArgs::ToRequest(const mcp::ToolCall& call) const {
  view::ReadRequest request = ToRequest();
  request.limits.whole = call.context().at_shell;
  return request;
}

}  // namespace glasstty
