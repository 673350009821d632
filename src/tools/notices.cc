#include "tools/notices.h"

#include <utility>

#include "support/status.h"
#include "tools/reply.h"
#include "view/reader.h"

namespace glasstty {

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
  if (on && !follower.output) follower.told = MarkNow(session->terminal());
  follower.output = on;
}

void Notices::ForgetConnection(uint64_t connection) {
  for (auto& [id, entry] : entries_) entry.followers.erase(connection);
}

// Called for each piece of output: cheap where nothing will be told.
void Notices::OnChanged(const std::string& id) {
  auto found = entries_.find(id);
  if (found == entries_.end() || found->second.changed) return;
  Entry& entry = found->second;
  SessionRef session = entry.session.lock();
  // An end is told to every follower, output only to those who asked for it.
  bool wanted = session != nullptr && session->finished();
  for (const auto& [connection, follower] : entry.followers) {
    wanted |= follower.output;
  }
  if (!wanted) return;
  entry.changed = true;
  // Not set anew by later output: a flood is told of every kPause, too.
  if (!timer_.armed()) timer_.SetAfter(kPause);
}

void Notices::Tell() {
  for (auto it = entries_.begin(); it != entries_.end();) {
    Entry& entry = it->second;
    SessionRef session = entry.session.lock();
    bool changed = std::exchange(entry.changed, false);
    // Erased only after a turn in which the end was told (`changed`).
    bool over = session == nullptr || session->finished();
    for (auto& [connection, follower] : entry.followers) {
      if (!changed || session == nullptr) continue;
      if (follower.output) TellOutput(*session, connection, &follower);
      if (over && send_) {
        send_(connection, {{"type", "exit"},
                           {"session", session->name()},
                           {"state", StateWord(*session)}});
      }
    }
    it = over && changed ? entries_.erase(it) : std::next(it);
  }
}

// As `auto` shows it: what changed on the screen of a full-screen program.
void Notices::TellOutput(const Session& session, uint64_t connection,
                         Follower* follower) {
  ReadRequest request;
  // No limit but that of bytes: what is cut would not be new the next time.
  request.limits.max_lines = 0;
  request.max_bytes = kMaxText;
  ReadResult read = ReadSession(session, follower->told, request);
  Json data = {{"type", "output"},
               {"session", session.name()},
               {"mode", std::string(ReadModeName(read.used))}};
  if (read.bytes > static_cast<int64_t>(kMaxText)) {
    data["oversized"] = true;
    data["available"] = read.bytes;
    data["hint"] = "term_read, or term_write_file output=new";
    follower->told = MarkNow(session.terminal());
  } else {
    follower->told = read.mark;
    if (read.body.empty()) return;
    data["text"] = std::move(read.body);
  }
  if (send_) send_(connection, std::move(data));
}

}  // namespace glasstty
