// The observers: connections to the socket `watch`.
//
// Owns the listening socket and at most kMaxObservers connections. An observer
// that does not read is disconnected; it may connect again, and is then shown
// the current state. Decides nothing about the keyboard (lease.h). The holder's
// thread.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/fd.h"
#include "holder/connection.h"
#include "holder/listener.h"
#include "wire/packets.h"
#include "wire/session_files.h"

namespace glasstty::holder {

struct Observer : Connection {
  explicit Observer(UniqueFd fd) : Connection(std::move(fd)) {}

  uint32_t id = 0;  // counts from 1, never used again
  pid_t pid = 0;    // of the process that connected, as this one sees it
  std::string label;
  Time hello_by{};  // it must have said kWatch by then
  Time probed{};    // when it last got a fresh answer
};

class Observers {
 public:
  explicit Observers(int dir_fd) : listener_(dir_fd, wire::kWatchName) {}

  // Creates `watch`. False with errno.
  bool Listen() { return listener_.Listen(); }
  void StopListening() { listener_.Stop(); }
  int listen_fd() const { return listener_.fd(); }

  // Accepts a waiting connection; one too many gets kBusy.
  void Accept(Time now);
  // kMaxObservers places, null where there is no observer.
  const std::array<std::unique_ptr<Observer>, wire::kMaxObservers>& all()
      const {
    return observers_;
  }
  void Remove(const Observer* observer);
  // One that has to go: it does not read, or never said who it is. Null: none.
  const Observer* FindLost(Time now) const;
  // When FindLost should be called.
  Time next() const;

  void Ring(uint64_t out_end, uint64_t err_end);
  void SendInline(const LogWriter& log);
  void SendLatest(const wire::PacketHeader& header,
                  std::string_view payload = {});

 private:
  Listener listener_;
  std::array<std::unique_ptr<Observer>, wire::kMaxObservers> observers_;
  uint32_t last_id_ = 0;
};

// `payload` as a label: printable ASCII, at most kMaxLabel characters.
std::string CleanLabel(std::string_view payload);

}  // namespace glasstty::holder
