// Tells what happened in a session, and when: its commands, what was typed and
// by whom, when a person had the keyboard, what agents called, events that the
// server has noticed, sizes, lost output and broken connections.
//
// Hears the marks that the session's terminal meets (watch/watched.h), and
// reads the rest from the session's files when it is asked. Borrows the
// session, which must outlive it. Loop thread only.
#pragma once

#include <cstdint>
#include <string>

#include "record/command_log.h"
#include "support/json.h"
#include "watch/watched.h"

namespace glasstty::page {

class Trace {
 public:
  // Hears what the session's terminal meets from now on. REQUIRES: it was just
  // opened.
  explicit Trace(watch::Watched* session);
  ~Trace();

  // Returns {"commands": [{"number", "text", "row", "begin", "end", "exit"}],
  // "typed": [{"at", "person", "text"}], "persons": [{"begin", "end"}],
  // "events": [{"at", "watch", "text"}], "sizes": [...], "lost": [...],
  // "breaks": [at, ...], "active": [[begin, end], ...]}; times are seconds
  // since the session began, and "active" says when it printed. There is only
  // a text if what was typed was recorded.
  Json json() const;
  // Returns the output of this command, as far as the terminal still has it; ""
  // if the command is unknown.
  std::string OutputOf(int64_t number) const;

 private:
  watch::Watched* const session_;  // borrowed
  record::CommandLog commands_;
};

}  // namespace glasstty::page
