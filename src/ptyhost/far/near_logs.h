// Stores the output of a session on another machine in logs on this machine.
//
// Owns the logs. Computes the credit, which limits how much output the far end
// may send. The caller informs the server of new output, and sends the credit
// to the far end. Borrows the directory. Relay thread only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "far/frames.h"
#include "far/window.h"
#include "holder/link.h"
#include "holder/log_writer.h"

namespace glasstty::far {

// No log reaches this offset. A far end that names a later one is lying, and
// sums with such an offset might overflow.
inline constexpr uint64_t kFurthestOffset = uint64_t{1} << 62;

class NearLogs {
 public:
  // `has_err` is true if the session has pipes, and therefore a second log for
  // stderr.
  NearLogs(int directory, uint64_t cap, bool has_err);

  // These return false with errno on failure.
  bool Create();
  bool Resume();

  enum class Stored {
    kInvalid,  // the far end may not send this
    kNothing,  // all of the bytes were stored already
    kHole,     // `bytes` is empty: missing bytes before `at` are lost
    kBytes,
  };
  // Stores output that begins at `at`. Missing bytes before `at` become a hole.
  Stored Store(size_t which, uint64_t at, std::string_view bytes);
  // Tries again to write to a full disk. Returns true if bytes were written.
  bool Retry();
  void SetCap(uint64_t cap);
  // Reports to the logs how far the server has read.
  void SetReader(const holder::Link& server);

  // Must be called for each new connection, on which the far end has no credit.
  void BeginCredit();
  // Sets how many bytes of output may be in flight.
  void SetWindow(uint64_t bytes) { window_ = bytes; }
  // Returns the offset up to which the far end may send, or nullopt if no new
  // credit should be sent now. The credit grows as long as the server keeps up
  // and the disk has room.
  std::optional<uint64_t> Credit(size_t which, const holder::Link& server);
  // Returns the offset up to which records about the first log are accepted.
  uint64_t furthest() const;

  const holder::LogWriter& out() const { return logs_[0]; }
  const holder::LogWriter& err() const { return logs_[1]; }

 private:
  std::array<holder::LogWriter, kFarStreams> logs_;
  std::array<uint64_t, kFarStreams> credited_{};
  uint64_t window_ = kFirstWindow;
  const bool has_err_;
};

}  // namespace glasstty::far
