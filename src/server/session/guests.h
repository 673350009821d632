// Sessions that other servers of the same user have opened and still own.
//
// Callers can read, await and end them. Each is opened as a guest
// (Session::CreateGuest) when a call first names it, and disconnected when no
// call has named it for a while and none waits for it. Once its server has
// died, it can be adopted like any other session (left_sessions.h), which ends
// the visit.
//
// Guests are not on the SessionList, because nothing of this server depends on
// them. Owns the guests. Borrows the loop and the list, which must outlive this
// object. Loop thread only.
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
  // A session of another running server, as LeftSessions::Adopt has found it.
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
  // Returns true once the program has ended, or the holder or directory is
  // gone.
  bool HasEnded(const Elsewhere& session) const;

  // Returns the session as a guest. Error: no session has this name, it is not
  // clear which one is meant, or the session cannot be opened.
  absl::StatusOr<SessionRef> Visit(std::string_view name);
  absl::StatusOr<SessionRef> Visit(const Elsewhere& session);
  bool Has(const Session& session) const;
  // Disconnects from the session. Returns the position up to which it was read.
  wire::MarkRecord Leave(const std::string& id);
  // Ends all waits on guests, because the server exits.
  void Abandon();

  // LeftSessions::Adopt has found a session of another server.
  void Found(const std::string& id, const std::string& name);
  // LeftSessions::Adopt begins to look for the sessions of this name (empty:
  // for all), so those found before are forgotten.
  void LookFor(std::string_view name);
  // This server owns the session now. Returns the position up to which it was
  // read.
  wire::MarkRecord Adopted(const std::string& id);

 private:
  // Describes a session that calls here have named.
  struct Guest {
    SessionRef session;        // null once it is no longer used
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
