// Leaves out of a reply what the caller knows already: the echo of its input,
// the prompt (which the state reports), and lines that were printed before an
// interrupt.
//
// A pure function over a session and its new lines. Loop thread only.
#pragma once

#include <cstdint>

#include "record/history.h"
#include "session/session_view.h"
#include "view/reader.h"

namespace glasstty::view {

// Lines left out that the reader has not seen as they are.
struct Dropped {
  int64_t before = 0;     // an interrupt
  int64_t rewritten = 0;  // since they were seen
};

// Takes it out of `unread`, which is new since `mark`.
Dropped DropBallast(const session::SessionView& session, const ReaderMark& mark,
                    const ReadRequest& request, record::Excerpt* unread);

}  // namespace glasstty::view
