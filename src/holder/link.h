// The holder's side of the control connection: at most one server at a time.
//
// Owns the connection, the listening socket `ctl` and the packets that the
// server's queue did not take. Answers are sent in order; messages that are a
// latest state replace an unsent one of their type, so what is queued stays
// small. Knows nothing of sessions. The holder's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "wire/packets.h"

namespace glasstty {

class Link {
 public:
  // Both descriptors are borrowed or taken over as the type says.
  Link(int dir_fd, UniqueFd first_server);

  // Creates `ctl`. False with errno.
  bool Listen();
  // Removes `ctl`.
  void StopListening();
  int listen_fd() const { return listener_.get(); }

  // Takes a waiting connection. It becomes the server if there is none, and
  // is told kBusy otherwise; strangers (another user) are closed.
  void Accept();

  bool attached() const { return fd_.valid(); }
  int fd() const { return fd_.get(); }
  void Detach();
  // True when the server has closed its end. What it sent before can still be
  // taken.
  bool PeerIsGone() const;

  // Nothing but kWelcome is sent before the server has said Hello.
  bool greeted() const { return greeted_; }
  void SetGreeted() { greeted_ = true; }

  // Next packet of the server. The payload holds until the next call.
  Receive Take(Packet* packet);
  // Wipes the last payload: it may have held a secret.
  void Forget();

  void Send(PacketHeader header, std::string_view payload = {});
  // For messages that are a latest state.
  void SendLatest(PacketHeader header, std::string_view payload = {});
  // Sends what is queued, as far as the server takes it.
  void Flush();
  bool WantsWrite() const { return !queue_.empty(); }
  // True when the server does not read its answers: its requests wait then.
  bool IsCongested() const;

 private:
  struct Queued {
    PacketHeader header;
    std::string payload;
  };

  const int dir_fd_;
  UniqueFd listener_;
  UniqueFd fd_;
  bool greeted_ = false;
  std::deque<Queued> queue_;
  char buffer_[sizeof(PacketHeader) + kMaxPayload];
};

}  // namespace glasstty
