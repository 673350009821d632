// A connection between a holder and a peer: it carries packets in both
// directions, and records how much of the logs the peer has read.
//
// Owns the socket and a queue of packets that the socket has not accepted yet.
// Packets are sent in order, except that SendLatest replaces an unsent packet
// of the same type, so that the queue stays small. Knows nothing about
// sessions. Single-threaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "holder/log_writer.h"
#include "wire/messages.h"

namespace glasstty::holder {

class Connection {
 public:
  // At most this many packets of one peer are handled in one turn of the loop,
  // so that a busy peer does not keep the others waiting.
  static constexpr int kPacketsPerTurn = 64;

  explicit Connection(UniqueFd fd) : fd_(std::move(fd)) {}

  bool attached() const { return fd_.valid(); }
  int fd() const { return fd_.get(); }
  void Detach();
  // True if the peer has closed its end. Earlier packets can still be taken.
  bool PeerIsGone() const;

  // True once the peer has introduced itself. Nothing is sent before that.
  bool greeted() const { return greeted_; }
  void SetGreeted() { greeted_ = true; }

  // Takes the peer's next packet. Its payload is valid until the next Take or
  // Forget.
  wire::Receive Take(wire::Packet* packet);
  // Wipes the last payload, which may have held a secret.
  void Forget();

  void Send(wire::PacketHeader header, std::string_view payload = {});
  void Send(const wire::IsMessage auto& message) {
    wire::Writer packet = wire::Encode(message);
    Send(packet.header, packet.payload);
  }
  // Sends a message that reports a current state. The message replaces an
  // unsent one of the same type.
  void SendLatest(const wire::IsMessage auto& message) {
    wire::Writer packet = wire::Encode(message);
    SendLatest(packet.header, packet.payload);
  }
  void SendLatest(wire::PacketHeader header, std::string_view payload = {});
  // Sends as much of the queue as the peer accepts.
  void Flush();
  bool WantsWrite() const { return !queue_.empty(); }
  // The number of packets that the peer has not accepted.
  size_t queued() const { return queue_.size(); }
  // True if the peer does not read what it is sent. The holder reads no
  // requests of a congested server. An observer is dropped before it is
  // congested (Observers::FindLost).
  bool IsCongested() const;

  // Sets the offsets at which the peer begins to read: in both logs, and
  // `inline_from` in the output that the disk refused.
  void Follow(uint64_t out, uint64_t err, uint64_t inline_from);
  // Records that the peer has consumed the logs up to these offsets, and
  // permits the next doorbell (Ring). A smaller offset than before is ignored:
  // a doorbell may be acknowledged after later bytes that were sent inline.
  void Acknowledge(uint64_t out, uint64_t err);
  uint64_t acked_out() const { return acked_out_; }
  uint64_t acked_err() const { return acked_err_; }
  // Sends the doorbell (wire::Data) if the logs contain more than the peer has
  // acknowledged. Sends no other one until the next acknowledgement.
  void Ring(uint64_t out_end, uint64_t err_end);
  // Sends the bytes that `log` holds in memory, beginning where the last call
  // ended. Stops when the connection is congested.
  void SendInline(const LogWriter& log);

 protected:
  void Attach(UniqueFd fd) { fd_ = std::move(fd); }

 private:
  struct Queued {
    wire::PacketHeader header;
    std::string payload;
  };

  UniqueFd fd_;
  bool greeted_ = false;
  std::deque<Queued> queue_;
  bool armed_ = false;  // Ring may send a doorbell
  uint64_t acked_out_ = 0;
  uint64_t acked_err_ = 0;
  uint64_t inline_sent_ = 0;
  char buffer_[sizeof(wire::PacketHeader) + wire::kMaxPayload];
};

}  // namespace glasstty::holder
