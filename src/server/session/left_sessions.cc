#include "session/left_sessions.h"

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "base/descriptors.h"
#include "record/meta.h"
#include "session/orphans.h"
#include "support/log.h"
#include "support/status.h"
#include "wire/launch.h"
#include "wire/messages.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// The number of descriptors that calls, clients and one more session need.
constexpr int kDescriptorsToAdopt = 24;
// The number of descriptors that an adopted session opens only when it is fed:
// for its log and its lines.
constexpr int kOpenedLater = 2;
constexpr Duration kFirstAdoptPause = std::chrono::milliseconds(250);
constexpr Duration kLongestAdoptPause = std::chrono::seconds(30);

}  // namespace

LeftSessions::LeftSessions(Loop* loop, SessionList* sessions, Guests* guests,
                           RemoteSessions* remote)
    : loop_(loop),
      sessions_(sessions),
      guests_(guests),
      remote_(remote),
      timer_(loop, [this] { Adopt(); }) {}

void LeftSessions::Adopt(std::string_view only) {
  guests_->LookFor(only);
  std::erase_if(left_, [only](const Left& left) {
    return only.empty() || left.name == only || left.id.empty();
  });
  absl::Status kept = sessions_->KeepStateDir();
  auto ids = kept.ok() ? sessions_->state_dir()->List() : kept;
  if (!ids.ok()) left_.push_back({"", "*", Message(ids.status())});
  int adopted = 0;
  for (const std::string& id : ids.ok() ? *ids : std::vector<std::string>()) {
    bool ours = std::any_of(
        sessions_->all().begin(), sessions_->all().end(),
        [&id](const SessionRef& s) { return s->origin().id == id; });
    if (ours) continue;
    std::string name = id;
    size_t before = sessions_->all().size();
    absl::Status status = AdoptOne(id, only, adopted * kOpenedLater, &name);
    if (sessions_->all().size() > before) ++adopted;
    // A session with damaged files cannot be shown. It is kept in left_ only
    // while it may have processes to end. A session without meta.json is just
    // being created, or was never completed.
    bool is_lasting = !absl::IsResourceExhausted(status);
    if (status.ok() || (is_lasting && HasEnded(id))) continue;
    if (!sessions_->state_dir()->Claim(id)) {
      guests_->Found(id, name);
      continue;
    }
    sessions_->state_dir()->Disclaim(id);
    if (pause_ == Duration::zero()) {
      Warn("session %s: %s", name, Message(status));
    }
    std::erase_if(left_, [&id](const Left& left) { return left.id == id; });
    left_.push_back({id, name, Message(status)});
  }
  // A call that names one session does not delay the adoption of the others.
  if (only.empty() || !timer_.armed()) AdoptSoon();
  // Directory entries have no order.
  sessions_->Sort();
  remote_->AdoptClients();
}

// Most obstacles to adoption, such as a lack of descriptors, are temporary. The
// pause grows, so that a lasting obstacle costs nearly nothing.
void LeftSessions::AdoptSoon() {
  if (left_.empty()) {
    pause_ = Duration::zero();
    timer_.Clear();
    return;
  }
  pause_ = std::clamp(2 * pause_, kFirstAdoptPause, kLongestAdoptPause);
  timer_.SetAfter(pause_);
}

bool LeftSessions::Has(std::string_view name) const {
  return std::any_of(left_.begin(), left_.end(),
                     [name](const Left& left) { return left.name == name; });
}

absl::StatusOr<std::string> LeftSessions::End(std::string_view name) {
  auto left = std::find_if(left_.begin(), left_.end(), [name](const Left& one) {
    return one.name == name;
  });
  if (left == left_.end()) return NotFound("no session '%s'", name);
  ASSIGN_OR_RETURN(record::Folder folder,
                   sessions_->state_dir()->OpenSession(left->id));
  if (!sessions_->state_dir()->Claim(left->id)) {
    return Unavailable("session '%s' is another server's by now; call again",
                       name);
  }
  UniqueFd holder = wire::ConnectHolder(folder.Open()->get());
  bool is_dead = wire::IsOver(folder.Open()->get());
  bool is_elsewhere = wire::IsElsewhere(folder.Open()->get());
  sessions_->state_dir()->Disclaim(left->id);
  if (is_dead) {
    RETURN_IF_ERROR(KillOrphans({.id = left->id}));
    return left->id;
  }
  // The relay must not be killed, because it serves other sessions, too.
  if (is_elsewhere) {
    if (wire::SendMessage(holder.get(), wire::Kill{})) return left->id;
    return ErrnoStatus("end", "the session there");
  }
  ucred peer{};
  socklen_t size = sizeof peer;
  bool is_known =
      getsockopt(holder.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
      peer.pid > 0;
  // As long as the connection is open, the process id belongs to the holder.
  if (!is_known || kill(peer.pid, SIGTERM) != 0) {
    return ErrnoStatus("end", "its holder");
  }
  return left->id;
}

bool LeftSessions::HasEnded(const std::string& id) const {
  auto folder = sessions_->state_dir()->OpenSession(id);
  if (!folder.ok() || !wire::IsOver(folder->Open()->get())) return false;
  auto orphans = FindOrphans({.id = id});
  return orphans.ok() && orphans->empty();
}

// An error concerns only this session: the others must still be adopted if one
// directory cannot be read.
absl::Status LeftSessions::AdoptOne(const std::string& id,
                                    std::string_view only, int spoken_for,
                                    std::string* name) {
  ASSIGN_OR_RETURN(record::Folder folder,
                   sessions_->state_dir()->OpenSession(id));
  ASSIGN_OR_RETURN(record::SessionOrigin origin, record::ReadMeta(folder));
  *name = origin.name;
  if (!only.empty() && origin.name != only) return absl::OkStatus();
  if (FreeDescriptors() < kDescriptorsToAdopt + spoken_for) {
    return ResourceExhausted(
        "too few descriptors are free (ulimit -n allows this server %d)",
        DescriptorLimit());
  }
  return AdoptFolder(id, std::move(folder), std::move(origin));
}

absl::Status LeftSessions::AdoptFolder(const std::string& id,
                                       record::Folder folder,
                                       record::SessionOrigin origin) {
  record::Folder::Hold directory = folder.Open();
  if (!sessions_->state_dir()->Claim(id)) {
    guests_->Found(id, origin.name);
    return absl::OkStatus();
  }
  // The shell for which the environment file was written has read it by now.
  unlinkat(directory->get(), wire::kEnvironmentName, 0);
  // The directory's name determines the id, not meta.json.
  origin.id = id;
  std::string free_name = sessions_->FreeName(origin.name);
  if (free_name != origin.name) {
    origin.name = std::move(free_name);
    // Otherwise, the next server might give the two sessions each other's name.
    ReplaceFileAt(directory->get(), wire::kMetaName,
                  record::EncodeMeta(origin));
  }
  // If the descriptor is invalid, nobody listens on the socket: the holder is
  // dead, or the session is on another machine and its relay is gone.
  UniqueFd control = wire::ConnectHolder(directory->get());
  std::unique_ptr<Channel> channel;
  if (control.valid()) {
    channel = std::make_unique<SocketChannel>(loop_, std::move(control));
  }
  bool elsewhere = channel == nullptr && wire::IsElsewhere(directory->get());
  bool dead = channel == nullptr && !elsewhere;
  auto adopted = Replay::Inspect(directory->get(), dead);
  if (!adopted.ok()) {
    sessions_->state_dir()->Disclaim(id);
    return adopted.status();
  }
  // If this server has read the session as a guest, its reader continues there,
  // not where the dead server's reader had stopped.
  wire::MarkRecord read_to = guests_->Adopted(id);
  if (read_to != wire::MarkRecord()) adopted->read_to = read_to;
  auto session = Session::Create(loop_, std::move(origin), std::move(folder),
                                 std::move(channel));
  if (!session.ok()) {
    sessions_->state_dir()->Disclaim(id);
    return session.status();
  }
  // Adds the session first, so that calls can wait for it during the replay.
  sessions_->Add(*session);
  (*session)->Adopt(*adopted);
  if (!dead && !(*session)->origin().place.empty()) {
    (*session)->files()->Drop(wire::kEnvironmentName);
  }
  if (elsewhere) (*session)->CutOff();
  if (IsHelper(**session)) remote_->EndHelper(*session);
  return absl::OkStatus();
}

}  // namespace glasstty::session
