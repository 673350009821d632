// Carries one stream of the program's output from the device to the log.
//
// WantsRead() is false while the device is hung up, and while the attached
// server is too far behind. The program then blocks in write(2). Owns the log.
// Borrows the device and the events. Holder thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "holder/device.h"
#include "holder/event_writer.h"
#include "holder/log_writer.h"

namespace glasstty::holder {

class Output {
 public:
  Output(Device* device, Stream stream, int dir_fd, uint64_t log_cap,
         EventWriter* events);

  // Creates the log. Returns false with errno on failure.
  bool Open() { return log_.Open(); }

  // Reads one buffer and logs it.
  ReadEnd Pump();
  // Reads until nothing is left, so that everything that the program wrote
  // before the call is in the log afterwards. If a program keeps printing,
  // stops after a little more than the kernel can buffer, and returns false.
  bool Drain();

  // Sets how far the server has read, for back-pressure and for the log.
  void SetReader(bool attached, uint64_t acked);

  // True when the device should be polled for output.
  bool WantsRead() const { return !hung_up_ && !paused_; }
  bool hung_up() const { return hung_up_; }
  bool paused() const { return paused_; }
  // Checks whether a hung-up terminal was opened again, and whether a full disk
  // has room again. Must be called repeatedly while NeedsRetry().
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
  std::optional<uint64_t> acked_;  // how far the server has read; nullopt if
                                   // none is attached
};

}  // namespace glasstty::holder
