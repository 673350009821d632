// The sessions of this server: their names, the times at which calls have used
// them, and the directories that keep their files.
//
// Agents use names, which are unique within a server; ids name directories.
// Owns the sessions and the state directory, and deletes old files there. Does
// not decide which sessions are opened or ended. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "record/housekeeper.h"
#include "record/state_dir.h"
#include "session/session.h"
#include "session/tombstones.h"
#include "support/loop.h"

namespace glasstty::session {

// Returns true for the session of a place's client. The client serves the
// sessions at that place, and ends by itself when none of them is left.
bool IsClient(const Session& session);
// Returns true for the session of a helper (RemoteSessions::OpenHelper).
bool IsHelper(const Session& session);

class SessionList {
 public:
  // `loop` must outlive the list.
  explicit SessionList(Loop* loop) : loop_(loop) {}

  // Opens the state directory and begins to delete old files. `cap` and
  // `make_room` are as in Housekeeper.
  absl::Status Open(uint64_t cap, std::function<bool()> make_room);
  bool is_open() const { return housekeeper_.has_value(); }
  // Recreates the state directory if it was deleted.
  absl::Status KeepStateDir();
  // REQUIRES: is_open().
  record::StateDir* state_dir() { return &*state_dir_; }

  // The sessions in the order in which they were started.
  const std::vector<SessionRef>& all() const { return sessions_; }
  // Returns the sessions in the order in which they are shown: those that
  // callers have opened, then clients and helpers, then all that have exited.
  std::vector<SessionRef> Shown() const;
  // Returns the session of this name, or null if there is none.
  const Session* FindExact(std::string_view name) const;
  bool Has(const Session& session) const;

  // Returns a name that no session has: for "vim", "vim" itself or the first
  // free name among "vim-2", "vim-3" and so on.
  std::string FreeName(const std::string& base) const;
  // Returns `wanted`, or, if that is empty, a free name made from `program`.
  // Forgets an exited session of that name. Error: a live session has the name.
  absl::StatusOr<std::string> ChooseName(const std::string& wanted,
                                         const std::string& program);
  // Gives the session the next free numbered name, such as "main-2", so that
  // another session can have its old name.
  void Rename(const SessionRef& session);

  void Add(const SessionRef& session);
  // Sorts the sessions by the time at which they were started.
  void Sort();
  // Removes the session but keeps its log. REQUIRES: the program has ended.
  void Forget(const SessionRef& session);
  // Forgets ended sessions that have printed nothing for `exited_for`, and the
  // oldest ones if there are too many. Spares sessions for which a call waits.
  void ForgetOld(Duration exited_for);
  // Removes a session that nobody will read, including its files.
  void Discard(const SessionRef& session);
  // Forgets the time of the last use of a session, of this or another server,
  // and calls the function given to OnForgotten.
  void ForgetUse(const std::string& id);

  // Records that a call has used this session.
  void Touch(const Session& session);
  // Returns when the session was last used, by a call or by printing.
  Time LastUse(const Session& session) const;
  // The reasons why sessions were closed by something else than a call.
  const Tombstones& tombstones() const { return tombstones_; }
  void SetFate(const std::string& name, std::string fate) {
    tombstones_.Put(name, std::move(fate));
  }

  // `added` is called with each session that is added, except helpers.
  void OnAdded(std::function<void(const SessionRef& session)> added) {
    added_ = std::move(added);
  }
  // `forgotten` is called with the id of each session that is removed from the
  // list, and of each guest that is disconnected.
  void OnForgotten(std::function<void(const std::string& id)> forgotten) {
    forgotten_ = std::move(forgotten);
  }
  // `cut_off` is called when a session's relay has died; see Session::CutOff.
  using CutOff = std::function<void(const SessionRef& session, bool again)>;
  void OnCutOff(CutOff cut_off) { cut_off_ = std::move(cut_off); }

 private:
  void TakeOff(const Session* gone);

  Loop* const loop_;  // borrowed
  // Empty until Open has succeeded.
  std::optional<record::StateDir> state_dir_;
  std::optional<record::Housekeeper> housekeeper_;
  std::vector<SessionRef> sessions_;
  // When a call last used each session, by session id.
  std::map<std::string, Time> used_;
  Tombstones tombstones_;
  std::function<void(const SessionRef& session)> added_;
  std::function<void(const std::string& id)> forgotten_;
  CutOff cut_off_;
};

}  // namespace glasstty::session
