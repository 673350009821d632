// Writes a file on the machine of a session that runs on another machine.
//
// The program that writes the file there runs in a session of its own, "@put",
// which is gone when the call ends. Its input is typed and refused like any
// other, so if the connection breaks, the old file is unchanged.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "session/session_manager.h"
#include "support/cancellation.h"
#include "support/task.h"
#include "wire/put_file.h"

namespace glasstty::typing {

// Returns at most the given number of bytes of the content from an offset on;
// none only at its end.
using Content =
    std::function<absl::StatusOr<std::string>(uint64_t offset, size_t most)>;

// Writes on the machine of `session`. `content` must be in the caller's frame.
// Error: nothing was written, or that is unknown, as the message says.
Task<absl::StatusOr<wire::PutResult>> PutFile(session::SessionManager* manager,
                                              Cancellation* cancellation,
                                              session::SessionRef session,
                                              wire::PutRequest request,
                                              const Content* content);

}  // namespace glasstty::typing
