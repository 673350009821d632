// Notifies clients when a resource or a list has changed, in both eras
// (eras.h).
//
// A subscriber is a connection (legacy, resources/subscribe) or one open
// subscriptions/listen request (modern). Each URI is watched once, however many
// clients subscribe. Notifications only announce changes, so those about
// resources can be delayed: a subscriber gets at most one per kInterval and
// URI, and none while its client reads too slowly. The last change is always
// reported. The server owns this object. It borrows the resources. Loop thread
// only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mcp/resource.h"
#include "support/json.h"
#include "support/loop.h"

namespace glasstty::mcp {

class Subscriptions {
 public:
  static constexpr Duration kInterval = std::chrono::milliseconds(500);
  // The limits for subscriptions/listen requests of one connection, and for
  // URIs of one subscriber.
  static constexpr size_t kMaxListens = 64;
  static constexpr size_t kMaxUris = 64;

  // Sends messages. `congested` returns true if no message should be sent now.
  struct Wire {
    std::function<bool(uint64_t connection, const Json& message)> send;
    std::function<bool(uint64_t connection)> congested;
  };

  Subscriptions(Loop* loop, const std::vector<Resource>* resources, Wire wire);
  ~Subscriptions();
  Subscriptions(const Subscriptions&) = delete;
  Subscriptions& operator=(const Subscriptions&) = delete;

  // ---- legacy

  // kUnknown: there is no such resource, or it cannot be watched. kFull:
  // kMaxUris subscriptions exist.
  enum class Begin { kDone, kUnknown, kFull };
  Begin Subscribe(uint64_t connection, const std::string& uri);
  void Unsubscribe(uint64_t connection, const std::string& uri);

  // ---- modern

  // Acknowledges and begins those subscriptions in `wanted`
  // (params.notifications) that are possible. `lists` are the lists whose
  // changes are announced. Returns false if kMaxListens are open.
  bool Listen(uint64_t connection, const Json& id, const Json& wanted,
              const std::vector<std::string>& lists);
  bool Listens(uint64_t connection, const Json& id) const;
  // Call when the client has ended a listen request; nothing more is sent for
  // it.
  void EndListen(uint64_t connection, const Json& id);
  // Ends all listen requests, and returns their connections and ids, to be
  // answered.
  std::vector<std::pair<uint64_t, Json>> TakeListens();
  // Announces a change of a list ("tools", "prompts", "resources") to the
  // listeners that asked for it.
  void AnnounceList(const std::string& list);

  void ForgetConnection(uint64_t connection);
  bool empty() const { return subscribers_.empty(); }

 private:
  // The connection, and the JSON text of the request's id; "" means legacy.
  using Key = std::pair<uint64_t, std::string>;
  struct Subscriber {
    Json id;  // null: legacy
    std::set<std::string> uris;
    std::set<std::string> lists;
  };
  // A URI that has subscribers.
  struct Watched {
    Watched(Loop* loop, std::function<void()> due)
        : timer(loop, std::move(due)) {}
    Timer timer;  // armed while a notification is pending
    Time next{};  // no notification is sent earlier
    Watching watching;
    std::set<Key> subscribers;
    std::set<Key> untold;  // not notified of the last change yet
  };

  Begin Add(const Key& key, const std::string& uri);
  void Drop(const Key& key, const std::string& uri);
  void Changed(const std::string& uri);
  void Tell(const std::string& uri);
  bool Notify(const Key& key, std::string_view method, Json params);

  // Borrowed.
  Loop* const loop_;
  const std::vector<Resource>* const resources_;
  const Wire wire_;
  // State.
  std::map<Key, Subscriber> subscribers_;
  std::map<std::string, std::unique_ptr<Watched>> watched_;
};

}  // namespace glasstty::mcp
