// The connection of a server to the holder of a session that another server has
// opened: an observer's (wire/packets.h), in the place of a server's.
//
// Passes on what an observer may ask, and nothing else: the owner alone says
// how long the program lives, and the holder refuses what is typed without the
// keyboard. Takes its time between two probes, because a holder repeats its
// last answer to an observer that asks too often, and that may be out of date.
// Shows the holder that it is alive while it has the keyboard. Owns the channel
// below it. Loop thread only; the loop must outlive it.
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
  Timer timer_;                      // armed while `next_` waits for its time
  std::optional<wire::Probe> next_;  // the last one that was not asked yet
  bool is_asking_ = false;           // a probe has no answer yet
  Time answered_ = Time::min();
  Timer beat_timer_;  // armed while it has the keyboard
};

}  // namespace glasstty::session
