// The places on other machines that callers have asked for. Finds or starts
// their near relays, and the sessions in which their clients run, such as ssh.
//
// Each server has its own relays. After the death of a server, the next server
// takes over its relays.
//
// Owns the links together with its callers. Borrows the loop. The caller
// provides functions that open sessions and report which places are used. Loop
// thread only.
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

// A place, and the session in which its client runs, where a person or an agent
// can answer the client's questions.
struct ReachedPlace {
  // Stays valid, but is gone(), if another link takes its place.
  std::shared_ptr<PlaceLink> link;
  SessionRef client;  // null only from Places::All, if none was started
};

class Places {
 public:
  // Opens a session that runs the client `argv`, or returns the live session in
  // which the client runs already. `name` may be one that users cannot choose.
  using OpenClient = std::function<absl::StatusOr<SessionRef>(
      const std::string& name, const std::vector<std::string>& argv)>;

  // Returns whether a session runs at `place`.
  using IsUsed = std::function<bool(const place::Place& place)>;

  // `directory` contains the places' directories and is created when needed.
  // `executable` is a descriptor of the holder's executable, which must stay
  // open; `executable_path` is its path.
  Places(Loop* loop, std::string directory, int executable,
         std::string executable_path, OpenClient open, IsUsed is_used);

  // Starts to connect the place; the status of its link shows the progress.
  // Error: its directory, its relay or the client's session cannot be used.
  absl::StatusOr<ReachedPlace> Reach(const place::Place& place);

  // Takes over the relays and clients that earlier servers left for this place.
  void Adopt(const place::Place& place);

  // Ends the automatic restarts of clients. Until this call, a client that has
  // ended is started again after a pause while a session runs at its place,
  // unless somebody has closed the client.
  void Stop();

  // Returns the reached places, in the order in which they were added.
  std::vector<ReachedPlace> All() const;

 private:
  static constexpr Duration kFirstPause = std::chrono::milliseconds(100);

  struct Known {
    place::Place place;
    std::string path;  // the path of its directory
    UniqueFd claim;    // a lock, so that no other server uses `path`
    wire::PlaceSpec spec;
    std::shared_ptr<PlaceLink> link;
    SessionRef client;
    std::unique_ptr<Watch> watch;  // notices when the client ends
    // The pause before the client is started again, and its timer.
    Duration pause = kFirstPause;
    std::unique_ptr<Timer> restart;
  };

  // Returns null if the place was not reached yet.
  Known* Find(const place::Place& place);
  absl::Status Reach(Known* known);
  absl::StatusOr<UniqueFd> Claim(Known* known, const place::Place& place);
  absl::Status Connect(Known* known);
  absl::Status FindClient(Known* known);
  void LookAfter(Known* known);
  bool WantsClient(const Known& known) const;
  void RestartClient(Known* known);
  absl::Status CompleteSpec(const place::Place& place,
                            wire::PlaceSpec* spec) const;
  absl::StatusOr<std::string> Hash();

  Loop* const loop_;
  const std::string directory_;
  const int executable_;  // borrowed
  const std::string executable_path_;
  const OpenClient open_;
  const IsUsed is_used_;
  std::string hash_;  // see Hash(); empty until it is needed
  std::list<Known> known_;
  bool stopped_ = false;
};

}  // namespace glasstty::session
