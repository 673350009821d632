// Access to everything that a session prints, in all its streams. A program
// without a terminal has a separate stdout and stderr, and code that reads one
// of them must not overlook the other.
//
// Pure functions of a session.
#pragma once

#include <cstdint>
#include <vector>

#include "record/read_mark.h"
#include "session/output.h"
#include "session/session.h"

namespace glasstty::session {

// Selects streams of a session without a terminal; other sessions have only
// one.
enum class OutputStream { kBoth, kOutput, kErrors };

// Returns those of the wanted streams that the session has, stdout first.
std::vector<const Output*> StreamsOf(const Session& session,
                                     OutputStream wanted = OutputStream::kBoth);

// Returns the part of `mark` that concerns `stream`.
const record::LineMark& MarkOf(const Session& session, const Output& stream,
                               const record::ReadMark& mark);

// Returns the mark of a reader who has seen everything up to now.
record::ReadMark MarkNow(const Session& session);

// Returns the mark of the earlier server's reader. Complete after the replay.
record::ReadMark InheritedMark(const Session& session);
// True while the log that an earlier server left is replayed.
bool IsReplaying(const Session& session);

// Returns the number of lines that are new or changed since `mark`.
int64_t CountUnread(const Session& session, const record::ReadMark& mark);

// Returns a number that rises with every change of a line.
uint64_t LinesRevision(const Session& session);
// Rises with every change of a screen.
uint64_t ScreensRevision(const Session& session);

}  // namespace glasstty::session
