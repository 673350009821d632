// Order in one turn: output first, because everything else is measured by the
// end of the log; then input, deaths, requests, connections, timers. What a
// turn does is bounded everywhere, so none of them keeps the others waiting.
#include "holder/holder.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "holder/tree.h"
#include "wire/session_files.h"

namespace glasstty::holder {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kRetry{250};
// How long a holder that is done waits for its server to take the news.
constexpr milliseconds kLinger{10'000};
// For a server that has connected to say Hello.
constexpr milliseconds kHelloLimit{5'000};
// When the grace is over, or on SIGTERM.
constexpr milliseconds kOwnEndingGrace{2'000};

int WaitStatus(const siginfo_t& info) {
  constexpr int kCoreFlag = 0x80;
  if (info.si_code == CLD_EXITED) return (info.si_status & 0xFF) << 8;
  return info.si_status | (info.si_code == CLD_DUMPED ? kCoreFlag : 0);
}

timespec ToTimespec(Duration d) {
  auto ns = std::max<int64_t>(d.count(), 0);
  return {ns / 1'000'000'000, ns % 1'000'000'000};
}

}  // namespace

Holder::Holder(Start start)
    : spec_(std::move(start.spec)),
      dir_fd_(start.dir_fd),
      start_dir_(start.start_dir),
      signals_(std::move(start.signals)),
      link_(dir_fd_, std::move(start.server)),
      observers_(dir_fd_),
      events_(dir_fd_, &clock_),
      input_log_(dir_fd_),
      outputs_{
          Output(&device_, Stream::kOut, dir_fd_, spec_.log_cap, &events_),
          Output(&device_, Stream::kErr, dir_fd_, spec_.log_cap, &events_)},
      input_(&device_, &input_log_),
      ending_(&device_),
      rows_(spec_.rows),
      cols_(spec_.cols),
      grace_ms_(spec_.grace_ms) {}

void Holder::Run() {
  if (!StartProgram()) {
    finishing_ = true;
    give_up_at_ = MonotonicNow() + kLinger;
  }
  while (!done_) {
    Wait();
    Finish();
  }
  observers_.StopListening();
  link_.StopListening();
}

// ---- Program and exit ----

// The log and the socket come first: what fails here must not leave a
// program behind that nobody hears of.
bool Holder::StartProgram() {
  SetAcked();
  bool logs = events_.Open() && out().Open() &&
              (!spec_.pipe || outputs_[1].Open()) &&
              (!spec_.record_input || input_log_.Open()) && link_.Listen() &&
              observers_.Listen();
  if (!logs) {
    start_ = {0, wire::StartStage::kLog, errno};
    return false;
  }
  if (!OpenDevice()) {
    start_ = {0, wire::StartStage::kPty, errno};
    return false;
  }
  events_.Append(wire::EventType::kResize, 0, rows_, cols_);
  start_ = Spawn(
      {.spec = &spec_,
       .stdio = {device_.child_fd(0), device_.child_fd(1), device_.child_fd(2)},
       .terminal = device_.is_terminal(),
       .start_dir = start_dir_});
  device_.CloseChildSide();
  leader_ = start_.pid;
  // Not needed any more, and not small; the environment may hold secrets.
  spec_.argv = {};
  spec_.environment = {};
  return leader_ > 0;
}

bool Holder::OpenDevice() {
  return spec_.pipe ? device_.OpenPipes() : device_.OpenTerminal(rows_, cols_);
}

// Adopted orphans are reaped here; the leader only after its exit is known to
// the world.
void Holder::ReapChildren() {
  for (;;) {
    siginfo_t info{};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid == 0) {
      return;
    }
    if (info.si_pid == leader_ && !exited_) {
      exit_status_ = WaitStatus(info);
      PublishExit();
    }
    waitid(P_PID, static_cast<id_t>(info.si_pid), &info, WEXITED | WNOHANG);
  }
}

// All that the program wrote precedes its death, so one drain that starts now
// has its last byte. Waiting for a hang-up instead would never end while a
// background process has the terminal open.
void Holder::PublishExit() {
  for (Output& output : outputs_) output.Drain();
  exited_ = true;
  exit_offset_ = out().log()->end();
  input_.Close();
  events_.Append(wire::EventType::kExit, exit_offset_,
                 static_cast<uint32_t>(exit_status_));
  // Nobody is left to read it.
  unlinkat(dir_fd_, wire::kEnvironmentName, 0);
  SaveExit();
  Ring();
  SendExit(&link_);
  for (const auto& observer : observers_.all()) {
    if (observer != nullptr) SendExit(observer.get());
  }
  EndLease(wire::LeaseEnd::kProgram, MonotonicNow());
}

// With the end of the other log, whose last bytes belong to the program, too.
void Holder::SendExit(Connection* to) {
  uint64_t err_end = spec_.pipe ? outputs_[1].log()->end() : 0;
  to->Send({.type = wire::PacketType::kExit,
            .a = exit_offset_,
            .b = static_cast<uint64_t>(exit_status_)},
           {reinterpret_cast<const char*>(&err_end), sizeof err_end});
}

void Holder::SaveExit() {
  wire::ExitRecord record{.offset = exit_offset_, .status = exit_status_};
  std::string_view bytes(reinterpret_cast<const char*>(&record), sizeof record);
  exit_saved_ = ReplaceFileAt(dir_fd_, wire::kExitName, bytes);
}

// True when nothing of the output is left to be read, or to be saved by a
// disk or a server that may still do so.
bool Holder::IsSaved() {
  bool saved = exit_saved_;
  for (Output& output : outputs_) {
    output.Drain();
    saved = saved && output.log()->unsaved() == 0;
  }
  return saved || grace_is_over_ || ending_.killed();
}

// Ends the loop once the session is over and the server knows.
void Holder::Finish() {
  Time now = MonotonicNow();
  if (!finishing_) {
    if (!exited_ || !TreeIsEmpty() || !IsSaved()) return;
    if (give_up_at_ == Time::max()) give_up_at_ = now + kLinger;
    // A server that has just launched us and has not said Hello yet is owed
    // the exit.
    bool deaf = link_.attached() && !link_.greeted() && !grace_is_over_;
    if (deaf && now < give_up_at_) return;
    uint64_t end = out().log()->end();
    Ring();
    if (std::exchange(report_wanted_, false)) SendTree(0);
    link_.Send({.type = wire::PacketType::kEmpty, .a = 0, .b = end});
    observers_.SendLatest({.type = wire::PacketType::kEmpty, .a = 0, .b = end});
    give_up_at_ = now + kLinger;
    finishing_ = true;
  }
  bool told = link_.greeted() && !link_.WantsWrite();
  // When the grace is over, whoever is connected has not even said Hello.
  done_ = told || !link_.attached() || grace_is_over_ || now >= give_up_at_;
}

// ---- The loop ----

// One turn of the loop: waits for whatever comes first and handles it.
void Holder::Wait() {
  enum {
    kDevice,
    kError,
    kInput,
    kServer,
    kListen,
    kSignals,
    kListenForObservers,
    kObservers,
    kCount = kObservers + wire::kMaxObservers
  };
  pollfd set[kCount];
  for (pollfd& entry : set) entry = {-1, 0, 0};
  auto watch = [&set](int index, int fd, bool read, bool write) {
    int events = (read ? POLLIN : 0) | (write ? POLLOUT : 0);
    if (events != 0) set[index] = {fd, static_cast<short>(events), 0};
  };
  // A hung-up terminal reports POLLHUP for ever: Retry looks at it.
  bool types = input_.WantsWrite() && !out().hung_up();
  bool terminal = device_.is_terminal();
  watch(kDevice, device_.read_fd(Stream::kOut), out().WantsRead(),
        types && terminal);
  watch(kError, device_.read_fd(Stream::kErr), outputs_[1].WantsRead(), false);
  watch(kInput, terminal ? -1 : device_.write_fd(), false, input_.WantsWrite());
  watch(kServer, link_.fd(), !link_.IsCongested(), link_.WantsWrite());
  watch(kListen, link_.listen_fd(), true, false);
  watch(kSignals, signals_.get(), true, false);
  watch(kListenForObservers, observers_.listen_fd(), true, false);
  int place = kObservers;
  for (const auto& observer : observers_.all()) {
    if (observer != nullptr) {
      watch(place, observer->fd(), true, observer->WantsWrite());
    }
    ++place;
  }

  // ppoll for its nanoseconds: the kill loop pauses for 200 us.
  Time now = MonotonicNow(), next = NextTimer();
  timespec timeout = ToTimespec(next == Time::max() ? Duration() : next - now);
  ppoll(set, kCount, next == Time::max() ? nullptr : &timeout, nullptr);
  now = MonotonicNow();

  if ((set[kDevice].revents & ~POLLOUT) || set[kError].revents != 0) {
    // A hang-up is reported until it has been read, paused or not.
    ReadOutputs((set[kDevice].revents & (POLLHUP | POLLERR)) != 0);
  }
  if ((set[kDevice].revents & POLLOUT) || set[kInput].revents != 0) {
    WriteInput(now);
  }
  if (set[kSignals].revents != 0) ReadSignals();
  if (set[kServer].revents & POLLOUT) link_.Flush();
  if (set[kServer].revents & ~POLLOUT) ReadRequests();
  // After the server: if it has just died, the next one is not turned away.
  if (set[kListen].revents != 0) AcceptServer(now);
  bool news = std::any_of(set + kObservers, set + kCount,
                          [](const pollfd& p) { return p.revents != 0; });
  if (news) ReadObservers(now);
  if (set[kListenForObservers].revents != 0) observers_.Accept(now);
  RunTimers(now);
}

// Errors last, and one doorbell for both: whoever sees a line of stdout also
// sees what stderr said just before it. A program that has printed may have
// read: the receipt is looked for soon.
void Holder::ReadOutputs(bool hung_up) {
  if (hung_up || out().WantsRead()) out().Pump();
  if (spec_.pipe && outputs_[1].WantsRead()) outputs_[1].Pump();
  Ring();
  SendInline();
  input_.ExpectReceipt(MonotonicNow());
}

// SIGCHLD is one bit however many children died, hence the loop over them.
void Holder::ReadSignals() {
  signalfd_siginfo info;
  bool end = false;
  while (ReadSome(signals_.get(), &info, sizeof info) > 0) {
    end = end || info.ssi_signo != SIGCHLD;
  }
  ReapChildren();
  Time now = MonotonicNow();
  if (end) EndByItself(now);
  StepEnding(now);
}

void Holder::AcceptServer(Time now) {
  // A server that died with many requests behind it is still there until the
  // last of them is taken; its successor must not be turned away for that.
  while (link_.attached() && link_.PeerIsGone()) ReadRequests();
  bool had_one = link_.attached();
  link_.Accept();
  if (!had_one && link_.attached()) hello_by_ = now + kHelloLimit;
}

void Holder::WriteInput(Time now) {
  input_.WriteQueued(now);
  SendDropped();
}

// Nobody asks for it: the grace is over, or the system goes down.
void Holder::EndByItself(Time now) {
  ending_.Close({.grace = kOwnEndingGrace, .kill_survivors = true},
                exited_ ? 0 : leader_, now);
}

void Holder::StepEnding(Time now) {
  if (!ending_.running()) return;
  ReapChildren();
  // Dead children before and after: the phases look at who is left.
  ending_.Step(exited_ ? 0 : leader_, now);
  ReapChildren();
  if (ending_.gave_up()) {
    for (Output& output : outputs_) output.Drain();
    device_.Close();
  }
  if (!ending_.ReportIsDue()) return;
  ending_.Reported();
  // With nothing left Finish reports, after the last output.
  if (TreeIsEmpty() || !std::exchange(report_wanted_, false)) return;
  SendTree(0);
}

// A handful of times, looked at in each turn; no timer descriptors.
void Holder::RunTimers(Time now) {
  if (now >= hello_by_) {
    hello_by_ = Time::max();
    if (!link_.greeted()) LoseServer(now);
  }
  if (now >= grace_at_) {
    grace_at_ = Time::max();
    grace_is_over_ = true;
    EndByItself(now);
  }
  RunLeaseTimers(now);
  if (now >= input_.next_check()) SendReceipt(now);
  if (ending_.running() && now >= ending_.next()) StepEnding(now);
  if (now >= retry_at_) Retry(now);
  bool retry = !exit_saved_ || input_.WantsWrite();
  for (Output& output : outputs_) retry = retry || output.NeedsRetry();
  if (retry && retry_at_ == Time::max()) retry_at_ = now + kRetry;
}

// What has no event to wait for: a terminal that may be opened again, a disk
// that may have room again.
void Holder::Retry(Time now) {
  retry_at_ = Time::max();
  for (Output& output : outputs_) output.Retry();
  if (!exit_saved_) SaveExit();
  // It is not polled while hung up, but takes input all the same.
  if (out().hung_up()) WriteInput(now);
  Ring();
  SendInline();
}

Time Holder::NextTimer() const {
  return std::min({grace_at_, retry_at_, give_up_at_, hello_by_,
                   input_.next_check(), observers_.next(), NextLeaseTimer(),
                   ending_.running() ? ending_.next() : Time::max()});
}

}  // namespace glasstty::holder
