// Writes a file on the machine of a session that runs on another machine.
//
// The program that writes the file there runs in a separate session, "@put",
// which is removed when the call ends. Its input is typed like any other and
// refused while there is no connection, so if the connection breaks, the old
// file is unchanged.
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

// Returns at most `most` bytes of the content from `offset` on; "" only at its
// end.
using Content =
    std::function<absl::StatusOr<std::string>(uint64_t offset, size_t most)>;

// Writes on the machine of `session`. `content` must outlive the call. Error:
// nothing was written, or it is unknown whether anything was; the message says
// which.
Task<absl::StatusOr<wire::PutResult>> PutFile(session::RemoteSessions* remote,
                                              Cancellation* cancellation,
                                              session::SessionRef session,
                                              wire::PutRequest request,
                                              const Content* content);

}  // namespace glasstty::typing
