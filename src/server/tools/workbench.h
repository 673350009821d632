// The state that all tools share (the sessions, the clients), and the steps
// that most calls have in common.
//
// Owns the state of each client. Borrows the loop and the manager, which must
// outlive it. Loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "lookout/lookout.h"
#include "mcp/schema.h"
#include "mcp/tool.h"
#include "record/line_search.h"
#include "session/session_manager.h"
#include "support/task.h"
#include "tools/clients.h"
#include "tools/gatekeeper.h"
#include "tools/notices.h"
#include "tools/roots.h"
#include "tools/secret_asking.h"
#include "view/reader.h"
#include "waits/waiting.h"

namespace glasstty {

// A server has one workbench; every tool gets a pointer to it.
class Workbench {
 public:
  // The time that a list waits for logs to be read. A list that marks sessions
  // with unread logs is more useful than a late one.
  static constexpr Duration kListPatience = std::chrono::seconds(5);

  Workbench(Loop* loop, session::SessionManager* manager,
            gate::Settings gate = {});

  Loop* loop() const { return loop_; }
  session::SessionManager* manager() const { return manager_; }
  Gatekeeper* gatekeeper() { return &gatekeeper_; }
  Notices* notices() { return &notices_; }
  Clients* clients() { return &clients_; }
  SecretPages* secret_pages() { return &secret_pages_; }
  lookout::Lookout* lookout() { return &lookout_; }

  // Opens a session and waits until its program runs, or the call is cancelled.
  // If the program fails to start, the session is removed; if that is not known
  // in time, the session stays, and an error names it. A client that has
  // roots may be asked for them first. If `name` is empty, the program's name
  // is used. Sets `*before`, unless null, to a mark before the session's first
  // byte. For `where` see SessionManager::Open.
  Task<absl::StatusOr<session::SessionRef>> OpenSession(
      mcp::ToolCall* call, std::string name, record::ProgramSpec program,
      view::ReaderMark* before = nullptr, session::PlaceLink* where = nullptr);

  // Returns a note if processes of an ended session that had this name before
  // still run, else "". Returns it only once.
  std::string TakeRemains(const session::Session& session);

  // The servers of this user whose sessions a name may refer to. A call that
  // opens a missing session uses kThis.
  enum class Servers { kAll, kThis };

  // Returns the session of that name, once its log has been replayed. An empty
  // name means the only live session or, if none is alive, the only session. If
  // there are several, or an agent would get another client's session, it means
  // the only live session that no other client owns. Waits for the log until
  // `deadline`, but at least 0.5 s and at most 45 s, and not for a log that
  // cannot be read. Error: there is no such session, or its log is still being
  // read.
  Task<absl::StatusOr<session::SessionRef>> FindSession(
      mcp::ToolCall* call, std::string name, Time deadline = Time::max(),
      Servers servers = Servers::kAll);
  // Like FindSession, but returns immediately, for callers that do not need the
  // session's output.
  absl::StatusOr<session::SessionRef> FindUnread(
      mcp::ToolCall* call, const std::string& name,
      Servers servers = Servers::kAll);

  // Waits at most `patience` until the sessions' logs have been replayed, or
  // have turned out to be unreadable. Returns true if all have been replayed.
  Task<bool> AwaitReplays(mcp::ToolCall* call,
                          std::vector<session::SessionRef> sessions,
                          Duration patience);

  // Waits briefly until the kernel has reported what the programs are doing, so
  // that their states are current. All sessions share one short wait, because
  // the state of a program that floods never settles. States that are still
  // unknown afterwards are guesses. Returns true if all are known.
  Task<bool> AwaitStates(mcp::ToolCall* call,
                         std::vector<session::SessionRef> sessions);
  // Like AwaitStates, for states that are shown beside the screens: skips
  // sessions whose output is still being processed.
  Task<bool> AwaitShownStates(mcp::ToolCall* call,
                              std::vector<session::SessionRef> sessions);

  // Returns this client's read mark in the session. A new client starts with
  // the mark of the earlier server's client, which is known once the session is
  // no longer replaying. The reference is valid until the mark is set, or the
  // connection or the session is forgotten.
  const view::ReaderMark& MarkOf(const mcp::ToolCall& call,
                                 const session::Session& session);
  // Call when the reply has been sent (ToolResult::on_sent). Does nothing if
  // the session has been forgotten.
  void SetMark(uint64_t connection, const session::Session& session,
               view::ReaderMark mark);
  // Like SetMark, and stores for the next server how far the session's readers
  // have read.
  void KeepMark(uint64_t connection, session::Session* session,
                view::ReaderMark mark);
  // Returns the events of the session that were reported to this client.
  const Told& ToldOf(const mcp::ToolCall& call,
                     const session::Session& session) {
    return clients_.ToldOf(call, session);
  }
  void SetTold(uint64_t connection, const session::Session& session,
               const Told& told) {
    clients_.SetTold(connection, session.origin().id, told);
  }
  size_t mark_count() const { return clients_.mark_count(); }
  // Adopts the sessions of an earlier server, and finds their owners. Cheap
  // after the first time.
  absl::Status Prepare();
  // Call when a connection has ended. Closes the sessions that its client owns,
  // except those that are kept or into which another client has typed. If the
  // client may return, waits for it first.
  void ForgetConnection(uint64_t connection);
  // Call when the recurring client of this name has announced that it will not
  // return. Closes its sessions immediately, with the same exceptions.
  void ForgetClient(const std::string& name);
  // Drops all state about a session that was removed.
  void ForgetSession(const std::string& id);

 private:
  // Renames an ended session of this name if some of its processes still run,
  // because a new session would take the name that is needed to end them.
  // Returns a note for TakeRemains.
  std::string SetAside(const std::string& name);
  void SetAwayTimer();
  void ForgetAway();
  void CloseAll(const std::vector<session::SessionRef>& left);

  Loop* const loop_;
  session::SessionManager* const manager_;
  Gatekeeper gatekeeper_;
  Notices notices_;
  Clients clients_;
  lookout::Lookout lookout_;
  Roots roots_;
  SecretPages secret_pages_;
  Timer away_timer_;
  std::map<std::string, std::string> remains_;  // TakeRemains, by session id
};

// Returns the rules of an argument `timeout_s`. The maximum is that of a call
// with a progress token. Without a token, a time above waits::kLongestWait_s is
// reduced, and the reply says so.
inline mcp::ArgRules TimeoutRules() {
  return mcp::Range{0, waits::kLongestWithProgress_s};
}

// Returns a caller whose waits are cancelled with the call. It reports progress
// if the client has sent a progress token or does not give up on long calls.
waits::Caller CallerOf(mcp::ToolCall* call);
// Searches all lines of `search`. Returns false if the call was cancelled.
Task<bool> SearchAll(mcp::ToolCall* call, record::LineSearch* search);

}  // namespace glasstty
