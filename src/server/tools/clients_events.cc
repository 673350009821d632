// Events, and which of them each client has seen.
#include <algorithm>

#include "absl/strings/str_format.h"
#include "tools/clients.h"

namespace glasstty {

using session::Activity;

std::string Clients::ReaderName(const mcp::ToolCall& call) {
  const Client* client = Of(call);
  if (!client->recurring.empty()) return "=" + client->recurring;
  const record::Opener& opener = client->opener;
  if (opener.parent == 0) {
    return absl::StrFormat("%c%d", lookout::EventLog::kPassing,
                           call.connection());
  }
  return absl::StrFormat("%s %d %d %s", opener.name, opener.parent,
                         opener.process, opener.directory);
}

bool Clients::IsOwn(const mcp::ToolCall& call,
                    const session::Session& session) {
  return OwnerOf(session) == Of(call);
}

bool Clients::HasSeen(const Client& client, const session::Session& session,
                      const lookout::Event& event) {
  const std::string& id = session.origin().id;
  if (event.line >= 0) {
    auto mark = client.marks.find(id);
    if (mark == client.marks.end()) return false;
    bool is_part_shown =
        mark->second.line == event.line && !mark->second.shown.empty();
    bool is_behind = mark->second.line > event.line &&
                     mark->second.lines_revision >= event.line_revision;
    return is_part_shown || is_behind;
  }
  auto state = client.states.find(id);
  if (state == client.states.end() || !state->second.shown) return false;
  const ToldState::News& shown = *state->second.shown;
  if (event.watch == lookout::kAsks) {
    return shown.key == event.key && (shown.activity == Activity::kInput ||
                                      shown.activity == Activity::kSecret);
  }
  if (event.watch != lookout::kEnded) return false;
  if (event.key == 0) return shown.activity == Activity::kExited;
  // A shell without marks counts no commands.
  bool counts = session.events().commands().started() > 0;
  return shown.activity == Activity::kPrompt &&
         (!counts || shown.key >= event.key);
}

bool Clients::HasSeen(const mcp::ToolCall& call,
                      const session::Session& session,
                      const lookout::Event& event) {
  return HasSeen(*Of(call), session, event);
}

bool Clients::HasAnySeen(const session::Session& session,
                         const lookout::Event& event) const {
  return std::any_of(
      clients_.begin(), clients_.end(),
      [&](const Client& client) { return HasSeen(client, session, event); });
}

}  // namespace glasstty
