// Leaves out of a reply what the caller knows already: the echo of its input,
// the prompt (which the state reports), and lines that were printed before an
// interrupt.
//
// A pure function over a session and its new lines. Loop thread only.
#pragma once

#include <cstdint>

#include "record/history.h"
#include "session/session.h"
#include "view/reader.h"

namespace glasstty::view {

// The number of lines that were left out although the reader has not seen them
// as they are.
struct Dropped {
  int64_t before = 0;     // an interrupt
  int64_t rewritten = 0;  // since they were seen
};

// Removes such lines from `unread`, which is new since `mark`.
Dropped DropBallast(const session::Session& session, const ReaderMark& mark,
                    const ReadRequest& request, record::Excerpt* unread);

}  // namespace glasstty::view
