// Reports processes that still run although their session seems to be over.
//
// If a program has ended by itself, replies report the daemons that it has left
// running, as they do after term_close. Sessions that could not be taken over
// keep running, too.
//
// The processes are found in the same way as those of a killed holder
// (session/orphans.h), so some may be missing; processes on another machine are
// not found. Functions without state. Loop thread only.
#pragma once

#include <string>
#include <vector>

#include "mcp/tool.h"
#include "session/left_sessions.h"
#include "session/session.h"
#include "support/json.h"
#include "support/task.h"

namespace glasstty {

// Returns "1 still running (term_close survivors=kill ends them): pid 812: ..."
// with the commands quoted; "" while the program runs, and if nothing is found.
std::string RemainsText(const session::Session& session);
// Waits a moment, so that processes that are just ending are not reported.
// Returns true if some still run after that.
Task<bool> AwaitRemains(mcp::ToolCall* call, session::SessionRef session);
// Adds the sessions that could not be taken over, in both formats. They may be
// other clients' sessions, so term_close with `all` does not close them.
void AddLeft(const session::LeftSessions& sessions,
             std::vector<std::string>* lines, Json* list);

}  // namespace glasstty
