// The names that each client has for sessions.
#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "support/status.h"
#include "tools/clients.h"

namespace glasstty {

using session::SessionRef;

namespace {

// The maximum length of a client's name in full names, in bytes.
constexpr size_t kMostHandle = 32;

// Returns whether the name is "main", "main-2" and so on.
bool IsDefaultName(std::string_view name) {
  constexpr std::string_view kMain = kDefaultSession;
  if (!name.starts_with(kMain)) return false;
  name.remove_prefix(kMain.size());
  return name.empty() ||
         (name[0] == '-' && name.size() > 1 &&
          name.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

}  // namespace

void Clients::SetHandle(Client* client, const std::string& name) {
  std::string base = name;
  std::replace(base.begin(), base.end(), ' ', '-');
  auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
  };
  // Handles are shown in brackets, without quotes.
  bool is_good = !base.empty() && base.size() <= kMostHandle &&
                 std::all_of(base.begin(), base.end(), is_plain);
  if (!is_good) base = "client";
  std::string handle = base;
  auto is_used = [&handle](const Client& other) {
    return other.handle == handle;
  };
  for (int n = 2; std::any_of(clients_.begin(), clients_.end(), is_used); ++n) {
    handle = absl::StrFormat("%s-%d", base, n);
  }
  client->handle = handle;
}

const std::string& Clients::ShortName(const session::Session& session) const {
  auto called = called_.find(session.origin().id);
  return called == called_.end() ? session.name() : called->second;
}

std::string Clients::FullName(const session::Session& session) const {
  const Client* owner = OwnerOf(session);
  return owner == nullptr ? session.name()
                          : owner->handle + "/" + ShortName(session);
}

void Clients::SetCalled(const session::Session& session,
                        const std::string& name) {
  called_.erase(session.origin().id);
  if (name != session.name()) called_[session.origin().id] = name;
}

bool Clients::IsOthers(const mcp::ToolCall& call,
                       const session::Session& session) {
  const Client* client = Of(call);
  const Client* owner = OwnerOf(session);
  return HasOwnNames(*client) && owner != nullptr && owner != client;
}

bool Clients::NeedsFullName(const mcp::ToolCall& call,
                            const session::Session& session) {
  return IsOthers(call, session) &&
         (HasOwnNames(*OwnerOf(session)) || IsDefaultName(session.name()));
}

std::string Clients::NameFor(const mcp::ToolCall& call,
                             const session::Session& session) {
  if (NeedsFullName(call, session)) return FullName(session);
  if (IsOthers(call, session)) return session.name();
  return HasOwnNames(*Of(call)) ? ShortName(session) : session.name();
}

// Prefers an agent's own session of this name, then a session with this full
// name, then one with this unique name that needs no full name. Takes the first
// of several, because All() returns live sessions first.
absl::StatusOr<std::string> Clients::Resolve(const mcp::ToolCall& call,
                                             const std::string& name) {
  const Client* client = Of(call);
  const session::Session* others = nullptr;
  const session::Session* in_full = nullptr;
  bool is_unique = false;
  for (const SessionRef& session : manager_->All()) {
    const Client* owner = OwnerOf(*session);
    bool is_called = ShortName(*session) == name;
    if (HasOwnNames(*client) && owner == client && is_called) {
      return session->name();
    }
    bool is_named = session->name() == name;
    bool is_others = NeedsFullName(call, *session);
    if (is_named && !is_others) is_unique = true;
    if (others == nullptr && is_others && (is_named || is_called)) {
      others = session.get();
    }
    bool is_full = owner != nullptr && FullName(*session) == name;
    if (in_full == nullptr && is_full) in_full = session.get();
  }
  if (in_full != nullptr) return in_full->name();
  if (is_unique || others == nullptr) return name;
  return NotFound(
      "you have no session '%s'; another client has one, which you can name as "
      "'%s' if you mean that",
      name, FullName(*others));
}

std::string Clients::ChooseName(const mcp::ToolCall& call,
                                const std::string& name) {
  auto own = Resolve(call, name);
  std::vector<SessionRef> all = manager_->All();
  auto is_used = [&all](const std::string& unique) {
    return std::any_of(all.begin(), all.end(), [&](const SessionRef& session) {
      return session->name() == unique;
    });
  };
  if (own.ok()) return *own;
  std::string unique = name;
  for (int n = 2; is_used(unique); ++n) {
    unique = absl::StrFormat("%s-%d", name, n);
  }
  return unique;
}

std::string Clients::DefaultSession(const mcp::ToolCall& call,
                                    std::string* note) {
  Client* client = Of(call);
  if (HasOwnNames(*client)) return kDefaultSession;
  if (!client->default_session.empty()) return client->default_session;
  // The client may have had a default session on an earlier server.
  for (const SessionRef& session : manager_->All()) {
    bool is_own = !session->finished() && OwnerOf(*session) == client &&
                  IsDefaultName(session->name());
    if (is_own) return client->default_session = session->name();
  }
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

// A unique name may end in a number because another client has used the same
// name.
void Clients::RecallName(const session::Session& session) {
  const std::string& name = session.name();
  size_t dash = name.rfind('-');
  bool is_numbered =
      dash != std::string::npos && dash > 0 && dash + 1 < name.size() &&
      name.find_first_not_of("0123456789", dash + 1) == std::string::npos;
  const Client* owner = OwnerOf(session);
  if (!is_numbered || owner == nullptr || !HasOwnNames(*owner) ||
      called_.contains(session.origin().id)) {
    return;
  }
  std::string base = name.substr(0, dash);
  std::vector<SessionRef> all = manager_->All();
  auto same = std::find_if(
      all.begin(), all.end(),
      [&base](const SessionRef& other) { return other->name() == base; });
  if (same == all.end()) return;
  const Client* others = OwnerOf(**same);
  if (others != nullptr && others != owner) SetCalled(session, base);
}

// Returns whether the live session of this name is another client's or about to
// end, or the name is another client's default.
bool Clients::IsTaken(const std::string& name, const Client* but) const {
  const session::Session* live = nullptr;
  for (const SessionRef& session : manager_->All()) {
    if (session->name() == name && !session->finished()) live = session.get();
  }
  if (live != nullptr) {
    const Client* owner = OwnerOf(*live);
    if (owner != nullptr && owner != but) return true;
    // The session's client has left, and the session is about to end.
    if (owner == nullptr && live->life().close_asked()) return true;
  }
  return std::any_of(
      clients_.begin(), clients_.end(), [&](const Client& client) {
        // A recurring client may never return.
        bool is_present = client.recurring.empty() || live != nullptr;
        return &client != but && is_present && client.default_session == name;
      });
}

}  // namespace glasstty
