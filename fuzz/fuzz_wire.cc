// Tests packets: any bytes are read as a message, and that message is written
// as bytes that are read as the same message again.
//
// The first 18 bytes are the type and the two numbers, the rest is the payload.
#include <string_view>
#include <type_traits>
#include <variant>

#include "require.h"
#include "wire/messages.h"

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
  Message message = Decode(packet);
  std::visit(
      [&]<typename M>(const M& known) {
        if constexpr (!std::is_same_v<M, std::monostate>) {
          Writer again = Encode(known);
          glasstty::Require(Decode({again.header, again.payload}) == message);
        }
      },
      message);
  return 0;
}
