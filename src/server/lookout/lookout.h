// Watches all sessions of the server, each with a Sentry.
//
// Owns the sentries, and the list of waits for events. The caller adds each
// session that the session manager adds, and forgets each that the manager
// forgets. Loop thread only; the loop must outlive it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "lookout/sentry.h"
#include "session/session.h"
#include "support/wait.h"

namespace glasstty::lookout {

class Lookout {
 public:
  using OnEvent =
      std::function<void(const session::Session&, const Event& event)>;

  // Replaces the member `tell` of `surroundings`.
  explicit Lookout(Surroundings surroundings)
      : surroundings_(std::move(surroundings)) {
    surroundings_.tell = [this](const session::Session& session,
                                const Event* event) {
      if (event != nullptr && on_event_) on_event_(session, *event);
      waiters_.Check();
    };
  }
  Lookout(const Lookout&) = delete;
  Lookout& operator=(const Lookout&) = delete;

  void SetOnEvent(OnEvent on_event) { on_event_ = std::move(on_event); }

  void Add(const session::SessionRef& session) {
    sentries_[session->origin().id] =
        std::make_unique<Sentry>(session, &surroundings_);
  }
  void Forget(const std::string& id) {
    sentries_.erase(id);
    waiters_.Check();
  }
  // Returns null for a session that has been forgotten.
  Sentry* At(const session::Session& session) {
    auto found = sentries_.find(session.origin().id);
    return found == sentries_.end() ? nullptr : found->second.get();
  }
  // An event, the end of a session and Forget wake these waits.
  WaiterList* waiters() { return &waiters_; }

 private:
  Surroundings surroundings_;
  OnEvent on_event_;
  WaiterList waiters_;
  std::map<std::string, std::unique_ptr<Sentry>> sentries_;  // by session id
};

}  // namespace glasstty::lookout
