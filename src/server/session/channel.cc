// Packets over a SOCK_SEQPACKET socket (unix(7)). The kernel preserves packet
// boundaries, so a packet arrives whole or not at all.
//
// Both directions run at kProtocol urgency: a holder's answer about its program
// must not wait until the output of all other sessions has been fed (measured
// with 200 floods in bench/crowd.cc). Few packets arrive, because a holder
// announces more output only after an acknowledgement.
#include "session/channel.h"

#include <cerrno>
#include <utility>

namespace glasstty::session {
namespace {

// At most this many packets are handled in one turn of the loop. A socket's
// queue holds about 278. Packets are cheap: LogFeed does the expensive work in
// its own turns.
constexpr int kPacketsPerTurn = 64;

}  // namespace

SocketChannel::SocketChannel(Loop* loop, UniqueFd socket)
    : socket_(std::move(socket)),
      read_watch_(loop, socket_.get(), FdWatch::Direction::kRead,
                  Urgency::kProtocol, [this] { Readable(); }),
      write_watch_(loop, socket_.get(), FdWatch::Direction::kWrite,
                   Urgency::kProtocol, [this] { Writable(); }) {
  write_watch_.Enable(false);
  SetNonBlocking(socket_.get());
}

void SocketChannel::Send(wire::PacketHeader header, std::string_view payload) {
  if (queue_.empty() && wire::SendPacket(socket_.get(), header, payload))
    return;
  // After EAGAIN, the packet is queued, and sent when there is room. Any other
  // error means that the holder is gone, which the next read reports.
  if (queue_.empty() && errno != EAGAIN) return;
  queue_.push_back({header, std::string(payload)});
  write_watch_.Enable(true);
}

// After any error but EAGAIN, the packet is dropped: nobody will read it, and
// the queue must not wait for ever.
void SocketChannel::Writable() {
  while (!queue_.empty()) {
    const Queued& next = queue_.front();
    if (!wire::SendPacket(socket_.get(), next.header, next.payload) &&
        errno == EAGAIN) {
      return;
    }
    queue_.pop_front();
  }
  write_watch_.Enable(false);
}

void SocketChannel::Readable() {
  char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
  for (int i = 0; i < kPacketsPerTurn; ++i) {
    wire::Packet packet;
    switch (
        wire::ReceivePacket(socket_.get(), buffer, sizeof buffer, &packet)) {
      case wire::Receive::kNothing:
        return;
      case wire::Receive::kPacket:
        if (listener_ != nullptr) listener_->OnPacket(packet);
        break;
      case wire::Receive::kClosed:
        read_watch_.Enable(false);
        write_watch_.Enable(false);
        queue_.clear();
        if (listener_ != nullptr) listener_->OnGone();
        return;  // the listener may have destroyed this
    }
  }
}

}  // namespace glasstty::session
