#include "mcp/subscriptions.h"

#include <algorithm>

#include "mcp/jsonrpc.h"

namespace glasstty::mcp {
namespace {

// The member of _meta that identifies the open subscriptions/listen request to
// which a notification belongs.
constexpr char kSubscriptionId[] = "io.modelcontextprotocol/subscriptionId";

// Returns "toolsListChanged", with which a client asks for "tools".
std::string MemberOf(const std::string& list) { return list + "ListChanged"; }

}  // namespace

Subscriptions::Subscriptions(Loop* loop, const std::vector<Resource>* resources,
                             Wire wire)
    : loop_(loop), resources_(resources), wire_(std::move(wire)) {}

Subscriptions::~Subscriptions() = default;

// ---- legacy

Subscriptions::Begin Subscriptions::Subscribe(uint64_t connection,
                                              const std::string& uri) {
  // A legacy connection has one subscriber for all of its URIs. The JSON text
  // of an id is never empty, so this key differs from all modern ones.
  Key key{connection, ""};
  Begin begin = Add(key, uri);
  // A subscriber without subscriptions is not kept.
  if (subscribers_[key].uris.empty()) subscribers_.erase(key);
  return begin;
}

void Subscriptions::Unsubscribe(uint64_t connection, const std::string& uri) {
  Key key{connection, ""};
  auto found = subscribers_.find(key);
  if (found == subscribers_.end() || found->second.uris.erase(uri) == 0) return;
  Drop(key, uri);
  if (found->second.uris.empty()) subscribers_.erase(found);
}

// ---- modern

// Returns false if too many are open on this connection. Whatever cannot be
// watched is omitted from the acknowledgement instead of failing the rest.
bool Subscriptions::Listen(uint64_t connection, const Json& id,
                           const Json& wanted,
                           const std::vector<std::string>& lists) {
  auto open = std::count_if(
      subscribers_.begin(), subscribers_.end(), [connection](const auto& row) {
        return row.first.first == connection && !row.second.id.is_null();
      });
  if (static_cast<size_t>(open) >= kMaxListens) return false;
  // The key uses JSON because 1 and "1" are different ids.
  Key key{connection, DumpJson(id)};
  Subscriber& subscriber = subscribers_[key];
  subscriber.id = id;
  Json accepted = Json::object();
  for (const std::string& list : lists) {
    const Json* asked = FindMember(wanted, MemberOf(list));
    if (asked == nullptr || *asked != true) continue;
    subscriber.lists.insert(list);
    accepted[MemberOf(list)] = true;
  }
  const Json* uris = FindMember(wanted, "resourceSubscriptions");
  if (uris != nullptr && uris->is_array()) {
    Json taken = Json::array();
    for (const Json& uri : *uris) {
      auto text = AsString(uri);
      if (text && Add(key, *text) == Begin::kDone) taken.push_back(*text);
    }
    accepted["resourceSubscriptions"] = std::move(taken);
  }
  // The acknowledgement must precede all notifications of this subscription.
  Json params = Json::object();
  params["notifications"] = std::move(accepted);
  Notify(key, "notifications/subscriptions/acknowledged", std::move(params));
  return true;
}

bool Subscriptions::Listens(uint64_t connection, const Json& id) const {
  return subscribers_.contains({connection, DumpJson(id)});
}

void Subscriptions::EndListen(uint64_t connection, const Json& id) {
  auto found = subscribers_.find({connection, DumpJson(id)});
  if (found == subscribers_.end()) return;
  for (const std::string& uri : found->second.uris) Drop(found->first, uri);
  subscribers_.erase(found);
}

std::vector<std::pair<uint64_t, Json>> Subscriptions::TakeListens() {
  std::vector<std::pair<uint64_t, Json>> taken;
  for (const auto& [key, subscriber] : subscribers_) {
    if (!subscriber.id.is_null()) taken.emplace_back(key.first, subscriber.id);
  }
  // This is a separate loop because EndListen changes the map.
  for (const auto& [connection, id] : taken) EndListen(connection, id);
  return taken;
}

void Subscriptions::AnnounceList(const std::string& list) {
  for (const auto& [key, subscriber] : subscribers_) {
    if (!subscriber.lists.contains(list)) continue;
    Notify(key, "notifications/" + list + "/list_changed", Json::object());
  }
}

void Subscriptions::ForgetConnection(uint64_t connection) {
  // All subscribers of one connection are adjacent, the legacy one first.
  auto row = subscribers_.lower_bound({connection, ""});
  while (row != subscribers_.end() && row->first.first == connection) {
    for (const std::string& uri : row->second.uris) Drop(row->first, uri);
    row = subscribers_.erase(row);
  }
}

// ---- URIs

Subscriptions::Begin Subscriptions::Add(const Key& key,
                                        const std::string& uri) {
  Subscriber& subscriber = subscribers_[key];
  if (subscriber.uris.contains(uri)) return Begin::kDone;
  if (subscriber.uris.size() >= kMaxUris) return Begin::kFull;
  std::unique_ptr<Watched>& watched = watched_[uri];
  // The first subscriber creates the watch, and the last one to leave ends it
  // (Drop).
  if (watched == nullptr) {
    FoundResource found = FindResource(*resources_, uri);
    Watching watching;
    if (found.resource != nullptr && found.resource->watch) {
      watching =
          found.resource->watch(found.variables, [this, uri] { Changed(uri); });
    }
    if (watching == nullptr) {
      watched_.erase(uri);
      return Begin::kUnknown;
    }
    watched = std::make_unique<Watched>(loop_, [this, uri] { Tell(uri); });
    watched->watching = std::move(watching);
  }
  subscriber.uris.insert(uri);
  watched->subscribers.insert(key);
  return Begin::kDone;
}

void Subscriptions::Drop(const Key& key, const std::string& uri) {
  auto found = watched_.find(uri);
  found->second->subscribers.erase(key);
  found->second->untold.erase(key);
  if (found->second->subscribers.empty()) watched_.erase(found);
}

// Always notifies from the loop, because the caller is in the middle of the
// change.
void Subscriptions::Changed(const std::string& uri) {
  auto found = watched_.find(uri);
  if (found == watched_.end()) return;
  Watched& watched = *found->second;
  // Changes are merged into one notification, which only announces a change;
  // the client reads the resource when it likes.
  watched.untold = watched.subscribers;
  if (!watched.timer.armed()) {
    // Notify at once after a quiet period, or else when kInterval has passed
    // since the last notification.
    watched.timer.Set(std::max(loop_->Now(), watched.next));
  }
}

void Subscriptions::Tell(const std::string& uri) {
  Watched* watched = watched_[uri].get();
  watched->next = loop_->Now() + kInterval;
  std::erase_if(watched->untold, [this, &uri](const Key& key) {
    // A client that does not read is notified later, so that no queue grows.
    if (wire_.congested(key.first)) return false;
    Notify(key, "notifications/resources/updated", {{"uri", uri}});
    return true;
  });
  if (!watched->untold.empty()) watched->timer.Set(watched->next);
}

bool Subscriptions::Notify(const Key& key, std::string_view method,
                           Json params) {
  const Json& id = subscribers_[key].id;
  if (!id.is_null()) {
    Json stamped = Json::object();
    stamped["_meta"][kSubscriptionId] = id;
    for (auto item = params.begin(); item != params.end(); ++item) {
      stamped[item.key()] = std::move(item.value());
    }
    params = std::move(stamped);
  }
  return wire_.send(key.first, MakeNotification(method, std::move(params)));
}

}  // namespace glasstty::mcp
