#include "holder/listener.h"

#include <unistd.h>

#include "wire/own_socket.h"

namespace glasstty::holder {

bool Listener::Listen() {
  constexpr int kBacklog = 8;
  socket_ = wire::ListenAt(dir_fd_, name_, type_, kBacklog);
  return socket_.valid();
}

void Listener::Stop() {
  if (socket_.valid()) unlinkat(dir_fd_, name_, 0);
  socket_.Reset();
}

UniqueFd Listener::Accept() { return wire::AcceptOwn(socket_.get()); }

}  // namespace glasstty::holder
