// The connection of a server to the holder of a session that another server
// owns. It is an observer's connection (wire/packets.h), used like a server's.
//
// Passes on only the requests that an observer may make. The owner alone
// decides how long the program outlives its server. The holder refuses input
// from an observer without the keyboard. Pauses between two probes, because an
// observer that asks too often gets the holder's last answer again, which may
// be out of date. While this observer has the keyboard, it sends heartbeats to
// the holder. Owns the channel below it. Loop thread only; the loop must
// outlive it.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "session/channel.h"
#include "support/loop.h"
#include "wire/messages.h"

namespace glasstty::session {

class ObserverChannel : public Channel, private ChannelListener {
 public:
  // `below` is connected to the holder's socket `watch`.
  ObserverChannel(Loop* loop, std::unique_ptr<Channel> below);

  void SetListener(ChannelListener* listener) override { listener_ = listener; }
  void Send(wire::PacketHeader header, std::string_view payload) override;

 private:
  void OnPacket(const wire::Packet& packet) override;
  void OnGone() override;
  void Probe(const wire::Probe& probe);
  void Beat();

  Loop* const loop_;                     // borrowed
  ChannelListener* listener_ = nullptr;  // borrowed
  const std::unique_ptr<Channel> below_;
  Timer timer_;                      // armed during a pause before `next_`
  std::optional<wire::Probe> next_;  // the last probe that was not sent yet
  bool is_asking_ = false;           // a probe is unanswered
  Time answered_ = Time::min();
  Timer beat_timer_;  // armed while this observer has the keyboard
};

}  // namespace glasstty::session
