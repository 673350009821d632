// A connection to a holder. Channel is a virtual interface so that tests can
// script a fake in place of the socket.
//
// Owns the socket and the packets that the socket's queue did not take yet.
// Calls its listener from the loop, never from inside Send. The listener must
// outlive the channel or be reset.
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
  // The payload points into the channel's buffer and is valid for this call
  // only.
  virtual void OnPacket(const wire::Packet& packet) = 0;
  // The holder is gone or has closed the connection. No packet follows.
  virtual void OnGone() = 0;
};

class Channel {
 public:
  virtual ~Channel() = default;
  virtual void SetListener(ChannelListener* listener) = 0;
  // Never blocks and never fails visibly: a dead peer is reported through
  // OnGone.
  virtual void Send(wire::PacketHeader header,
                    std::string_view payload = {}) = 0;
};

class SocketChannel : public Channel {
 public:
  // `socket` is a connected SOCK_SEQPACKET socket (unix(7)), as LaunchHolder
  // and ConnectHolder give it. `loop` must outlive the channel.
  SocketChannel(Loop* loop, UniqueFd socket);

  void SetListener(ChannelListener* listener) override { listener_ = listener; }
  void Send(wire::PacketHeader header, std::string_view payload) override;

 private:
  // A packet that the socket did not take, with a copy of its payload.
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
  // Not bounded here: the holder bounds the input that it queues
  // (kMaxQueuedInput).
  std::deque<Queued> queue_;
  // Last, so that they are destroyed first: a watch must not outlive its
  // descriptor.
  FdWatch read_watch_;
  FdWatch write_watch_;
};

}  // namespace glasstty::session
