// Input is in one of four states, which ServeLines determines anew each time:
//   served     every complete line has gone to the server; the descriptor is
//              watched
//   held back  the client reads too slowly, or the loop is busy, so lines wait
//              in lines_; the descriptor is watched until kHighWater bytes have
//              gathered, and then only polled for a hang-up
//   ended      EOF; held-back lines are still served as output drains, for at
//              most kEndGrace
//   closed     the owner has called Close, or was notified of the end, or will
//              be in this turn
// Output is one string of whole lines. It is written from the loop, so many
// small replies of one turn cost one system call.
#include "mcp/stdio_transport.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/fd.h"
#include "support/json.h"

namespace glasstty::mcp {
namespace {

// The limits for one turn: large enough for long lines, small enough that the
// loop soon returns to the other descriptors.
constexpr size_t kReadSize = 64 << 10;
constexpr size_t kWriteSize = 256 << 10;
// If more coroutines than this wait for their turn, no more requests are
// accepted. Coroutines are resumed in order, so each queued one delays all
// others.
constexpr size_t kQueuedTurns = 8;
constexpr Duration kHangUpInterval = std::chrono::milliseconds(100);

// epoll rejects files and devices such as /dev/null (EPERM); they never block.
bool IsPollable(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0) return false;
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) ||
         (S_ISCHR(status.st_mode) && isatty(fd) == 1);
}

}  // namespace

// A descriptor that cannot be polled stays unchanged, because O_NONBLOCK has no
// effect on files.
StdioTransport::Descriptor StdioTransport::Prepare(int fd) {
  Descriptor descriptor{fd, fcntl(fd, F_GETFL), IsPollable(fd)};
  if (descriptor.pollable) SetNonBlocking(fd);
  return descriptor;
}

void StdioTransport::Restore(const Descriptor& descriptor) {
  if (descriptor.pollable && descriptor.old_flags >= 0) {
    fcntl(descriptor.fd, F_SETFL, descriptor.old_flags);
  }
}

StdioTransport::StdioTransport(Loop* loop, Server* server, int in_fd,
                               int out_fd, std::function<void(End)> ended)
    : loop_(loop),
      server_(server),
      in_(Prepare(in_fd)),
      out_fd_(Prepare(out_fd)),
      connection_(server->Connect(this)),
      ended_(std::move(ended)),
      read_work_(loop, Urgency::kFeed, [this] { return ReadSlice(); }),
      // The urgency is lower than kProtocol, so that the loop serves other
      // clients in between.
      serve_work_(loop, Urgency::kFeed,
                  [this] {
                    ServeLines();
                    return false;
                  }),
      write_work_(loop, Urgency::kProtocol, [this] { return WriteSlice(); }),
      hang_up_timer_(loop, [this] { LookForHangUp(); }),
      end_timer_(loop, [this] { ReportEnd(); }) {
  if (in_.pollable) {
    readable_ =
        std::make_unique<FdWatch>(loop, in_fd, FdWatch::Direction::kRead,
                                  Urgency::kProtocol, [this] { ReadSlice(); });
  }
  if (out_fd_.pollable) {
    writable_ = std::make_unique<FdWatch>(
        loop, out_fd, FdWatch::Direction::kWrite, Urgency::kProtocol, [this] {
          // Does not call WriteSlice directly, because it may need more turns.
          write_work_.Schedule();
        });
    writable_->Enable(false);
  }
  WantInput(true);
}

StdioTransport::~StdioTransport() {
  server_->Disconnect(connection_);
  // `in_` is last: if both are one open file, only it has the original flags.
  Restore(out_fd_);
  Restore(in_);
}

void StdioTransport::OnDrained(std::function<void()> drained) {
  on_drained_ = std::move(drained);
}

// ---- in

// Watches the descriptor or, if it cannot be watched, keeps reading it, as long
// as input is wanted.
void StdioTransport::WantInput(bool wanted) {
  wants_input_ = wanted && !closed_ && !input_ended_;
  if (readable_ != nullptr) {
    readable_->Enable(wants_input_);
  } else if (wants_input_) {
    read_work_.Schedule();
  }
}

// Reads once, at most kReadSize. Returns true if there may be more in the next
// turn.
bool StdioTransport::ReadSlice() {
  if (!wants_input_) return false;
  char buffer[kReadSize];
  ssize_t n = ReadSome(in_.fd, buffer, sizeof buffer);
  if (n < 0 && errno == EAGAIN) return true;
  if (n > 0) {
    lines_.Add({buffer, static_cast<size_t>(n)});
  } else {
    // An error ends the input, too: EIO when a terminal has hung up.
    input_ended_ = true;
    WantInput(false);
  }
  ServeLines();
  return wants_input_;
}

// Passes complete lines to the server while the client keeps up with the
// answers. Stops after a while to let others run, because one read may bring
// hundreds of calls. Queued coroutines count, because a call's work may be done
// in a later turn.
void StdioTransport::ServeLines() {
  std::string line;
  auto step = LineSplitter::Step::kLine;
  Time until = loop_->Now() + Loop::kBudget;
  while (!closed_ && !congested_ && step != LineSplitter::Step::kMore) {
    if (loop_->Now() > until || loop_->queued() > kQueuedTurns) {
      serve_work_.Schedule();
      break;
    }
    step = lines_.Next(&line);
    if (step == LineSplitter::Step::kLine) server_->Receive(connection_, line);
    if (step == LineSplitter::Step::kTooLong) {
      server_->ReceiveTooLong(connection_, line);
    }
  }
  if (closed_) return;
  // If the loop above stopped early, there may be more lines.
  bool held_back = step != LineSplitter::Step::kMore;
  if (input_ended_) {
    TakeEnd(held_back);
  } else {
    WantInput(!held_back || lines_.size() < kHighWater);
    if (!wants_input_) hang_up_timer_.SetAfter(kHangUpInterval);
  }
}

// The end of the input may follow bytes that have not been read. The loop
// cannot report it without reporting those bytes again and again.
void StdioTransport::LookForHangUp() {
  if (wants_input_ || closed_ || end_timer_.armed()) return;
  pollfd descriptor{in_.fd, POLLRDHUP, 0};
  if (in_.pollable && poll(&descriptor, 1, 0) > 0) {
    end_timer_.SetAfter(kEndGrace);
  } else {
    hang_up_timer_.SetAfter(kHangUpInterval);
  }
}

void StdioTransport::TakeEnd(bool held_back) {
  if (held_back) {
    // Lines usually wait because the client does not read its answers, and it
    // will send nothing more.
    if (!end_timer_.armed()) end_timer_.SetAfter(kEndGrace);
    return;
  }
  // A last message without a newline is accepted if it is valid JSON; a
  // truncated one never is.
  std::string rest = lines_.TakeRest();
  if (!rest.empty() && ParseJson(rest).ok()) {
    server_->Receive(connection_, rest);
  }
  Finish(End::kInputEnded);
}

void StdioTransport::Close() {
  closed_ = true;
  WantInput(false);
}

// The owner is notified later, from the loop, so it may destroy this object.
void StdioTransport::Finish(End end) {
  if (closed_) return;
  Close();
  end_ = end;
  end_timer_.Set(loop_->Now());
}

void StdioTransport::ReportEnd() {
  Close();
  if (auto ended = std::exchange(ended_, nullptr)) ended(end_);
}

// ---- out

bool StdioTransport::SendLine(std::string line) {
  if (broken_) return false;
  out_ += line;
  out_ += '\n';
  UpdateCongestion();
  write_work_.Schedule();
  return true;
}

// Writes until the descriptor is full, at most kWriteSize. Returns true if the
// next turn should continue.
bool StdioTransport::WriteSlice() {
  size_t budget = kWriteSize;
  bool blocked = false;
  while (!broken_ && !blocked && budget > 0 && sent_ < out_.size()) {
    size_t size = std::min(out_.size() - sent_, budget);
    ssize_t n = WriteSome(out_fd_.fd, out_.data() + sent_, size);
    if (n < 0) {
      blocked = errno == EAGAIN && writable_ != nullptr;
      broken_ = !blocked;
      continue;
    }
    sent_ += static_cast<size_t>(n);
    budget -= static_cast<size_t>(n);
  }
  // Nobody will read the rest, so it counts as written, and main can exit.
  if (broken_) sent_ = out_.size();
  if (writable_ != nullptr) writable_->Enable(blocked);
  bool emptied = sent_ == out_.size();
  // Moving the rest occasionally is cheaper than a queue of lines.
  if (emptied || sent_ > kHighWater) {
    out_.erase(0, sent_);
    if (out_.empty()) out_.shrink_to_fit();
    sent_ = 0;
  }
  UpdateCongestion();
  if (broken_) Finish(End::kOutputBroken);
  if (emptied && on_drained_) on_drained_();
  return !emptied && !blocked;
}

// Two thresholds keep a client near the limit from toggling with each line.
void StdioTransport::UpdateCongestion() {
  size_t waiting = out_.size() - sent_;
  if (waiting > kHighWater) congested_ = true;
  if (!congested_ || waiting > kLowWater) return;
  congested_ = false;
  serve_work_.Schedule();
}

}  // namespace glasstty::mcp
