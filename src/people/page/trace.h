// Tells what happened in a session, and when: its commands, what was typed and
// by whom, when a person had the keyboard, what agents called, events that the
// server has noticed, sizes, lost output and broken connections.
//
// The session's terminal reports the marks in the output (watch/watched.h);
// json() reads the rest from the session's files. Borrows the session, which
// must outlive it. Loop thread only.
#pragma once

#include <cstdint>
#include <string>

#include "record/command_log.h"
#include "support/json.h"
#include "watch/watched.h"

namespace glasstty::page {

class Trace {
 public:
  // Takes the events of the session's terminal from now on. REQUIRES: the
  // session was just opened.
  explicit Trace(watch::Watched* session);
  ~Trace();

  // Returns {"commands": [{"number", "text", "row", "kept", "begin", "end",
  // "exit"}], "calls": [...], "typed": [{"at", "person", "text"}], "persons":
  // [{"begin", "end"}], "events": [{"at", "watch", "text"}], "sizes": [...],
  // "lost": [...], "breaks": [at, ...], "active": [[begin, end], ...]}. Times
  // are seconds since the session began; "active" says when the program
  // printed. "typed" has texts only if typed input was recorded.
  Json json() const;
  // Returns the output of this command, as far as the terminal still has it; ""
  // if the command is unknown.
  std::string OutputOf(int64_t number) const;

 private:
  watch::Watched* const session_;  // borrowed
  record::CommandLog commands_;
};

}  // namespace glasstty::page
