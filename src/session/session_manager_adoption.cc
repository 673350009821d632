// How a session passes from one server to the next.
//
// Two locks, both free at the death of their process, whatever its end:
//   lock, in the session's directory   the holder's: free when it is dead
//   StateDir::Claim                    the server's: taken while a live server
//                                      has the session
//
// A server that starts looks through the state directory at its first tool
// call. A session that is claimed is another server's: its name goes on the
// list `elsewhere` and nothing is touched. Otherwise it is claimed, then the
// holder's socket is tried. If it answers, the session is adopted alive; if
// not, what is on disk is shown as a session that has ended. The claim comes
// before the connection, because a holder serves one server at a time.
//
// A new session is claimed before its meta.json is written, and a directory
// without meta.json is skipped: a server that looks at that moment sees either
// no session or a taken one.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "record/meta.h"
#include "session/session_manager.h"
#include "support/log.h"
#include "support/status.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// Bytes; argv may be long.
constexpr size_t kMaxMeta = 1 << 20;

}  // namespace

void SessionManager::AdoptLeft() {
  elsewhere_.clear();
  for (const std::string& id : state_dir_->List()) {
    bool ours = std::any_of(sessions_.begin(), sessions_.end(),
                            [&id](const SessionRef& session) {
                              return session->origin().id == id;
                            });
    if (!ours) Adopt(id);
  }
  // Directories come in no order.
  std::stable_sort(sessions_.begin(), sessions_.end(),
                   [](const SessionRef& a, const SessionRef& b) {
                     return a->origin().started_ms < b->origin().started_ms;
                   });
  AdoptPlaces();
}

// If one directory cannot be read, the others must not be lost.
void SessionManager::Adopt(const std::string& id) {
  auto folder = state_dir_->OpenSession(id);
  if (!folder.ok()) {
    Warn("session %s: %s", id, Message(folder.status()));
    return;
  }
  AdoptFolder(id, *std::move(folder));
}

void SessionManager::AdoptFolder(const std::string& id, record::Folder folder) {
  record::Folder::Hold directory = folder.Open();
  std::string text;
  // Without one it is just being made, or was never finished.
  if (!ReadFileAt(directory->get(), wire::kMetaName, kMaxMeta, &text)) return;
  auto origin = record::DecodeMeta(text);
  if (!origin.ok()) {
    Warn("session %s: %s", id, Message(origin.status()));
    return;
  }
  if (!state_dir_->Claim(id)) {
    elsewhere_.push_back(origin->name);
    return;
  }
  // Its reader would have read it by now.
  unlinkat(directory->get(), wire::kEnvironmentName, 0);
  // The directory's name is the truth, not what the file says.
  origin->id = id;
  std::string base = origin->name;
  for (int n = 2; FindExact(origin->name) != nullptr; ++n) {
    origin->name = absl::StrFormat("%s-%d", base, n);
  }
  // Invalid: nobody listens on the socket, so the holder is dead.
  UniqueFd control = wire::ConnectHolder(directory->get());
  std::unique_ptr<Channel> channel;
  if (control.valid()) {
    channel = std::make_unique<SocketChannel>(loop_, std::move(control));
  }
  bool elsewhere = channel == nullptr && wire::IsElsewhere(directory->get());
  bool dead = channel == nullptr && !elsewhere;
  Session::Adopted adopted = InspectLeft(directory->get(), dead);
  auto session = Session::Create(loop_, *std::move(origin), std::move(folder),
                                 std::move(channel));
  if (!session.ok()) {
    state_dir_->Disclaim(id);
    Warn("session %s: %s", id, Message(session.status()));
    return;
  }
  // On the list first: a replay that is under way can be named and waited for.
  Add(*session);
  (*session)->Adopt(adopted);
  if (!dead && !(*session)->origin().place.empty()) {
    (*session)->DropFile(wire::kEnvironmentName);
  }
  if (elsewhere) (*session)->CutOff();
  if (IsHelper(**session)) EndHelper(*session);
}

}  // namespace glasstty::session
