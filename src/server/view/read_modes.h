// The read modes that show lines (read_lines.cc) or bytes (read_raw.cc), one
// function each. The table in reader.cc refers to them; the modes that show
// screens are in reader.cc itself.
//
// Each sets the mode that was used, the text, the facts, and the mark that is
// valid once the client has the result (ReadNewBefore sets only text and
// facts). They only read and change nothing.
#pragma once

#include <string>
#include <vector>

#include "record/history.h"
#include "view/reader.h"

namespace glasstty::view {

ReadResult ReadStream(const session::Session& session, const ReaderMark& mark,
                      const ReadRequest& request);
// Returns the lines before `end` that are new.
ReadResult ReadNewBefore(const session::Session& session,
                         const ReaderMark& mark, int64_t end,
                         const Limits& limits);
ReadResult ReadHistory(const session::Session& session, const ReaderMark& mark,
                       const ReadRequest& request);
ReadResult ReadAll(const session::Session& session, const ReaderMark& mark,
                   const ReadRequest& request);
ReadResult ReadCommand(const session::Session& session, const ReaderMark& mark,
                       const ReadRequest& request);
ReadResult ReadRaw(const session::Session& session, const ReaderMark& mark,
                   const ReadRequest& request);
ReadResult ReadLinks(const session::Session& session, const ReaderMark& mark,
                     const ReadRequest& request);

// Returns the mark of a reader who has seen all of both streams.
ReaderMark SawAll(const session::Session& session);

// Returns "a; b", or one of them if the other is empty.
std::string AndAlso(const std::string& a, const std::string& b);

}  // namespace glasstty::view
