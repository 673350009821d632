#include "holder/server_requests.h"

#include <chrono>
#include <string>
#include <variant>

namespace glasstty::holder {
namespace {

// A character takes up to four bytes of UTF-8.
constexpr size_t kMaxAskBytes = 4 * wire::kMaxAsk;
// A server that has connected must send Hello within this time.
constexpr std::chrono::seconds kHelloLimit{5};
// The kernel closes the descriptors of a killed server one by one. On a busy
// machine, its lock may be free for a while before its connection is closed. A
// successor that has got the lock waits this long.
constexpr std::chrono::seconds kSuccessorPatience{1};

}  // namespace

void ServerRequests::Accept(Time now) {
  Link* link = peers_->link();
  // A dead server stays attached until the last of its requests is handled.
  // Handle all of them now, so that its successor is not refused.
  while (link->attached() && link->PeerIsGone()) Read();
  if (link->attached() && accepts()) {
    accept_at_ = now + kSuccessorPatience;
    return;
  }
  accept_at_ = Time::max();
  bool had_one = link->attached();
  link->Accept();
  if (!had_one && link->attached()) hello_by_ = now + kHelloLimit;
}

// A server does not announce that it leaves, because it has died or its
// successor takes over the session.
void ServerRequests::Lose(Time now) {
  accept_at_ = Time::max();
  peers_->DropServer();
  end_->ForgetReport();
  keyboard_->LoseServer(now);
}

void ServerRequests::RunTimers(Time now) {
  if (now >= accept_at_) Accept(now);
  if (now < hello_by_) return;
  hello_by_ = Time::max();
  if (!peers_->link()->greeted()) Lose(now);
}

// Sends everything that a new server needs, whether it is the first server or a
// successor.
template <>
void ServerRequests::On(const wire::Hello&, Time now) {
  grace_->Reset();
  hello_by_ = Time::max();
  Link* link = peers_->link();
  link->SetGreeted();
  // The server has read nothing yet, so nothing may be removed before its first
  // Ack.
  const LogWriter& log = program_->out().log();
  link->Follow(log.first(), program_->err().log().first(), log.held_offset());
  peers_->SetReader();
  keyboard_->Tell();
  peers_->SendWelcome(link, keyboard_->serial());
  keyboard_->AskServer(now);
}

template <>
void ServerRequests::On(const wire::Ack& ack, Time) {
  peers_->link()->Acknowledge(ack.out, ack.err);
  peers_->SetReader();
  peers_->Ring();
  peers_->SendInline();
}

template <>
void ServerRequests::On(const wire::Write& write, Time now) {
  keyboard_->Type(write, now);
}

template <>
void ServerRequests::On(const wire::Lend&, Time now) {
  keyboard_->Lend(now);
}

template <>
void ServerRequests::On(const wire::Resize& size, Time) {
  peers_->Resize(keyboard_->held() ? wire::Resize{} : size);
}

template <>
void ServerRequests::On(const wire::Signal& signal, Time) {
  end_->Signal(signal);
}

template <>
void ServerRequests::On(const wire::Probe& probe, Time) {
  peers_->SendState(peers_->link(), probe, keyboard_->input_ticks());
}

template <>
void ServerRequests::On(const wire::Ask& ask, Time) {
  peers_->SetAsk(std::string(ask.text.substr(0, kMaxAskBytes)));
}

template <>
void ServerRequests::On(const wire::Tree& tree, Time) {
  peers_->SendTree(peers_->link(), tree.serial, tree.flags);
}

template <>
void ServerRequests::On(const wire::Close& close, Time now) {
  end_->Close(close, Input::kServer, now);
}

template <>
void ServerRequests::On(const wire::Kill&, Time now) {
  end_->Kill(now);
}

template <>
void ServerRequests::On(const wire::Policy& policy, Time) {
  grace_->SetPeriod(policy.grace_ms);
  if (policy.log_cap > 0) program_->SetLogCap(policy.log_cap);
}

// Only relays handle File and Doubt.
template <>
void ServerRequests::On(const wire::File&, Time) {}
template <>
void ServerRequests::On(const wire::Doubt&, Time) {}

// Only a newer server sends an unknown type.
template <>
void ServerRequests::On(const std::monostate&, Time) {}

void ServerRequests::Read() {
  Time now = MonotonicNow();
  Link* link = peers_->link();
  for (int i = 0; i < Link::kPacketsPerTurn && link->attached(); ++i) {
    wire::Packet packet;
    switch (link->Take(&packet)) {
      case wire::Receive::kPacket:
        std::visit([&](const auto& message) { On(message, now); },
                   wire::Decode<wire::FromServer>(packet));
        break;
      case wire::Receive::kNothing:
        return;
      case wire::Receive::kClosed:
        return Lose(now);
    }
  }
}

}  // namespace glasstty::holder
