// The server's end of the connection to a session's holder.
//
// Owns the channel, which is null while there is none: what is sent then is
// dropped. For a session on another machine, where that may happen at any time,
// it also remembers the last request of each kind that has no answer yet, and
// sends it again. Does not read packets: the channel's listener does. Loop
// thread only.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "session/channel.h"
#include "wire/messages.h"

namespace glasstty::session {

class HolderLink {
 public:
  // `remembers`: the session is on another machine.
  explicit HolderLink(bool remembers) : remembers_(remembers) {}

  // `listener` must outlive this, or its Disconnect.
  void Connect(std::unique_ptr<Channel> channel, ChannelListener* listener);
  void Disconnect();
  bool connected() const { return channel_ != nullptr; }

  void Send(const wire::IsMessage auto& message) {
    SendPacket(wire::Encode(message));
  }
  // `message`, of this type, may be the answer to a request.
  void Answered(const wire::Message& message, wire::PacketType type);
  // Sends what has no answer.
  void AskAgain();

 private:
  void SendPacket(const wire::Writer& packet);
  void Remember(const wire::Writer& packet);

  const bool remembers_;
  std::unique_ptr<Channel> channel_;
  std::map<wire::PacketType, wire::Writer> asked_;
};

}  // namespace glasstty::session
