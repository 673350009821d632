// Asks the gate about what a call would run, and the user where the gate
// objects.
//
// Knows what stands at each session's prompt as far as this server typed it.
// Owned by the workbench; loop thread only.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gate/gate.h"
#include "gate/typed_line.h"
#include "mcp/tool.h"
#include "session/session.h"
#include "support/task.h"
#include "typing/input.h"

namespace glasstty {

class Workbench;

// A command that a tool is about to start.
struct GatedCommand {
  // For a shell; if empty, `argv` without one.
  std::string text;
  std::vector<std::string> argv;
  // Where it starts; empty: the session's directory, or not known.
  std::string cwd;
  // Whose shell runs it; null: a session of its own.
  session::SessionRef session;
  // The agent says that the user wants it.
  bool confirmed = false;
  // The machine on which a session is opened for it: "ssh:db"; empty: this one,
  // or that of `session`.
  std::string place = {};
};

// One call's typing, as the gate sees it. In the frame of the call.
struct GatedTyping {
  bool confirmed = false;
  // Steps before this one have been agreed to.
  size_t agreed = 0;
  // What was let through though it was not understood; a note for the reply.
  std::string note;
  // The typing ended with an objection.
  bool refused = false;
};

class Gatekeeper {
 public:
  explicit Gatekeeper(gate::Settings settings) : gate_(std::move(settings)) {}

  // A note for the reply, mostly empty. Error: what was found, why, and the way
  // out; then nothing may be started.
  Task<absl::StatusOr<std::string>> AllowCommand(mcp::ToolCall* call,
                                                 GatedCommand command);

  // A command was typed into the session's shell: what stood at the prompt
  // before has been given up.
  void ForgetLine(const session::Session& session);

  // To be asked before each step of a call is typed. `typing` outlives the
  // typing.
  typing::StepGuard GuardSteps(Workbench* bench, mcp::ToolCall* call,
                               session::SessionRef session,
                               GatedTyping* typing);

  void ForgetSession(const std::string& id) { lines_.erase(id); }
  size_t line_count() const { return lines_.size(); }

 private:
  // Who gets what is typed now, as far as the gate cares.
  enum class Reader { kOther, kShell, kSqlClient };

  static Reader ReaderOf(const session::Session& session);
  gate::Verdict JudgeCommand(const GatedCommand& command) const;
  gate::Verdict JudgeLine(const session::Session& session, Reader reader,
                          const std::string& text) const;
  Task<std::string> CheckStep(Workbench* bench, mcp::ToolCall* call,
                              session::SessionRef session, GatedTyping* typing,
                              const std::vector<typing::Step>* steps,
                              size_t next);

  const gate::Gate gate_;
  // By session id.
  std::map<std::string, gate::TypedLine> lines_;
};

}  // namespace glasstty
