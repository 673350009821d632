#include "tools/clients.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {

using session::SessionRef;

namespace {

constexpr char kDefaultSession[] = "main";

}  // namespace

// ---- who is who

Clients::Client* Clients::Of(const mcp::ToolCall& call) {
  auto found = by_connection_.find(call.connection());
  if (found != by_connection_.end()) return found->second;
  // Its connection has ended, or ends: a call is cancelled before.
  if (call.is_cancelled()) {
    gone_ = Client();
    return &gone_;
  }
  const mcp::RequestContext& context = call.context();
  Client* client = nullptr;
  if (!context.recurring.empty()) {
    client = OfRecurring(context.recurring);
  } else {
    client = &clients_.emplace_back();
    client->label = absl::StrFormat(
        "%s #%d", context.client_info.empty() ? "client" : context.client_info,
        call.connection());
  }
  by_connection_[call.connection()] = client;
  return client;
}

// The one that has come last is at the end.
Clients::Client* Clients::OfRecurring(const std::string& name) {
  auto found = std::find_if(
      clients_.begin(), clients_.end(),
      [&name](const Client& client) { return client.recurring == name; });
  if (found != clients_.end()) {
    clients_.splice(clients_.end(), clients_, found);
    return &clients_.back();
  }
  auto is_away = [this](const Client& client) {
    return !client.recurring.empty() &&
           std::none_of(
               by_connection_.begin(), by_connection_.end(),
               [&client](auto& entry) { return entry.second == &client; });
  };
  if (std::count_if(clients_.begin(), clients_.end(), is_away) >=
      static_cast<int64_t>(kMostRecurring)) {
    auto oldest = std::find_if(clients_.begin(), clients_.end(), is_away);
    std::erase_if(owners_, [&oldest](const auto& owner) {
      return owner.second == &*oldest;
    });
    clients_.erase(oldest);
  }
  Client* client = &clients_.emplace_back();
  client->label = name;
  client->recurring = name;
  return client;
}

const Clients::Client* Clients::Look(const mcp::ToolCall& call) const {
  auto found = by_connection_.find(call.connection());
  return found == by_connection_.end() ? nullptr : found->second;
}

// ---- what each has read

const view::ReaderMark& Clients::MarkOf(const mcp::ToolCall& call,
                                        const session::Session& session) {
  return Of(call)
      ->marks.try_emplace(session.origin().id, session.inherited_mark())
      .first->second;
}

void Clients::SetMark(uint64_t connection, const std::string& session_id,
                      view::ReaderMark mark) {
  auto found = by_connection_.find(connection);
  if (found == by_connection_.end()) return;
  found->second->marks[session_id] = std::move(mark);
}

const Told& Clients::ToldOf(const mcp::ToolCall& call,
                            const session::Session& session) {
  return Of(call)->told[session.origin().id];
}

void Clients::SetTold(uint64_t connection, const std::string& session_id,
                      const Told& told) {
  auto found = by_connection_.find(connection);
  if (found == by_connection_.end()) return;
  found->second->told[session_id] = told;
}

size_t Clients::mark_count() const {
  size_t count = 0;
  for (const Client& client : clients_) count += client.marks.size();
  return count;
}

// ---- whose sessions are whose

absl::Status Clients::CheckShare(const mcp::ToolCall& call) {
  const Client* client = Of(call);
  bool is_alone = by_connection_.size() == 1;
  int share = std::max(manager_->max_sessions() * 3 / 4, 1);
  std::vector<std::string> own;
  for (const SessionRef& session : manager_->All()) {
    if (!session->finished() && OwnerOf(*session) == client) {
      own.push_back(session->name());
    }
  }
  if (is_alone || std::ssize(own) < share) return absl::OkStatus();
  return ResourceExhausted(
      "this client has opened %d sessions, which is its share of %d while "
      "others are connected; term_close one of: %s",
      own.size(), manager_->max_sessions(), Join(own, ", "));
}

void Clients::Opened(const mcp::ToolCall& call,
                     const session::Session& session) {
  owners_[session.origin().id] = Of(call);
}

void Clients::Use(mcp::ToolCall* call, const session::Session& session) {
  Client* client = Of(*call);
  client->used.insert(session.origin().id);
  auto use = uses_.insert(uses_.end(),
                          {client, session.origin().id, call->cancellation()});
  call->Keep({this, [use](void* self) {
                static_cast<Clients*>(self)->uses_.erase(use);
              }});
}

// Null for a session that nobody here has opened: an earlier server's.
const Clients::Client* Clients::OwnerOf(const session::Session& session) const {
  auto found = owners_.find(session.origin().id);
  return found == owners_.end() ? nullptr : found->second;
}

const Clients::Client* Clients::AnotherUser(const std::string& session_id,
                                            const Client* but) const {
  for (const Client& client : clients_) {
    if (&client != but && client.used.contains(session_id)) return &client;
  }
  return nullptr;
}

// Another client has it for its own, or has begun to count on it.
bool Clients::IsTaken(const std::string& name, const Client* but) const {
  const session::Session* live = nullptr;
  for (const SessionRef& session : manager_->All()) {
    if (session->name() == name && !session->finished()) live = session.get();
  }
  if (live != nullptr) {
    const Client* owner = OwnerOf(*live);
    if (owner != nullptr && owner != but) return true;
  }
  return std::any_of(
      clients_.begin(), clients_.end(), [&](const Client& client) {
        // One that comes back may never do so.
        bool is_present = client.recurring.empty() || live != nullptr;
        return &client != but && is_present && client.default_session == name;
      });
}

std::string Clients::DefaultSession(const mcp::ToolCall& call,
                                    std::string* note) {
  Client* client = Of(call);
  if (!client->default_session.empty()) return client->default_session;
  std::string name = kDefaultSession;
  for (int n = 2; IsTaken(name, client); ++n) {
    name = absl::StrFormat("%s-%d", kDefaultSession, n);
  }
  client->default_session = name;
  if (name != kDefaultSession) {
    *note = absl::StrFormat(
        "your default session is '%s': '%s' is another client's", name,
        kDefaultSession);
  }
  return name;
}

SessionRef Clients::OnlyOwn(const mcp::ToolCall& call) {
  const Client* client = Of(call);
  SessionRef only;
  for (const SessionRef& session : manager_->All()) {
    const Client* owner = OwnerOf(*session);
    bool is_others = owner != nullptr && owner != client;
    if (session->finished() || is_others) continue;
    if (only != nullptr) return nullptr;
    only = session;
  }
  return only;
}

Clients::Others Clients::OthersAt(const mcp::ToolCall& call,
                                  const session::Session& session) const {
  Others others;
  const Client* client = Look(call);
  const Client* owner = OwnerOf(session);
  if (owner != nullptr && owner != client) others.opened_by = owner->label;
  for (const UseOf& use : uses_) {
    bool is_others = use.client != client && use.client != &gone_;
    if (!is_others || use.session_id != session.origin().id) continue;
    bool types = session.turn().IsHeldBy(use.caller) ||
                 session.turn().IsAwaitedBy(use.caller);
    auto& labels = types ? others.typing : others.waiting;
    if (std::find(labels.begin(), labels.end(), use.client->label) ==
        labels.end()) {
      labels.push_back(use.client->label);
    }
  }
  return others;
}

// ---- the end

// A session that another client has used is that one's from now on: one of them
// ends it. A list of all sessions is no use.
std::vector<SessionRef> Clients::Leave(uint64_t connection) {
  std::vector<SessionRef> left;
  auto found = by_connection_.find(connection);
  if (found == by_connection_.end()) return left;
  Client* client = found->second;
  by_connection_.erase(found);
  if (!client->recurring.empty()) return left;
  for (const SessionRef& session : manager_->All()) {
    auto owner = owners_.find(session->origin().id);
    if (owner == owners_.end() || owner->second != client) continue;
    const Client* heir = AnotherUser(session->origin().id, client);
    if (session->origin().program.keep) heir = nullptr;
    if (heir != nullptr) {
      owner->second = heir;
      continue;
    }
    owners_.erase(owner);
    bool closes = !session->origin().program.keep && !session->ended();
    if (closes) left.push_back(session);
  }
  // Its last calls are on their way to their end.
  for (UseOf& use : uses_) {
    if (use.client == client) use.client = &gone_;
  }
  clients_.remove_if([client](const Client& c) { return &c == client; });
  return left;
}

void Clients::ForgetSession(const std::string& id) {
  owners_.erase(id);
  for (Client& client : clients_) {
    client.marks.erase(id);
    client.told.erase(id);
    client.used.erase(id);
  }
}

}  // namespace glasstty
