// What all tools share: the sessions, the clients, and the steps that most
// calls have in common.
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
#include "mcp/schema.h"
#include "mcp/tool.h"
#include "record/line_search.h"
#include "session/session_manager.h"
#include "support/task.h"
#include "tools/clients.h"
#include "tools/gatekeeper.h"
#include "tools/notices.h"
#include "view/reader.h"
#include "waits/until.h"

namespace glasstty {

// One for a server; every tool gets a pointer to it.
class Workbench {
 public:
  // How long a list waits for logs to be read. One that says which are not is
  // of more use than one that comes late.
  static constexpr Duration kListPatience = std::chrono::seconds(5);

  Workbench(Loop* loop, session::SessionManager* manager,
            gate::Settings gate = {});

  Loop* loop() const { return loop_; }
  session::SessionManager* manager() const { return manager_; }
  Gatekeeper* gatekeeper() { return &gatekeeper_; }
  Notices* notices() { return &notices_; }
  Clients* clients() { return &clients_; }

  // Opens a session and waits until its program runs, or could not be started;
  // then nothing of it is left. `name`: empty for that of the program.
  // `before`: a mark from before its first byte. `where`: see
  // SessionManager::Open.
  Task<absl::StatusOr<session::SessionRef>> OpenSession(
      mcp::ToolCall* call, std::string name, record::ProgramSpec program,
      view::ReaderMark* before = nullptr, session::PlaceLink* where = nullptr);

  // The session of that name, once its log has been replayed; empty: the only
  // live one.
  Task<absl::StatusOr<session::SessionRef>> FindSession(mcp::ToolCall* call,
                                                        std::string name);

  // Waits until the logs that an earlier server left have been read, for
  // `patience` at most. True when they all have been.
  Task<bool> AwaitReplays(mcp::ToolCall* call,
                          std::vector<session::SessionRef> sessions,
                          Duration patience);

  // Waits a moment for the kernel's word on what the programs do, so that
  // their states are of now. One moment for all: a flood never settles. A state
  // that is not known by then is a guess.
  // True when all are known.
  Task<bool> AwaitStates(mcp::ToolCall* call,
                         std::vector<session::SessionRef> sessions);
  // The same, to be shown beside the screens: without those that are behind.
  Task<bool> AwaitShownStates(mcp::ToolCall* call,
                              std::vector<session::SessionRef> sessions);

  // What this client has read of the session. A new client begins with what the
  // earlier server's client had seen; what that was is known once the session
  // is no longer replaying. The reference holds until the mark is set, its
  // connection forgotten, or the session.
  const view::ReaderMark& MarkOf(const mcp::ToolCall& call,
                                 const session::Session& session);
  // To be called once the client has the reply (ToolResult::on_sent).
  void SetMark(uint64_t connection, const session::Session& session,
               view::ReaderMark mark);
  // What this client has been told of the session's keyboard and connection.
  const Told& ToldOf(const mcp::ToolCall& call,
                     const session::Session& session) {
    return clients_.ToldOf(call, session);
  }
  void SetTold(uint64_t connection, const session::Session& session,
               const Told& told) {
    clients_.SetTold(connection, session.origin().id, told);
  }
  size_t mark_count() const { return clients_.mark_count(); }
  // It has ended: what its client opened is closed, unless kept or in use by
  // another one.
  void ForgetConnection(uint64_t connection);
  // Nor is a session's.
  void ForgetSession(const std::string& id);

 private:
  Loop* const loop_;
  session::SessionManager* const manager_;
  Gatekeeper gatekeeper_;
  Notices notices_;
  Clients clients_;
};

// Clients give up after 60 s without a sign, so waits are cut at 45 s; a call
// with a progress token may last an hour.
inline constexpr double kLongestWait_s = 45;
inline constexpr double kLongestWithProgress_s = 3600;
// Of an argument `timeout_s`.
inline mcp::ArgRules TimeoutRules() {
  return {mcp::Range{0, kLongestWithProgress_s}, kLongestWait_s};
}

// How long a wait may last, and what is said about it.
struct Patience {
  // On the loop's clock.
  Time deadline;
  std::string note;  // when the wish was cut
};
Patience PatienceFor(const mcp::ToolCall& call, Time now, double timeout_s);

// Waits for one of `checks` (one per session). With a progress token the
// client hears from us every 20 s. `sessions` and `checks` have the same order;
// `checks` is in the caller's frame. `reason` is filled when one was met, and
// `which` is its index.
struct WaitResult {
  Outcome outcome = Outcome::kTimeout;
  // Empty unless `outcome` is kMet.
  waits::Reason reason;
  size_t which = 0;
  // From the call of AwaitAny, over all heartbeats.
  Duration waited{};
};
// Looks at `checks` in turn, until `deadline`; the index of the one that was
// met goes to `which`.
using Look = std::function<std::optional<waits::Reason>(Time* again)>;
Look LookAtAny(std::vector<waits::UntilCheck>* checks, Time deadline,
               size_t* which);
Task<WaitResult> AwaitAny(Loop* loop, mcp::ToolCall* call,
                          std::vector<session::SessionRef> sessions,
                          std::vector<waits::UntilCheck>* checks,
                          Time deadline);

// The same for anything that can be looked at: `look` is asked whenever
// something has happened in one of `sessions`, and at the time it puts into its
// argument. At the deadline it is asked once more, when the kernel has said
// what the programs do then: a wait of 0 s is a look. `which` stays 0.
Task<WaitResult> AwaitLook(Loop* loop, mcp::ToolCall* call,
                           std::vector<session::SessionRef> sessions, Look look,
                           Time deadline);

// Calls `slice`, which does about Loop::kBudget of work, until it says true;
// between two slices everything else has its turn, other sessions' output too.
// False when the call was cancelled.
Task<bool> InSlices(Loop* loop, mcp::ToolCall* call,
                    std::function<bool()> slice);
// Looks at all lines of `search`.
Task<bool> SearchAll(Loop* loop, mcp::ToolCall* call,
                     record::LineSearch* search);

}  // namespace glasstty
