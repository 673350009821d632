// The holder's side of one connection: packets in both directions, and how much
// of the log has been announced to the peer.
//
// Owns the socket and the packets that its queue did not accept. Answers are
// sent in order. A message that carries a latest state replaces an unsent one
// of its type, so the queue stays small. Knows nothing about sessions. The
// holder's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "holder/log_writer.h"
#include "wire/packets.h"

namespace glasstty::holder {

class Connection {
 public:
  explicit Connection(UniqueFd fd) : fd_(std::move(fd)) {}

  bool attached() const { return fd_.valid(); }
  int fd() const { return fd_.get(); }
  void Detach();
  // True when the peer has closed its end. What it sent before can still be
  // taken.
  bool PeerIsGone() const;

  // Nothing is sent before the peer has said who it is.
  bool greeted() const { return greeted_; }
  void SetGreeted() { greeted_ = true; }

  // Next packet of the peer. The payload holds until the next call.
  wire::Receive Take(wire::Packet* packet);
  // Wipes the last payload: it may have held a secret.
  void Forget();

  void Send(wire::PacketHeader header, std::string_view payload = {});
  // For messages that are a latest state.
  void SendLatest(wire::PacketHeader header, std::string_view payload = {});
  // Sends what is queued, as far as the peer takes it.
  void Flush();
  bool WantsWrite() const { return !queue_.empty(); }
  // Packets that the peer has not taken.
  size_t queued() const { return queue_.size(); }
  // True when the peer does not read its answers: its requests wait then.
  bool IsCongested() const;

  // The doorbell: the peer begins at these offsets of both logs; bytes that the
  // disk did not take come from `inline_from` on.
  void Follow(uint64_t out, uint64_t err, uint64_t inline_from);
  // The peer has consumed so much, and wants to hear of more. What was consumed
  // stays consumed: an acknowledgement of the doorbell may come after one of
  // later, inline bytes.
  void Acknowledge(uint64_t out, uint64_t err);
  uint64_t acked_out() const { return acked_out_; }
  uint64_t acked_err() const { return acked_err_; }
  // Tells where the logs end, once until the next acknowledgement.
  void Ring(uint64_t out_end, uint64_t err_end);
  // Sends what `log` holds in memory, from where the last call ended and as far
  // as the queue takes it; the next acknowledgement brings the rest.
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
  // the doorbell
  bool armed_ = false;
  uint64_t acked_out_ = 0;
  uint64_t acked_err_ = 0;
  uint64_t inline_sent_ = 0;
  char buffer_[sizeof(wire::PacketHeader) + wire::kMaxPayload];
};

}  // namespace glasstty::holder
