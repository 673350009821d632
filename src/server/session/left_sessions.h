// Takes over the sessions that an earlier server left.
//
// There are two locks; the kernel releases each when its process ends, in
// whatever way:
//   lock, in the session's directory   the holder's: free when it is dead
//   StateDir::Claim                    the server's: taken while a live server
//                                      has the session
//
// A server that starts looks through the state directory at its first tool
// call. A session that is claimed is another server's: it becomes known to
// Guests and nothing is touched. Otherwise the server claims it and tries the
// holder's socket. If the holder answers, the session is adopted alive; if not,
// the files are shown as a session that has ended. The claim comes before the
// connection, because a holder serves one server at a time.
//
// A new session is claimed before its meta.json is written, and its holder is
// started afterwards. A directory without meta.json and without a holder is
// skipped, so a server that looks at that moment sees either no session or a
// claimed one. A directory with a holder is a session, even if the file is
// missing or damaged.
//
// Adds what it adopts to the list. Owns the names of those that it cannot adopt
// yet. Borrows the rest, which must outlive it. Loop thread only.
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
  // A session that could not be taken over. Its program keeps running. The
  // take-over is tried again from time to time, and by Adopt.
  struct Left {
    std::string id;
    std::string name;  // the id, while the name is not known
    std::string why;
  };

  LeftSessions(Loop* loop, SessionList* sessions, Guests* guests,
               RemoteSessions* remote);

  // Looks for sessions whose server has died, and for sessions of other running
  // servers. `only`: the one name to look for; empty: all. REQUIRES: the list
  // is open.
  void Adopt(std::string_view only = "");

  const std::vector<Left>& all() const { return left_; }
  bool Has(std::string_view name) const;
  // Asks the holder of a left session to end everything in it, which needs no
  // file but the socket. Without a holder, kills the processes that it left
  // behind. Returns the id. Error: the session belongs to another server, or
  // cannot be ended now.
  absl::StatusOr<std::string> End(std::string_view name);
  // True once the session's holder has ended and none of its processes is
  // found.
  bool HasEnded(const std::string& id) const;

 private:
  // Error: says why the session could not be taken over. Sets `name` once the
  // session's name is known. `spoken_for`: the number of descriptors that
  // others will need.
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
