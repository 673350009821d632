// The screen of a session at an earlier moment.
//
// Plays the session's log into a separate terminal, piece by piece, so that the
// loop can do other work in between. A later moment is reached from the current
// position, and an earlier one from the beginning of the log. This takes about
// 0.1 s for every 4 MiB of output in between. Borrows the session, which must
// outlive it. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "record/timeline.h"
#include "session/log_feed.h"
#include "support/loop.h"
#include "terminal/terminal.h"
#include "watch/watched.h"

namespace glasstty::watch {

class Past {
 public:
  Past(Loop* loop, const Watched* session);
  ~Past();

  // Shows the moment `seconds` after the session began. Calls `there` from the
  // loop once terminal() shows it; a later Show replaces an earlier one.
  void Show(double seconds, std::function<void()> there);
  // REQUIRES: the last Show has called `there`.
  const terminal::Terminal& terminal() const { return *terminal_; }
  // Returns the seconds from the beginning of the session to its last output or
  // its exit.
  double Length() const;
  // Returns the seconds from the beginning of the session to now or its exit.
  double Age() const;

 private:
  void Begin(const record::Timeline& timeline);
  uint64_t LogEnd() const;

  Loop* const loop_;
  const Watched* const session_;  // borrowed
  std::unique_ptr<terminal::Terminal> terminal_;
  std::unique_ptr<session::LogFeed> feed_;
  uint64_t wanted_ = 0;
};

}  // namespace glasstty::watch
