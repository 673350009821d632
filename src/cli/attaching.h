// Shows one session on the person's terminal, for several commands.
//
// Borrows the loop and the terminal. Loop thread only.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "attach/attachment.h"
#include "attach/outer_terminal.h"
#include "cli/command.h"
#include "record/recording.h"
#include "support/loop.h"

namespace glasstty {

// Fails if this process runs inside a session, where an agent could type "as a
// person". The check prevents only mistakes: a determined program can detach
// itself from its parents.
absl::Status CheckOutsideSessions();

// Reads --detach-key. Error: it is not a single key that sends bytes.
absl::Status ReadDetachKey(const Options& options, attach::Options* attach);

// Shows the session until the person leaves, then restores the terminal and
// prints why they left, and `hint` if the program still runs.
absl::Status ShowSession(Loop* loop, attach::OuterTerminal* outer,
                         record::RecordedSession session,
                         const attach::Options& options,
                         const std::string& hint = "");

}  // namespace glasstty
