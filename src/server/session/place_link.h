// A server's connection to the near relay of a place on another machine, and
// the place's status as reported by the relay.
//
// Owns the socket. The relay is a separate process, which keeps running without
// a connection (far/near_relay.h). Calls OnChange's function from the loop and
// from IsGone. Loop thread only; `loop` must outlive it.
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
  // `socket` is connected to the relay, by its `ctl` or since its launch.
  PlaceLink(Loop* loop, place::Place place, UniqueFd socket);

  const place::Place& place() const { return place_; }
  const wire::PlaceStatus& status() const { return status_; }
  bool up() const { return status_.state == wire::PlaceState::kUp && !gone_; }
  // True if an earlier read of the socket has found that the relay is gone.
  bool gone() const { return gone_; }
  // Reads the socket first, so the answer is current.
  bool IsGone() {
    Read();
    return gone_;
  }
  // Returns the surroundings of programs on the other machine, from hello().
  // REQUIRES: up() has been true.
  Surroundings Around() const;
  // The greeting of the far end, which describes the other machine; empty until
  // the relay has reported it.
  const wire::HelloInfo& hello() const { return hello_; }

  // Lets the relay start a session on the other machine and write into
  // `directory` what a holder would write. Returns a connection like that to a
  // holder (wire/packets.h), without waiting for the start.
  absl::StatusOr<UniqueFd> Start(int directory, const wire::OpenInfo& info);
  // Like Start, but resumes a session whose former relay has died and has left
  // its files in `directory`.
  absl::StatusOr<UniqueFd> Resume(int directory, const wire::OpenInfo& info);
  // Makes the relay connect now, without waiting for the end of its pause.
  void Retry();
  // Calls `changed` after each read of the socket, by which status(), hello()
  // or gone() may have changed.
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
  FdWatch watch_;  // last: it must not outlive its descriptor
};

}  // namespace glasstty::session
