#include "wire/packets.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

namespace glasstty::wire {

bool SendPacket(int fd, PacketHeader header, std::string_view payload) {
  header.payload = payload.size();
  iovec parts[2] = {
      {&header, sizeof header},
      {const_cast<char*>(payload.data()), payload.size()},
  };
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = payload.empty() ? 1 : 2;
  ssize_t n;
  do {
    n = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (n < 0 && errno == EINTR);
  return n >= 0;
}

Receive ReceivePacket(int fd, char* buffer, size_t size, Packet* packet) {
  ssize_t n;
  do {
    // MSG_TRUNC: the true length, so that a packet that was cut to the buffer
    // is seen as one.
    n = recv(fd, buffer, size, MSG_DONTWAIT | MSG_TRUNC);
    // ECONNRESET: the peer closed while something of ours was unread. It is
    // told once, and before what the peer had sent, which is still there.
  } while (n < 0 && (errno == EINTR || errno == ECONNRESET));
  if (n < 0) {
    bool later = errno == EAGAIN || errno == EWOULDBLOCK;
    return later ? Receive::kNothing : Receive::kClosed;
  }
  auto length = static_cast<size_t>(n);
  if (length < sizeof(PacketHeader) || length > size) return Receive::kClosed;
  memcpy(&packet->header, buffer, sizeof(PacketHeader));
  // The version is not looked at: Hello settles it, and ending a session works
  // between any two versions.
  if (packet->header.magic != kWireMagic) return Receive::kClosed;
  if (packet->header.payload != length - sizeof(PacketHeader)) {
    return Receive::kClosed;
  }
  packet->payload = {buffer + sizeof(PacketHeader),
                     length - sizeof(PacketHeader)};
  return Receive::kPacket;
}

}  // namespace glasstty::wire
