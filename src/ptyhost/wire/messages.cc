#include "wire/messages.h"

#include <type_traits>

namespace glasstty::wire {
namespace {

// These only select a template.
constexpr const FromServer* kServer = nullptr;
constexpr const FromObserver* kObserver = nullptr;
constexpr const FromHolder* kHolder = nullptr;

template <typename... A, typename... B>
constexpr bool NumbersDiffer(const std::variant<std::monostate, A...>*,
                             const std::variant<std::monostate, B...>*) {
  auto differs = []<typename M>(const M*) {
    return ((std::is_same_v<M, B> || M::kType != B::kType) && ...);
  };
  return (differs(static_cast<const A*>(nullptr)) && ...);
}
static_assert(NumbersDiffer(kServer, kServer) &&
                  NumbersDiffer(kServer, kObserver) &&
                  NumbersDiffer(kServer, kHolder) &&
                  NumbersDiffer(kObserver, kObserver) &&
                  NumbersDiffer(kObserver, kHolder) &&
                  NumbersDiffer(kHolder, kHolder),
              "two messages have the same number");

template <typename... M>
auto DecodeOneOf(const Packet& packet,
                 const std::variant<std::monostate, M...>*) {
  std::variant<std::monostate, M...> message;
  static_cast<void>(((packet.header.type == M::kType &&
                      (message = DecodeAs<M>(packet), true)) ||
                     ...));
  return message;
}

}  // namespace

template <>
FromServer Decode(const Packet& packet) {
  return DecodeOneOf(packet, kServer);
}

template <>
FromObserver Decode(const Packet& packet) {
  return DecodeOneOf(packet, kObserver);
}

template <>
FromHolder Decode(const Packet& packet) {
  return DecodeOneOf(packet, kHolder);
}

bool IsFromObserver(PacketType type) {
  return Decode<FromObserver>({{.type = type}, {}}).index() > 0;
}

}  // namespace glasstty::wire
