// Writes a file on the machine of a session that runs on another machine.
//
// The program that writes the file there runs in a separate session, "@put",
// which is removed when the call ends. The content is typed into that session.
// Without a connection, the content is refused. So if the connection breaks
// before the end marker (wire::kPutEnd) is sent, the old file is unchanged. If
// it breaks later, it is unknown whether the file was written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "session/remote_sessions.h"
#include "support/cancellation.h"
#include "support/task.h"
#include "wire/put_file.h"

namespace glasstty::typing {

// Returns at most `most` bytes from `offset` on; "" only at the end.
using Content =
    std::function<absl::StatusOr<std::string>(uint64_t offset, size_t most)>;

// Writes the file on the machine of `session`. `content` must outlive the call.
// Error: nothing was written, unless the message calls the outcome unknown.
Task<absl::StatusOr<wire::PutResult>> PutFile(session::RemoteSessions* remote,
                                              Cancellation* cancellation,
                                              session::SessionRef session,
                                              wire::PutRequest request,
                                              const Content* content);

}  // namespace glasstty::typing
