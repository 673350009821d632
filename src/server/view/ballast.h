// Removes from a reply the lines that the caller does not need: the echo of the
// caller's input, the prompt (which the state reports), lines that were printed
// before an interrupt, and lines that were rewritten after they had been seen.
//
// A pure function over a session and its new lines. Loop thread only.
#pragma once

#include <cstdint>

#include "record/history.h"
#include "session/session.h"
#include "view/reader.h"

namespace glasstty::view {

// Counts the removed lines that the reader has not seen in their present form.
struct Dropped {
  int64_t before = 0;     // printed before an interrupt
  int64_t rewritten = 0;  // rewritten after they had been seen
};

// Removes from `unread`, the lines that are new since `mark`, those that
// `request` hides.
Dropped DropBallast(const session::Session& session, const ReaderMark& mark,
                    const ReadRequest& request, record::Excerpt* unread);

}  // namespace glasstty::view
