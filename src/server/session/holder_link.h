// The server's end of the connection to a session's holder.
//
// Owns the channel. While there is no connection, the channel is null, and
// messages are dropped. The connection to another machine may break. So for a
// session there, this object also remembers the last unanswered request of each
// kind that can be repeated (wire/messages.h), and AskAgain sends these
// requests again. Only the listener reads packets. Loop thread only.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "session/channel.h"
#include "wire/messages.h"

namespace glasstty::session {

class HolderLink {
 public:
  // `remembers`: this server owns the session, which is on another machine.
  explicit HolderLink(bool remembers) : remembers_(remembers) {}

  // `listener` must live until Disconnect or the destruction of this object.
  void Connect(std::unique_ptr<Channel> channel, ChannelListener* listener);
  void Disconnect();
  bool connected() const { return channel_ != nullptr; }

  template <wire::IsMessage Message>
  void Send(const Message& message) {
    wire::Writer packet = wire::Encode(message);
    if constexpr (requires { Message::kAskAgain; }) Remember(packet);
    if (channel_) channel_->Send(packet.header, packet.payload);
  }
  // Forgets the request that `message` answers.
  void Answered(const wire::FromHolder& message);
  // Sends the unanswered requests again.
  void AskAgain();

 private:
  void Remember(const wire::Writer& packet);

  const bool remembers_;
  std::unique_ptr<Channel> channel_;
  std::map<wire::PacketType, wire::Writer> asked_;
};

}  // namespace glasstty::session
