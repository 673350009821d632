// Reports events to clients: each event is reported to each client once.
//
// An event counts as reported to a client once a reply to the client has named
// it, or has shown its session after the event. Functions over the workbench;
// lookout/event_log.h keeps the record.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "lookout/sentry.h"
#include "mcp/tool.h"
#include "session/session.h"
#include "support/json.h"
#include "tools/reply.h"
#include "tools/workbench.h"

namespace glasstty {

// Returns the functions through which the lookout asks about the server's
// clients.
lookout::Surroundings SurroundingsOf(Clients* clients);

// At most this many events are named in a reply, except in that of ListEvents.
inline constexpr size_t kMostNamedEvents = 5;

// Error: another server keeps the session, and so its watches and events.
absl::Status CheckIsOurs(Workbench* bench, const mcp::ToolCall& call,
                         const session::Session& session);

// The mode `events` of term_read: lists all events of `sessions`, oldest first
// within each session, marks those that had not been reported to the client,
// and names the watches. If `sessions` is empty, all sessions are used except,
// for an agent, other clients'.
mcp::ToolResult ListEvents(Workbench* bench, mcp::ToolCall* call,
                           std::vector<session::SessionRef> sessions,
                           ReplyFormat format);

// The condition `event` of term_wait: waits until there is an event of
// `sessions` (as in ListEvents) that has not been reported to the client, or
// all of the named sessions have ended. REQUIRES: CheckIsOurs.
Task<mcp::ToolResult> AwaitEvent(Workbench* bench, mcp::ToolCall* call,
                                 std::vector<session::SessionRef> sessions,
                                 double timeout_s, ReplyFormat format);

// The events of the client's other sessions that a reply about `shown` names:
// the events of watches and, once the client has asked for events, all.
// `on_sent`, unless null, must be called when the reply has been sent.
struct EventNews {
  std::vector<std::string> lines;
  std::function<void()> on_sent;
};
EventNews NewsBeside(Workbench* bench, const mcp::ToolCall& call,
                     const session::Session& shown);

// The argument `watch`: permanent conditions, by name; the value null removes
// one.
template <class Args>
mcp::Field<Args> WatchField(Json Args::*member) {
  return mcp::Optional("watch", member,
                       "{name: condition}: stays, and makes events.",
                       mcp::Shape{R"({"type":"object"})"});
}
// Error: a name or a condition is invalid. Call this before the tool's call has
// any effect.
absl::Status CheckWatches(const Json& watches);
// Sets or removes the watches. Returns a note for the reply; "" if `watches` is
// null. Error: for example, the session is another server's, or has no watch of
// a name that is to be removed.
absl::StatusOr<std::string> SetWatches(Workbench* bench,
                                       const mcp::ToolCall& call,
                                       const session::SessionRef& session,
                                       const Json& watches);

}  // namespace glasstty
