// Asks the holder what the foreground program waits for, but only as often as
// somebody needs to know.
//
// Owns the schedule: a probe immediately after the first request, again with
// increasing pauses until the answer has settled, and then at the pace().
// Without a request there are no probes. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "support/loop.h"
#include "wire/packets.h"

namespace glasstty::session {

class Prober {
 public:
  // A program can begin to wait without printing: look again this often, and
  // less often the longer nothing has come from it.
  static constexpr Duration kQuickestPace = std::chrono::milliseconds(25);
  static constexpr Duration kSlowestPace = std::chrono::milliseconds(250);

  // `send` asks the holder (kProbe with this serial).
  Prober(Loop* loop, std::function<void(uint64_t serial)> send);

  // Somebody wants to know, and to be told again after `again` what is settled.
  // Cheap; called after every change.
  void Want(Duration again);
  void Want() { Want(pace()); }
  // Earlier answers no longer hold.
  void OutputArrived();
  // The same, and the next answer is wanted soon.
  void InputSent();
  void OnAnswer(uint64_t serial, const wire::ProbeAnswer& answer);
  // Nobody will answer any more.
  void Stop();

  // The last answer to a probe sent after the last disturbance; settled or
  // not. Null when there is none yet.
  const wire::ProbeAnswer* current() const;
  // Returns how old a settled answer may get. After a silent hour, being told
  // a moment later is worth less than the time of the processor.
  Duration pace() const;
  // The same as current(), if it is not older than pace(): a program can begin
  // to wait, or go on, without a byte.
  const wire::ProbeAnswer* fresh() const;
  // When the last answer came.
  Time answered_at() const { return answered_at_; }
  // Returns what the last answer that knew of pending work said about it.
  const wire::PendingWork& last_work() const { return last_work_; }
  // The last answer at all.
  const wire::ProbeAnswer* last() const { return last_ ? &*last_ : nullptr; }
  // Serials: an answer is newer than a moment if its serial is greater than
  // what was sent() then.
  uint64_t sent() const { return sent_; }
  uint64_t answered() const { return answered_; }

 private:
  void Send();
  void SetTimer(Duration pause);
  // Returns true while the program that waited for input has run for less than
  // kLongestWake without having been sent any.
  bool OnlyWoke(const wire::ProbeAnswer& answer);

  Loop* const loop_;  // borrowed
  const std::function<void(uint64_t)> send_;
  std::optional<wire::ProbeAnswer> last_;
  wire::PendingWork last_work_;
  uint64_t answered_ = 0;  // serial of last_
  Time answered_at_{};
  uint64_t sent_ = 0;       // serial of the last probe
  uint64_t disturbed_ = 0;  // answers to serials up to this are stale
  Time disturbed_at_;
  // The process group that was last seen waiting for input, 0 once it has been
  // sent some.
  int32_t waiting_group_ = 0;
  Time woke_at_ = Time::max();  // when it was first seen running since
  bool stopped_ = false;
  Duration pause_{};  // before the next probe that is not settled
  Time due_{};        // of that probe, if no quiet edge comes first
  Timer timer_;
};

}  // namespace glasstty::session
