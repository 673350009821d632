// Back-pressure means that the holder stops reading. A program that prints more
// than about 20 kB then blocks in write(2), and loses nothing.
#include "holder/output.h"

#include <algorithm>

namespace glasstty::holder {
namespace {

// The server may lag by as many bytes as it has consumed so far, within these
// limits. If hundreds of programs begin to flood at once, they soon fill their
// small windows and block, before they use up the processor (measured by the
// benchmark "crowd").
constexpr uint64_t kLeastWindow = 64u << 10;
constexpr uint64_t kMostWindow = 2u << 20;
// Several reads fill a buffer (one read of a terminal returns at most 4 KiB),
// which is then written to the log at once.
constexpr size_t kBufferBytes = 64 << 10;
// The maximum numbers of buffers that Drain reads: somewhat more than a
// terminal (about 20 KiB) or a pipe (at most 1 MiB) holds. The limits are low,
// because during a flood the server sends a probe every 25 ms, and gets no
// message while Drain reads (measured by the benchmark "rates, whole").
constexpr int kTerminalBuffers = 1;
constexpr int kPipeBuffers = 20;

// All streams share this buffer, which is unused between calls.
char g_buffer[kBufferBytes];

}  // namespace

Output::Output(Device* device, Stream stream, int dir_fd, uint64_t log_cap,
               EventWriter* events)
    : device_(device),
      events_(events),
      stream_(stream),
      log_(dir_fd, stream == Stream::kOut ? "out" : "err", log_cap) {}

ReadEnd Output::Pump() {
  auto [end, filled] = device_->Fill(stream_, g_buffer, sizeof g_buffer);
  if (filled > 0) {
    uint64_t begin = log_.end();
    log_.Append({g_buffer, filled});
    if (stream_ == Stream::kOut) events_->AppendTime(begin, log_.first());
  }
  hung_up_ = end == ReadEnd::kHungUp;
  UpdatePause();
  return end;
}

bool Output::Drain() {
  int most = device_->is_terminal() ? kTerminalBuffers : kPipeBuffers;
  for (int i = 0; i < most; ++i) {
    if (Pump() != ReadEnd::kFull) return true;
  }
  return false;
}

void Output::SetReader(bool attached, uint64_t acked) {
  acked_.reset();
  if (attached) acked_ = acked;
  log_.SetReader(attached, acked);
  UpdatePause();
}

void Output::Retry() {
  // Try the disk first, because a write may end the pause.
  log_.Retry();
  UpdatePause();
  if (hung_up_ && !paused_) Pump();
}

bool Output::NeedsRetry() const {
  bool may_return =
      hung_up_ && device_->is_terminal() && device_->read_fd(stream_) >= 0;
  return !log_.held().empty() || may_return;
}

// Resumes at a lower limit than it pauses, so that not every acknowledgement
// changes the state.
void Output::UpdatePause() {
  if (!acked_) {
    paused_ = false;
    return;
  }
  uint64_t window = std::clamp(*acked_, kLeastWindow, kMostWindow);
  uint64_t limit = paused_ ? window / 2 : window;
  bool behind = log_.end() > *acked_ && log_.end() - *acked_ > limit;
  paused_ = behind || log_.IsFull();
}

}  // namespace glasstty::holder
