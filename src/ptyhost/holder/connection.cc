// SOCK_SEQPACKET keeps packets apart, delivers what was sent before a crash,
// and reports the end of the peer. It truncates a packet that is longer than
// the buffer. An empty packet would look like the end of the connection, but
// every packet has a header.
#include "holder/connection.h"

#include <poll.h>
#include <string.h>

#include <algorithm>
#include <cerrno>

namespace glasstty::holder {
namespace {

constexpr size_t kCongestedAbove = 256;

}  // namespace

// Also drops unsent answers, because the next peer sends requests of its own.
void Connection::Detach() {
  fd_.Reset();
  greeted_ = false;
  queue_.clear();
  Follow(0, 0, 0);
  armed_ = false;
}

bool Connection::PeerIsGone() const {
  pollfd query{fd_.get(), 0, 0};
  return poll(&query, 1, 0) > 0 && (query.revents & POLLHUP);
}

wire::Receive Connection::Take(wire::Packet* packet) {
  return wire::ReceivePacket(fd_.get(), buffer_, sizeof buffer_, packet);
}

void Connection::Forget() { explicit_bzero(buffer_, sizeof buffer_); }

// A packet must not overtake the queue, or answers would change their order.
void Connection::Send(wire::PacketHeader header, std::string_view payload) {
  if (!attached() || !greeted_) return;
  if (queue_.empty() && wire::SendPacket(fd_.get(), header, payload)) return;
  queue_.push_back({header, std::string(payload)});
}

void Connection::SendLatest(wire::PacketHeader header,
                            std::string_view payload) {
  for (Queued& queued : queue_) {
    if (queued.header.type == header.type) {
      queued = {header, std::string(payload)};
      return;
    }
  }
  Send(header, payload);
}

void Connection::Flush() {
  while (!queue_.empty()) {
    const Queued& next = queue_.front();
    if (!wire::SendPacket(fd_.get(), next.header, next.payload)) {
      // Take reports a dead connection, after the peer's last packets.
      if (errno != EAGAIN) queue_.clear();
      return;
    }
    queue_.pop_front();
  }
}

// The socket itself queues some 278 packets; queue_ contains only the packets
// beyond those.
bool Connection::IsCongested() const { return queue_.size() > kCongestedAbove; }

void Connection::Follow(uint64_t out, uint64_t err, uint64_t inline_from) {
  acked_out_ = out;
  acked_err_ = err;
  inline_sent_ = inline_from;
  armed_ = true;
}

void Connection::Acknowledge(uint64_t out, uint64_t err) {
  acked_out_ = std::max(acked_out_, out);
  acked_err_ = std::max(acked_err_, err);
  armed_ = true;
}

void Connection::Ring(uint64_t out_end, uint64_t err_end) {
  bool news = out_end > acked_out_ || err_end > acked_err_;
  if (!armed_ || !news || !greeted_) return;
  armed_ = false;
  SendLatest(wire::Data{out_end, err_end});
}

void Connection::SendInline(const LogWriter& log) {
  inline_sent_ = std::max(inline_sent_, log.held_offset());
  while (inline_sent_ < log.end() && greeted_ && !IsCongested()) {
    std::string_view rest =
        log.held().substr(inline_sent_ - log.held_offset(), wire::kMaxPayload);
    Send(wire::Inline{inline_sent_, rest});
    inline_sent_ += rest.size();
  }
}

}  // namespace glasstty::holder
