// The places on other machines that callers have asked for. Finds or starts
// their near relays, and the sessions in which their clients run.
//
// Each server has its own relays, just as it has its own sessions; the next
// server takes over the relays of a server that has died.
//
// Owns the links. Borrows the loop. The caller passes in a function that opens
// sessions. Loop thread only.
#pragma once

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "session/place_link.h"
#include "session/session.h"

namespace glasstty::session {

// A place, and the session in which a person or an agent answers its client.
struct ReachedPlace {
  PlaceLink* link = nullptr;
  SessionRef client;  // null (only from Places::All): none has been started
};

class Places {
 public:
  // Opens a session of that name, which need not be a name that users may
  // choose, or finds the session that has that command line.
  using OpenClient = std::function<absl::StatusOr<SessionRef>(
      const std::string& name, const std::vector<std::string>& argv)>;

  // Returns whether a session runs there.
  using IsUsed = std::function<bool(const place::Place& place)>;

  // `directory` contains the places' directories and is created when needed.
  // `executable` and `executable_path` are the holder's executable, open and by
  // path.
  Places(Loop* loop, std::string directory, int executable,
         std::string executable_path, OpenClient open, IsUsed is_used);

  // Starts to connect the place; its link's status shows the progress. Error:
  // the relay or the client's session cannot be started.
  absl::StatusOr<ReachedPlace> Reach(const place::Place& place);

  // Takes over the clients of the relays that earlier servers left for this
  // place.
  void Adopt(const place::Place& place);

  // Ends the restarting of clients. Until then, a client that ends by itself or
  // is killed is started again after a pause while a session runs at its place;
  // a client that somebody has closed is not.
  void Stop();

  // The places that were reached, in the order of reaching.
  std::vector<ReachedPlace> All() const;

 private:
  static constexpr Duration kFirstPause = std::chrono::milliseconds(100);

  struct Known {
    place::Place place;
    std::string path;  // of its directory
    UniqueFd claim;    // a lock, so that no other server uses `path`
    wire::PlaceSpec spec;
    std::unique_ptr<PlaceLink> link;
    SessionRef client;
    std::unique_ptr<Watch> watch;  // of the client
    // The pause before the client is started again.
    Duration pause = kFirstPause;
  };

  // Returns null if the place was not reached yet.
  Known* Find(const place::Place& place);
  absl::Status Reach(Known* known);
  absl::StatusOr<UniqueFd> Claim(Known* known, const place::Place& place);
  absl::Status Connect(Known* known);
  absl::Status FindClient(Known* known);
  void LookAfter(Known* known);
  bool WantsClient(const Known& known) const;
  void RestartClients();
  absl::Status CompleteSpec(const place::Place& place,
                            wire::PlaceSpec* spec) const;
  absl::StatusOr<std::string> Hash();

  Loop* const loop_;
  const std::string directory_;
  const int executable_;  // borrowed
  const std::string executable_path_;
  const OpenClient open_;
  const IsUsed is_used_;
  std::string hash_;  // of the executable, once it was needed
  std::list<Known> known_;
  bool stopped_ = false;
  Timer restart_timer_;  // armed: a client has ended
};

}  // namespace glasstty::session
