// Decides, by polling the kernel, when the program has read everything that was
// typed.
//
// A receipt means that the device's input is empty. The kernel reports the
// number of unread bytes (device.h); echo and output prove nothing. No event
// announces empty input, so checks are due 0.2 ms after the last byte was
// written, then at growing intervals, and soon after any output of the program.
// The input is also empty after a flush, which the packet mode of the terminal
// reports. The kernel records a flush and empties the input under one lock, so
// once the input is found empty, the report is available.
//
// Borrows the device. Holder thread only.
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

  // True if a receipt is still to be given.
  bool outstanding() const { return outstanding_; }
  // The time when Check should be called; Time::max() if no check is scheduled.
  Time next_check() const { return next_check_; }

  // Must be called before something is queued that needs a receipt.
  void Expect();
  // Must be called before `text` is typed, with the terminal's current
  // attributes.
  void Typing(const termios& attributes, std::string_view text);
  // False if typed text has contained a character at which the kernel flushes
  // the input. Typing need not be called then.
  bool WatchesTyping() const { return !own_flush_; }
  // Must be called when everything that was queued has been typed.
  void Typed(Time now);
  // Schedules a check soon: a program that has printed may have read its input.
  void ProgramPrinted(Time now);
  // Returns how the typed input was consumed; nothing if some of it may be
  // unread, or if no receipt is outstanding.
  std::optional<wire::ConsumedHow> Check(Time now);
  // Drops the outstanding receipt, because no program will read the input.
  void Cancel();

 private:
  void Schedule(Time now);

  Device* const device_;
  bool outstanding_ = false;
  bool own_flush_ = false;  // a signal character was typed, at which the kernel
                            // flushes the input
  size_t step_ = 0;
  Time next_check_ = Time::max();
};

}  // namespace glasstty::holder
