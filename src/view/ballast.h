// What a reply about new lines leaves out, since whoever typed it knows it: the
// echo of the input, the prompt that the state tells, and what had been printed
// before an interrupt.
//
// A pure function over a session and its new lines. Loop thread only.
#pragma once

#include <cstdint>

#include "record/history.h"
#include "session/session.h"
#include "view/reader.h"

namespace glasstty {

// Takes it out of `unread`. Returns how many lines stood before an interrupt
// and were left out; the echo and the prompt do not count.
int64_t DropBallast(const Session& session, const ReadRequest& request,
                    Excerpt* unread);

}  // namespace glasstty
