// Events, and which of them each client has seen.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "motion/shape.h"
#include "motion/weight.h"
#include "tools/clients.h"

namespace glasstty {

using session::Activity;

namespace {

// Returns whether the row is on the screen that was shown, even if the numbers
// in it differ.
bool Shows(const view::ReaderMark& mark, const std::string& row) {
  if (mark.screen == nullptr) return false;
  std::string shape = motion::ShapeOf(row);
  const std::vector<std::string>& rows = mark.screen->rows;
  return std::any_of(rows.begin(), rows.end(), [&](const std::string& shown) {
    return motion::ShapeOf(shown) == shape;
  });
}

}  // namespace

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
    // The failure may be in the part of the line that was printed later.
    const std::string& shown = mark->second.shown;
    bool is_part_shown = mark->second.line == event.line && !shown.empty() &&
                         (event.watch != lookout::kError ||
                          motion::WeightOf(shown) == motion::Weight::kFailure);
    bool is_behind = mark->second.line > event.line &&
                     mark->second.lines_revision >= event.line_revision;
    return is_part_shown || is_behind;
  }
  if (event.watch == lookout::kError) {
    auto mark = client.marks.find(id);
    return mark != client.marks.end() && Shows(mark->second, event.text);
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
