#include "session/observer_channel.h"

#include <chrono>
#include <utility>

namespace glasstty::session {
namespace {

// This is a little longer than the holder's own pause
// (holder/observer_requests.cc). The pause starts when the answer arrives, and
// so after the examination.
constexpr Duration kProbePause = std::chrono::milliseconds(3);

constexpr Duration kBeat = std::chrono::milliseconds(wire::kLeaseBeatMs);

constexpr char kLabel[] = "server";

}  // namespace

ObserverChannel::ObserverChannel(Loop* loop, std::unique_ptr<Channel> below)
    : loop_(loop),
      below_(std::move(below)),
      timer_(loop,
             [this] {
               if (next_) Probe(*std::exchange(next_, std::nullopt));
             }),
      beat_timer_(loop, [this] { Beat(); }) {
  below_->SetListener(this);
}

void ObserverChannel::Send(wire::PacketHeader header,
                           std::string_view payload) {
  if (header.type == wire::Hello::kType) {
    wire::Writer watch = wire::Encode(wire::Watch{.label = kLabel});
    return below_->Send(watch.header, watch.payload);
  }
  if (header.type == wire::Probe::kType) {
    return Probe(wire::DecodeAs<wire::Probe>({header, payload}));
  }
  if (wire::IsFromObserver(header.type)) below_->Send(header, payload);
}

void ObserverChannel::Probe(const wire::Probe& probe) {
  Time due = answered_ == Time::min() ? Time::min() : answered_ + kProbePause;
  bool must_wait = is_asking_ || loop_->Now() < due;
  if (!must_wait) {
    is_asking_ = true;
    wire::Writer packet = wire::Encode(probe);
    return below_->Send(packet.header, packet.payload);
  }
  next_ = probe;
  if (!is_asking_) timer_.Set(due);
}

// Sends an acknowledgement of nothing new, as a sign of life.
void ObserverChannel::Beat() {
  wire::Writer packet = wire::Encode(wire::Ack{});
  below_->Send(packet.header, packet.payload);
  beat_timer_.SetAfter(kBeat);
}

void ObserverChannel::OnPacket(const wire::Packet& packet) {
  if (packet.header.type == wire::State::kType) {
    is_asking_ = false;
    answered_ = loop_->Now();
    if (next_) timer_.Set(answered_ + kProbePause);
  }
  if (packet.header.type == wire::Lease::kType) {
    bool is_mine =
        wire::DecodeAs<wire::Lease>(packet).flags & wire::kLeaseYours;
    if (is_mine) {
      beat_timer_.SetAfter(kBeat);
    } else {
      beat_timer_.Clear();
    }
  }
  if (listener_ != nullptr) listener_->OnPacket(packet);
}

// The listener may destroy this object.
void ObserverChannel::OnGone() {
  timer_.Clear();
  beat_timer_.Clear();
  if (listener_ != nullptr) listener_->OnGone();
}

}  // namespace glasstty::session
