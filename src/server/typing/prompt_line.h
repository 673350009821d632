// Reads the line at the prompt of a session's shell, and clears it before a
// command is typed.
//
// Owns nothing; the session outlives the calls. Loop thread only.
#pragma once

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "session/session.h"
#include "support/cancellation.h"
#include "support/task.h"

namespace glasstty::typing {

// Returns the text between the prompt's end and the cursor, or "". The text may
// be output of a background job. REQUIRES: the shell's phase is kReady.
std::string TextAtPrompt(const session::Session& session);

// Makes sure that the line is empty and that the line editor is not in the
// middle of a key or command. If this is known already, does nothing and
// returns nullopt. Otherwise interrupts the shell, and returns the visible part
// of the discarded line ("" if none is known). For shells without marks, this
// is not certain: only the last input is tracked. Error: the shell does not
// begin a new line in time. REQUIRES: `state` is the session's state, and its
// activity is kPrompt.
Task<absl::StatusOr<std::optional<std::string>>> ClearPrompt(
    session::Session* session, session::SessionState state, Time deadline,
    Cancellation* cancellation);

// Discards the terminal's answers to a program that did not read them, if they
// have reached the prompt of the shell, where an Enter would run them. Returns
// the visible part of these answers; nullopt if there were none, or if they
// were not discarded, for example because somebody has typed there as well.
Task<std::optional<std::string>> DiscardAnswers(session::Session* session,
                                                Cancellation* cancellation);

}  // namespace glasstty::typing
