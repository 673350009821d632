// Asks the holder what the foreground program waits for, but only as often as
// somebody needs to know.
//
// Owns the schedule: a probe immediately after the first request, then probes
// after increasing pauses until the answer has settled, then probes at the
// pace(). Without a request there are no probes. Loop thread only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>

#include "support/loop.h"
#include "wire/packets.h"

namespace glasstty::session {

class Prober {
 public:
  // Probes are repeated, because a program can begin to wait without printing.
  // The pause grows from the first value to the second without output or input.
  static constexpr Duration kQuickestPace = std::chrono::milliseconds(25);
  static constexpr Duration kSlowestPace = std::chrono::milliseconds(250);

  // `send` sends a wire::Probe with this serial to the holder.
  Prober(Loop* loop, std::function<void(uint64_t serial)> send);

  // Call this after every change while somebody needs an answer; it is cheap. A
  // settled answer is renewed after the pause `again`.
  void Want(Duration again);
  void Want() { Want(pace()); }
  // Output has been fed, so earlier answers are stale.
  void OutputArrived();
  // Input was sent, or something else that the program may react to, so earlier
  // answers are stale and the next one is wanted soon.
  void InputSent();
  void OnAnswer(uint64_t serial, const wire::ProbeAnswer& answer);
  // There is a new connection to the holder, so earlier probes get no answer.
  void ConnectedAgain();
  // The holder will not answer any more.
  void Stop();

  // Returns the last answer, settled or not, if its probe was sent after the
  // last output and the last input; else null.
  const wire::ProbeAnswer* current() const;
  // Returns how old a settled answer may get. This age grows with the time
  // without output and input, because frequent probes then cost more than a
  // late answer.
  Duration pace() const;
  // Returns current() if it is not older than pace(), else null: a program can
  // begin to wait, or continue, without printing a byte.
  const wire::ProbeAnswer* fresh() const;
  // When the last answer came.
  Time answered_at() const { return answered_at_; }
  // The pending work in the last answer that reported it.
  const wire::PendingWork& last_work() const { return last_work_; }
  // The last answer, even if it is stale.
  const wire::ProbeAnswer* last() const { return last_ ? &*last_ : nullptr; }
  // The serials of the last probe and of the last answer. An answer is newer
  // than some moment if its serial is greater than sent() was at that moment.
  uint64_t sent() const { return sent_; }
  uint64_t answered() const { return answered_; }

 private:
  bool IsAsking() const { return sent_ > std::max(answered_, lost_); }
  void Send();
  void SetTimer(Duration pause);
  // Returns true while a program that had waited for input, and was sent none,
  // has run for less than kLongestWake.
  bool OnlyWoke(const wire::ProbeAnswer& answer);

  Loop* const loop_;  // borrowed
  const std::function<void(uint64_t)> send_;
  std::optional<wire::ProbeAnswer> last_;
  wire::PendingWork last_work_;
  uint64_t answered_ = 0;  // serial of last_
  Time answered_at_{};
  uint64_t sent_ = 0;       // serial of the last probe
  uint64_t disturbed_ = 0;  // answers to serials up to this are stale
  uint64_t lost_ = 0;       // serials up to this will not be answered
  Time disturbed_at_;
  // The process group last seen waiting for input; 0 once input was sent.
  int32_t waiting_group_ = 0;
  Time woke_at_ = Time::max();  // when that group was first seen running again
  bool stopped_ = false;
  Duration pause_{};  // before the next probe while the answer is not settled
  Time due_{};        // the time of that probe; output may bring it forward
  Timer timer_;
};

}  // namespace glasstty::session
