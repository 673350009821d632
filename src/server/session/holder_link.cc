#include "session/holder_link.h"

#include <variant>

namespace glasstty::session {

// The holder answers Hello with its whole state (Welcome).
void HolderLink::Connect(std::unique_ptr<Channel> channel,
                         ChannelListener* listener) {
  channel_ = std::move(channel);
  channel_->SetListener(listener);
  Send(wire::Hello{});
}

void HolderLink::Disconnect() {
  if (channel_) channel_->SetListener(nullptr);
  channel_.reset();
}

void HolderLink::AskAgain() {
  if (!channel_) return;
  for (const auto& [type, request] : asked_) {
    channel_->Send(request.header, request.payload);
  }
}

void HolderLink::Remember(const wire::Writer& packet) {
  if (!remembers_) return;
  wire::PacketType type = packet.header.type;
  bool is_file = type == wire::File::kType;
  if (is_file && wire::DecodeAs<wire::File>(packet.packet()).size > 0) {
    // Only the removal of a file is repeated, unless the file was written
    // again.
    std::erase_if(asked_, [&packet](const auto& asked) {
      return asked.first == wire::File::kType &&
             packet.payload.starts_with(asked.second.payload);
    });
    return;
  }
  asked_.insert_or_assign(type, packet);
}

void HolderLink::Answered(const wire::FromHolder& message) {
  // A report with serial 0 was not requested.
  const auto* end = std::get_if<wire::TreeEnd>(&message);
  if (end != nullptr && end->serial == 0) return;
  std::visit(
      [this]<typename Message>(const Message&) {
        if constexpr (requires { typename Message::Answers; }) {
          asked_.erase(Message::Answers::kType);
        }
      },
      message);
}

}  // namespace glasstty::session
