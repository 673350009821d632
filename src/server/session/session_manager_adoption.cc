// Takes over the sessions that an earlier server left.
//
// There are two locks; the kernel releases each when its process ends, in
// whatever way:
//   lock, in the session's directory   the holder's: free when it is dead
//   StateDir::Claim                    the server's: taken while a live server
//                                      has the session
//
// A server that starts looks through the state directory at its first tool
// call. A session that is claimed is another server's: its name is added to the
// list `elsewhere` and nothing is touched (session_manager_guests.cc).
// Otherwise the server claims it and tries the holder's socket. If the holder
// answers, the session is adopted alive; if not, the files are shown as a
// session that has ended. The claim comes before the connection, because a
// holder serves one server at a time.
//
// A new session is claimed before its meta.json is written, and its holder is
// started afterwards. A directory without meta.json and without a holder is
// skipped, so a server that looks at that moment sees either no session or a
// claimed one. A directory with a holder is a session, even if the file is
// missing or damaged.
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "base/descriptors.h"
#include "record/meta.h"
#include "session/orphans.h"
#include "session/session_manager.h"
#include "support/log.h"
#include "support/status.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// In bytes; argv may be long.
constexpr size_t kMaxMeta = 1 << 20;
// The descriptors that calls, clients and one more session need.
constexpr int kDescriptorsToAdopt = 24;
// The descriptors that an adopted session opens only when it is fed: its log
// and its lines.
constexpr int kOpenedLater = 2;
constexpr Duration kFirstAdoptPause = std::chrono::milliseconds(250);
constexpr Duration kLongestAdoptPause = std::chrono::seconds(30);

}  // namespace

void SessionManager::AdoptLeft(std::string_view only) {
  auto is_looked_for = [only](const auto& one) {
    return only.empty() || one.name == only || one.id.empty();
  };
  std::erase_if(elsewhere_, is_looked_for);
  std::erase_if(left_, is_looked_for);
  auto ids = state_dir_->List();
  if (!ids.ok()) left_.push_back({"", "*", Message(ids.status())});
  int adopted = 0;
  for (const std::string& id : ids.ok() ? *ids : std::vector<std::string>()) {
    bool ours = std::any_of(sessions_.begin(), sessions_.end(),
                            [&id](const SessionRef& session) {
                              return session->origin().id == id;
                            });
    if (ours) continue;
    std::string name = id;
    size_t before = sessions_.size();
    absl::Status status = Adopt(id, only, adopted * kOpenedLater, &name);
    if (sessions_.size() > before) ++adopted;
    // A session whose files are damaged cannot be shown. It need not be listed
    // if nothing of it runs that could be ended. Without meta.json, it is just
    // being created, or was never completed.
    bool is_lasting = !absl::IsResourceExhausted(status);
    if (status.ok() || (is_lasting && HasLeftEnded(id))) continue;
    if (!state_dir_->Claim(id)) {
      std::erase_if(elsewhere_,
                    [&id](const auto& one) { return one.id == id; });
      elsewhere_.push_back({id, name});
      continue;
    }
    state_dir_->Disclaim(id);
    if (adopt_pause_ == Duration::zero()) {
      Warn("session %s: %s", name, Message(status));
    }
    std::erase_if(left_, [&id](const Left& left) { return left.id == id; });
    left_.push_back({id, name, Message(status)});
  }
  // A call that names one session does not delay the adoption of the others.
  if (only.empty() || !adopt_timer_.armed()) AdoptSoon();
  // Directory entries have no order.
  std::stable_sort(sessions_.begin(), sessions_.end(),
                   [](const SessionRef& a, const SessionRef& b) {
                     return a->origin().started_ms < b->origin().started_ms;
                   });
  AdoptPlaces();
}

// Obstacles to adoption, above all a lack of descriptors, are usually
// temporary. The pause grows, so that a lasting obstacle costs nearly nothing.
void SessionManager::AdoptSoon() {
  if (left_.empty()) {
    adopt_pause_ = Duration::zero();
    adopt_timer_.Clear();
    return;
  }
  adopt_pause_ =
      std::clamp(2 * adopt_pause_, kFirstAdoptPause, kLongestAdoptPause);
  adopt_timer_.SetAfter(adopt_pause_);
}

bool SessionManager::IsLeft(std::string_view name) const {
  return std::any_of(left_.begin(), left_.end(),
                     [name](const Left& left) { return left.name == name; });
}

absl::StatusOr<std::string> SessionManager::EndLeft(std::string_view name) {
  auto left = std::find_if(left_.begin(), left_.end(), [name](const Left& one) {
    return one.name == name;
  });
  if (left == left_.end()) return NotFound("no session '%s'", name);
  ASSIGN_OR_RETURN(record::Folder folder, state_dir_->OpenSession(left->id));
  if (!state_dir_->Claim(left->id)) {
    return Unavailable("session '%s' is another server's by now; call again",
                       name);
  }
  UniqueFd holder = wire::ConnectHolder(folder.Open()->get());
  bool is_dead = wire::IsOver(folder.Open()->get());
  state_dir_->Disclaim(left->id);
  if (is_dead) {
    RETURN_IF_ERROR(KillOrphans({.id = left->id}));
    return left->id;
  }
  ucred peer{};
  socklen_t size = sizeof peer;
  bool is_known =
      getsockopt(holder.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
      peer.pid > 0;
  // As long as the connection is open, the number belongs to the holder.
  if (!is_known || kill(peer.pid, SIGTERM) != 0) {
    return ErrnoStatus("end", "its holder");
  }
  return left->id;
}

bool SessionManager::HasLeftEnded(const std::string& id) const {
  auto folder = state_dir_->OpenSession(id);
  if (!folder.ok() || !wire::IsOver(folder->Open()->get())) return false;
  auto orphans = FindOrphans({.id = id});
  return orphans.ok() && orphans->empty();
}

absl::StatusOr<record::SessionOrigin> SessionManager::ReadOrigin(
    const record::Folder& folder) const {
  record::Folder::Hold directory = folder.Open();
  if (!directory->valid()) return ErrnoStatus("open", "its directory");
  std::string text;
  if (!ReadFileAt(directory->get(), wire::kMetaName, kMaxMeta, &text)) {
    if (errno == ENOENT) return NotFound("no %s", wire::kMetaName);
    return ErrnoStatus("read", wire::kMetaName);
  }
  auto origin = record::DecodeMeta(text);
  if (!origin.ok()) return InvalidArgument("%s", Message(origin.status()));
  return origin;
}

// An error concerns only this session: if one directory cannot be read, the
// others must still be adopted.
absl::Status SessionManager::Adopt(const std::string& id, std::string_view only,
                                   int spoken_for, std::string* name) {
  ASSIGN_OR_RETURN(record::Folder folder, state_dir_->OpenSession(id));
  ASSIGN_OR_RETURN(record::SessionOrigin origin, ReadOrigin(folder));
  *name = origin.name;
  if (!only.empty() && origin.name != only) return absl::OkStatus();
  if (FreeDescriptors() < kDescriptorsToAdopt + spoken_for) {
    return ResourceExhausted(
        "too few descriptors are free (ulimit -n allows this server %d)",
        DescriptorLimit());
  }
  return AdoptFolder(id, std::move(folder), std::move(origin));
}

absl::Status SessionManager::AdoptFolder(const std::string& id,
                                         record::Folder folder,
                                         record::SessionOrigin origin) {
  record::Folder::Hold directory = folder.Open();
  if (!state_dir_->Claim(id)) {
    elsewhere_.push_back({id, origin.name});
    return absl::OkStatus();
  }
  // The shell for which the file was written has read it by now.
  unlinkat(directory->get(), wire::kEnvironmentName, 0);
  // The directory's name determines the id, not the file.
  origin.id = id;
  origin.name = FreeName(origin.name);
  // If the descriptor is invalid, nobody listens on the socket, so the holder
  // is dead.
  UniqueFd control = wire::ConnectHolder(directory->get());
  std::unique_ptr<Channel> channel;
  if (control.valid()) {
    channel = std::make_unique<SocketChannel>(loop_, std::move(control));
  }
  bool elsewhere = channel == nullptr && wire::IsElsewhere(directory->get());
  bool dead = channel == nullptr && !elsewhere;
  auto adopted = Replay::Inspect(directory->get(), dead);
  if (!adopted.ok()) {
    state_dir_->Disclaim(id);
    return adopted.status();
  }
  // The reader of this server continues where it was as a guest, not where the
  // reader of the dead server was.
  wire::MarkRecord read_to = LeaveGuest(id);
  if (read_to != wire::MarkRecord()) adopted->read_to = read_to;
  guests_.erase(id);
  auto session = Session::Create(loop_, std::move(origin), std::move(folder),
                                 std::move(channel));
  if (!session.ok()) {
    state_dir_->Disclaim(id);
    return session.status();
  }
  // Added to the list first, so that calls can name the session and wait for it
  // during the replay.
  Add(*session);
  (*session)->Adopt(*adopted);
  if (!dead && !(*session)->origin().place.empty()) {
    (*session)->files()->Drop(wire::kEnvironmentName);
  }
  if (elsewhere) (*session)->CutOff();
  if (IsHelper(**session)) EndHelper(*session);
  return absl::OkStatus();
}

}  // namespace glasstty::session
