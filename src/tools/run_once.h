// Runs one command until it ends, asks something or reaches its deadline.
// term_run does so once or several times.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "support/task.h"
#include "tools/plan.h"
#include "tools/reply.h"
#include "tools/workbench.h"
#include "view/reader.h"

namespace glasstty {

// What to run, and where. Either `command` or `argv`.
struct RunSpec {
  std::optional<std::string> command;
  std::vector<std::string> argv;
  // Whose shell; empty: "main", opened if there is none. Not with `argv` or
  // `fresh`, which run in sessions of their own.
  std::string session;
  bool fresh = false;
  Json on;  // another machine (reach.h); null: here
  std::string cwd;
  std::map<std::string, std::string> env;
  // Of a fresh terminal, in cells.
  int rows = 40;
  int cols = 120;
  // The user wants it, whatever the gate says.
  bool confirm = false;
  // What is typed to it and answered; for a command that has a terminal.
  Plan plan;
};

// How it went.
struct RunOutcome {
  session::SessionRef session;
  WaitResult wait;
  view::ReadResult read;  // what is shown of it
  std::optional<record::CommandBlock> command;
  std::string directory;  // the shell's now, for the reply
  std::string ran_in;     // absolute
  std::vector<std::string> notes;
  // It has ended; otherwise it asks or goes on.
  bool ended = false;
  // Its exit code; a signal counts as with shells, 128 and its number. nullopt:
  // not known.
  std::optional<int> status;
  PlanReport plan;
  // Where its output is in the session's history.
  record::LinePlace begin, end;
};

// Runs in the shell of a session, or by itself. `spec` is in the caller's
// frame. Error: nothing was run, and why.
Task<absl::StatusOr<RunOutcome>> RunOnce(Workbench* bench, mcp::ToolCall* call,
                                         const RunSpec* spec,
                                         view::Limits limits, Time deadline);

// All that it printed, as text. Error: that is more than 16 MiB.
absl::StatusOr<std::string> OutputOf(const RunOutcome& outcome);

// The reply that tells of it.
Reply ReplyOf(const RunOutcome& outcome);

}  // namespace glasstty
