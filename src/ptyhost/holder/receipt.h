// Decides, by asking the kernel, when the program has read all that was typed.
//
// A receipt means that the device's input is empty. The kernel tells whether
// bytes are unread (device.h); echo and output do not. There is
// no event for it, so it is asked 0.2 ms after the last byte went out, then
// ever more rarely, and soon after any output of the program. An empty input
// may also be a flushed one: the packet mode of the terminal tells, and since
// the kernel sets its flag under the same lock, a flush that made the input
// empty is always known when it is found empty.
//
// Borrows the device. The holder's thread.
#pragma once

#include <termios.h>

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "holder/device.h"
#include "wire/packets.h"

namespace glasstty::holder {

class Receipt {
 public:
  explicit Receipt(Device* device) : device_(device) {}

  // A receipt is still to be given.
  bool outstanding() const { return outstanding_; }
  // When Check should be called; Time::max(): not by itself.
  Time next_check() const { return next_check_; }

  // Something is about to be queued, for which a receipt is due.
  void Expect();
  // `text` is about to be typed while the terminal has these attributes.
  void Typing(const termios& attributes, std::string_view text);
  // False once it is known that what was typed flushes the input by itself;
  // Typing need not be called then.
  bool WatchesTyping() const { return !own_flush_; }
  // All that was queued has been typed.
  void Typed(Time now);
  // The program printed something, so it may have read.
  void ProgramPrinted(Time now);
  // Returns how everything that was typed was consumed, if it was.
  std::optional<wire::ConsumedHow> Check(Time now);
  // Nobody will read any more: there is no receipt for what is outstanding.
  void Cancel();

 private:
  void Schedule(Time now);

  Device* const device_;
  bool outstanding_ = false;
  bool own_flush_ = false;  // typed a signal character, which flushes by itself
  size_t step_ = 0;
  Time next_check_ = Time::max();
};

}  // namespace glasstty::holder
