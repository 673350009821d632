#include "holder/link.h"

#include "wire/messages.h"

namespace glasstty::holder {

void Link::Accept() {
  UniqueFd fd = listener_.Accept();
  if (!fd.valid()) return;
  if (attached()) {
    wire::SendMessage(fd.get(), wire::Busy{});
    return;
  }
  Attach(std::move(fd));
}

}  // namespace glasstty::holder
