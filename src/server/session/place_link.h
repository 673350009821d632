// The server's side of a place on another machine: the connection to its near
// relay, and the status that this relay reports.
//
// Owns the socket. The relay is a separate process, which keeps running without
// this object (far/near_relay.h). Calls the function given to OnChange from the
// loop and from IsGone. Loop thread only; `loop` must outlive this object.
#pragma once

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "place/place.h"
#include "session/environment.h"
#include "support/loop.h"
#include "wire/place_control.h"
#include "wire/place_info.h"

namespace glasstty::session {

class PlaceLink {
 public:
  // `socket` is connected to the relay's socket `ctl`.
  PlaceLink(Loop* loop, place::Place place, UniqueFd socket);

  const place::Place& place() const { return place_; }
  const wire::PlaceStatus& status() const { return status_; }
  bool up() const { return status_.state == wire::PlaceState::kUp && !gone_; }
  // True if this object has noticed that the relay is gone; see IsGone.
  bool gone() const { return gone_; }
  // Like gone(), but reads the socket first, so the answer is current.
  bool IsGone() {
    Read();
    return gone_;
  }
  // Returns the surroundings of programs there. REQUIRES: up() was once true.
  Surroundings Around() const;
  // The greeting of our process on the other machine. It describes that
  // machine.
  const wire::HelloInfo& hello() const { return hello_; }

  // Hands a session over to the relay, which writes into `directory` what a
  // holder would write. The returned connection speaks wire/packets.h.
  absl::StatusOr<UniqueFd> Start(int directory, const wire::OpenInfo& info);
  // Like Start, for a session whose relay has died and left files in
  // `directory`.
  absl::StatusOr<UniqueFd> Resume(int directory, const wire::OpenInfo& info);
  // Makes the relay connect now, without waiting for the end of its pause.
  void Retry();
  // Calls `changed` whenever status(), hello() or gone() may have changed.
  void OnChange(std::function<void()> changed) {
    changed_ = std::move(changed);
  }

 private:
  void Read();
  absl::StatusOr<UniqueFd> HandOver(wire::PlaceMessage how, int directory,
                                    const wire::OpenInfo& info);

  const place::Place place_;
  UniqueFd socket_;
  wire::PlaceStatus status_;
  wire::HelloInfo hello_;
  bool gone_ = false;
  std::function<void()> changed_;
  FdWatch watch_;  // declared last: it must not outlive socket_
};

}  // namespace glasstty::session
