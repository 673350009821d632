// Starts the program of a session that has ended again, in a session of the
// same name.
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

// Judges the program by the user's rules. Asks again even if the user agreed
// before, because the program begins from the start. The error says why it may
// not be started.
Task<absl::StatusOr<std::string>> AllowRestart(Workbench* bench,
                                               mcp::ToolCall* call,
                                               session::SessionRef session,
                                               bool confirmed);

struct Restarted {
  session::SessionRef session;  // the new one; null if it was refused
  std::string called;           // by this client
  std::string refusal;          // why the old one was kept; "": it was not
};

// Replaces a session that has ended: the new one has the same name, program,
// directory, environment and size. The error says why no program could be
// started.
Task<absl::StatusOr<Restarted>> Restart(Workbench* bench, mcp::ToolCall* call,
                                        session::SessionRef session);

}  // namespace glasstty
