// Runs one command until it ends, asks something or reaches its deadline.
// term_run uses this once or several times.
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

// The command to run, and its session. Exactly one of `command` and `argv` is
// set.
struct RunSpec {
  std::optional<std::string> command;
  std::vector<std::string> argv;
  // The session whose shell runs the command, opened if it does not exist;
  // empty: the default session or, with `on`, the place's. Not used with `argv`
  // or `fresh`, with which the command runs in a new session.
  std::string session;
  bool fresh = false;
  Json on;  // another machine (reach.h); null: here
  std::string cwd;
  std::map<std::string, std::string> env;
  // The size of a fresh terminal, in cells.
  std::optional<int> rows;
  std::optional<int> cols;
  // The user wants the command, even if the gate objects.
  bool confirm = false;
  // The gate has let the command pass in an earlier attempt of the same call.
  // The text that is typed is still judged.
  bool was_allowed = false;
  // The first command of the same call has run.
  bool is_second = false;
  // The text to type and the answers, if the command has a terminal.
  Plan plan;
};

// The outcome of one command.
struct RunOutcome {
  session::SessionRef session;
  waits::Result wait;
  view::ReadResult read;  // the part that the reply shows
  std::optional<record::CommandBlock> command;
  // The shell's directory afterwards, for the reply; "" if it is not known.
  std::string directory;
  // The directory in which the command began; an absolute path if it is known.
  std::string ran_in;
  std::vector<std::string> notes;
  std::vector<std::string> quotations;  // notes with texts of programs
  // True if the command has ended, as far as is known. Otherwise it asks or
  // still runs, or its shell has exited.
  bool ended = false;
  // The exit code; for a signal, 128 plus its number, as in shells. nullopt:
  // unknown.
  std::optional<int> status;
  PlanReport plan;
  // The position of the command's output in the session's history.
  record::LinePlace begin, end;
};

// Returns the description of the command for the gate. `session` is null for a
// command in a new session, which is opened on `place` unless that is empty. A
// "~" in `cwd` must have been expanded, if that is possible.
GatedCommand GatedCommandOf(const RunSpec& spec, std::string cwd,
                            session::SessionRef session, place::Place place);

// Runs the command in the shell of a session, or by itself. `spec` must outlive
// the call. Error: says why the command was not run.
Task<absl::StatusOr<RunOutcome>> RunOnce(Workbench* bench, mcp::ToolCall* call,
                                         const RunSpec* spec,
                                         view::Limits limits, Time deadline);

// Returns the reply that describes the outcome.
Reply ReplyOf(const RunOutcome& outcome);

}  // namespace glasstty
