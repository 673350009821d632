// Plays a session's own files as a recording: its output with times, resizes,
// commands, and its exit.
//
// Reads the directory (wire/session_files.h), changes nothing, and needs no
// server, so it works both while the session lives and after its end. Typed
// text is included if the session was opened with recording of input, but never
// text that was not echoed. Single thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/fd.h"
#include "record/cast.h"
#include "record/origin.h"
#include "record/saved_states.h"

namespace glasstty::record {

// The files of one session.
struct RecordedSession {
  UniqueFd directory;
  std::string path;  // for messages
  SessionOrigin origin;
};
// Finds a session by its name (the newest live one of that name or, if none
// lives, the newest that has ended), or by the path of its directory. A path
// contains a '/', or names a session's directory in the current directory.
// Error: there is no such session, or it cannot be read.
absl::StatusOr<RecordedSession> FindRecorded(const std::string& name);

// A session that lives, because its holder does, but whose meta.json is missing
// or cannot be read. Its name is not known.
struct UnreadableSession {
  UniqueFd directory;
  std::string path;  // for messages
  std::string id;
  std::string why;
};
// Returns a text that says that the session cannot be read, and how to end it.
std::string DescribeUnreadable(const UnreadableSession& session);

// Passes all sessions that FindRecorded would find by name to `take`, in no
// particular order, and the live sessions that cannot be read to `unreadable`.
// A session's descriptor is closed as soon as the callback drops it, because
// there may be more sessions than descriptors. Without a state directory, there
// are none. Error: the directory cannot be read, or no descriptor is left.
absl::Status ForEachRecorded(
    const std::function<void(RecordedSession session)>& take,
    const std::function<void(UnreadableSession session)>& unreadable = {});
// Returns the sorted names of all sessions that FindRecorded would find, each
// once.
absl::StatusOr<std::vector<std::string>> RecordedNames();

// Passed to the `begin` of PlayRecorded.
struct RecordedBegin {
  CastHeader header;
  // The recording begins here, on a terminal with this state.
  LogStart start;
};
struct RecordedParts {
  // Include a marker where each command begins, and where output is lost.
  bool markers = false;
};
// Calls `begin`, then passes the whole recording to `sink`. The bytes of the
// kOutput events are those of the log, in order and without a gap; where the
// log itself has a gap, a line says so. Error: the session has no terminal, or
// the log cannot be read.
absl::Status PlayRecorded(
    const RecordedSession& session, RecordedParts parts,
    const std::function<void(const RecordedBegin&)>& begin,
    const CastSink& sink);

}  // namespace glasstty::record
