// The sessions that run on other machines, the clients that connect to these
// machines, and helpers: programs of ours that run there during a call.
//
// If the relay of a place dies, the sessions there continue, and are resumed
// over the next relay. SessionList::OnCutOff reports such sessions. Owns the
// places. Borrows the loop, the list and the starter, which must outlive this
// object. Loop thread only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "session/places.h"
#include "session/session_list.h"
#include "session/session_starter.h"

namespace glasstty::session {

class RemoteSessions {
 public:
  RemoteSessions(Loop* loop, SessionList* sessions, SessionStarter* starter);

  // Call this once, when the list and the holder's executable are open. All
  // functions below except Stop require this call.
  void Start();
  // From now on, no client is started again (Places::Stop).
  void Stop();

  // Reaches a place on another machine; see Places::Reach. A client that is
  // started gets the variables of `inherited`, such as SSH_AUTH_SOCK.
  absl::StatusOr<ReachedPlace> Reach(
      const place::Place& place,
      std::shared_ptr<const record::Inheritance> inherited = nullptr);
  std::vector<ReachedPlace> places() const { return places_->All(); }
  // Takes over the clients of the places where the adopted sessions run.
  void AdoptClients();

  // Runs a program of ours for the duration of a call, on the machine of
  // `beside`. `name` must begin with '@'. If this server dies, the next one
  // ends the program. Error: there is no connection.
  absl::StatusOr<SessionRef> OpenHelper(const std::string& name,
                                        std::vector<std::string> argv,
                                        const Session& beside);
  // Ends a helper, and removes it from the list once it has ended.
  void EndHelper(const SessionRef& session);

 private:
  absl::StatusOr<ReachedPlace> Reach(const record::SessionOrigin& origin);
  absl::StatusOr<SessionRef> OpenClient(const std::string& name,
                                        const std::vector<std::string>& argv);
  bool RunsOn(const place::Place& place) const;
  void DiscardHelpers();
  void CutOff(const SessionRef& session, bool again);
  void ResumeCutOff();
  absl::Status Resume(Session* session);

  // Borrowed.
  Loop* const loop_;
  SessionList* const sessions_;
  SessionStarter* const starter_;
  // State.
  std::optional<Places> places_;
  // Keyed by the name of the session in which a place's client runs.
  std::map<std::string, std::shared_ptr<const record::Inheritance>> inherited_;
  std::vector<std::weak_ptr<Session>> cut_off_;
  Timer resume_timer_;
  Timer helper_timer_;  // armed while a helper is ending
};

}  // namespace glasstty::session
