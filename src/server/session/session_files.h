// The files that a server writes into a session's directory: those that its
// program is handed, and how far its reader has read.
//
// Borrows the parts. Loop thread only.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "record/read_mark.h"
#include "session/parts.h"
#include "wire/session_files.h"

namespace glasstty::session {

class SessionFiles {
 public:
  explicit SessionFiles(Parts* parts) : parts_(*parts) {}

  // Hands the program a file, in the session's directory where the program
  // runs.
  absl::Status Put(const std::string& name, const std::string& content);
  // Removes it, if it is there still; without a connection, once there is one.
  void Drop(const std::string& name);
  // Returns whether the holder has noted, since the last call, that a program
  // changed the settings of the terminal's driver. False where the shell runs
  // on another machine.
  bool TakeTerminalNote();
  // Stores how far the session's reader has read, for the next server. Failure
  // is silent: the mark is a courtesy. A guest only remembers it: the file is
  // about the owner's reader.
  void PersistMark(const record::ReadMark& mark);
  // Returns the last mark that was given here; {} before the first.
  const wire::MarkRecord& mark() const { return persisted_mark_; }

 private:
  Parts& parts_;
  wire::MarkRecord persisted_mark_;  // as the file says
};

}  // namespace glasstty::session
