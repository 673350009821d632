// Takes over the sessions that an earlier server left.
//
// There are two locks, which the kernel releases when their process ends:
//   lock, in the session's directory   the holder's: free if it is dead
//   StateDir::Claim                    the server's: taken while a live server
//                                      has the session
//
// A server that starts looks through the state directory at its first tool
// call. A session that is claimed already belongs to another server: it becomes
// known to Guests, and nothing in its directory is touched. Otherwise the
// server claims the session and tries the holder's socket. If somebody listens
// there, the session is adopted alive. If not, a session on another machine
// waits for the next relay (Session::CutOff), and any other session is shown,
// from its files, as ended. The claim comes first, because a holder serves one
// server at a time.
//
// A new session is claimed before its meta.json is written, and its holder is
// started afterwards. A directory without meta.json and without a holder is
// skipped, so another server sees the new session either not at all or claimed.
// A directory with a holder is a session, even without a readable meta.json.
//
// Adds the adopted sessions to the SessionList. Keeps the names of the sessions
// that cannot be adopted yet. Borrows the arguments of the constructor, which
// must outlive this object. Loop thread only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "session/guests.h"
#include "session/remote_sessions.h"
#include "session/session_list.h"

namespace glasstty::session {

class LeftSessions {
 public:
  // A session that could not be taken over. Its program may still run. The
  // take-over is tried again from time to time, and by Adopt.
  struct Left {
    std::string id;    // empty: the state directory cannot be read
    std::string name;  // the id if the name is not known; "*" without an id
    std::string why;
  };

  LeftSessions(Loop* loop, SessionList* sessions, Guests* guests,
               RemoteSessions* remote);

  // Takes over the sessions whose server has died, and passes the sessions of
  // running servers to Guests. `only`: the one name to look for; empty: all.
  // REQUIRES: the list is open.
  void Adopt(std::string_view only = "");

  const std::vector<Left>& all() const { return left_; }
  bool Has(std::string_view name) const;
  // Makes the holder of a left session end everything in it. Needs no file but
  // the socket. If the holder is dead, kills the processes that it left behind.
  // Returns the id. Error: there is no left session of this name, it belongs to
  // another server, or it cannot be ended now.
  absl::StatusOr<std::string> End(std::string_view name);
  // True once the holder has ended and none of the session's processes is
  // found.
  bool HasEnded(const std::string& id) const;

 private:
  // Takes over one session, unless its name differs from `only`. Error: why
  // this failed. Sets `name` once the name is known. `spoken_for`: how many
  // descriptors the sessions that were adopted before will still open.
  absl::Status AdoptOne(const std::string& id, std::string_view only,
                        int spoken_for, std::string* name);
  absl::Status AdoptFolder(const std::string& id, record::Folder folder,
                           record::SessionOrigin origin);
  void AdoptSoon();

  // Borrowed.
  Loop* const loop_;
  SessionList* const sessions_;
  Guests* const guests_;
  RemoteSessions* const remote_;
  // State.
  std::vector<Left> left_;
  Duration pause_{};  // before the next try
  Timer timer_;
};

}  // namespace glasstty::session
