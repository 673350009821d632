// Tells what happened in a session, and when: its commands, what was typed,
// sizes, lost output, and when a person had the keyboard.
//
// Hears the marks that the session's terminal meets (watch/watched.h), and
// reads the rest from the session's files when it is asked. A person's turns
// are known since the page shows the session. Borrows the session, which must
// outlive it. Loop thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/command_log.h"
#include "support/json.h"
#include "support/loop.h"
#include "watch/watched.h"

namespace glasstty::page {

class Trace {
 public:
  // Hears the session's events from now on. REQUIRES: it was just opened.
  Trace(Loop* loop, watch::Watched* session);
  ~Trace();

  // Notes who has the keyboard; call it when the session has changed.
  void Look();
  // Returns {"commands": [{"number", "text", "row", "begin", "end", "exit"}],
  // "typed": [{"at", "text"}], "sizes": [...], "lost": [...], "persons": [...],
  // "active": [[begin, end], ...]}; times are seconds since the session began,
  // and "active" says when it printed.
  Json json() const;
  // Returns the output of this command, as far as the terminal still has it; ""
  // if the command is unknown.
  std::string OutputOf(int64_t number) const;

 private:
  struct Turn {
    std::string label;
    double begin = 0;
    double end = -1;  // negative: it has not ended
  };

  Loop* const loop_;
  watch::Watched* const session_;  // borrowed
  record::CommandLog commands_;
  std::vector<Turn> turns_;
};

}  // namespace glasstty::page
