#include "session/holder_link.h"

#include <iterator>
#include <optional>
#include <variant>

namespace glasstty::session {
namespace {

// The kinds of request whose last instance is repeated, each with its answer.
struct Repeated {
  wire::PacketType request;
  std::optional<wire::PacketType> answer;  // none: no packet answers it
};
constexpr Repeated kRepeated[] = {
    {wire::Resize::kType, wire::Resized::kType},
    {wire::Probe::kType, wire::State::kType},
    {wire::Tree::kType, wire::TreeEnd::kType},
    {wire::Close::kType, std::nullopt},
    {wire::Kill::kType, std::nullopt},
    {wire::Policy::kType, std::nullopt},
    {wire::Ask::kType, std::nullopt},
    {wire::File::kType, std::nullopt},
};

}  // namespace

// The holder answers with its whole state (Welcome).
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

void HolderLink::SendPacket(const wire::Writer& packet) {
  if (remembers_) Remember(packet);
  if (channel_) channel_->Send(packet.header, packet.payload);
}

void HolderLink::AskAgain() {
  if (!channel_) return;
  for (const auto& [type, request] : asked_) {
    channel_->Send(request.header, request.payload);
  }
}

void HolderLink::Remember(const wire::Writer& packet) {
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
  for (const Repeated& repeated : kRepeated) {
    if (repeated.request == type) asked_.insert_or_assign(type, packet);
  }
}

void HolderLink::Answered(const wire::Message& message, wire::PacketType type) {
  if (!remembers_) return;
  // A report with serial 0 was not requested.
  const auto* end = std::get_if<wire::TreeEnd>(&message);
  if (end != nullptr && end->serial == 0) return;
  for (const Repeated& repeated : kRepeated) {
    if (repeated.answer == type) asked_.erase(repeated.request);
  }
}

}  // namespace glasstty::session
