// A connection to a holder. Channel is an interface, because ObserverChannel
// wraps another channel, and tests replace the socket by a fake.
//
// SocketChannel owns the socket and the packets that the socket's queue has not
// taken yet. A channel calls its listener from the loop, never from inside
// Send. The listener must outlive the channel or be removed by
// SetListener(nullptr).
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "support/loop.h"
#include "wire/packets.h"

namespace glasstty::session {

class ChannelListener {
 public:
  virtual ~ChannelListener() = default;
  // The payload is only valid during this call.
  virtual void OnPacket(const wire::Packet& packet) = 0;
  // The holder is gone, has closed the connection or speaks another protocol.
  // No packet follows.
  virtual void OnGone() = 0;
};

class Channel {
 public:
  virtual ~Channel() = default;
  virtual void SetListener(ChannelListener* listener) = 0;
  // Never blocks and never fails visibly: OnGone reports a dead peer.
  virtual void Send(wire::PacketHeader header,
                    std::string_view payload = {}) = 0;
};

class SocketChannel : public Channel {
 public:
  // `socket` is a connected SOCK_SEQPACKET socket (unix(7)), such as
  // LaunchHolder and ConnectHolder return. `loop` must outlive the channel.
  SocketChannel(Loop* loop, UniqueFd socket);

  void SetListener(ChannelListener* listener) override { listener_ = listener; }
  void Send(wire::PacketHeader header, std::string_view payload) override;

 private:
  // A packet that the socket has not taken yet, with a copy of the payload.
  struct Queued {
    wire::PacketHeader header;
    std::string payload;
  };

  void Readable();
  void Writable();

  // Borrowed.
  ChannelListener* listener_ = nullptr;
  // Owned.
  UniqueFd socket_;
  // This queue has no bound of its own: the holder always reads packets, and
  // bounds the input that waits for the program (kMaxQueuedInput).
  std::deque<Queued> queue_;
  // Declared last, so that the watches are destroyed first: a watch must not
  // outlive its descriptor.
  FdWatch read_watch_;
  FdWatch write_watch_;
};

}  // namespace glasstty::session
