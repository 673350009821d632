// The files that a server writes into a session's directory for the session's
// program, and the file that says how far the session's reader has read.
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

  // Writes a file for the program into the session's directory on the machine
  // where the program runs; an error on another machine is not reported.
  absl::Status Put(const std::string& name, const std::string& content);
  // Removes the file if it still exists. If the program's machine cannot be
  // reached, removes the file once it can be, unless the file was written again
  // or another file was dropped meanwhile.
  void Drop(const std::string& name);
  // Returns true if the holder has noted, since the last call, that a program
  // changed the terminal's settings (termios(3)). Always false if the program
  // runs on another machine.
  bool TakeTerminalNote();
  // Stores, for the next server, how far the session's readers have read.
  // Errors are ignored, because the mark is not essential. A guest's mark is
  // only remembered, because the file describes the owner's readers.
  void PersistMark(const record::ReadMark& mark);
  // Returns the last mark that was stored or remembered; {} before the first.
  const wire::MarkRecord& mark() const { return persisted_mark_; }

 private:
  Parts& parts_;
  wire::MarkRecord persisted_mark_;  // see mark()
};

}  // namespace glasstty::session
