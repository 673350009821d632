// Back-pressure consists of not reading: a program that prints more than about
// 20 kB then blocks in write, and loses nothing.
#include "holder/output.h"

#include <algorithm>

namespace glasstty::holder {
namespace {

// The server may lag by as much as it has consumed so far, within these limits.
// Hundreds of programs that begin to flood fill the small window at once, and
// block before they have used up the processor (measured by the benchmark
// "crowd").
constexpr uint64_t kLeastWindow = 64u << 10;
constexpr uint64_t kMostWindow = 2u << 20;
// A single read of a terminal returns at most 4 KiB; the log gets a whole
// buffer in one write.
constexpr size_t kBufferBytes = 64 << 10;
// The numbers of buffers that Drain reads at most: somewhat more than a
// terminal (about 20 KiB) or a pipe (1 MiB at most) holds. The limits are low
// because the server gets no message meanwhile, and sends a probe every 25 ms
// during a flood (measured by the benchmark "rates, whole").
constexpr int kTerminalBuffers = 1;
constexpr int kPipeBuffers = 20;

// All streams share this buffer, because it is empty between two calls.
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
  // Try the disk first, because it may end the pause.
  log_.Retry();
  UpdatePause();
  if (hung_up_ && !paused_) Pump();
}

bool Output::NeedsRetry() const {
  bool may_return =
      hung_up_ && device_->is_terminal() && device_->read_fd(stream_) >= 0;
  return !log_.held().empty() || may_return;
}

// There are two limits, so that reading is not stopped and resumed for each
// acknowledgement.
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
