// The commands that call one tool, as data, and the tables of the tools.
//
// Borrows nothing. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "cli/call_arguments.h"
#include "cli/command.h"
#include "mcp/tool.h"
#include "session/session_manager.h"
#include "support/loop.h"
#include "tools/all_tools.h"

namespace glasstty {

// The names of all tools begin with this prefix, which nobody needs at a shell.
inline constexpr std::string_view kToolPrefix = "term_";

struct ToolCommand {
  const char* command;
  const char* tool;
  WordRules rules;
};

// Returns null for a command that calls no tool, or may call any (`call`).
const ToolCommand* FindToolCommand(std::string_view command);

// The tables of the tools, in a process that does not serve the tools.
class ToolTables {
 public:
  // Returns null if there is no such tool. "run" means term_run.
  const mcp::Tool* Find(std::string_view name) const;
  // Returns the short names ("run") of the tools that a shell can call.
  std::vector<std::string> Names() const;

 private:
  MonotonicClock clock_;
  Loop loop_{&clock_};
  session::SessionManager manager_{&loop_, {}};
  Workbench bench_{&loop_, &manager_};
  const std::vector<mcp::Tool> tools_ = AllTools(&bench_);
};

// Returns the flags that the command passes on to its tool; none for a command
// that has only flags of its own.
std::vector<ToolFlag> ToolFlags(const CommandRow& command);

}  // namespace glasstty
