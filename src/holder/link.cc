#include "holder/link.h"

namespace glasstty::holder {

void Link::Accept() {
  UniqueFd fd = listener_.Accept();
  if (!fd.valid()) return;
  if (attached()) {
    wire::SendPacket(fd.get(), {.type = wire::PacketType::kBusy});
    return;
  }
  Attach(std::move(fd));
}

}  // namespace glasstty::holder
