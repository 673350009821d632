#include "wire/messages.h"

#include <algorithm>
#include <iterator>

namespace glasstty::wire {
namespace {

template <typename... M>
constexpr bool NumbersDiffer(const std::variant<std::monostate, M...>*) {
  PacketType numbers[] = {M::kType...};
  std::ranges::sort(numbers);
  return std::ranges::adjacent_find(numbers) == std::end(numbers);
}
static_assert(NumbersDiffer(static_cast<const Message*>(nullptr)),
              "two messages have the same number");

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
