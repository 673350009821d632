#include "cli/tool_commands.h"

namespace glasstty {

const ToolCommand* FindToolCommand(std::string_view command) {
  using Rest = WordRules::Rest;
  static const auto* rows = new std::vector<ToolCommand>{
      {"run",
       "term_run",
       {.rest = "command", .how = Rest::kCommand, .stops_at_word = true}},
      {"open",
       "term_open",
       {.rest = "command", .how = Rest::kArgv, .stops_at_word = true}},
      {"send",
       "term_send",
       {.names = {"session"}, .rest = "input", .how = Rest::kSteps}},
      {"wait", "term_wait", {.rest = "sessions", .inner = "until"}},
      {"watch", "term_wait", {.names = {"session", "watch"}, .inner = "until"}},
      {"read", "term_read", {.names = {"session"}}},
      {"search", "term_search", {.names = {"regex", "session"}}},
      {"list", "term_list", {.names = {"session"}}},
      {"close", "term_close", {.names = {"session"}}},
  };
  for (const ToolCommand& row : *rows) {
    if (command == row.command) return &row;
  }
  return nullptr;
}

const mcp::Tool* ToolTables::Find(std::string_view name) const {
  for (const mcp::Tool& tool : tools_) {
    if (tool.name == name || tool.name.substr(kToolPrefix.size()) == name) {
      return &tool;
    }
  }
  return nullptr;
}

std::vector<std::string> ToolTables::Names() const {
  std::vector<std::string> names;
  for (const mcp::Tool& tool : tools_) {
    names.push_back(tool.name.substr(kToolPrefix.size()));
  }
  return names;
}

std::vector<ToolFlag> ToolFlags(const CommandRow& command) {
  const ToolCommand* row = FindToolCommand(command.name);
  // `list` has flags of its own.
  if (row == nullptr || !command.is_raw) return {};
  ToolTables tables;
  return FlagsOf(*tables.Find(row->tool), row->rules);
}

}  // namespace glasstty
