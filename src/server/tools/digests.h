// Reads the digest of a session for a reply (view/log_digest.h).
#pragma once

#include "absl/status/statusor.h"
#include "mcp/tool.h"
#include "session/session.h"
#include "support/task.h"
#include "view/reader.h"

namespace glasstty {

// Begins where `request` says, or else after what this client has read, as
// lines or in its last digest. Plays the log again, in slices, independently of
// the terminal. Error: the log cannot be read, or `since` is no time.
Task<absl::StatusOr<view::ReadResult>> ReadDigest(
    mcp::ToolCall* call, session::ConstSessionRef session,
    view::ReaderMark mark, view::ReadRequest request);

}  // namespace glasstty
