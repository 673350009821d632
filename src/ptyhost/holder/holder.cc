// Each turn handles output first, because everything else refers to the end of
// the log. Then come input, dead children, requests, connections and timers.
// Each part of a turn is bounded, so it does not delay the others for long.
#include "holder/holder.h"

#include <signal.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace glasstty::holder {
namespace {

constexpr std::chrono::milliseconds kRetry{250};

}  // namespace

Holder::Holder(Start start)
    : signals_(std::move(start.signals)),
      start_dir_(std::move(start.start_dir)),
      grace_(start.spec.grace_ms),
      program_(std::move(start.spec), start.dir_fd, start_dir_.get()),
      peers_(start.dir_fd, std::move(start.server), &program_) {}

// An open directory would keep its file system busy.
void Holder::Run() {
  if (!StartProgram()) end_.FailToStart(MonotonicNow());
  start_dir_.Reset();
  do {
    Wait();
  } while (!end_.IsDone(MonotonicNow()));
  peers_.StopListening();
}

// Opens the logs and the sockets first, because without them no server could
// find the program.
bool Holder::StartProgram() {
  peers_.SetReader();
  if (!program_.OpenLogs() || !peers_.Listen()) {
    return program_.FailToStart(wire::StartStage::kLog);
  }
  return program_.Start();
}

// ---- the loop

void Holder::Wait() {
  bool has_read = false;
  WatchProgram(&has_read);
  loop_.Watch(signals_.get(), POLLIN, [this](short) { ReadSignals(); });
  WatchPeers();
  loop_.Turn(NextTimer());
  RunTimers(loop_.woke());
}

// Does not watch a hung-up terminal, which would report POLLHUP for ever; Retry
// checks it instead. Reads both streams in one call.
void Holder::WatchProgram(bool* has_read) {
  const Device& device = *program_.device();
  bool terminal = device.is_terminal();
  bool types = program_.input()->WantsWrite();
  const Output& out = program_.out();
  int events =
      PollLoop::Events(out.WantsRead(), types && terminal && !out.hung_up());
  if (events != 0) {
    loop_.Watch(device.read_fd(Stream::kOut), events,
                [this, has_read](short got) {
                  *has_read = (got & ~POLLOUT) != 0;
                  // poll(2) reports a hang-up until a read has reported it, so
                  // read even if the output is paused.
                  if (*has_read) ReadOutputs((got & (POLLHUP | POLLERR)) != 0);
                  if (got & POLLOUT) WriteInput(loop_.woke());
                });
  }
  if (program_.err().WantsRead()) {
    loop_.Watch(device.read_fd(Stream::kErr), POLLIN, [this, has_read](short) {
      if (!*has_read) ReadOutputs(false);
    });
  }
  if (types && !terminal) {
    loop_.Watch(device.write_fd(), POLLOUT,
                [this](short) { WriteInput(loop_.woke()); });
  }
}

// Handles existing connections before new ones, so that the end of a server is
// noticed before its successor connects.
void Holder::WatchPeers() {
  Link* link = peers_.link();
  int events = PollLoop::Events(!link->IsCongested(), link->WantsWrite());
  if (events != 0) {
    loop_.Watch(link->fd(), events, [this](short got) {
      if (got & POLLOUT) peers_.link()->Flush();
      if (got & ~POLLOUT) server_.Read();
    });
  }
  if (server_.accepts()) {
    loop_.Watch(link->listen_fd(), POLLIN,
                [this](short) { server_.Accept(loop_.woke()); });
  }
  for (const auto& place : peers_.observers()->all()) {
    if (place == nullptr) continue;
    Observer* observer = place.get();
    loop_.Watch(observer->fd(), PollLoop::Events(true, observer->WantsWrite()),
                [this, observer](short) {
                  observer->Flush();
                  observers_.Read(observer, loop_.woke());
                });
  }
  loop_.Watch(peers_.observers()->listen_fd(), POLLIN,
              [this](short) { peers_.observers()->Accept(loop_.woke()); });
}

// Sends one doorbell for both streams. A program that has printed may have read
// its input, so the receipt is checked soon.
void Holder::ReadOutputs(bool hung_up) {
  program_.ReadOutputs(hung_up);
  peers_.Ring();
  peers_.SendInline();
  program_.input()->ProgramPrinted(MonotonicNow());
}

void Holder::WriteInput(Time now) {
  program_.input()->WriteQueued(now);
  peers_.SendDropped();
}

// One SIGCHLD may stand for several dead children, so Reap loops over them.
void Holder::ReadSignals() {
  signalfd_siginfo info;
  bool end = false;
  while (ReadSome(signals_.get(), &info, sizeof info) > 0) {
    end = end || info.ssi_signo != SIGCHLD;
  }
  end_.Reap();
  Time now = MonotonicNow();
  if (end) end_.CloseByItself(now);
  end_.Step(now);
}

// There are only a few deadlines, so each turn checks them all instead of using
// timer descriptors.
void Holder::RunTimers(Time now) {
  server_.RunTimers(now);
  if (grace_.RunsOut(now)) end_.CloseByItself(now);
  observers_.RunTimers(now);
  keyboard_.RunTimers(now);
  if (now >= program_.input()->next_check()) peers_.SendReceipt(now);
  end_.RunTimers(now);
  if (now >= retry_at_) Retry(now);
  if (program_.NeedsRetry() && retry_at_ == Time::max()) {
    retry_at_ = now + kRetry;
  }
}

void Holder::Retry(Time now) {
  retry_at_ = Time::max();
  program_.Retry();
  // A hung-up terminal is not polled, but still accepts input.
  if (program_.out().hung_up()) WriteInput(now);
  peers_.Ring();
  peers_.SendInline();
}

Time Holder::NextTimer() {
  return std::min({grace_.next(), retry_at_, program_.input()->next_check(),
                   observers_.next(), keyboard_.next(), server_.next(),
                   end_.next()});
}

}  // namespace glasstty::holder
