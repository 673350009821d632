// Tells what still runs of sessions that seem to be over.
//
// A program that has ended by itself may have started a daemon: replies say so,
// as they say after term_close. Sessions that could not be taken over go on,
// too.
//
// The processes are found as those of a killed holder are (session/orphans.h),
// so there may be more than are told; those of another machine are not.
// Functions without state. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include "mcp/tool.h"
#include "session/session.h"
#include "session/session_manager.h"
#include "support/json.h"
#include "support/task.h"

namespace glasstty {

// Returns "1 still running (term_close survivors=kill ends them): pid 812: ..."
// with the commands quoted; "" while the program runs, and if nothing is found.
std::string RemainsText(const session::Session& session);
// Waits a moment, so that only what stays is told.
Task<bool> AwaitRemains(mcp::ToolCall* call, session::SessionRef session);
// Adds the sessions that could not be taken over, in both formats. They may be
// other clients', so term_close with `all` leaves them alone.
void AddLeft(const session::SessionManager& manager,
             std::vector<std::string>* lines, Json* list);

}  // namespace glasstty
