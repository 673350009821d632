// All sessions of this server: their names, opening, adoption, the end.
//
// Owns the sessions and the state directory. Nothing is touched on disk before
// the first call that needs it (clients start throw-away servers only to ask
// what they can do). Loop thread only; outlives every session.
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
  // A session that prints nothing and that no call names for so long is
  // closed; zero: never.
  Duration idle_limit{};
  // Variables of this process that no program gets: names, in which '*' stands
  // for any text.
  std::vector<std::string> secrets;
  // Shells write their history into the user's files.
  bool shares_history = false;
};

class SessionManager {
 public:
  // `loop` must outlive the manager.
  SessionManager(Loop* loop, SessionSettings settings);
  ~SessionManager();

  // Adopts what an earlier server left. Does its work once; cheap afterwards.
  absl::Status Prepare();

  // Looks again for sessions whose server has died since, and for those of
  // servers that run; only for those of this name, unless it is empty.
  // REQUIRES: Prepare was OK.
  void AdoptLeft(std::string_view only = "");

  // The session is starting when this returns: wait for started() or
  // start_error().
  // REQUIRES: Prepare was OK. Error: no room, a used name, no holder, or that
  // of CheckSessionName or CheckProgram.
  // `name`: empty for that of the program.
  // `where`: on another machine, to which there is a connection; null: here.
  absl::StatusOr<SessionRef> Open(std::string name, record::ProgramSpec program,
                                  PlaceLink* where = nullptr);
  // A place on another machine; see Places::Reach. A client that is started for
  // it gets what is `inherited`, such as the socket of an ssh-agent. REQUIRES:
  // Prepare was OK.
  absl::StatusOr<ReachedPlace> Reach(
      const place::Place& place,
      std::shared_ptr<const record::Inheritance> inherited = nullptr);
  // Runs a program of ours beside a session that is on another machine; its
  // name begins with '@'. Error: there is no connection. For the length of a
  // call: the next server ends it.
  absl::StatusOr<SessionRef> OpenHelper(const std::string& name,
                                        std::vector<std::string> argv,
                                        const Session& beside);
  // Ends one and takes it off the list, now or when it has ended.
  void EndHelper(const SessionRef& session);
  // An empty file that nobody else finds and that goes with its descriptor.
  absl::StatusOr<UniqueFd> OpenSpool() const;
  // REQUIRES: Prepare was successful.
  std::vector<ReachedPlace> places() const { return places_->All(); }

  // By name; empty: the only live one. Error: names the sessions there are.
  absl::StatusOr<SessionRef> Find(std::string_view name) const;
  // It is on the list.
  bool Has(const Session& session) const;
  // Returns why the session that had this name before was closed ("was closed
  // after 30 minutes without use"); empty: there is nothing to tell.
  std::string FateOf(std::string_view name) const;
  // In the order of opening, exited ones last.
  std::vector<SessionRef> All() const;
  // A call is about this session: it is in use.
  void Touch(const Session& session);
  // Ends a live session that nobody uses any more, daemons and all; `fate`
  // says why to whoever asks for it later.
  void CloseUnused(const SessionRef& session, std::string fate);
  // Sessions that were closed for want of use.
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
  // The name by which this server knows it: "job" or, if there are several of
  // that name, "job@3f2a81".
  std::string NameOf(const Elsewhere& session) const;
  bool IsElsewhere(std::string_view name) const;
  // Returns true once neither its program nor its holder runs.
  bool HasEnded(const Elsewhere& session) const;
  // Returns it as a guest (Session::CreateGuest). Error: there is none, or
  // several.
  absl::StatusOr<SessionRef> Visit(std::string_view name);
  absl::StatusOr<SessionRef> Visit(const Elsewhere& session);

  // Sessions of an earlier server that could not be taken over: their programs
  // keep running. It is tried again from time to time, and by AdoptLeft.
  struct Left {
    std::string id;
    std::string name;  // its id while the name is not known
    std::string why;
  };
  const std::vector<Left>& left() const { return left_; }
  bool IsLeft(std::string_view name) const;
  // Asks the holder of such a session to end everything in it, which needs no
  // file of it but the socket; without a holder, kills what it has left behind.
  // Returns the id. Error: it is another server's, or cannot be done now.
  absl::StatusOr<std::string> EndLeft(std::string_view name);
  // True once its holder has ended, and nothing is found that it left behind.
  bool HasLeftEnded(const std::string& id) const;
  // Says once that $SHELL is of no use, and what is started in its place. ""
  // where there is nothing to tell.
  std::string TakeShellNote(const Session& session);

  // `added` is called with each session that comes onto the list.
  void OnAdded(std::function<void(const SessionRef& session)> added) {
    added_ = std::move(added);
  }
  // `forgotten` is called with the id of each session that leaves the list.
  void OnForgotten(std::function<void(const std::string& id)> forgotten) {
    forgotten_ = std::move(forgotten);
  }
  // Gives the session the next free name of those with a number, "main-2", so
  // that another one can have its own.
  void Rename(const SessionRef& session);
  // Takes the session off the list; its log is kept. The program must have
  // ended.
  void Forget(const SessionRef& session);
  // It never started: no trace is kept.
  void Discard(const SessionRef& session);

  // The session's directory, for showing.
  std::string LogPath(const Session& session) const;

  // The same as the session's program sees it.
  std::string PathForProgram(const Session& session) const;

  // Starts to end all sessions except kept ones; finished when Idle(). If this
  // process exits first, the holders finish the job.
  void Shutdown(Duration grace);
  // True when nothing is left that Shutdown waits for.
  bool Idle() const;

 private:
  absl::Status KeepStateDir();
  absl::Status CheckRoom() const;
  std::string FreeName(const std::string& base) const;
  // May forget an exited session of the wanted name. Error: a live one has it.
  absl::StatusOr<std::string> ChooseName(const std::string& wanted,
                                         const std::string& program);
  absl::StatusOr<SessionRef> OpenNamed(std::string name,
                                       record::ProgramSpec program,
                                       PlaceLink* where);
  static bool IsClient(const Session& session);
  static bool IsHelper(const Session& session);
  // Returns whether it outlives this server.
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
  // Null when there is none.
  const Session* FindExact(std::string_view name) const;
  // The sessions there are, for messages: an agent that errs sees its choice.
  std::string Overview() const;
  void TakeOff(const Session* gone);
  // Forgets sessions that have ended and have printed nothing for exited_for,
  // and those that are not among the last ones that ended.
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
  // Error: why it could not be taken over; `name` becomes its name once that is
  // known. `only`: see AdoptLeft. `spoken_for`: so many descriptors others will
  // need.
  absl::Status Adopt(const std::string& id, std::string_view only,
                     int spoken_for, std::string* name);
  absl::Status AdoptFolder(const std::string& id, record::Folder folder,
                           record::SessionOrigin origin);
  absl::StatusOr<record::SessionOrigin> ReadOrigin(
      const record::Folder& folder) const;
  absl::StatusOr<SessionRef> OpenGuest(const Elsewhere& elsewhere,
                                       wire::MarkRecord read_to);
  // Lets go of a session of another server. Returns how far it was read.
  wire::MarkRecord LeaveGuest(const std::string& id);
  void LeaveUnused();
  void AdoptSoon();

  // Borrowed.
  Loop* const loop_;
  // Constant.
  const SessionSettings settings_;
  // Owned.
  // The holder's executable, opened once: an upgrade on disk cannot mix
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
  // When a call was about it, by session id.
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
    SessionRef session;        // null: not used any more
    Time used{};               // by a call
    wire::MarkRecord read_to;  // when it was let go of
  };
  std::map<std::string, Guest> guests_;
  Timer guest_timer_;
  std::vector<Left> left_;
  Duration adopt_pause_;  // before the next try
  Timer adopt_timer_;
  bool prepared_ = false;
};

}  // namespace glasstty::session
