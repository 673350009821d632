#include "holder/observer_requests.h"

#include <chrono>
#include <variant>

namespace glasstty::holder {
namespace {

// An observer that probes more often than this gets a copy of the last answer
// that any peer got. An examination usually takes less than 0.1 ms.
constexpr std::chrono::milliseconds kProbeEvery{2};

}  // namespace

void ObserverRequests::Read(Observer* observer, Time now) {
  for (int i = 0; i < Observer::kPacketsPerTurn; ++i) {
    wire::Packet packet;
    switch (observer->Take(&packet)) {
      case wire::Receive::kPacket:
        keyboard_->Heard(observer, now);
        Handle(observer, packet, now);
        break;
      case wire::Receive::kNothing:
        return;
      case wire::Receive::kClosed:
        return Lose(observer, now);
    }
  }
}

// Follows from offset 0, because the observer reads the whole log in the files.
template <>
void ObserverRequests::On(const wire::Watch& watch, Observer* observer, Time) {
  observer->SetGreeted();
  observer->label = CleanLabel(watch.label);
  observer->Follow(0, 0, program_->out().log().held_offset());
  peers_->SendWelcome(observer, keyboard_->serial());
  keyboard_->Tell(observer);
  peers_->SendAsk(observer);
}

void ObserverRequests::Lose(const Observer* observer, Time now) {
  bool typed = keyboard_->IsHeldBy(observer);
  peers_->observers()->Remove(observer);
  if (typed) keyboard_->End(wire::LeaseEnd::kGone, now);
}

void ObserverRequests::RunTimers(Time now) {
  while (const Observer* lost = peers_->observers()->FindLost(now)) {
    Lose(lost, now);
  }
}

template <>
void ObserverRequests::On(const wire::Ack& ack, Observer* observer, Time) {
  observer->Acknowledge(ack.out, ack.err);
  peers_->Ring();
}

template <>
void ObserverRequests::On(const wire::Take& take, Observer* observer,
                          Time now) {
  keyboard_->Give(take, observer, now);
}

template <>
void ObserverRequests::On(const wire::Give&, Observer* observer, Time now) {
  observer->wanted.reset();
  if (keyboard_->IsHeldBy(observer)) {
    keyboard_->End(wire::LeaseEnd::kGiven, now);
  }
}

template <>
void ObserverRequests::On(const wire::Write& write, Observer* observer,
                          Time now) {
  keyboard_->Type(write, observer, now);
}

template <>
void ObserverRequests::On(const wire::Resize& size, Observer* observer, Time) {
  peers_->Resize(keyboard_->IsHeldBy(observer) ? size : wire::Resize{});
}

template <>
void ObserverRequests::On(const wire::Probe& probe, Observer* observer,
                          Time now) {
  wire::Probe question{.serial = probe.serial};
  if (now < observer->probed + kProbeEvery) {
    return peers_->SendLastState(observer, question);
  }
  observer->probed = now;
  peers_->SendState(observer, question, keyboard_->input_ticks());
}

template <>
void ObserverRequests::On(const wire::Tree& tree, Observer* observer, Time) {
  peers_->SendTree(observer, tree.serial, tree.flags);
}

// A server sends Signal and Close to a session of another server. Neither needs
// permission, because any process of the user could kill the holder as well.
template <>
void ObserverRequests::On(const wire::Signal& signal, Observer*, Time) {
  end_->Signal(signal);
}

template <>
void ObserverRequests::On(const wire::Close& close, Observer* observer,
                          Time now) {
  end_->Close(close, observer->id, now);
}

// Only a newer observer sends an unknown type.
template <>
void ObserverRequests::On(const std::monostate&, Observer*, Time) {}

// Ignores all messages of an observer before its Watch.
void ObserverRequests::Handle(Observer* observer, const wire::Packet& packet,
                              Time now) {
  bool is_watch = packet.header.type == wire::Watch::kType;
  if (!is_watch && !observer->greeted()) return;
  std::visit([&](const auto& message) { On(message, observer, now); },
             wire::Decode<wire::FromObserver>(packet));
}

}  // namespace glasstty::holder
