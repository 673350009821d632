// Waits until a program has dealt with a key, before the next key is typed. A
// program has dealt with most keys once it has read them. These functions are
// for the other keys.
//
// Borrows the typist, which must outlive the calls. Loop thread only.
#pragma once

#include <cstdint>
#include <string_view>

#include "session/session.h"
#include "support/task.h"
#include "typing/typist.h"

namespace glasstty::typing {

// Returns true if the program has asked for bracketed paste (DECSET 2004) and
// is not a shell at a marked prompt.
bool TakesPastes(const session::Session& session);

// Returns true if the program may also recognize a paste by its speed, as
// composers of messages do. The eleven composers that were tried ask for focus
// reports or for a keyboard protocol. The line editors of interpreters
// (prompt_toolkit, rustyline) ask for neither, and run a line however fast it
// is typed.
bool TellsPastesBySpeed(const session::Session& session);

// Returns true if, at the last probe, the foreground program waited for input
// and left ^C to the kernel. Line editors such as readline do so, and run a
// line however fast it is typed. Composers read ^C as a key.
bool LeavesSignals(const session::Session& session);

// Returns true if the program is probably a composer of messages, such as the
// terminal interface of an AI agent. In a composer, Enter submits, so a text of
// several lines must be pasted. For editors and shells, newlines are typed as
// Enter keys.
bool ComposesMessages(const session::Session& session);

// Waits until the program has acted on a click, so that the screen's revision
// differs from `revision`. Has a short time limit, like the waits below.
Task<Next> AwaitClick(Typist* typist, uint64_t revision);

// Like AwaitClick, for the Escape key, and also waits until the screen has
// settled. `had_cursor`: the cursor was visible before the key.
Task<Next> AwaitEscape(Typist* typist, uint64_t revision, bool had_cursor);

// Waits until a shell that was interrupted at its prompt has drawn the next
// prompt, because the shell discards what it reads before that. `prompt`, the
// end of the old prompt, and the screen's `revision` are from before the key.
Task<Next> AwaitPromptAgain(Typist* typist, record::LinePlace prompt,
                            uint64_t revision);

// Records that `text` has just been typed, for AwaitEnter.
void NoteText(std::string_view text, Typist* typist);

// Waits before an Enter that submits the last text of this call, if the program
// would take an immediate Enter for a newline in the text.
Task<Next> AwaitEnter(Typist* typist);

// Waits before an Enter that follows a key in a composer of messages, because
// the dialogs of composers ignore an Enter immediately after another key.
Task<Next> AwaitEnterAfterKey(Typist* typist);

}  // namespace glasstty::typing
