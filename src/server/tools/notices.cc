#include "tools/notices.h"

#include <utility>

#include "session/streams.h"
#include "support/status.h"
#include "tools/session_words.h"
#include "view/reader.h"

namespace glasstty {

using session::SessionRef;

Notices::Notices(Loop* loop) : timer_(loop, [this] { Tell(); }) {}

// The sessions may outlive this object, so their observers are removed.
Notices::~Notices() {
  for (auto& [id, entry] : entries_) {
    SessionRef session = entry.session.lock();
    if (session != nullptr) session->SetObserver(nullptr);
  }
}

void Notices::Follow(uint64_t connection, const SessionRef& session,
                     const std::string& name) {
  const std::string& id = session->origin().id;
  // The end was already sent, or the session had ended before it was first
  // used.
  if (session->finished() && entries_.count(id) == 0) return;
  Entry& entry = entries_[id];
  if (entry.session.expired()) {
    entry.session = session;
    session->SetObserver([this, id] { OnChanged(id); });
  }
  // An existing follower keeps its mark.
  entry.followers[connection].name = name;
}

void Notices::SetOutput(uint64_t connection, const SessionRef& session,
                        const std::string& name, bool on) {
  Follow(connection, session, name);
  auto entry = entries_.find(session->origin().id);
  if (entry == entries_.end()) return;
  Follower& follower = entry->second.followers[connection];
  // Only later output is sent, because the client did not ask for the current
  // screen.
  if (on && !follower.output) follower.told = session::MarkNow(*session);
  follower.output = on;
}

void Notices::ForgetConnection(uint64_t connection) {
  for (auto& [id, entry] : entries_) entry.followers.erase(connection);
}

// Runs for each piece of output, so it must be cheap if nothing will be sent.
void Notices::OnChanged(const std::string& id) {
  auto found = entries_.find(id);
  if (found == entries_.end() || wire_.send == nullptr) return;
  SessionRef session = found->second.session.lock();
  // Every follower is notified of the end, but only those that asked are
  // notified of output.
  bool over = session != nullptr && session->finished();
  bool wanted = over && found->second.followers.empty();
  for (auto& [connection, follower] : found->second.followers) {
    follower.behind |= over || follower.output;
    wanted |= follower.behind;
  }
  // Later output does not restart the timer, so a flood is reported every
  // kPause.
  if (wanted && !timer_.armed()) timer_.SetAfter(kPause);
}

void Notices::Tell() {
  bool is_left = false;
  for (auto it = entries_.begin(); it != entries_.end();) {
    SessionRef session = it->second.session.lock();
    bool told = true;
    for (auto& [connection, follower] : it->second.followers) {
      if (!follower.behind || session == nullptr) continue;
      if (wire_.congested(connection)) {
        told = false;
      } else {
        follower.behind = false;
        TellFollower(*session, connection, &follower);
      }
    }
    is_left |= !told;
    bool over = session == nullptr || session->finished();
    it = over && told ? entries_.erase(it) : std::next(it);
  }
  if (is_left) timer_.SetAfter(kPause);
}

void Notices::TellFollower(const session::Session& session, uint64_t connection,
                           Follower* follower) {
  if (follower->output) TellOutput(session, connection, follower);
  if (!session.finished()) return;
  wire_.send(connection, {{"type", "exit"},
                          {"session", follower->name},
                          {"state", StateWord(session)}});
}

// Sends output as the mode `auto` shows it: for a full-screen program, the
// changes on its screen.
void Notices::TellOutput(const session::Session& session, uint64_t connection,
                         Follower* follower) {
  view::ReadRequest request;
  // Only bytes are limited, because cut lines would not be new the next time.
  request.limits.max_lines = 0;
  request.max_bytes = kMaxText;
  view::ReadResult read = view::ReadSession(session, follower->told, request);
  Json data = {{"type", "output"},
               {"session", follower->name},
               {"mode", std::string(view::ReadModeName(read.used))}};
  if (read.bytes > static_cast<int64_t>(kMaxText)) {
    data["oversized"] = true;
    data["available"] = read.bytes;
    data["hint"] = "term_read, or term_write_file output=new";
    follower->told = session::MarkNow(session);
  } else {
    follower->told = read.mark;
    if (read.body.empty()) return;
    data["text"] = std::move(read.body);
  }
  wire_.send(connection, std::move(data));
}

}  // namespace glasstty
