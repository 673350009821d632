// Chooses names, makes room, and ends sessions that nobody uses.
//
// Names are for agents and unique within a server; ids name directories. An
// adopted session whose name is already used gets a number appended.
#include "session/session_manager.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/clock.h"
#include "base/descriptors.h"
#include "record/meta.h"
#include "session/shell_integration.h"
#include "support/log.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// The number of ended sessions that stay readable. It is greater than the
// number of calls that a client can run at once (Server::kMaxWaiting), so that
// no call loses its session.
constexpr int64_t kMostEnded = 150;
// An unused program has this long to end by itself.
constexpr Duration kIdleGrace = std::chrono::seconds(2);
// A session keeps descriptors of its directory, its connection, the log and the
// lines. Starting it, and calls to other sessions, need more for a moment.
constexpr int kDescriptorsToOpen = 16;
// The interval between searches for unused sessions.
constexpr Duration kShortestLook = std::chrono::milliseconds(50);
constexpr Duration kLongestLook = std::chrono::minutes(1);

// Reads the files that the start of a shell on another machine needs.
std::vector<wire::FarFile> FilesOf(int directory) {
  constexpr size_t kMostBytes = 1 << 20;
  std::vector<wire::FarFile> files;
  for (const std::string& name : IntegrationFiles()) {
    std::string content;
    if (!ReadFileAt(directory, name, kMostBytes, &content)) continue;
    files.push_back({name, std::move(content)});
  }
  return files;
}

}  // namespace

SessionManager::SessionManager(Loop* loop, SessionSettings settings)
    : loop_(loop),
      settings_(std::move(settings)),
      idle_timer_(loop, [this] { CloseIdle(); }),
      resume_timer_(loop, [this] { ResumeCutOff(); }),
      helper_timer_(loop, [this] { DiscardHelpers(); }),
      guest_timer_(loop, [this] { LeaveUnused(); }),
      adopt_timer_(loop, [this] { AdoptLeft(); }) {
  if (settings_.idle_limit > Duration::zero()) CloseIdle();
}

SessionManager::~SessionManager() = default;

absl::Status SessionManager::Prepare() {
  if (prepared_) return KeepStateDir();
  std::string path;
  holder_ = wire::OpenHolderExecutable(&path);
  // The failure is not remembered, so a repaired installation works at the next
  // call.
  if (!holder_.valid()) {
    return ErrnoStatus("glasstty is not fully installed: cannot open", path);
  }
  ASSIGN_OR_RETURN(record::StateDir state_dir, record::StateDir::Open());
  state_dir_ = std::move(state_dir);
  places_.emplace(
      loop_, state_dir_->path() + "/places", holder_.get(), path,
      [this](const auto& name, const auto& argv) {
        return OpenClient(name, argv);
      },
      [this](const place::Place& place) { return RunsOn(place); });
  AdoptLeft();
  housekeeper_.emplace(loop_, &*state_dir_, settings_.state_cap,
                       [this] { return MakeRoom(); });
  housekeeper_->Start();
  prepared_ = true;
  return absl::OkStatus();
}

// Without the directory, no session could be opened any more. If it was
// removed, the claims on earlier sessions are gone too, and no later server can
// find them.
absl::Status SessionManager::KeepStateDir() {
  if (state_dir_->IsThere()) return absl::OkStatus();
  std::string before = state_dir_->path();
  RETURN_IF_ERROR(state_dir_->Renew());
  Warn(
      "%s was deleted, and has been made anew as %s; open sessions go on, but "
      "are lost if this server dies",
      before, state_dir_->path());
  return absl::OkStatus();
}

absl::Status SessionManager::CheckRoom() const {
  std::vector<std::string> live;
  for (const SessionRef& session : sessions_) {
    // Ended sessions need no process and do not count, nor do sessions that
    // nobody asked for.
    if (session->life().ended() || IsClient(*session) || IsHelper(*session))
      continue;
    live.push_back(session->name());
  }
  if (FreeDescriptors() < kDescriptorsToOpen) {
    return ResourceExhausted(
        "the server has too few descriptors left for another session (ulimit "
        "-n allows %d); term_close one of: %s",
        DescriptorLimit(), Join(live, ", "));
  }
  if (std::ssize(live) < settings_.max_sessions) return absl::OkStatus();
  return ResourceExhausted(
      "%d sessions are open, which is the limit (GLASSTTY_MAX_SESSIONS); "
      "term_close one of: %s",
      live.size(), Join(live, ", "));
}

const Session* SessionManager::FindExact(std::string_view name) const {
  for (const SessionRef& session : sessions_) {
    if (session->name() == name) return session.get();
  }
  return nullptr;
}

// "vim", "vim-2", "vim-3".
std::string SessionManager::FreeName(const std::string& base) const {
  std::string name = base;
  for (int n = 2; FindExact(name) != nullptr; ++n) {
    name = absl::StrFormat("%s-%d", base, n);
  }
  return name;
}

void SessionManager::Rename(const SessionRef& session) {
  session->SetName(FreeName(session->name()));
  // People and the next server read the name from the file.
  ReplaceFileAt(session->OpenDirectory()->get(), wire::kMetaName,
                record::EncodeMeta(session->origin()));
}

absl::StatusOr<std::string> SessionManager::ChooseName(
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

absl::StatusOr<SessionRef> SessionManager::Open(std::string name,
                                                record::ProgramSpec program,
                                                PlaceLink* where) {
  ForgetOld();
  RETURN_IF_ERROR(CheckRoom());
  if (!name.empty()) RETURN_IF_ERROR(CheckSessionName(name));
  RETURN_IF_ERROR(CheckProgram(program));
  std::string usual = ProgramName(program);
  // A shell on another machine is named after its place.
  bool is_shell = program.argv.empty() && program.command.empty();
  if (where != nullptr && is_shell) usual = where->place().name;
  ASSIGN_OR_RETURN(name, ChooseName(name, usual));
  return OpenNamed(std::move(name), std::move(program), where);
}

absl::StatusOr<SessionRef> SessionManager::OpenNamed(
    std::string name, record::ProgramSpec program, PlaceLink* where) {
  Surroundings around =
      where != nullptr
          ? where->Around()
          : LocalSurroundings(program.inheritance.get(), state_dir_->path());
  if (where == nullptr) WithholdSecrets(settings_.secrets, &around);
  around.shares_history = settings_.shares_history;
  if (program.inheritance != nullptr && program.inheritance->shares_history) {
    around.shares_history = *program.inheritance->shares_history;
  }
  ResolveProgram(around, &program);
  ASSIGN_OR_RETURN(std::string nonce, record::RandomId());
  ASSIGN_OR_RETURN(std::string id, state_dir_->Create());
  ASSIGN_OR_RETURN(record::Folder folder, state_dir_->OpenSession(id));
  record::SessionOrigin origin{
      .id = id,
      .name = std::move(name),
      .program = std::move(program),
      .log_cap = settings_.log_cap,
      .started_ms = WallMilliseconds(),
      .nonce = std::move(nonce),
      .place = where != nullptr ? where->place().text : "",
      .place_prefix =
          where != nullptr ? where->place().prefix : std::vector<std::string>(),
      .directory_there = around.sessions + "/" + id};
  record::Folder::Hold directory = folder.Open();
  wire::LaunchSpec spec = LaunchSpecOf(origin, around, directory->get());
  // The holder's timer runs while no server is attached.
  spec.grace_ms = GraceOf(origin.program.keep);
  ASSIGN_OR_RETURN(SessionRef session,
                   Launch(std::move(origin), spec, std::move(folder), where));
  Add(session);
  tombstones_.Remove(session->name());
  housekeeper_->Opened();
  return session;
}

absl::StatusOr<SessionRef> SessionManager::Launch(record::SessionOrigin origin,
                                                  const wire::LaunchSpec& spec,
                                                  record::Folder folder,
                                                  PlaceLink* where) {
  record::Folder::Hold directory = folder.Open();
  UniqueFd control;
  absl::Status status;
  // Without the file, no later server could take the session over; without the
  // claim, two might.
  if (!state_dir_->Claim(origin.id)) {
    status = ErrnoStatus("lock", origin.id);
  } else if (!ReplaceFileAt(directory->get(), wire::kMetaName,
                            record::EncodeMeta(origin))) {
    status = ErrnoStatus("write",
                         state_dir_->PathOf(origin.id) + "/" + wire::kMetaName);
  } else if (where != nullptr) {
    auto started = where->Start(directory->get(),
                                {origin.id, spec, FilesOf(directory->get())});
    status = started.status();
    if (started.ok()) control = *std::move(started);
  } else {
    control = wire::LaunchHolder(holder_.get(), directory->get(), spec);
    if (!control.valid()) status = ErrnoStatus("start", "glasstty-holder");
  }
  if (!status.ok()) {
    state_dir_->Disclaim(origin.id);
    state_dir_->Remove(origin.id);
    return status;
  }
  return Session::Create(
      loop_, std::move(origin), std::move(folder),
      std::make_unique<SocketChannel>(loop_, std::move(control)));
}

std::string SessionManager::TakeShellNote(const Session& session) {
  if (std::exchange(shell_is_noted_, true)) return "";
  return UserShellNote(session.origin().program.inheritance.get());
}

std::string SessionManager::Overview() const {
  std::vector<SessionRef> shown = All();
  bool some_live = std::any_of(
      shown.begin(), shown.end(),
      [](const SessionRef& session) { return !session->finished(); });
  std::vector<std::string> parts;
  for (const SessionRef& session : shown) {
    if (some_live && session->finished()) continue;
    parts.push_back(absl::StrFormat("%s (%s)", session->name(),
                                    StateText(session->verdict().LastState())));
  }
  return parts.empty() ? "none is open; term_open starts one"
                       : "open: " + Join(parts, ", ");
}

absl::StatusOr<SessionRef> SessionManager::Find(std::string_view name) const {
  std::vector<SessionRef> live;
  std::vector<std::string> names;
  for (const SessionRef& session : sessions_) {
    if (session->name() == name) return session;
    if (!session->finished() && !IsClient(*session)) live.push_back(session);
    names.push_back(session->name());
  }
  for (const Left& left : left_) {
    if (left.name != name) continue;
    return Unavailable(
        "session '%s' was left by an earlier server and cannot be taken over "
        "now: %s; its program keeps running, and it is tried again: call again "
        "later (term_close force=true ends it); %s",
        name, left.why, Overview());
  }
  // A wrong name never means "the only one".
  if (!name.empty()) {
    std::string fate = tombstones_.Of(name);
    if (!fate.empty()) fate = " (it " + fate + ")";
    return NotFound("no session '%s'%s%s; %s", name, fate,
                    fate.empty() ? DidYouMean(name, names) : "", Overview());
  }
  // If none is alive and only one has ended, that one is meant.
  if (live.empty() && sessions_.size() == 1) return sessions_.front();
  if (live.size() == 1) return live.front();
  return InvalidArgument("which session? %s", Overview());
}

std::string SessionManager::FateOf(std::string_view name) const {
  return tombstones_.Of(name);
}

std::vector<SessionRef> SessionManager::All() const {
  std::vector<SessionRef> all = sessions_;
  auto live =
      std::stable_partition(all.begin(), all.end(),
                            [](const SessionRef& s) { return !s->finished(); });
  // Sessions that nobody has asked for come last.
  std::stable_partition(all.begin(), live, [](const SessionRef& s) {
    return !IsClient(*s) && !IsHelper(*s);
  });
  return all;
}

std::string SessionManager::PathForProgram(const Session& session) const {
  const record::SessionOrigin& origin = session.origin();
  return origin.place.empty() ? LogPath(session) : origin.directory_there;
}

std::string SessionManager::LogPath(const Session& session) const {
  return state_dir_->PathOf(session.origin().id);
}

// Ends the waits on the session first. Otherwise, a coroutine that holds the
// session would wait for news that cannot come.
void SessionManager::Forget(const SessionRef& session) {
  session->Abandon();
  if (session->is_guest()) {
    LeaveGuest(session->origin().id);
    return;
  }
  state_dir_->MoveToEnded(session->origin().id);
  housekeeper_->Added(session->origin().id);
  TakeOff(session.get());
}

void SessionManager::Discard(const SessionRef& session) {
  session->Abandon();
  state_dir_->Remove(session->origin().id);
  TakeOff(session.get());
}

// Takes an address, because the caller's reference may be the element itself.
void SessionManager::TakeOff(const Session* gone) {
  state_dir_->Disclaim(gone->origin().id);
  used_.erase(gone->origin().id);
  if (forgotten_) forgotten_(gone->origin().id);
  std::erase_if(sessions_, [gone](const SessionRef& session) {
    return session.get() == gone;
  });
}

void SessionManager::ForgetOld() {
  Time oldest = loop_->Now() - settings_.exited_for;
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

// Called when the state directory is over its cap and contains nothing to
// delete but sessions on the list.
bool SessionManager::MakeRoom() {
  std::vector<SessionRef> live;
  for (const SessionRef& session : sessions_) {
    if (!session->life().ended()) {
      live.push_back(session);
    } else if (session->waiters()->empty()) {
      Forget(SessionRef(session));
      return true;
    }
  }
  // No live session is deleted, but each can keep less. Each cap applies twice
  // (log and lines), and twice again because whole files are removed.
  for (const SessionRef& session : live) {
    uint64_t share = settings_.state_cap / (4 * live.size());
    session->SetPolicy(GraceOf(session->origin().program.keep),
                       std::min(share, session->origin().log_cap));
  }
  return false;
}

absl::StatusOr<UniqueFd> SessionManager::OpenSpool() const {
  const std::string& path = state_dir_->path();
  UniqueFd file(open(path.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file.valid()) return ErrnoStatus("make a file in", path);
  return file;
}

bool SessionManager::Has(const Session& session) const {
  auto guest = guests_.find(session.origin().id);
  if (guest != guests_.end() && guest->second.session.get() == &session) {
    return true;
  }
  return std::any_of(
      sessions_.begin(), sessions_.end(),
      [&session](const SessionRef& ref) { return ref.get() == &session; });
}

void SessionManager::Touch(const Session& session) {
  used_[session.origin().id] = loop_->Now();
}

void SessionManager::CloseUnused(const SessionRef& session, std::string fate) {
  tombstones_.Put(session->name(), std::move(fate));
  // A single request is enough, because the holder kills a program that
  // resists.
  Touch(*session);
  session->Close(kIdleGrace, true, true);
}

// Kept sessions are never closed. A wait counts as use, however long it takes,
// and so does a person at the keyboard.
void SessionManager::CloseIdle() {
  Time now = loop_->Now();
  for (const SessionRef& session : sessions_) {
    if (session->finished() || session->origin().program.keep) continue;
    if (IsClient(*session)) continue;
    bool in_use = !session->waiters()->empty() || session->person().here();
    if (in_use) Touch(*session);
    auto used = used_.find(session->origin().id);
    Time since =
        std::max(session->output().last_output(), session->life().started_at());
    if (used != used_.end()) since = std::max(since, used->second);
    if (now - since < settings_.idle_limit) continue;
    double minutes =
        std::chrono::duration<double, std::ratio<60>>(settings_.idle_limit)
            .count();
    CloseUnused(
        session,
        absl::StrFormat(
            "was closed after %g minutes without use (setting idle-min)",
            minutes));
  }
  idle_timer_.SetAfter(
      std::clamp(settings_.idle_limit / 4, kShortestLook, kLongestLook));
}

void SessionManager::Add(const SessionRef& session) {
  sessions_.push_back(session);
  std::weak_ptr<Session> weak = session;
  session->OnCutOff([this, weak](bool again) {
    if (SessionRef cut_off = weak.lock()) CutOff(cut_off, again);
  });
  if (added_ && !IsHelper(*session)) added_(session);
}

// A session whose directory was deleted does not stay, because no later server
// could find it.
bool SessionManager::Stays(const Session& session) {
  struct stat directory;
  bool is_kept = session.origin().program.keep || IsClient(session);
  return is_kept && fstat(session.OpenDirectory()->get(), &directory) == 0 &&
         directory.st_nlink > 0;
}

// Kept sessions are left running: their holders notice that the connection is
// closed, and wait for the next server.
void SessionManager::Shutdown(Duration grace) {
  if (places_) places_->Stop();
  for (const auto& [id, guest] : guests_) {
    if (guest.session != nullptr) guest.session->Abandon();
  }
  for (const SessionRef& session : sessions_) {
    session->Abandon();
    if (Stays(*session) && !session->life().ended()) continue;
    // Daemons are ended too, because nobody is left to whom survivors could be
    // reported.
    if (!session->life().ended()) session->Close(grace, false, true);
    state_dir_->MoveToEnded(session->origin().id);
  }
}

bool SessionManager::Idle() const {
  return std::all_of(sessions_.begin(), sessions_.end(),
                     [](const SessionRef& session) {
                       return session->life().ended() || Stays(*session);
                     });
}

}  // namespace glasstty::session
