// A connection to a holder. One of the three virtual seams: tests script a
// fake in place of the socket.
//
// Owns the socket and the packets that the socket's queue did not take yet.
// Calls its listener from the loop, never from inside Send. The listener must
// outlive the channel or be reset.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "holder/wire.h"
#include "support/loop.h"

namespace glasstty {

class ChannelListener {
 public:
  virtual ~ChannelListener() = default;
  virtual void OnPacket(const Packet& packet) = 0;
  // The holder is gone or has let us go; nothing more comes.
  virtual void OnGone() = 0;
};

class Channel {
 public:
  virtual ~Channel() = default;
  virtual void SetListener(ChannelListener* listener) = 0;
  // Never blocks and never fails visibly: a dead peer is told by OnGone.
  virtual void Send(PacketHeader header, std::string_view payload = {}) = 0;
};

class SocketChannel : public Channel {
 public:
  SocketChannel(Loop* loop, UniqueFd socket);

  void SetListener(ChannelListener* listener) override { listener_ = listener; }
  void Send(PacketHeader header, std::string_view payload) override;

 private:
  struct Queued {
    PacketHeader header;
    std::string payload;
  };

  void Readable();
  void Writable();

  // Borrowed.
  ChannelListener* listener_ = nullptr;
  // Owned.
  UniqueFd socket_;
  std::deque<Queued> queue_;
  FdWatch read_watch_;
  FdWatch write_watch_;
};

}  // namespace glasstty
