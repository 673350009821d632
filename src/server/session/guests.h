// Sessions that other servers of the same user have opened and still own.
//
// Callers can read, await and end these sessions, and type into them. A session
// is opened as a guest (Session::CreateGuest) when a call first names it. It is
// disconnected when no call has named it for a while and no call waits for it.
// Once its server has died, the session can be adopted like any other
// (left_sessions.h), which ends the visit.
//
// Guests are not on the SessionList: this server neither counts them against
// its limits nor closes them by itself. Owns the guests. Borrows the loop and
// the list, which must outlive this object. Loop thread only.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "session/session_list.h"
#include "wire/session_files.h"

namespace glasstty::session {

class Guests {
 public:
  // A session of another running server, found by LeftSessions::Adopt.
  struct Elsewhere {
    std::string id;
    std::string name;  // other sessions may have the same name
  };

  Guests(Loop* loop, SessionList* sessions)
      : loop_(loop),
        sessions_(sessions),
        timer_(loop, [this] { LeaveUnused(); }) {}

  const std::vector<Elsewhere>& elsewhere() const { return elsewhere_; }
  // Returns the name that this server uses for the session: "job" or, if there
  // are several sessions of that name, "job@3f2a81".
  std::string NameOf(const Elsewhere& session) const;
  // Returns the name without its "@id".
  static std::string_view BaseOf(std::string_view name);
  bool IsElsewhere(std::string_view name) const;
  // Returns true once the program has ended, or the holder or the session's
  // directory is gone.
  bool HasEnded(const Elsewhere& session) const;

  // Returns the session as a guest. Error: no session has this name, several
  // have it, or the session cannot be opened.
  absl::StatusOr<SessionRef> Visit(std::string_view name);
  absl::StatusOr<SessionRef> Visit(const Elsewhere& session);
  bool Has(const Session& session) const;
  // Disconnects from the session. Returns the position up to which this
  // server's reader has read.
  wire::MarkRecord Leave(const std::string& id);
  // Ends all waits on guests, because the server exits.
  void Abandon();

  // LeftSessions::Adopt has found a session of another server.
  void Found(const std::string& id, const std::string& name);
  // LeftSessions::Adopt begins to look for the sessions of this name (empty:
  // all sessions), so the ones found before are forgotten.
  void LookFor(std::string_view name);
  // This server owns the session now. Returns the same as Leave.
  wire::MarkRecord Adopted(const std::string& id);

 private:
  // Describes a session that a call of this server has named.
  struct Guest {
    SessionRef session;        // null once it is disconnected
    Time used{};               // when a call last used it
    wire::MarkRecord read_to;  // set when it is disconnected
  };

  absl::StatusOr<SessionRef> Open(const Elsewhere& elsewhere,
                                  wire::MarkRecord read_to);
  void LeaveUnused();

  Loop* const loop_;
  SessionList* const sessions_;
  std::vector<Elsewhere> elsewhere_;
  std::map<std::string, Guest> guests_;  // by session id
  Timer timer_;
};

}  // namespace glasstty::session
