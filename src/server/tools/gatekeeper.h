// Submits the commands and the typed text of a call to the gate, and asks the
// user if the gate objects.
//
// Tracks the text at each session's prompt as far as this server has typed it.
// The workbench owns the Gatekeeper. Loop thread only.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gate/gate.h"
#include "gate/typed_line.h"
#include "mcp/tool.h"
#include "place/place.h"
#include "session/session.h"
#include "support/task.h"
#include "typing/input.h"

namespace glasstty {

class Clients;
class Workbench;

// A command that a tool is about to start.
struct GatedCommand {
  // A text for a shell; if it is empty, `argv` is run without one.
  std::string text;
  std::vector<std::string> argv;
  // The directory in which it starts; empty: the session's directory, or
  // unknown.
  std::string cwd;
  // The session whose shell runs it; null: a new session.
  session::SessionRef session;
  // The agent states that the user wants the command.
  bool confirmed = false;
  // The machine on which a session is opened for the command. If its text is
  // empty: this machine, or the machine of `session`.
  place::Place place = {};
  // Variables that are added to the command's environment.
  std::map<std::string, std::string> environment = {};
  // Set to true if the user allowed the command despite an objection; may be
  // null.
  bool* was_allowed = nullptr;
  // It is the second command of its call.
  bool is_second = false;
};

// The gate's state about the typing of one call. Lives in the call's frame.
struct GatedTyping {
  bool confirmed = false;
  // The next list of steps begins the call, which has had no effect yet.
  bool begins_call = false;
  // The user has allowed the steps before this index.
  size_t agreed = 0;
  // A note for the reply about text that was allowed although it was not
  // understood.
  std::string note;
  // The gate has ended the typing.
  bool refused = false;
};

class Gatekeeper {
 public:
  // `clients` provides each client's gate.
  explicit Gatekeeper(Clients* clients) : clients_(clients) {}

  // Returns a note for the reply about parts that were not understood, or "".
  // Error: nothing may be started; the message says what was found, why it is
  // refused, and what to do.
  Task<absl::StatusOr<std::string>> AllowCommand(mcp::ToolCall* call,
                                                 GatedCommand command);

  // Call when a typing::ShellRun has typed a command into the session's shell:
  // it discards the text at the prompt.
  void ForgetLine(const session::Session& session) {
    ForgetSession(session.origin().id);
  }

  // Returns a guard, to be called before each step of a call is typed; null if
  // the gate is off. The pointers must outlive the guard.
  typing::StepGuard GuardSteps(Workbench* bench, mcp::ToolCall* call,
                               session::SessionRef session,
                               GatedTyping* typing);

  void ForgetSession(const std::string& id) { lines_.erase(id); }
  size_t line_count() const { return lines_.size(); }

 private:
  // Returns the text at the prompt, as far as it is known. `is_judged`: the
  // gate judges what the session's program reads.
  gate::TypedLine* LineFor(const session::Session& session, bool is_judged);
  Task<std::string> CheckStep(Workbench* bench, mcp::ToolCall* call,
                              session::SessionRef session, GatedTyping* typing,
                              const std::vector<typing::Step>* steps,
                              size_t next);

  Clients* const clients_;  // borrowed
  // By session id.
  std::map<std::string, gate::TypedLine> lines_;
};

}  // namespace glasstty
