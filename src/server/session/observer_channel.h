// The connection of a server to the holder of a session that another server
// owns. It is an observer's connection (wire/packets.h), used like a server's.
//
// Passes on only the requests that an observer may make: the owner alone
// decides for how long the program outlives its server, and the holder refuses
// input from an observer that does not have the keyboard. Pauses between two
// probes, because a holder repeats its last answer, which may be out of date,
// to an observer that asks too often. While this observer has the keyboard, it
// sends heartbeats to the holder. Owns the channel below it. Loop thread only;
// the loop must outlive it.
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
  Timer timer_;                      // armed while `next_` is delayed
  std::optional<wire::Probe> next_;  // the last probe that was not sent yet
  bool is_asking_ = false;           // a probe is unanswered
  Time answered_ = Time::min();
  Timer beat_timer_;  // armed while this observer has the keyboard
};

}  // namespace glasstty::session
