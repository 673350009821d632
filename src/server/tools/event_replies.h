// Tells clients of events: each event is told to each client once.
//
// A client has been told of an event when it was named in a reply, or when a
// reply has shown its session since. Functions over the workbench; what has
// been told is kept with the sessions (lookout/event_log.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "lookout/sentry.h"
#include "mcp/tool.h"
#include "session/session.h"
#include "support/json.h"
#include "tools/reply.h"
#include "tools/workbench.h"

namespace glasstty {

// Returns what the lookout has to know of the server's clients.
lookout::Surroundings SurroundingsOf(Clients* clients);

// Replies name at most so many.
inline constexpr size_t kMostNamedEvents = 5;

// The mode `events` of term_read: all events of the sessions, oldest first;
// those that the client had not been told are marked.
mcp::ToolResult ListEvents(Workbench* bench, mcp::ToolCall* call,
                           std::vector<session::SessionRef> sessions,
                           ReplyFormat format);

// The condition `event` of term_wait: waits for the first event of the
// sessions, or of all but other agents' if none is named.
Task<mcp::ToolResult> AwaitEvent(Workbench* bench, mcp::ToolCall* call,
                                 std::vector<session::SessionRef> sessions,
                                 double timeout_s, ReplyFormat format);

// Events of the client's other sessions that a reply about `shown` names: those
// of its own watches, and all once it has asked for events. `on_sent` must be
// called when the reply has been sent.
struct EventNews {
  std::vector<std::string> lines;
  std::function<void()> on_sent;
};
EventNews NewsBeside(Workbench* bench, const mcp::ToolCall& call,
                     const session::Session& shown);

// The argument `watch`: conditions that stay, by name; null ends one.
template <class Args>
mcp::Field<Args> WatchField(Json Args::*member) {
  return mcp::Optional("watch", member,
                       "{name: condition}: stays, and makes events.",
                       mcp::Shape{R"({"type":"object"})"});
}
// Error: one of them cannot be watched. Call it before anything else is done.
absl::Status CheckWatches(const Json& watches);
// Returns a note about it; "" if `watches` is null.
absl::StatusOr<std::string> SetWatches(Workbench* bench,
                                       const mcp::ToolCall& call,
                                       const session::SessionRef& session,
                                       const Json& watches);

}  // namespace glasstty
