#include "holder/keyboard.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "holder/pending_work.h"

namespace glasstty::holder {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kDefaultIdle{600'000};
// Keys cause a new event only after such a pause.
constexpr milliseconds kTypingPause{1'000};
constexpr uint64_t kMostIdleMs = 1000ull * 3600 * 24 * 365;

// Unlike MonotonicNow(), this clock continues while the machine sleeps.
Time WallNow() {
  timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return Time(std::chrono::seconds(now.tv_sec) +
              std::chrono::nanoseconds(now.tv_nsec));
}

}  // namespace

// Reports a refusal when the last packet of the write has arrived. If one
// packet of a write was refused because an observer had the keyboard, the later
// packets of that write are refused, too.
void Keyboard::Type(const wire::Write& write, Time now) {
  bool is_reply = write.flags & wire::kWriteReply;
  if (!is_reply) input_ticks_ = TicksSinceBoot();
  bool is_refused = (lease_.held() || refuses_rest_) && !is_reply;
  std::optional<wire::WriteRefusal> refusal;
  if (is_refused) {
    refuses_rest_ = write.flags & wire::kWriteMore;
    if (!refuses_rest_) refusal = wire::WriteRefusal::kPersonTypes;
  } else {
    NoteTyped(write, /*is_person=*/false, now);
    refusal = program_->input()->Take(Input::kServer, write.serial, write.flags,
                                      write.bytes, now);
  }
  Link* link = peers_->link();
  if (write.flags & wire::kWriteSecret) link->Forget();
  if (refusal) link->Send(wire::Refused{write.serial, *refusal});
  peers_->SendDropped();
}

// Accepts an observer's replies to the program only if that observer has the
// keyboard and no server is attached: a server sends the replies itself.
void Keyboard::Type(const wire::Write& write, Observer* observer, Time now) {
  bool may = IsHeldBy(observer);
  Input* input = program_->input();
  if (write.flags & wire::kWriteReply) {
    if (may && !peers_->link()->attached()) {
      input->Take(Input::kServer, input->last_serial(), wire::kWriteReply,
                  write.bytes, now);
    }
    return;
  }
  std::optional<wire::WriteRefusal> refusal = wire::WriteRefusal::kPersonTypes;
  if (may) {
    CountTyped(write);
    uint64_t flags =
        write.flags & (wire::kWriteSecret | wire::kWriteEof | wire::kWriteMore);
    NoteTyped(write, /*is_person=*/!lease_.for_call(), now);
    refusal = input->Take(observer->id, write.serial, flags, write.bytes, now);
  }
  if (may && lease_.for_call()) {
    input_ticks_ = TicksSinceBoot();
    if (!refusal) observer->unread = write.serial;
  }
  // Forget every packet, because people type passwords without marking them.
  observer->Forget();
  if (refusal) observer->Send(wire::Refused{write.serial, *refusal});
  peers_->SendDropped();
  bool is_last = !(write.flags & wire::kWriteMore);
  if (may && lease_.once() && is_last) End(wire::LeaseEnd::kGiven, now);
}

// Counts input at a password prompt without its length.
void Keyboard::CountTyped(const wire::Write& write) {
  if (write.flags & wire::kWriteMouse) return;
  if (program_->input()->IsSecretPrompt()) {
    bool ends = write.bytes.find_first_of("\r\n") != std::string::npos;
    lease_.TypedSecret(ends, WallNow());
  } else if (!(write.flags & wire::kWriteSecret)) {
    bool ends = write.bytes.ends_with('\r') || write.bytes.ends_with('\n');
    lease_.Typed(write.bytes.size(), ends, WallNow());
  }
}

// Must be called before the write, so that the recorded input follows the
// event. Keys of a secret cause no event, because the times of events would
// reveal their number. A server marks its secrets. For a person's keys, the
// terminal is examined, but only after a pause, because other processes may
// have to be examined, too.
void Keyboard::NoteTyped(const wire::Write& write, bool is_person, Time now) {
  constexpr uint64_t kNotTyped =
      wire::kWriteReply | wire::kWriteMouse | wire::kWriteSecret;
  // A server sends an empty write only to get a receipt for earlier input.
  bool is_empty = write.bytes.empty() && !(write.flags & wire::kWriteEof);
  if (is_empty || (write.flags & kNotTyped)) return;
  bool goes_on =
      typed_ && is_person == person_typed_ && now - *typed_ < kTypingPause;
  bool is_unseen = is_person && !goes_on && program_->input()->IsSecretPrompt();
  if (is_unseen) return;
  typed_ = now;
  person_typed_ = is_person;
  if (!goes_on) program_->Note(wire::EventType::kTyped, is_person);
}

// Answers with a Lease, which reports who has the keyboard now. An observer
// that must wait is answered when it gets the keyboard.
void Keyboard::Give(const wire::Take& take, Observer* observer, Time now) {
  bool others = lease_.held() && !IsHeldBy(observer);
  bool for_call = take.flags & wire::kTakeForCall;
  bool takes_over =
      (take.flags & wire::kTakeOver) || (lease_.for_call() && !for_call);
  bool waits =
      for_call && (others ? lease_.for_call()
                          : !lease_.held() && peers_->link()->attached());
  observer->wanted.reset();
  if (waits && !program_->exited()) {
    observer->wanted = take;
    return AskServer(now);
  }
  if (others && takes_over) EndTurn(wire::LeaseEnd::kTaken);
  if (lease_.held() || program_->exited()) return Tell();
  HandTo(observer, take, now);
}

// If no observer waits any more, or none can get the keyboard, only reports to
// the server who has it.
void Keyboard::Lend(Time now) {
  Observer* next = FindWaiting();
  if (next == nullptr || lease_.held() || program_->exited()) {
    return Send(peers_->link(), false);
  }
  wire::Take take = *std::exchange(next->wanted, std::nullopt);
  HandTo(next, take, now);
}

void Keyboard::AskServer(Time now) {
  if (lease_.held() || FindWaiting() == nullptr) return;
  if (!peers_->link()->attached()) return Lend(now);
  peers_->link()->Send(wire::Wanted{});
}

Observer* Keyboard::FindWaiting() const {
  for (const auto& observer : peers_->observers()->all()) {
    if (observer != nullptr && observer->wanted) return observer.get();
  }
  return nullptr;
}

void Keyboard::HandTo(Observer* observer, const wire::Take& take, Time now) {
  bool for_call = take.flags & wire::kTakeForCall;
  milliseconds idle(std::min(take.idle_ms, kMostIdleMs));
  wire::HolderInfo info = program_->Info();
  lease_.Take({.observer = observer->id,
               .pid = observer->pid,
               .label = observer->label,
               .idle = take.idle_ms > 0 ? idle : kDefaultIdle,
               .once = (take.flags & wire::kTakeOnce) != 0,
               .keeps_size = (take.flags & wire::kTakeSize) != 0,
               .for_call = for_call,
               .rows = info.rows,
               .cols = info.cols},
              now, WallNow());
  grace_->Stop();
  // The server's earlier input is still typed.
  if (for_call) return Tell();
  program_->Note(wire::EventType::kTurn, true);
  // If the beginning of a write is held, its rest must be refused, too.
  refuses_rest_ = refuses_rest_ || program_->input()->is_held();
  program_->input()->Yield(now);
  peers_->SendDropped();
  Tell();
}

void Keyboard::End(wire::LeaseEnd how, Time now) {
  if (!lease_.held()) return;
  EndTurn(how);
  StartGrace(now);
  AskServer(now);
}

// The observer's queued writes are still typed, except an incomplete one.
void Keyboard::EndTurn(wire::LeaseEnd how) {
  if (how != wire::LeaseEnd::kGiven) RestoreSize();
  if (!lease_.for_call()) program_->Note(wire::EventType::kTurn, false);
  lease_.End(how);
  program_->input()->DropHeld();
  Tell();
}

// The observer's program restores the size before it gives the keyboard back,
// but cannot do so if it was killed or stopped.
void Keyboard::RestoreSize() {
  wire::HolderInfo is = program_->Info();
  const wire::LeaseInfo& was = lease_.info();
  bool is_same = is.rows == was.rows && is.cols == was.cols;
  if (is_same || lease_.keeps_size() || program_->exited()) return;
  peers_->Resize({was.rows, was.cols});
}

void Keyboard::Heard(const Observer* observer, Time now) {
  if (IsHeldBy(observer)) lease_.Heard(now);
}

void Keyboard::LoseServer(Time now) {
  if (!lease_.held()) program_->input()->DropHeld();
  refuses_rest_ = false;
  Tell();
  AskServer(now);
  StartGrace(now);
}

// A server that connects without sending Hello does not restart the grace.
void Keyboard::StartGrace(Time now) {
  bool goes_on = peers_->link()->attached() || lease_.held();
  if (goes_on || grace_->running()) return;
  peers_->is_reachable() ? grace_->Start(now) : grace_->Expire(now);
}

void Keyboard::Send(Connection* to, bool yours) {
  wire::LeaseInfo info = lease_.info();
  info.server_attached = peers_->link()->attached();
  uint64_t flags = (lease_.held() ? uint64_t{wire::kLeaseHeld} : 0) |
                   (yours ? uint64_t{wire::kLeaseYours} : 0);
  to->SendLatest(wire::Lease{info.serial, flags, info});
}

void Keyboard::Tell(Observer* observer) { Send(observer, IsHeldBy(observer)); }

// The server gets no Lease before the first turn. Observers always get one,
// because it also reports whether there is a server.
void Keyboard::Tell() {
  if (lease_.serial() > 0) Send(peers_->link(), false);
  for (const auto& observer : peers_->observers()->all()) {
    if (observer != nullptr) Tell(observer.get());
  }
}

void Keyboard::RunTimers(Time now) {
  wire::LeaseEnd how = lease_.IsOver(now, WallNow());
  if (how != wire::LeaseEnd::kNone) End(how, now);
}

Time Keyboard::next() const {
  return lease_.held() ? lease_.next(MonotonicNow(), WallNow()) : Time::max();
}

}  // namespace glasstty::holder
