// Reads the digest of a session for a reply (view/log_digest.h).
#pragma once

#include "absl/status/statusor.h"
#include "mcp/tool.h"
#include "session/session.h"
#include "support/task.h"
#include "view/reader.h"

namespace glasstty {

// The digest begins where `request` says, or else after everything that this
// client has read as lines or in a digest (`mark`). Plays the log again, in
// slices, without the session's terminal. Error: the log cannot be read, or
// request.since_time is invalid.
Task<absl::StatusOr<view::ReadResult>> ReadDigest(
    mcp::ToolCall* call, session::ConstSessionRef session,
    view::ReaderMark mark, view::ReadRequest request);

}  // namespace glasstty
