// The observers: connections to the socket `watch`.
//
// Owns the listening socket and at most kMaxObservers connections. The holder
// disconnects an observer that does not read; when the observer connects again,
// it gets the current state. Decides nothing about the keyboard (keyboard.h).
// Holder thread only.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/fd.h"
#include "holder/connection.h"
#include "holder/listener.h"
#include "wire/messages.h"
#include "wire/session_files.h"

namespace glasstty::holder {

struct Observer : Connection {
  explicit Observer(UniqueFd fd) : Connection(std::move(fd)) {}

  uint32_t id = 0;  // counts from 1, never reused
  pid_t pid = 0;    // the pid of the process that connected, in the holder's
                    // PID namespace
  std::string label;
  Time hello_by{};  // the time by which Watch must have arrived
  Time probed{};    // when the program was last examined for its probe
  // Set while the observer waits for the keyboard for a call.
  std::optional<wire::Take> wanted;
  // The serial of the last write of the observer's call; 0 once that write has
  // a receipt.
  uint64_t unread = 0;
};

class Observers {
 public:
  explicit Observers(int dir_fd) : listener_(dir_fd, wire::kWatchName) {}

  // Creates `watch`. Returns false with errno on failure.
  bool Listen() { return listener_.Listen(); }
  void StopListening() { listener_.Stop(); }
  int listen_fd() const { return listener_.fd(); }

  // Accepts a waiting connection, or refuses it by Busy if no place is free.
  void Accept(Time now);
  // The observers; null stands for a free place.
  const std::array<std::unique_ptr<Observer>, wire::kMaxObservers>& all()
      const {
    return observers_;
  }
  void Remove(const Observer* observer);
  // Returns an observer that must be removed, because it does not read or has
  // not introduced itself in time; null if there is none.
  const Observer* FindLost(Time now) const;
  // Returns the time at which FindLost should be called.
  Time next() const;

  void Ring(uint64_t out_end, uint64_t err_end);
  void SendInline(const LogWriter& log);
  void SendLatest(const wire::IsMessage auto& message) {
    for (auto& observer : observers_) {
      if (observer != nullptr) observer->SendLatest(message);
    }
  }

 private:
  Listener listener_;
  std::array<std::unique_ptr<Observer>, wire::kMaxObservers> observers_;
  uint32_t last_id_ = 0;
};

// Turns `payload` into a label: printable ASCII, at most kMaxLabel characters.
std::string CleanLabel(std::string_view payload);

}  // namespace glasstty::holder
