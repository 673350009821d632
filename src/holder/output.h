// One stream of the program's output on its way from the device to the log.
//
// Decides when to read: not while the attached server is too far behind
// (back-pressure: the program then blocks in write), and not while the device
// is hung up. Owns the log. Borrows the device and the events. The holder's
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "holder/device.h"
#include "holder/event_writer.h"
#include "holder/log_writer.h"

namespace glasstty::holder {

class Output {
 public:
  Output(Device* device, Stream stream, int dir_fd, uint64_t log_cap,
         EventWriter* events);

  // Creates the log. False with errno.
  bool Open() { return log_.Open(); }

  // Reads one buffer and logs it.
  ReadEnd Pump();
  // Pumps until nothing more is there: what the program had written before
  // the call is in the log afterwards. Bounded by what the kernel can hold,
  // or a program that keeps printing would make it endless; false when that
  // bound was hit.
  bool Drain();

  // The server's side of back-pressure.
  void SetReader(bool attached, uint64_t acked);

  // True when the device should be polled for output.
  bool WantsRead() const { return !hung_up_ && !paused_; }
  bool hung_up() const { return hung_up_; }
  bool paused() const { return paused_; }
  // A hung-up terminal may be opened again, and a full disk may have room
  // again: looks at both. To be called every 250 ms while NeedsRetry.
  void Retry();
  bool NeedsRetry() const;

  LogWriter* log() { return &log_; }
  const LogWriter& log() const { return log_; }

 private:
  void UpdatePause();

  Device* const device_;       // borrowed
  EventWriter* const events_;  // borrowed
  const Stream stream_;
  LogWriter log_;
  bool hung_up_ = false;
  bool paused_ = false;
  bool attached_ = false;
  uint64_t acked_ = 0;
};

}  // namespace glasstty::holder
