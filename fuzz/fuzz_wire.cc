// Tests packets: any bytes are read as a message, and that message is written
// as bytes that are read as the same message again.
//
// The first 18 bytes are the type and the two numbers, the rest is the payload.
#include <string_view>
#include <type_traits>
#include <variant>

#include "require.h"
#include "wire/messages.h"

namespace {

template <typename Side>
void RequireSameAgain(const glasstty::wire::Packet& packet) {
  auto message = glasstty::wire::Decode<Side>(packet);
  std::visit(
      [&]<typename M>(const M& known) {
        if constexpr (!std::is_same_v<M, std::monostate>) {
          auto again = glasstty::wire::Encode(known);
          glasstty::Require(glasstty::wire::Decode<Side>(again.packet()) ==
                            message);
        }
      },
      message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace glasstty::wire;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  struct Numbers {
    uint64_t a;
    uint64_t b;
    uint16_t type;
  };
  constexpr size_t kHead = 18;
  if (size < kHead) return 0;
  auto numbers = HeadOf<Numbers>(bytes.substr(0, kHead));
  Packet packet{{.type = static_cast<PacketType>(numbers.type % 96),
                 .a = numbers.a,
                 .b = numbers.b},
                bytes.substr(kHead, kMaxPayload)};
  RequireSameAgain<FromServer>(packet);
  RequireSameAgain<FromObserver>(packet);
  RequireSameAgain<FromHolder>(packet);
  return 0;
}
