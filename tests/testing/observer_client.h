// An observer's side of one holder, for tests. Waits on the socket with a
// deadline, and sends something now and then while it waits, as an observer
// that has the keyboard must.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "testing/received.h"
#include "wire/messages.h"

namespace glasstty {

class ObserverClient {
 public:
  // Connects to `watch` in the session's directory; see ok().
  explicit ObserverClient(int dir_fd);

  bool ok() const { return socket_.valid(); }
  int fd() const { return socket_.get(); }
  void Disconnect() { socket_.Reset(); }
  // Sends Watch and receives Welcome.
  bool Greet(std::string_view label = "test");
  const wire::HolderInfo& info() const { return info_; }
  // From now on, it sends nothing by itself.
  void FallSilent() { beats_ = false; }

  bool Send(const wire::IsMessage auto& message) {
    return SendPatiently(socket_.get(), message);
  }
  // Returns the next message of that type, whose texts are valid until the next
  // call.
  template <wire::IsMessage M>
  std::optional<M> Await(std::chrono::milliseconds limit = kPatience) {
    if (!Receive(M::kType, limit)) return std::nullopt;
    return last_.As<M>();
  }
  // Returns the next Lease with these flags.
  std::optional<wire::LeaseInfo> AwaitLease(
      uint64_t flags, std::chrono::milliseconds limit = kPatience);
  // Takes the keyboard; returns false if somebody else has it.
  bool Take(uint64_t idle_ms = 0, uint64_t flags = 0);
  void Type(std::string_view text, uint64_t flags = 0) {
    Send(wire::Write{++serial_, flags, text});
  }
  // Waits until the holder has closed the connection.
  bool AwaitClose(std::chrono::milliseconds limit = kPatience);

 private:
  // Receives packets until one has this type, into `last_`.
  bool Receive(wire::PacketType type, std::chrono::milliseconds limit);

  UniqueFd socket_;
  wire::HolderInfo info_;
  Received last_;
  bool beats_ = true;
  bool closed_ = false;
  uint64_t serial_ = 0;
};

}  // namespace glasstty
