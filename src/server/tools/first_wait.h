// Waits before a call does its work, as the argument `until` of
// term_write_file demands, and tells in the result how the wait ended.
//
// Functions over the workbench. Loop thread only.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "mcp/tool.h"
#include "session/session.h"
#include "tools/until_args.h"
#include "tools/workbench.h"

namespace glasstty {

struct FirstWait {
  std::string reason;  // as in other replies; empty: there was no wait
  bool is_met = false;
  double waited_s = 0;
  std::string note;  // about the time-out; may be empty
};

// Waits for `until` in output that the client has not seen; nullopt: not at
// all. Error: the condition cannot be checked, or the call was cancelled.
Task<absl::StatusOr<FirstWait>> AwaitFirst(Workbench* bench,
                                           mcp::ToolCall* call,
                                           session::SessionRef session,
                                           std::optional<UntilArgs> until,
                                           double timeout_s);

// Adds the outcome to the result of a call that has succeeded.
void TellFirstWait(const FirstWait& wait, const session::Session& session,
                   mcp::ToolResult* result);

}  // namespace glasstty
