// Asks the holder which processes of the session listen on a TCP port, but only
// while somebody needs to know, and not too often.
//
// Owns the schedule and the last report. The pauses grow, because the holder
// must look at all descriptors of the session's processes (0.1 ms for a few),
// and a program can take seconds until it listens. Has no timer: the session
// calls Want() again at next(). Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "session/process_info.h"
#include "support/loop.h"

namespace glasstty::session {

class Listeners {
 public:
  static constexpr Duration kFirstPause = std::chrono::milliseconds(50);
  static constexpr Duration kLastPause = std::chrono::milliseconds(250);

  // `ask` sends a request (wire::Tree) with this serial to the holder.
  Listeners(Loop* loop, std::function<void(uint64_t serial)> ask)
      : loop_(loop), ask_(std::move(ask)) {}

  // Sends the next question to the holder if it is due. Call this after every
  // change while somebody needs to know; it is cheap.
  void Want();
  // Returns when to ask again; Time::max() while a question is unanswered.
  Time next() const { return is_asking_ ? Time::max() : due_; }
  // The last question was lost with the connection, so Want asks again.
  void ConnectedAgain() { is_asking_ = false; }
  void OnReport(uint64_t serial, std::vector<ProcessInfo> processes);

  // The serial of the last question. A wait remembers the value at its start.
  uint64_t asked() const { return asked_; }
  // Returns the last report if it answers a question after `serial`, else null.
  const std::vector<ProcessInfo>* After(uint64_t serial) const;

 private:
  Loop* const loop_;  // borrowed
  const std::function<void(uint64_t)> ask_;
  std::vector<ProcessInfo> processes_;
  uint64_t asked_ = 0;  // serials count from 1; 0 marks the report of a close
  uint64_t answered_ = 0;  // serial of the report in processes_
  bool is_asking_ = false;
  Duration pause_ = kFirstPause;
  Time due_{};
};

}  // namespace glasstty::session
