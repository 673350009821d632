// Waits until a program has dealt with a key, before the next one is typed.
// Most keys have been dealt with as soon as they are read; these functions are
// for the others.
//
// Borrows the typist, which must outlive the calls. Loop thread only.
#pragma once

#include <cstdint>
#include <string_view>

#include "session/session.h"
#include "support/task.h"
#include "typing/typist.h"

namespace glasstty::typing {

// Returns true if the program may recognize a paste by its speed: it has asked
// for bracketed paste (DECSET 2004), so it handles pastes apart from typing.
// False for a shell that marks its prompts, because it runs any line.
bool TellsPastesBySpeed(const session::Session& session);

// Returns true for a composer of messages, in which Enter submits and a text of
// several lines must be pasted. Editors and shells get newlines as Enter keys.
bool ComposesMessages(const session::Session& session);

// Waits until the program has acted on a click: its screen has changed since
// `revision`, or the time limit is over.
Task<Next> AwaitClick(Typist* typist, uint64_t revision);

// Like AwaitClick, for an Escape. `had_cursor`: the cursor was visible before
// it.
Task<Next> AwaitEscape(Typist* typist, uint64_t revision, bool had_cursor);

// Waits until a shell that was interrupted at its prompt has drawn the next
// prompt, because it discards what it reads before that. `prompt` is the end of
// the prompt and `revision` is the screen's revision, both from before the key.
Task<Next> AwaitPromptAgain(Typist* typist, record::LinePlace prompt,
                            uint64_t revision);

// Remembers that `text` has just been typed.
void NoteText(std::string_view text, Typist* typist);

// Waits before an Enter that submits what this call has typed, if the program
// would take an immediate Enter for a newline in the text.
Task<Next> AwaitEnter(Typist* typist);

// Waits before an Enter that follows a key in a program that composes messages,
// because its dialogs ignore an Enter that follows immediately.
Task<Next> AwaitEnterAfterKey(Typist* typist);

}  // namespace glasstty::typing
