#include "session/session_list.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "record/meta.h"
#include "support/log.h"
#include "support/status.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// The number of ended sessions that stay readable. This is greater than the
// number of calls that a client can run at once (Server::kMaxWaiting), so that
// no call loses its session.
constexpr int64_t kMostEnded = 150;

}  // namespace

bool IsClient(const Session& session) {
  const std::vector<std::string>& words = session.origin().program.argv;
  return session.name()[0] == '@' && words.size() > 1 && words[1] == "--plug";
}

bool IsHelper(const Session& session) {
  return session.name()[0] == '@' && !IsClient(session);
}

absl::Status SessionList::Open(uint64_t cap, std::function<bool()> make_room) {
  ASSIGN_OR_RETURN(record::StateDir state_dir, record::StateDir::Open());
  state_dir_ = std::move(state_dir);
  housekeeper_.emplace(loop_, &*state_dir_, cap, std::move(make_room));
  housekeeper_->Start();
  return absl::OkStatus();
}

// Without the directory, no session could be opened any more. If all of it was
// deleted, the new one does not contain the earlier sessions, so no later
// server can find them.
absl::Status SessionList::KeepStateDir() {
  if (state_dir_->IsThere()) return absl::OkStatus();
  std::string before = state_dir_->path();
  RETURN_IF_ERROR(state_dir_->Renew());
  Warn(
      "%s, or a part of it, was deleted, and has been made anew as %s; open "
      "sessions go on, but those whose files are gone are lost if this server "
      "dies",
      before, state_dir_->path());
  return absl::OkStatus();
}

std::vector<SessionRef> SessionList::Shown() const {
  std::vector<SessionRef> all = sessions_;
  auto live =
      std::stable_partition(all.begin(), all.end(),
                            [](const SessionRef& s) { return !s->finished(); });
  std::stable_partition(all.begin(), live, [](const SessionRef& s) {
    return !IsClient(*s) && !IsHelper(*s);
  });
  return all;
}

const Session* SessionList::FindExact(std::string_view name) const {
  for (const SessionRef& session : sessions_) {
    if (session->name() == name) return session.get();
  }
  return nullptr;
}

bool SessionList::Has(const Session& session) const {
  return std::any_of(
      sessions_.begin(), sessions_.end(),
      [&session](const SessionRef& ref) { return ref.get() == &session; });
}

std::string SessionList::FreeName(const std::string& base) const {
  std::string name = base;
  for (int n = 2; FindExact(name) != nullptr; ++n) {
    name = absl::StrFormat("%s-%d", base, n);
  }
  return name;
}

absl::StatusOr<std::string> SessionList::ChooseName(
    const std::string& wanted, const std::string& program) {
  if (wanted.empty()) return FreeName(program);
  const Session* same = FindExact(wanted);
  if (same == nullptr) return wanted;
  if (!same->finished()) {
    return AlreadyExists(
        "session '%s' is open already (%s); use it, choose another name, or "
        "term_close it first",
        wanted, StateText(same->verdict().LastState()));
  }
  // An exited session makes room for its successor.
  auto it = std::find_if(
      sessions_.begin(), sessions_.end(),
      [&](const SessionRef& session) { return session.get() == same; });
  Forget(SessionRef(*it));
  return wanted;
}

void SessionList::Rename(const SessionRef& session) {
  session->SetName(FreeName(session->name()));
  // People and the next server read the name from meta.json.
  ReplaceFileAt(session->OpenDirectory()->get(), wire::kMetaName,
                record::EncodeMeta(session->origin()));
}

void SessionList::Add(const SessionRef& session) {
  sessions_.push_back(session);
  std::weak_ptr<Session> weak = session;
  session->OnCutOff([this, weak](bool again) {
    if (SessionRef cut_off = weak.lock()) cut_off_(cut_off, again);
  });
  tombstones_.Remove(session->name());
  housekeeper_->Opened();
  if (added_ && !IsHelper(*session)) added_(session);
}

void SessionList::Sort() {
  std::stable_sort(sessions_.begin(), sessions_.end(),
                   [](const SessionRef& a, const SessionRef& b) {
                     return a->origin().started_ms < b->origin().started_ms;
                   });
}

// Ends the waits on the session first. Otherwise, a coroutine that holds the
// session would wait for news that cannot come.
void SessionList::Forget(const SessionRef& session) {
  session->Abandon();
  state_dir_->MoveToEnded(session->origin().id);
  housekeeper_->Added(session->origin().id);
  TakeOff(session.get());
}

void SessionList::ForgetOld(Duration exited_for) {
  Time oldest = loop_->Now() - exited_for;
  std::vector<SessionRef> ended = sessions_;
  std::erase_if(ended, [](const SessionRef& s) { return !s->life().ended(); });
  int64_t excess = std::ssize(ended) - kMostEnded;
  for (const SessionRef& session : ended) {
    bool goes = excess > 0 || session->output().last_output() < oldest;
    if (!goes || !session->waiters()->empty()) continue;
    Forget(session);
    --excess;
  }
}

void SessionList::Discard(const SessionRef& session) {
  session->Abandon();
  state_dir_->Remove(session->origin().id);
  TakeOff(session.get());
}

// Takes a pointer, because a SessionRef might be the element that is erased.
void SessionList::TakeOff(const Session* gone) {
  state_dir_->Disclaim(gone->origin().id);
  ForgetUse(gone->origin().id);
  std::erase_if(sessions_, [gone](const SessionRef& session) {
    return session.get() == gone;
  });
}

void SessionList::ForgetUse(const std::string& id) {
  used_.erase(id);
  if (forgotten_) forgotten_(id);
}

void SessionList::Touch(const Session& session) {
  used_[session.origin().id] = loop_->Now();
}

Time SessionList::LastUse(const Session& session) const {
  auto used = used_.find(session.origin().id);
  return std::max({session.output().last_output(), session.life().started_at(),
                   used == used_.end() ? Time::min() : used->second});
}

}  // namespace glasstty::session
