// The server's end of the connection to a session's holder.
//
// Owns the channel, which is null while there is no connection; a message that
// is sent then is dropped. For a session on another machine, whose connection
// may break, it also remembers the last unanswered request of each kind that
// can be repeated (holder_link.cc), and AskAgain sends these requests again.
// Only the listener reads packets. Loop thread only.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "session/channel.h"
#include "wire/messages.h"

namespace glasstty::session {

class HolderLink {
 public:
  // `remembers`: the session is on another machine, and is this server's.
  explicit HolderLink(bool remembers) : remembers_(remembers) {}

  // `listener` must live until Disconnect or the destruction of this object.
  void Connect(std::unique_ptr<Channel> channel, ChannelListener* listener);
  void Disconnect();
  bool connected() const { return channel_ != nullptr; }

  void Send(const wire::IsMessage auto& message) {
    SendPacket(wire::Encode(message));
  }
  // Forgets the request that `message`, which is of this `type`, answers.
  void Answered(const wire::Message& message, wire::PacketType type);
  // Sends the unanswered requests again.
  void AskAgain();

 private:
  void SendPacket(const wire::Writer& packet);
  void Remember(const wire::Writer& packet);

  const bool remembers_;
  std::unique_ptr<Channel> channel_;
  std::map<wire::PacketType, wire::Writer> asked_;
};

}  // namespace glasstty::session
