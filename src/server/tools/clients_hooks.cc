// Hooks: finds the agent for which a hook acts, and records the news that was
// reported to that agent.
#include <algorithm>
#include <climits>
#include <cstddef>
#include <utility>

#include "tools/clients.h"

namespace glasstty {

using session::SessionRef;

namespace {

// The processes between a hook and its agent are a shell, a launcher, and a
// package manager with its own shell. More distant ancestors may have started
// the agent itself, and other agents, too.
constexpr size_t kNearest = 6;

}  // namespace

std::vector<pid_t> Clients::AncestorsOf(const mcp::RequestContext& context) {
  std::vector<pid_t> ancestors;
  const Json* list = context.introduction == nullptr
                         ? nullptr
                         : FindMember(*context.introduction, "ancestors");
  if (list == nullptr || !list->is_array()) return ancestors;
  for (const Json& member : *list) {
    auto pid = AsInteger(member);
    bool is_pid = pid && *pid > 0 && *pid <= INT_MAX;
    if (!is_pid || ancestors.size() == kNearest) break;
    ancestors.push_back(static_cast<pid_t>(*pid));
  }
  return ancestors;
}

// Everything descends from process 1, so process 1 counts only if it is the
// client's parent: in a container, it may be the agent.
bool Clients::Descends(const Client& client, pid_t ancestor) {
  // Of a client that an earlier server had, only the parent is known.
  if (client.ancestors.empty()) {
    return ancestor > 1 && client.opener.parent == ancestor;
  }
  auto end =
      ancestor == 1 ? client.ancestors.begin() + 1 : client.ancestors.end();
  return std::find(client.ancestors.begin(), end, ancestor) != end;
}

// An agent may have started another agent, whose client then descends from
// both. So the right client is the one that is nearest to the common ancestor.
bool Clients::FindAgent(const mcp::ToolCall& call) {
  if (call.context().recurring != kHookName) return true;
  if (guests_.contains(call.connection())) return true;
  for (pid_t ancestor : AncestorsOf(call.context())) {
    Client* best = nullptr;
    std::ptrdiff_t least = 0;
    for (Client& client : clients_) {
      bool may_be_it = client.recurring.empty() && !IsAway(client) &&
                       Descends(client, ancestor);
      if (!may_be_it) continue;
      const std::vector<pid_t>& list = client.ancestors;
      std::ptrdiff_t distance =
          std::find(list.begin(), list.end(), ancestor) - list.begin();
      // An agent may have configured the server twice.
      bool is_better = best == nullptr || distance < least ||
                       (distance == least && OwnsAny(client));
      if (!is_better) continue;
      best = &client;
      least = distance;
    }
    if (best == nullptr) continue;
    guests_[call.connection()] = best;
    return true;
  }
  return false;
}

ToldState* Clients::StateOf(const mcp::ToolCall& call,
                            const session::Session& session) {
  return &Of(call)->states[session.origin().id];
}

void Clients::SetShown(uint64_t connection, const std::string& session_id,
                       const ToldState::News& news) {
  auto found = by_connection_.find(connection);
  if (found == by_connection_.end()) return;
  ToldState* state = &found->second->states[session_id];
  state->shown = news;
  // Once a reply has shown other news, a hook may report the earlier news
  // again.
  if (state->said && *state->said != news) state->said.reset();
}

std::vector<SessionRef> Clients::OwnOf(const mcp::ToolCall& call) {
  const Client* client = Of(call);
  std::vector<SessionRef> own;
  for (const SessionRef& session : manager_->All()) {
    if (OwnerOf(*session) == client) own.push_back(session);
  }
  return own;
}

bool Clients::IsUsing(const mcp::ToolCall& call,
                      const session::Session& session) {
  const Client* client = Of(call);
  return std::any_of(uses_.begin(), uses_.end(), [&](const UseOf& use) {
    return use.client == client && use.session_id == session.origin().id;
  });
}

bool Clients::TakeHint(const mcp::ToolCall& call) {
  return !std::exchange(Of(call)->hinted, true);
}

}  // namespace glasstty
