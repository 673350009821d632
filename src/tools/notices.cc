#include "tools/notices.h"

#include <utility>

#include "support/status.h"
#include "tools/reply.h"
#include "view/reader.h"

namespace glasstty {

using session::SessionRef;

Notices::Notices(Loop* loop) : timer_(loop, [this] { Tell(); }) {}

// The sessions may outlive it.
Notices::~Notices() {
  for (auto& [id, entry] : entries_) {
    SessionRef session = entry.session.lock();
    if (session != nullptr) session->SetObserver(nullptr);
  }
}

void Notices::Follow(uint64_t connection, const SessionRef& session) {
  const std::string& id = session->origin().id;
  // Its end was told, or was there before it was looked at.
  if (session->finished() && entries_.count(id) == 0) return;
  Entry& entry = entries_[id];
  if (entry.session.expired()) {
    entry.session = session;
    session->SetObserver([this, id] { OnChanged(id); });
  }
  // Keeps what a follower was told, if it is one already.
  entry.followers.try_emplace(connection);
}

void Notices::SetOutput(uint64_t connection, const SessionRef& session,
                        bool on) {
  Follow(connection, session);
  auto entry = entries_.find(session->origin().id);
  if (entry == entries_.end()) return;
  Follower& follower = entry->second.followers[connection];
  // From now on: what is on the screen was not asked for.
  if (on && !follower.output)
    follower.told = record::MarkNow(session->terminal());
  follower.output = on;
}

void Notices::ForgetConnection(uint64_t connection) {
  for (auto& [id, entry] : entries_) entry.followers.erase(connection);
}

// Called for each piece of output: cheap where nothing will be told.
void Notices::OnChanged(const std::string& id) {
  auto found = entries_.find(id);
  if (found == entries_.end() || wire_.send == nullptr) return;
  SessionRef session = found->second.session.lock();
  // An end is told to every follower, output only to those who asked for it.
  bool over = session != nullptr && session->finished();
  bool wanted = over && found->second.followers.empty();
  for (auto& [connection, follower] : found->second.followers) {
    follower.behind |= over || follower.output;
    wanted |= follower.behind;
  }
  // Not set anew by later output: a flood is told of every kPause, too.
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
                          {"session", session.name()},
                          {"state", StateWord(session)}});
}

// As `auto` shows it: what changed on the screen of a full-screen program.
void Notices::TellOutput(const session::Session& session, uint64_t connection,
                         Follower* follower) {
  view::ReadRequest request;
  // No limit but that of bytes: what is cut would not be new the next time.
  request.limits.max_lines = 0;
  request.max_bytes = kMaxText;
  view::ReadResult read = view::ReadSession(session, follower->told, request);
  Json data = {{"type", "output"},
               {"session", session.name()},
               {"mode", std::string(view::ReadModeName(read.used))}};
  if (read.bytes > static_cast<int64_t>(kMaxText)) {
    data["oversized"] = true;
    data["available"] = read.bytes;
    data["hint"] = "term_read, or term_write_file output=new";
    follower->told = record::MarkNow(session.terminal());
  } else {
    follower->told = read.mark;
    if (read.body.empty()) return;
    data["text"] = std::move(read.body);
  }
  wire_.send(connection, std::move(data));
}

}  // namespace glasstty
