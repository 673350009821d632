// Restarts the program of an ended session, in a new session of the same name.
//
// Borrows the workbench and the call for the time of a function. Loop thread
// only.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "mcp/tool.h"
#include "session/session.h"
#include "support/task.h"
#include "tools/workbench.h"

namespace glasstty {

// Asks the gatekeeper about the program, even if the user agreed before,
// because the program begins from the start. Returns a note for the reply.
// Error: says why the program may not be started.
Task<absl::StatusOr<std::string>> AllowRestart(Workbench* bench,
                                               mcp::ToolCall* call,
                                               session::SessionRef session,
                                               bool confirmed);

struct Restarted {
  session::SessionRef session;  // the new one; null if there is none
  std::string called;           // this client's name for the new one
  std::string refusal;          // why the old one was kept; "": it was replaced
};

// Replaces an ended session by a new one with the same name, program,
// environment, and initial directory and size. Error: says why the program
// could not be started.
Task<absl::StatusOr<Restarted>> Restart(Workbench* bench, mcp::ToolCall* call,
                                        session::SessionRef session);

}  // namespace glasstty
