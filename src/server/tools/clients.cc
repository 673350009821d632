#include "tools/clients.h"

#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <climits>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/visible.h"
#include "session/streams.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {

using session::SessionRef;

namespace {

// A client whose process runs is examined again after this time at the
// earliest, because it may take long to make its first call.
constexpr Duration kLeastPatience = std::chrono::seconds(5);

bool IsAlive(pid_t pid) {
  return pid > 0 && (kill(pid, 0) == 0 || errno != ESRCH);
}

// Returns 0 if the introduction does not contain the process.
pid_t ProcessIn(const Json* introduction, const char* key) {
  const Json* member =
      introduction == nullptr ? nullptr : FindMember(*introduction, key);
  auto pid = member == nullptr ? std::nullopt : AsInteger(*member);
  bool is_pid = pid && *pid > 0 && *pid <= INT_MAX;
  return is_pid ? static_cast<pid_t>(*pid) : 0;
}

}  // namespace

// ---- identifying clients

Clients::Client* Clients::Of(const mcp::ToolCall& call) {
  auto guest = guests_.find(call.connection());
  if (guest != guests_.end()) return guest->second;
  auto found = by_connection_.find(call.connection());
  if (found != by_connection_.end()) return found->second;
  // The call's connection has ended, or is about to end (its calls are
  // cancelled first), so no client is created.
  if (call.is_cancelled()) {
    gone_ = Client();
    return &gone_;
  }
  const mcp::RequestContext& context = call.context();
  Client* client = nullptr;
  if (!context.recurring.empty()) {
    client = OfRecurring(context.recurring);
  } else {
    record::Opener opener = OpenerOf(context);
    client = OfReturning(opener);
    if (client == nullptr) {
      client = &clients_.emplace_back();
      SetHandle(client, opener.name);
    }
    client->opener = std::move(opener);
    client->ancestors = AncestorsOf(context);
    client->label = absl::StrFormat(
        "%s #%d", context.client_info.empty() ? "client" : context.client_info,
        call.connection());
  }
  by_connection_[call.connection()] = client;
  return client;
}

// Drops the client's version, because an upgrade may change it.
record::Opener Clients::OpenerOf(const mcp::RequestContext& context) {
  if (!context.recurring.empty()) return {.name = context.recurring};
  pid_t parent = ProcessIn(context.introduction.get(), "parent");
  if (parent == 0) return {};
  const std::string& info = context.client_info;
  return {.name = info.empty() ? "client" : info.substr(0, info.rfind(' ')),
          .directory = context.directory,
          .parent = parent,
          .process = ProcessIn(context.introduction.get(), "process")};
}

// The client's process is the same if only the server died. Otherwise the
// process is new, and as long as the old one's parent runs, only a child of
// that parent can be the same client.
Clients::Client* Clients::OfReturning(const record::Opener& opener) {
  Client* best = nullptr;
  for (Client& client : clients_) {
    const record::Opener& before = client.opener;
    if (!client.left || before.parent == 0 || before.name != opener.name ||
        before.directory != opener.directory) {
      continue;
    }
    if (before == opener) {
      best = &client;
      break;
    }
    bool is_sibling = before.parent == opener.parent;
    bool may_be_it =
        !IsAlive(before.process) && (is_sibling || !IsAlive(before.parent));
    bool is_better = best == nullptr ||
                     (is_sibling && best->opener.parent != opener.parent) ||
                     *client.left > *best->left;
    if (may_be_it && is_better) best = &client;
  }
  if (best == nullptr) return nullptr;
  best->left.reset();
  best->has_returned = true;
  return best;
}

// Keeps the client that was used last at the end of the list.
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
    Drop(&*oldest);
  }
  Client* client = &clients_.emplace_back();
  client->label = ShowOnOneLine(name);
  client->recurring = name;
  SetHandle(client, name);
  return client;
}

const Clients::Client* Clients::Look(const mcp::ToolCall& call) const {
  auto found = by_connection_.find(call.connection());
  return found == by_connection_.end() ? nullptr : found->second;
}

// ---- what each client has read

const view::ReaderMark& Clients::MarkOf(const mcp::ToolCall& call,
                                        const session::Session& session) {
  return Of(call)
      ->marks.try_emplace(session.origin().id, session::InheritedMark(session))
      .first->second;
}

void Clients::SetMark(uint64_t connection, const std::string& session_id,
                      view::ReaderMark mark) {
  auto found = by_connection_.find(connection);
  if (found == by_connection_.end()) return;
  found->second->marks[session_id] = std::move(mark);
}

// An owner that an earlier server had, and that has not made a call yet, has
// read what the earlier server knew.
std::optional<record::ReadMark> Clients::LeastMark(
    const session::Session& session) const {
  const std::string& id = session.origin().id;
  const Client* owner = OwnerOf(session);
  bool has_reader = owner != nullptr || AnotherUser(id, nullptr) != nullptr;
  std::optional<record::ReadMark> least;
  for (const Client& client : clients_) {
    bool is_reader = &client == owner || client.used.contains(id);
    auto found = client.marks.find(id);
    bool has_mark = found != client.marks.end();
    if (has_reader ? !is_reader : !has_mark) continue;
    record::ReadMark mark = session::InheritedMark(session);
    if (has_mark) mark = found->second;
    if (!least) least = mark;
    least->offset = std::min(least->offset, mark.offset);
    least->errors.offset = std::min(least->errors.offset, mark.errors.offset);
  }
  return least;
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

const std::shared_ptr<motion::Memory>& Clients::MemoryOf(
    const mcp::ToolCall& call, const session::Session& session) {
  std::shared_ptr<motion::Memory>& memory =
      Of(call)->memories[session.origin().id];
  if (memory == nullptr) memory = std::make_shared<motion::Memory>();
  return memory;
}

size_t Clients::mark_count() const {
  size_t count = 0;
  for (const Client& client : clients_) count += client.marks.size();
  return count;
}

// ---- what each client has handed over

void Clients::SetSettings(ClientSettings standard, ReadSettings read) {
  standard_.settings = std::move(standard);
  read_settings_ = std::move(read);
}

// Stores nothing for a connection that has ended, because nobody would remove
// the data.
const HandedOver& Clients::HandedOverBy(const mcp::ToolCall& call) {
  bool has_ended =
      call.is_cancelled() && !handed_over_.contains(call.connection());
  return has_ended ? standard_
                   : HandedOverBy(call.connection(), call.context());
}

const HandedOver& Clients::HandedOverBy(uint64_t connection,
                                        const mcp::RequestContext& context) {
  auto found = handed_over_.find(connection);
  if (found != handed_over_.end()) return found->second;
  auto inherited = ReadInheritance(context.introduction.get());
  if (inherited == nullptr) return standard_;
  HandedOver* handed = &handed_over_[connection];
  handed->settings = read_settings_ == nullptr
                         ? standard_.settings
                         : read_settings_(inherited.get(), context.directory);
  handed->inheritance = std::move(inherited);
  return *handed;
}

// ---- who owns which session

absl::Status Clients::CheckShare(const mcp::ToolCall& call) {
  const Client* client = Of(call);
  bool is_alone = by_connection_.size() == 1;
  int share = std::max(manager_->max_sessions() * 3 / 4, 1);
  std::vector<std::string> own;
  for (const SessionRef& session : manager_->All()) {
    if (!session->finished() && OwnerOf(*session) == client) {
      own.push_back(NameFor(call, *session));
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
  known_.insert(session.origin().id);
}

void Clients::Adopt(const mcp::ToolCall& call,
                    const session::Session& session) {
  Of(call)->used.insert(session.origin().id);
}

std::string Clients::TakeGreeting(const mcp::ToolCall& call) {
  Client* client = Of(call);
  if (!std::exchange(client->has_returned, false)) return "";
  std::vector<std::string> names;
  for (const SessionRef& session : manager_->All()) {
    if (!session->finished() && OwnerOf(*session) == client) {
      names.push_back(ShortName(*session));
    }
  }
  if (names.empty()) return "";
  return "you are back: your sessions are as you left them: " +
         Join(names, ", ");
}

void Clients::Use(mcp::ToolCall* call, const session::Session& session) {
  Client* client = Of(*call);
  auto use = uses_.insert(uses_.end(),
                          {client, session.origin().id, call->cancellation()});
  call->Keep({this, [use](void* self) {
                static_cast<Clients*>(self)->uses_.erase(use);
              }});
}

// Returns null if the session's owner is unknown, or has left for good.
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
    bool types = session.input().turn().IsHeldBy(use.caller) ||
                 session.input().turn().IsAwaitedBy(use.caller);
    auto& labels = types ? others.typing : others.waiting;
    if (std::find(labels.begin(), labels.end(), use.client->label) ==
        labels.end()) {
      labels.push_back(use.client->label);
    }
  }
  return others;
}

// ---- the end

// After a restart of the server, a client whose process runs is not away, even
// if it has not made a call yet.
bool Clients::IsAway(const Client& client) {
  return client.left && !IsAlive(client.opener.process);
}

bool Clients::OwnsAny(const Client& client) const {
  return std::any_of(
      owners_.begin(), owners_.end(),
      [&client](const auto& owner) { return owner.second == &client; });
}

std::vector<SessionRef> Clients::Leave(uint64_t connection, Time now) {
  handed_over_.erase(connection);
  guests_.erase(connection);
  auto found = by_connection_.find(connection);
  if (found == by_connection_.end()) return {};
  Client* client = found->second;
  by_connection_.erase(found);
  if (!client->recurring.empty()) return {};
  bool may_return = OwnsAny(*client) && client->opener.parent > 0;
  if (!may_return || patience_ == Duration::zero()) return Remove(client);
  client->left = now;
  client->opener.process = 0;
  return {};
}

// The client's last calls may still run, on connections that will soon end.
std::vector<SessionRef> Clients::LeaveForGood(const std::string& recurring) {
  auto found = std::find_if(clients_.begin(), clients_.end(),
                            [&recurring](const Client& client) {
                              return client.recurring == recurring;
                            });
  if (found == clients_.end()) return {};
  std::erase_if(by_connection_, [&found](const auto& entry) {
    return entry.second == &*found;
  });
  return Remove(&*found);
}

std::vector<SessionRef> Clients::ForgetAway(Time now) {
  std::vector<SessionRef> left;
  std::vector<Client*> late;
  for (Client& client : clients_) {
    if (!client.left || ForgetTime(client) > now) continue;
    if (IsAway(client)) {
      late.push_back(&client);
    } else {
      client.left = now;
    }
  }
  for (Client* client : late) {
    for (SessionRef& session : Remove(client)) {
      left.push_back(std::move(session));
    }
  }
  return left;
}

Time Clients::NextForget() const {
  Time next = Time::max();
  for (const Client& client : clients_) {
    if (client.left) next = std::min(next, ForgetTime(client));
  }
  return next;
}

Time Clients::ForgetTime(const Client& client) const {
  return *client.left +
         (IsAway(client) ? patience_ : std::max(patience_, kLeastPatience));
}

// Owners that are not known yet are marked as having left, until they make a
// call.
void Clients::Recall(Time now) {
  std::vector<SessionRef> recalled;
  for (const SessionRef& session : manager_->All()) {
    const record::Opener& opener = session->origin().program.opener;
    // A session whose owner has left for good gets no new owner.
    bool is_known = !known_.insert(session->origin().id).second ||
                    opener.name.empty() || session->finished();
    if (is_known) continue;
    Client* owner = nullptr;
    if (opener.parent == 0) {
      owner = OfRecurring(opener.name);
    } else {
      auto same = std::find_if(
          clients_.begin(), clients_.end(),
          [&opener](const Client& client) { return client.opener == opener; });
      owner = same == clients_.end() ? &clients_.emplace_back() : &*same;
      if (same == clients_.end()) {
        owner->opener = opener;
        owner->label = ShowOnOneLine(opener.name);
        owner->left = now;
        SetHandle(owner, opener.name);
      }
    }
    owners_[session->origin().id] = owner;
    recalled.push_back(session);
  }
  for (const SessionRef& session : recalled) RecallName(*session);
}

// Gives each session of the client to another client that has typed into it,
// unless the session is kept. So exactly one client ends a session.
std::vector<SessionRef> Clients::Remove(Client* client) {
  std::vector<SessionRef> left;
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
    bool closes = !session->origin().program.keep && !session->life().ended();
    if (closes) left.push_back(session);
  }
  Drop(client);
  return left;
}

// Calls of the client that still run are from now on calls of `gone_`.
void Clients::Drop(const Client* client) {
  for (UseOf& use : uses_) {
    if (use.client == client) use.client = &gone_;
  }
  std::erase_if(guests_,
                [client](const auto& guest) { return guest.second == client; });
  clients_.remove_if([client](const Client& c) { return &c == client; });
}

void Clients::ForgetSession(const std::string& id) {
  owners_.erase(id);
  called_.erase(id);
  known_.erase(id);
  for (Client& client : clients_) {
    client.marks.erase(id);
    client.told.erase(id);
    client.memories.erase(id);
    client.states.erase(id);
    client.used.erase(id);
  }
}

}  // namespace glasstty
