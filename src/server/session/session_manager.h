// All sessions of this server: their names, and how they are opened, adopted
// and ended.
//
// Owns the sessions and the state directory. Nothing is touched on disk before
// the first call that needs it, because clients start throw-away servers only
// to ask for their capabilities. Loop thread only; outlives every session.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "record/housekeeper.h"
#include "record/state_dir.h"
#include "session/places.h"
#include "session/program.h"
#include "session/session.h"
#include "session/tombstones.h"
#include "support/loop.h"
#include "wire/launch.h"

namespace glasstty::session {

// From flags and the environment (cli/settings.h).
struct SessionSettings {
  int max_sessions = 64;
  uint64_t grace_ms = 600'000;   // how long programs outlive a dead server
  uint64_t log_cap = 64u << 20;  // bytes of raw log kept per session
  // Bytes that all sessions may take on disk.
  uint64_t state_cap = uint64_t{2} << 30;
  std::chrono::minutes exited_for{30};  // exited sessions stay readable
  // A session is closed if it prints nothing and no call names it for this
  // long; zero: never.
  Duration idle_limit{};
  // The names of variables of this process that no program gets. '*' matches
  // any text.
  std::vector<std::string> secrets;
  // Shells write their history into the user's files.
  bool shares_history = false;
};

class SessionManager {
 public:
  // `loop` must outlive the manager.
  SessionManager(Loop* loop, SessionSettings settings);
  ~SessionManager();

  // Adopts the sessions that an earlier server left. Does its work once; later
  // calls are cheap.
  absl::Status Prepare();

  // Looks again for sessions whose server has died since, and for sessions of
  // other running servers. `only`: the one name to look for; empty: all.
  // REQUIRES: Prepare was OK.
  void AdoptLeft(std::string_view only = "");

  // Starts a session; wait for started() or start_error(). `name`: empty for
  // the name of the program. `where`: a connected place on another machine;
  // null: this machine. REQUIRES: Prepare was OK. Error: there is no room, the
  // name is used, the holder cannot be started, or CheckSessionName or
  // CheckProgram failed.
  absl::StatusOr<SessionRef> Open(std::string name, record::ProgramSpec program,
                                  PlaceLink* where = nullptr);
  // Reaches a place on another machine; see Places::Reach. A client that is
  // started for it gets the variables of `inherited`, such as the socket of an
  // ssh-agent. REQUIRES: Prepare was OK.
  absl::StatusOr<ReachedPlace> Reach(
      const place::Place& place,
      std::shared_ptr<const record::Inheritance> inherited = nullptr);
  // Runs a program of ours for the duration of a call, on the other machine
  // where `beside` runs. The session's name begins with '@'. If this server
  // dies, the next one ends the program. Error: there is no connection.
  absl::StatusOr<SessionRef> OpenHelper(const std::string& name,
                                        std::vector<std::string> argv,
                                        const Session& beside);
  // Ends a helper and removes it from the list, now or when it has ended.
  void EndHelper(const SessionRef& session);
  // Returns an empty file without a name, which is deleted when its descriptor
  // is closed.
  absl::StatusOr<UniqueFd> OpenSpool() const;
  // REQUIRES: Prepare was successful.
  std::vector<ReachedPlace> places() const { return places_->All(); }

  // Finds a session by name; empty: the only live one. Error: there is none;
  // the message names the sessions that exist.
  absl::StatusOr<SessionRef> Find(std::string_view name) const;
  // Returns whether the session is on the list.
  bool Has(const Session& session) const;
  // Returns why the session that had this name before was closed ("was closed
  // after 30 minutes without use"); empty: not known.
  std::string FateOf(std::string_view name) const;
  // In the order of opening, exited ones last.
  std::vector<SessionRef> All() const;
  // Records that a call has used this session.
  void Touch(const Session& session);
  // Ends a live session that nobody uses any more, including its daemons.
  // `fate` tells later callers why.
  void CloseUnused(const SessionRef& session, std::string fate);
  // Sessions that were closed because nobody used them.
  const Tombstones& tombstones() const { return tombstones_; }
  int max_sessions() const { return settings_.max_sessions; }
  // ---- sessions of other servers of this user that run, as AdoptLeft has
  // found them (session_manager_guests.cc). They are not among All: nothing of
  // this server depends on them.

  struct Elsewhere {
    std::string id;
    std::string name;  // which is also used by others
  };
  const std::vector<Elsewhere>& elsewhere() const { return elsewhere_; }
  // Returns the name that this server uses for the session: "job" or, if there
  // are several of that name, "job@3f2a81".
  std::string NameOf(const Elsewhere& session) const;
  bool IsElsewhere(std::string_view name) const;
  // Returns true once neither the session's program nor its holder runs.
  bool HasEnded(const Elsewhere& session) const;
  // Returns the session as a guest (Session::CreateGuest). Error: no session
  // has this name, or several do.
  absl::StatusOr<SessionRef> Visit(std::string_view name);
  absl::StatusOr<SessionRef> Visit(const Elsewhere& session);

  // A session of an earlier server that could not be taken over. Its program
  // keeps running. The take-over is tried again from time to time, and by
  // AdoptLeft.
  struct Left {
    std::string id;
    std::string name;  // the id, while the name is not known
    std::string why;
  };
  const std::vector<Left>& left() const { return left_; }
  bool IsLeft(std::string_view name) const;
  // Asks the holder of a left session to end everything in it, which needs no
  // file but the socket. Without a holder, kills the processes that it left
  // behind. Returns the id. Error: the session belongs to another server, or
  // cannot be ended now.
  absl::StatusOr<std::string> EndLeft(std::string_view name);
  // True once the session's holder has ended and none of its processes is
  // found.
  bool HasLeftEnded(const std::string& id) const;
  // Returns, once, a note that $SHELL is unusable and what is started in its
  // place; "" if there is nothing to note.
  std::string TakeShellNote(const Session& session);

  // `added` is called with each session that is added to the list.
  void OnAdded(std::function<void(const SessionRef& session)> added) {
    added_ = std::move(added);
  }
  // `forgotten` is called with the id of each session that is removed from the
  // list.
  void OnForgotten(std::function<void(const std::string& id)> forgotten) {
    forgotten_ = std::move(forgotten);
  }
  // Gives the session the next free numbered name, such as "main-2", so that
  // another session can have its old name.
  void Rename(const SessionRef& session);
  // Removes the session from the list; its log is kept. REQUIRES: the program
  // has ended.
  void Forget(const SessionRef& session);
  // Removes a session that never started, including its files.
  void Discard(const SessionRef& session);

  // Returns the session's directory, to be shown.
  std::string LogPath(const Session& session) const;

  // Returns the session's directory as the session's program sees it.
  std::string PathForProgram(const Session& session) const;

  // Starts to end all sessions except kept ones; finished when Idle(). If this
  // process exits first, the holders finish the job.
  void Shutdown(Duration grace);
  // True if nothing is left that Shutdown waits for.
  bool Idle() const;

 private:
  absl::Status KeepStateDir();
  absl::Status CheckRoom() const;
  std::string FreeName(const std::string& base) const;
  // May forget an exited session of the wanted name. Error: a live session has
  // it.
  absl::StatusOr<std::string> ChooseName(const std::string& wanted,
                                         const std::string& program);
  absl::StatusOr<SessionRef> OpenNamed(std::string name,
                                       record::ProgramSpec program,
                                       PlaceLink* where);
  static bool IsClient(const Session& session);
  static bool IsHelper(const Session& session);
  // Returns whether the session outlives this server.
  static bool Stays(const Session& session);
  bool RunsOn(const place::Place& place) const;
  void AdoptPlaces();
  void DiscardHelpers();
  absl::StatusOr<ReachedPlace> Reach(const record::SessionOrigin& origin);
  absl::StatusOr<SessionRef> OpenClient(const std::string& name,
                                        const std::vector<std::string>& argv);
  absl::StatusOr<SessionRef> Launch(record::SessionOrigin origin,
                                    const wire::LaunchSpec& spec,
                                    record::Folder folder, PlaceLink* where);
  // Returns null if there is none.
  const Session* FindExact(std::string_view name) const;
  // Lists the existing sessions, for error messages.
  std::string Overview() const;
  void TakeOff(const Session* gone);
  // Forgets ended sessions that have printed nothing for exited_for, and all
  // but the last few that ended.
  void ForgetOld();
  void CloseIdle();
  bool MakeRoom();
  uint64_t GraceOf(bool keep) const {
    return keep ? wire::kKeepForever : settings_.grace_ms;
  }
  void Add(const SessionRef& session);
  void CutOff(const SessionRef& session, bool again);
  void ResumeCutOff();
  absl::Status Resume(Session* session);
  // Error: says why the session could not be taken over. Sets `name` once the
  // session's name is known. `only`: see AdoptLeft. `spoken_for`: the number of
  // descriptors that others will need.
  absl::Status Adopt(const std::string& id, std::string_view only,
                     int spoken_for, std::string* name);
  absl::Status AdoptFolder(const std::string& id, record::Folder folder,
                           record::SessionOrigin origin);
  absl::StatusOr<record::SessionOrigin> ReadOrigin(
      const record::Folder& folder) const;
  absl::StatusOr<SessionRef> OpenGuest(const Elsewhere& elsewhere,
                                       wire::MarkRecord read_to);
  // Disconnects from a session of another server. Returns the position up to
  // which it was read.
  wire::MarkRecord LeaveGuest(const std::string& id);
  void LeaveUnused();
  void AdoptSoon();

  // Borrowed.
  Loop* const loop_;
  // Constant.
  const SessionSettings settings_;
  // Owned.
  // The holder's executable, opened once so that an upgrade on disk cannot mix
  // versions.
  UniqueFd holder_;
  // Empty until Prepare has succeeded.
  std::optional<record::StateDir> state_dir_;
  std::optional<record::Housekeeper> housekeeper_;
  std::optional<Places> places_;
  // By the name of the place's client.
  std::map<std::string, std::shared_ptr<const record::Inheritance>> inherited_;
  // In the order of opening.
  std::vector<SessionRef> sessions_;
  // State.
  // When a call last used each session, by session id.
  std::map<std::string, Time> used_;
  std::function<void(const SessionRef& session)> added_;
  std::function<void(const std::string& id)> forgotten_;
  bool shell_is_noted_ = false;
  Tombstones tombstones_;
  Timer idle_timer_;
  std::vector<std::weak_ptr<Session>> cut_off_;
  Timer resume_timer_;
  Timer helper_timer_;  // armed: a helper is ending
  std::vector<Elsewhere> elsewhere_;
  // Sessions of other servers that calls here have named, by session id.
  struct Guest {
    SessionRef session;        // null once it is no longer used
    Time used{};               // when a call last used it
    wire::MarkRecord read_to;  // set when it is disconnected
  };
  std::map<std::string, Guest> guests_;
  Timer guest_timer_;
  std::vector<Left> left_;
  Duration adopt_pause_;  // before the next try
  Timer adopt_timer_;
  bool prepared_ = false;
};

}  // namespace glasstty::session
