// SOCK_SEQPACKET keeps packets apart, delivers what was sent before a crash,
// and tells the end of the peer. It cuts a packet that is longer than the
// buffer, and an empty packet reads as the end: none is ever sent.
#include "holder/link.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "wire/session_files.h"

namespace glasstty {
namespace {

constexpr size_t kCongestedAbove = 256;

// The socket is 0600 in a directory that is 0700; this holds also where
// somebody has changed the modes.
bool IsSameUser(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == geteuid();
}

}  // namespace

Link::Link(int dir_fd, UniqueFd first_server)
    : dir_fd_(dir_fd), fd_(std::move(first_server)) {}

bool Link::Listen() {
  constexpr int kBacklog = 8;
  listener_.Reset(
      socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener_.valid()) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // Through the descriptor: the directory's path may be too long for it.
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s",
           dir_fd_, kControlName);
  // bind(2) takes the mode from the umask, which is the program's to inherit.
  mode_t before = umask(0177);
  int result = bind(listener_.get(), reinterpret_cast<sockaddr*>(&address),
                    sizeof address);
  umask(before);
  return result == 0 && listen(listener_.get(), kBacklog) == 0;
}

void Link::StopListening() {
  if (listener_.valid()) unlinkat(dir_fd_, kControlName, 0);
  listener_.Reset();
}

void Link::Accept() {
  UniqueFd fd(
      accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!fd.valid() || !IsSameUser(fd.get())) return;
  if (attached()) {
    SendPacket(fd.get(), {.type = PacketType::kBusy});
    return;
  }
  fd_ = std::move(fd);
}

// Answers that were not sent go too: the next server asks anew.
void Link::Detach() {
  fd_.Reset();
  greeted_ = false;
  queue_.clear();
}

bool Link::PeerIsGone() const {
  pollfd query{fd_.get(), 0, 0};
  return poll(&query, 1, 0) > 0 && (query.revents & POLLHUP);
}

Receive Link::Take(Packet* packet) {
  return ReceivePacket(fd_.get(), buffer_, sizeof buffer_, packet);
}

void Link::Forget() { explicit_bzero(buffer_, sizeof buffer_); }

// Past a non-empty queue nothing may go, or answers would change their order.
void Link::Send(PacketHeader header, std::string_view payload) {
  if (!attached() || !greeted_) return;
  if (queue_.empty() && SendPacket(fd_.get(), header, payload)) return;
  queue_.push_back({header, std::string(payload)});
}

void Link::SendLatest(PacketHeader header, std::string_view payload) {
  for (Queued& queued : queue_) {
    if (queued.header.type == header.type) {
      queued = {header, std::string(payload)};
      return;
    }
  }
  Send(header, payload);
}

void Link::Flush() {
  while (!queue_.empty()) {
    const Queued& next = queue_.front();
    if (!SendPacket(fd_.get(), next.header, next.payload)) {
      // A dead connection is noticed by the next Take, after what the server
      // had still sent.
      if (errno != EAGAIN) queue_.clear();
      return;
    }
    queue_.pop_front();
  }
}

// A socket queues some 278 packets by itself; what comes here is beyond.
bool Link::IsCongested() const { return queue_.size() > kCongestedAbove; }

}  // namespace glasstty
