#include "wire/messages.h"

namespace glasstty::wire {
namespace {

template <typename... M>
Message DecodeOneOf(const Packet& packet,
                    const std::variant<std::monostate, M...>&) {
  Message message;
  static_cast<void>(((packet.header.type == M::kType &&
                      (message = DecodeAs<M>(packet), true)) ||
                     ...));
  return message;
}

}  // namespace

Message Decode(const Packet& packet) { return DecodeOneOf(packet, Message()); }

}  // namespace glasstty::wire
