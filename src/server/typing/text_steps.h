// The steps that type text: literally, or as a paste. They decide whether the
// lines are typed at once or one by one, when Enter follows, and which lines
// are remembered because their echo may come back.
//
// The coroutines borrow the Typist and the step, which must outlive them. They
// run in the thread of the session's loop.
#pragma once

#include <chrono>

#include "support/task.h"
#include "typing/input.h"
#include "typing/typist.h"

namespace glasstty::typing {

// The patience between a text and its Enter, which may be typed ahead to the
// same program. Also the patience for a program's request to mark pastes.
inline constexpr Duration kTextPatience = std::chrono::milliseconds(100);

// Returns true if the terminal must be examined before the step, because a wait
// for text needs to know whether the text is echoed. Otherwise the first text
// of a call is typed without an examination.
bool MustKnowEcho(const Typist& typist, const Step& step);

// Returns true for a program that draws screens: it uses the alternate screen,
// or has addressed a row since a shell was last at its prompt. Such a program
// may take everything that it reads at once for one key.
bool TakesSingleKeys(const session::Session& session);

// Types Step::text. For programs that recognize a paste by its speed, a newline
// at the end of the text is typed separately, as the Enter that submits the
// text.
Task<Next> TypeText(Typist* typist, const Step* step);

// Types Step::text between the marks of a paste if the program asks for them.
Task<Next> TypePaste(Typist* typist, const Step* step);

}  // namespace glasstty::typing
