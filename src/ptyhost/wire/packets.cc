#include "wire/packets.h"

#include <sys/socket.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstring>

namespace glasstty::wire {

namespace {

// Returns true if the kernel has no memory for a packet at the moment
// (sendmsg(2), recv(2)). The connection is intact, so the packet is delayed,
// not lost.
bool IsShortage(int error) { return error == ENOBUFS || error == ENOMEM; }

}  // namespace

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
  if (n < 0 && IsShortage(errno)) errno = EAGAIN;
  return n >= 0;
}

std::string BytesOf(const Packet& packet) {
  PacketHeader header = packet.header;
  header.payload = packet.payload.size();
  std::string bytes(AsBytes(header));
  return bytes += packet.payload;
}

std::optional<Packet> PacketOf(std::string_view bytes) {
  constexpr size_t kHead = sizeof(PacketHeader);
  if (bytes.size() < kHead || bytes.size() > kHead + kMaxPayload) {
    return std::nullopt;
  }
  Packet packet{HeadOf<PacketHeader>(bytes), bytes.substr(kHead)};
  if (packet.header.magic != kWireMagic) return std::nullopt;
  packet.header.payload = packet.payload.size();
  return packet;
}

Receive ReceivePacket(int fd, char* buffer, size_t size, Packet* packet) {
  ssize_t n;
  do {
    // MSG_TRUNC returns the true length, so a packet that was truncated to fit
    // the buffer is detected.
    n = recv(fd, buffer, size, MSG_DONTWAIT | MSG_TRUNC);
    // ECONNRESET means that the peer closed the socket without reading all of
    // our packets. The kernel reports this once, before the data that the peer
    // had sent, which can still be read.
  } while (n < 0 && (errno == EINTR || errno == ECONNRESET));
  if (n < 0) {
    bool later = errno == EAGAIN || errno == EWOULDBLOCK || IsShortage(errno);
    return later ? Receive::kNothing : Receive::kClosed;
  }
  auto length = static_cast<size_t>(n);
  if (length < sizeof(PacketHeader) || length > size) return Receive::kClosed;
  memcpy(&packet->header, buffer, sizeof(PacketHeader));
  // The version is not checked: Hello negotiates the version, and a session can
  // be ended between any two versions.
  if (packet->header.magic != kWireMagic) return Receive::kClosed;
  if (packet->header.payload != length - sizeof(PacketHeader)) {
    return Receive::kClosed;
  }
  packet->payload = {buffer + sizeof(PacketHeader),
                     length - sizeof(PacketHeader)};
  return Receive::kPacket;
}

}  // namespace glasstty::wire
