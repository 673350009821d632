#include "holder/session_end.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "holder/tree.h"

namespace glasstty::holder {
namespace {

using std::chrono::milliseconds;

// When the session is over, the holder waits at most this long until the server
// has got the report.
constexpr milliseconds kLinger{10'000};
constexpr milliseconds kOwnGrace{2'000};
constexpr uint64_t kLongestGraceMs = 1000ull * 3600 * 24 * 365;

int WaitStatus(const siginfo_t& info) {
  constexpr int kCoreFlag = 0x80;
  if (info.si_code == CLD_EXITED) return (info.si_status & 0xFF) << 8;
  return info.si_status | (info.si_code == CLD_DUMPED ? kCoreFlag : 0);
}

}  // namespace

SessionEnd::SessionEnd(Program* program, Peers* peers, Keyboard* keyboard,
                       const Grace* grace)
    : program_(program),
      peers_(peers),
      keyboard_(keyboard),
      grace_(grace),
      ending_(program->device()) {}

// The end-of-file character is queued after earlier input. Like a reply, it
// does not complete a write that has arrived in part.
void SessionEnd::Close(const wire::Close& close, Input::Writer asker,
                       Time now) {
  asker_ = asker;
  bool eof = (close.flags & wire::kCloseEof) && !program_->exited();
  if (eof) {
    Input* input = program_->input();
    input->Take(Input::kServer, input->last_serial(),
                wire::kWriteEof | wire::kWriteReply, {}, now);
  }
  ending_.Close(
      {.grace = milliseconds(std::min(close.grace_ms, kLongestGraceMs)),
       .wait_for_eof = eof,
       .kill_survivors = (close.flags & wire::kCloseKillSurvivors) != 0},
      program_->live_leader(), now);
  Step(now);
}

void SessionEnd::Kill(Time now) {
  asker_ = Input::kServer;
  ending_.Kill(now);
  Step(now);
}

// Ignores invalid numbers: kill(2) with 0 would only check whether a process
// exists.
void SessionEnd::Signal(const wire::Signal& signal) const {
  if (signal.number == 0 || signal.number > static_cast<uint64_t>(SIGRTMAX)) {
    return;
  }
  int sig = static_cast<int>(signal.number);
  // The pid cannot be another process's, because a leader that has not been
  // reaped keeps its pid.
  pid_t leader = program_->live_leader();
  const Device& device = *program_->device();
  switch (signal.target) {
    case wire::SignalTarget::kForeground: {
      pid_t group = device.is_terminal() ? device.ForegroundGroup() : leader;
      if (group > 0) kill(-group, sig);
      return;
    }
    case wire::SignalTarget::kLeader:
      if (leader > 0) kill(leader, sig);
      return;
    case wire::SignalTarget::kTree:
      for (const Member& member : WalkTree()) SignalMember(member, sig);
      return;
  }
}

void SessionEnd::CloseByItself(Time now) {
  ending_.Close({.grace = kOwnGrace, .kill_survivors = true},
                program_->live_leader(), now);
}

void SessionEnd::FailToStart(Time now) {
  phase_ = Phase::kTelling;
  give_up_at_ = now + kLinger;
}

// Reaps all dead children, but the leader only after its exit is published.
void SessionEnd::Reap() {
  for (;;) {
    siginfo_t info{};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        info.si_pid == 0) {
      return;
    }
    if (info.si_pid == program_->live_leader()) {
      program_->SetExited(WaitStatus(info));
      peers_->Ring();
      peers_->SendExit();
      keyboard_->End(wire::LeaseEnd::kProgram, MonotonicNow());
    }
    waitid(P_PID, static_cast<id_t>(info.si_pid), &info, WEXITED | WNOHANG);
  }
}

void SessionEnd::Step(Time now) {
  if (!ending_.running()) return;
  Reap();
  // Reap dead children before and after this step, because the phases depend on
  // which processes are left.
  ending_.Step(program_->live_leader(), now);
  Reap();
  if (ending_.gave_up()) {
    program_->Drain();
    program_->device()->Close();
  }
  if (!ending_.ReportIsDue()) return;
  ending_.Reported();
  // If no process is left, TellEnd sends the report after the last output.
  if (!TreeIsEmpty()) SendReport();
}

// Sends nothing if the observer that asked has disconnected meanwhile.
void SessionEnd::SendReport() {
  if (!asker_) return;
  Connection* to = peers_->FindWriter(*std::exchange(asker_, std::nullopt));
  if (to != nullptr) peers_->SendTree(to, 0);
}

void SessionEnd::RunTimers(Time now) {
  if (ending_.running() && now >= ending_.next()) Step(now);
}

Time SessionEnd::next() const {
  return std::min(give_up_at_,
                  ending_.running() ? ending_.next() : Time::max());
}

// Returns true if no process is left, all output is saved, and a connected
// server has sent Hello. Waits for the disk until the grace is over or the tree
// was killed, and for Hello until the grace is over or kLinger has passed.
bool SessionEnd::IsOver(Time now) {
  if (!program_->exited() || !TreeIsEmpty()) return false;
  program_->Drain();
  bool saved = program_->IsSaved() || grace_->is_over() || ending_.killed();
  if (!saved) return false;
  if (give_up_at_ == Time::max()) give_up_at_ = now + kLinger;
  // A server that has connected but not sent Hello yet must still get the exit.
  const Link* link = peers_->link();
  bool deaf = link->attached() && !link->greeted() && !grace_->is_over();
  return !deaf || now >= give_up_at_;
}

void SessionEnd::TellEnd() {
  wire::Empty empty{program_->out().log().end()};
  peers_->Ring();
  SendReport();
  peers_->link()->Send(empty);
  peers_->observers()->SendLatest(empty);
}

bool SessionEnd::IsDone(Time now) {
  if (phase_ == Phase::kOpen) {
    if (!IsOver(now)) return false;
    TellEnd();
    give_up_at_ = now + kLinger;
    phase_ = Phase::kTelling;
  }
  const Link* link = peers_->link();
  bool told = link->greeted() && !link->WantsWrite();
  // Hello clears is_over(), so after the grace, a connected server is silent.
  return told || !link->attached() || grace_->is_over() || now >= give_up_at_;
}

}  // namespace glasstty::holder
