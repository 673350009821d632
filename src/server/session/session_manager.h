// All sessions of this server: how they are found, opened, adopted and ended.
//
// Combines the classes that do this, and owns them. Touches nothing on disk
// before the first call that needs the disk, because clients start some servers
// only to ask for their capabilities. Loop thread only; outlives every session.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "session/guests.h"
#include "session/left_sessions.h"
#include "session/remote_sessions.h"
#include "session/session_list.h"
#include "session/session_starter.h"
#include "support/loop.h"

namespace glasstty::session {

class SessionManager {
 public:
  // `loop` must outlive the manager.
  SessionManager(Loop* loop, SessionSettings settings);

  // Opens the state directory and adopts the sessions that an earlier server
  // left. After one success, further calls do nothing.
  absl::Status Prepare();
  // Calls Prepare, and recreates the state directory if it was deleted. Open,
  // OpenSpool and LeftSessions::Adopt recreate it, too.
  absl::Status KeepStateDir();

  SessionList* list() { return &list_; }
  const SessionList& list() const { return list_; }
  // The sessions of other servers, and the sessions that could not be adopted.
  // Functions of Guests and LeftSessions that read directories may be called
  // only if Prepare was OK.
  Guests* guests() { return &guests_; }
  const Guests& guests() const { return guests_; }
  LeftSessions* left() { return &left_; }
  const LeftSessions& left() const { return left_; }
  // The functions of RemoteSessions may be called only if Prepare was OK.
  RemoteSessions* remote() { return &remote_; }
  const RemoteSessions& remote() const { return remote_; }
  int max_sessions() const { return settings_.max_sessions; }

  // Starts a session; wait for Life::started() or Life::start_error(). If
  // `name` is empty, the session is named after the program or the place.
  // `where`: a connected place on another machine; null: this machine.
  // REQUIRES: Prepare was OK. Error: there is no room, the name is used, the
  // holder cannot be started, or CheckSessionName or CheckProgram failed.
  absl::StatusOr<SessionRef> Open(std::string name, record::ProgramSpec program,
                                  PlaceLink* where = nullptr);
  // If $SHELL is unusable, the first call returns a note that names the shell
  // that is used instead. All other calls return "".
  std::string TakeShellNote(const Session& session);
  // Returns an empty file without a name, which is deleted when its descriptor
  // is closed. REQUIRES: Prepare was OK.
  absl::StatusOr<UniqueFd> OpenSpool();

  // Finds a session by name. If `name` is empty, finds the only live session,
  // or, if none is alive, the only one; clients and helpers do not count.
  // Error: there is none, there are several, or the session could not be
  // adopted; the message names the existing sessions.
  absl::StatusOr<SessionRef> Find(std::string_view name) const;
  // Finds a session of another server by name; see Guests::Visit.
  absl::StatusOr<SessionRef> Visit(std::string_view name);
  // Returns whether the session is on the list, or a guest.
  bool Has(const Session& session) const;
  // As SessionList::Shown.
  std::vector<SessionRef> All() const { return list_.Shown(); }
  // Removes the session from the list, or ends the visit; its log is kept.
  // REQUIRES: the program has ended.
  void Forget(const SessionRef& session);
  // Ends a live session that nobody uses any more, including its daemons.
  // `fate` tells later callers why.
  void CloseUnused(const SessionRef& session, std::string fate);

  // Returns the path of the session's directory on this machine.
  std::string LogPath(const Session& session);
  // Returns the path of the session's directory as its program sees it.
  std::string PathForProgram(const Session& session);

  // Starts to end all sessions except kept ones and clients; see Idle(). The
  // holders finish this even if this process exits first.
  void Shutdown(Duration grace);
  // Returns true once all sessions that Shutdown ends have ended.
  bool Idle() const;

 private:
  absl::Status CheckRoom() const;
  // Lists the existing sessions, for error messages.
  std::string Overview() const;
  void CloseIdle();
  bool MakeRoom();

  Loop* const loop_;  // borrowed
  const SessionSettings settings_;
  // Owned. Later ones borrow from earlier ones.
  SessionList list_;
  SessionStarter starter_;
  RemoteSessions remote_;
  Guests guests_;
  LeftSessions left_;
  bool shell_is_noted_ = false;
  Timer idle_timer_;
};

}  // namespace glasstty::session
