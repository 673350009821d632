#include "holder/link.h"

namespace glasstty {

void Link::Accept() {
  UniqueFd fd = listener_.Accept();
  if (!fd.valid()) return;
  if (attached()) {
    SendPacket(fd.get(), {.type = PacketType::kBusy});
    return;
  }
  Attach(std::move(fd));
}

}  // namespace glasstty
