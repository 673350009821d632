// What observers ask of the holder, and who has the keyboard (holder.h).
//
// Observers may come and go, fall behind and ask for nonsense: the program and
// the server never notice, except by what a person types.
#include <time.h>

#include <algorithm>
#include <chrono>

#include "holder/holder.h"

namespace glasstty::holder {
namespace {

using std::chrono::milliseconds;

// Packets of one observer handled in one turn of the loop.
constexpr int kMaxRequestsPerTurn = 64;
constexpr milliseconds kDefaultIdle{600'000};
constexpr uint64_t kMostIdleMs = 1000ull * 3600 * 24 * 365;
// An observer's questions in between get the last answer.
constexpr milliseconds kProbeEvery{100};

// Goes on while the machine sleeps.
Time WallNow() {
  timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return Time(std::chrono::seconds(now.tv_sec) +
              std::chrono::nanoseconds(now.tv_nsec));
}

}  // namespace

// All of them, whichever poll(2) named: they are few.
void Holder::ReadObservers(Time now) {
  for (const auto& place : observers_.all()) {
    if (place == nullptr) continue;
    place->Flush();
    ReadObserver(place.get(), now);
  }
}

void Holder::ReadObserver(Observer* observer, Time now) {
  for (int i = 0; i < kMaxRequestsPerTurn; ++i) {
    wire::Packet packet;
    switch (observer->Take(&packet)) {
      case wire::Receive::kPacket:
        if (lease_.observer() == observer->id) lease_.Heard(now);
        HandleObserver(observer, packet, now);
        break;
      case wire::Receive::kNothing:
        return;
      case wire::Receive::kClosed:
        return LoseObserver(observer, now);
    }
  }
}

// Before kWatch nothing counts.
void Holder::HandleObserver(Observer* observer, const wire::Packet& packet,
                            Time now) {
  const wire::PacketHeader& header = packet.header;
  if (header.type == wire::PacketType::kWatch) {
    return GreetObserver(observer, packet.payload);
  }
  if (!observer->greeted()) return;
  bool types = lease_.observer() == observer->id;
  switch (header.type) {
    case wire::PacketType::kAck:
      observer->Acknowledge(header.a, header.b);
      return Ring();
    case wire::PacketType::kTake:
      return TakeKeyboard(*observer, header, now);
    case wire::PacketType::kGive:
      if (types) EndLease(wire::LeaseEnd::kGiven, now);
      return;
    case wire::PacketType::kWrite:
      return TakeTyped(observer, packet, now);
    case wire::PacketType::kResize:
      return types ? Resize(header.a, header.b) : Resize(0, 0);
    case wire::PacketType::kProbe:
      return ProbeForObserver(observer, header.a, now);
    default:
      return;  // of a newer observer: it can do without
  }
}

// It follows the log from the first byte, which it reads from the files.
void Holder::GreetObserver(Observer* observer, std::string_view label) {
  observer->SetGreeted();
  observer->label = CleanLabel(label);
  observer->Follow(0, 0, out().log()->held_offset());
  SendWelcome(observer);
  SendLease(observer, lease_.observer() == observer->id);
  if (!ask_.empty()) {
    observer->SendLatest({.type = wire::PacketType::kAsked}, ask_);
  }
}

void Holder::LoseObserver(const Observer* observer, Time now) {
  bool typed = lease_.observer() == observer->id;
  observers_.Remove(observer);
  if (typed) EndLease(wire::LeaseEnd::kGone, now);
}

Observer* Holder::FindObserver(uint32_t id) {
  for (const auto& observer : observers_.all()) {
    if (observer != nullptr && observer->id == id) return observer.get();
  }
  return nullptr;
}

// Answered in any case: an observer that does not get it sees who has it.
void Holder::TakeKeyboard(const Observer& observer,
                          const wire::PacketHeader& header, Time now) {
  bool others = lease_.held() && lease_.observer() != observer.id;
  if (others && (header.b & wire::kTakeOver))
    EndLease(wire::LeaseEnd::kTaken, now);
  if (lease_.held() || exited_) return TellLease();
  milliseconds idle(std::min(header.a, kMostIdleMs));
  lease_.Take({.observer = observer.id,
               .pid = observer.pid,
               .label = observer.label,
               .idle = header.a > 0 ? idle : kDefaultIdle,
               .once = (header.b & wire::kTakeOnce) != 0,
               .rows = rows_,
               .cols = cols_},
              now, WallNow());
  grace_at_ = Time::max();
  // Also where the beginning of a write is held, whose rest is to come.
  refuses_rest_ = input_.is_held();
  input_.Yield(now);
  SendDropped();
  TellLease();
}

// What the person has queued is theirs and still goes out; a write that came in
// half does not.
void Holder::EndLease(wire::LeaseEnd how, Time now) {
  if (!lease_.held()) return;
  lease_.End(how);
  input_.DropHeld();
  TellLease();
  StartGrace(now);
}

// Replies only where no server gives them.
void Holder::TakeTyped(Observer* observer, const wire::Packet& packet,
                       Time now) {
  const wire::PacketHeader& header = packet.header;
  bool may = lease_.observer() == observer->id;
  if (header.b & wire::kWriteReply) {
    if (may && !link_.attached()) {
      input_.Take(Input::kServer, input_.last_serial(), wire::kWriteReply,
                  packet.payload, now);
    }
    return;
  }
  std::optional<wire::WriteRefusal> refusal = wire::WriteRefusal::kPersonTypes;
  if (may) {
    CountTyped(packet);
    uint64_t flags =
        header.b & (wire::kWriteSecret | wire::kWriteEof | wire::kWriteMore);
    refusal = input_.Take(observer->id, header.a, flags, packet.payload, now);
  }
  // A person types passwords also without calling them so.
  observer->Forget();
  if (refusal) SendRefused(observer, header.a, *refusal, 0);
  SendDropped();
  bool is_last = !(header.b & wire::kWriteMore);
  if (may && lease_.once() && is_last) EndLease(wire::LeaseEnd::kGiven, now);
}

// Neither what is typed unseen nor how long it is may be told to anybody.
void Holder::CountTyped(const wire::Packet& packet) {
  if (packet.header.b & wire::kWriteMouse) return;
  if (input_.IsSecretPrompt()) {
    bool ends = packet.payload.find_first_of("\r\n") != packet.payload.npos;
    lease_.TypedSecret(ends, WallNow());
  } else if (!(packet.header.b & wire::kWriteSecret)) {
    lease_.Typed(packet.payload.size(), WallNow());
  }
}

void Holder::ProbeForObserver(Observer* observer, uint64_t serial, Time now) {
  if (now >= observer->probed + kProbeEvery) {
    observer->probed = now;
    return SendState(observer, serial);
  }
  uint64_t err_end = spec_.pipe ? outputs_[1].log()->disk_end() : 0;
  observer->SendLatest(
      {.type = wire::PacketType::kState, .a = serial, .b = err_end},
      wire::AsBytes(last_look_));
}

void Holder::SendLease(Connection* to, bool yours) {
  wire::LeaseInfo info = lease_.info();
  info.server_attached = link_.attached();
  uint64_t flags = (lease_.held() ? uint64_t{wire::kLeaseHeld} : 0) |
                   (yours ? uint64_t{wire::kLeaseYours} : 0);
  to->SendLatest(
      {.type = wire::PacketType::kLease, .a = info.serial, .b = flags},
      wire::AsBytes(info));
}

// The server hears of it once there was somebody; observers always, because
// they also want to know whether a server is there.
void Holder::TellLease() {
  if (lease_.serial() > 0) SendLease(&link_, false);
  for (const auto& observer : observers_.all()) {
    if (observer == nullptr) continue;
    SendLease(observer.get(), lease_.observer() == observer->id);
  }
}

void Holder::RunLeaseTimers(Time now) {
  while (const Observer* lost = observers_.FindLost(now)) {
    LoseObserver(lost, now);
  }
  wire::LeaseEnd how = lease_.IsOver(now, WallNow());
  if (how != wire::LeaseEnd::kNone) EndLease(how, now);
}

Time Holder::NextLeaseTimer() const {
  return lease_.held() ? lease_.next(MonotonicNow(), WallNow()) : Time::max();
}

}  // namespace glasstty::holder
