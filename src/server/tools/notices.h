// Notifications that clients get without a call: output of sessions that they
// asked to follow (`notify`), and the end of these sessions and of those that
// they opened.
//
// Notifications are for people who watch, not for models, so no read mark
// moves. Output is sent as a reader would see it, collected for kPause; if
// there is much, only its size is sent. If a client does not read its
// notifications, it later gets one about everything since. Owns the record of
// the output that each client was sent. Borrows the loop. Holds sessions
// weakly; they call this object through Session::SetObserver. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "session/session.h"
#include "support/json.h"
#include "support/loop.h"
#include "view/reader.h"

namespace glasstty {

class Notices {
 public:
  // Output is collected for this time, so that a line that is printed in pieces
  // is sent once.
  static constexpr Duration kPause = std::chrono::milliseconds(100);
  // The limit for text, in bytes; if there is more, only the size is sent.
  static constexpr size_t kMaxText = 32 << 10;

  // Sends messages. `congested` returns true if no message can be sent now.
  struct Wire {
    std::function<void(uint64_t connection, Json data)> send;
    std::function<bool(uint64_t connection)> congested;
  };

  explicit Notices(Loop* loop);
  ~Notices();
  Notices(const Notices&) = delete;
  Notices& operator=(const Notices&) = delete;

  // Nothing is sent before this call.
  void SetWire(Wire wire) { wire_ = std::move(wire); }

  // Notifies this client when the session, which it calls `name`, ends. Does
  // nothing if the session has already ended.
  void Follow(uint64_t connection, const session::SessionRef& session,
              const std::string& name);
  // Like Follow, and turns output notifications for this session on or off.
  void SetOutput(uint64_t connection, const session::SessionRef& session,
                 const std::string& name, bool on);
  void ForgetConnection(uint64_t connection);

 private:
  struct Follower {
    std::string name;  // the client's name for the session
    bool output = false;
    view::ReaderMark told;  // what the client has been sent
    bool behind = false;    // a notification is pending
  };
  struct Entry {
    std::weak_ptr<session::Session> session;
    std::map<uint64_t, Follower> followers;  // by connection
  };

  void OnChanged(const std::string& id);
  void Tell();
  void TellFollower(const session::Session& session, uint64_t connection,
                    Follower* follower);
  void TellOutput(const session::Session& session, uint64_t connection,
                  Follower* follower);

  Wire wire_;
  std::map<std::string, Entry> entries_;  // by the session's id
  Timer timer_;  // armed while a notification is pending
};

}  // namespace glasstty
