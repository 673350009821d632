// A session's own files as a recording: output with times, resizes, commands,
// exit.
//
// Reads the directory (wire/session_files.h), changes nothing, and needs no
// server: works while the session lives and after its end. What was typed is
// there if the session was opened to be recorded, and never what did not echo.
// Single thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/fd.h"
#include "record/cast.h"
#include "record/origin.h"

namespace glasstty::record {

// One session's files, found.
struct RecordedSession {
  UniqueFd directory;
  std::string path;  // for showing
  SessionOrigin origin;
};
// `name`: of a session, live or ended (the newest of that name), or the path of
// a session's directory, which holds a '/' or is found below the present one.
// Error: there is none.
absl::StatusOr<RecordedSession> FindRecorded(const std::string& name);

// All that FindRecorded would find, in no order. Empty where there are none, or
// no state directory.
std::vector<RecordedSession> AllRecorded();
// The names of all sessions that FindRecorded would find, sorted, each once.
// Empty where there are none, or no state directory.
std::vector<std::string> RecordedNames();

// What `begin` of PlayRecorded is told.
struct RecordedBegin {
  CastHeader header;
  // First byte that the log still holds; the recording begins there.
  uint64_t offset = 0;
};
struct RecordedParts {
  // Also a marker where each command begins, and where output is lost.
  bool markers = false;
};
// Hands all that there is to `sink`, after the beginning to `begin`. The bytes
// of the kOutput events are those of the log, in order, without a gap but where
// the log has one.
// Error: a session without terminal; the log cannot be read.
absl::Status PlayRecorded(
    const RecordedSession& session, RecordedParts parts,
    const std::function<void(const RecordedBegin&)>& begin,
    const CastSink& sink);

}  // namespace glasstty::record
