// Makes room, and ends sessions that nobody uses.
#include "session/session_manager.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/descriptors.h"
#include "session/program.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty::session {
namespace {

// An unused program has this long to end by itself.
constexpr Duration kIdleGrace = std::chrono::seconds(2);
// This many descriptors must be free to open a session. The session keeps some
// for its directory, its connection, the log and the lines. Starting it, and
// calls to other sessions, need more for a moment.
constexpr int kDescriptorsToOpen = 16;
// The interval between searches for unused sessions.
constexpr Duration kShortestLook = std::chrono::milliseconds(50);
constexpr Duration kLongestLook = std::chrono::minutes(1);

// Returns whether the session outlives this server. A session whose directory
// was deleted does not stay, because no later server could find it.
bool Stays(const Session& session) {
  struct stat directory;
  bool is_kept = session.origin().program.keep || IsClient(session);
  return is_kept && fstat(session.OpenDirectory()->get(), &directory) == 0 &&
         directory.st_nlink > 0;
}

}  // namespace

SessionManager::SessionManager(Loop* loop, SessionSettings settings)
    : loop_(loop),
      settings_(std::move(settings)),
      list_(loop),
      starter_(loop, &settings_, &list_),
      remote_(loop, &list_, &starter_),
      guests_(loop, &list_),
      left_(loop, &list_, &guests_, &remote_),
      idle_timer_(loop, [this] { CloseIdle(); }) {
  if (settings_.idle_limit > Duration::zero()) CloseIdle();
}

// After a failure, the next call tries again, perhaps after a repair.
absl::Status SessionManager::Prepare() {
  if (list_.is_open()) return absl::OkStatus();
  RETURN_IF_ERROR(starter_.OpenExecutable());
  RETURN_IF_ERROR(
      list_.Open(settings_.state_cap, [this] { return MakeRoom(); }));
  remote_.Start();
  left_.Adopt();
  return absl::OkStatus();
}

absl::Status SessionManager::KeepStateDir() {
  RETURN_IF_ERROR(Prepare());
  return list_.KeepStateDir();
}

absl::Status SessionManager::CheckRoom() const {
  std::vector<std::string> live;
  for (const SessionRef& session : list_.all()) {
    // Only live sessions that a caller has opened count.
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

absl::StatusOr<SessionRef> SessionManager::Open(std::string name,
                                                record::ProgramSpec program,
                                                PlaceLink* where) {
  list_.ForgetOld(settings_.exited_for);
  RETURN_IF_ERROR(list_.KeepStateDir());
  RETURN_IF_ERROR(CheckRoom());
  if (!name.empty()) RETURN_IF_ERROR(CheckSessionName(name));
  RETURN_IF_ERROR(CheckProgram(program));
  std::string usual = ProgramName(program);
  // A shell on another machine is named after its place.
  bool is_shell = program.argv.empty() && program.command.empty();
  if (where != nullptr && is_shell) usual = where->place().name;
  return starter_.Start(name, usual, std::move(program), where);
}

std::string SessionManager::TakeShellNote(const Session& session) {
  if (std::exchange(shell_is_noted_, true)) return "";
  return UserShellNote(session.origin().program.inheritance.get());
}

absl::StatusOr<UniqueFd> SessionManager::OpenSpool() {
  RETURN_IF_ERROR(list_.KeepStateDir());
  const std::string& path = list_.state_dir()->path();
  UniqueFd file(open(path.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file.valid()) return ErrnoStatus("make a file in", path);
  return file;
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
  std::vector<SessionRef> live, asked_for;
  std::vector<std::string> names;
  for (const SessionRef& session : list_.all()) {
    if (session->name() == name) return session;
    names.push_back(session->name());
    if (IsClient(*session) || IsHelper(*session)) continue;
    asked_for.push_back(session);
    if (!session->finished()) live.push_back(session);
  }
  for (const LeftSessions::Left& left : left_.all()) {
    if (left.name != name) continue;
    return Unavailable(
        "session '%s' was left by an earlier server and cannot be taken over "
        "now: %s; its program keeps running, and it is tried again: call again "
        "later (term_close force=true ends it); %s",
        name, left.why, Overview());
  }
  // A wrong name never means "the only one".
  if (!name.empty()) {
    std::string fate = list_.tombstones().Of(name);
    if (!fate.empty()) fate = " (it " + fate + ")";
    return NotFound("no session '%s'%s%s; %s", CutForMessage(name), fate,
                    fate.empty() ? DidYouMean(name, names) : "", Overview());
  }
  if (live.empty() && asked_for.size() == 1) return asked_for.front();
  if (live.size() == 1) return live.front();
  return InvalidArgument("which session? %s", Overview());
}

absl::StatusOr<SessionRef> SessionManager::Visit(std::string_view name) {
  left_.Adopt(Guests::BaseOf(name));
  return guests_.Visit(name);
}

bool SessionManager::Has(const Session& session) const {
  return list_.Has(session) || guests_.Has(session);
}

void SessionManager::Forget(const SessionRef& session) {
  if (!session->is_guest()) return list_.Forget(session);
  session->Abandon();
  guests_.Leave(session->origin().id);
}

void SessionManager::CloseUnused(const SessionRef& session, std::string fate) {
  list_.SetFate(session->name(), std::move(fate));
  // The session counts as used now, so that it is not closed again at once: the
  // holder kills a program that resists, so one request is enough.
  list_.Touch(*session);
  session->Close(kIdleGrace, true, true);
}

// Kept sessions and clients are never closed. A wait counts as use, however
// long it takes, and so does a person at the keyboard.
void SessionManager::CloseIdle() {
  Time now = loop_->Now();
  for (const SessionRef& session : list_.all()) {
    if (session->finished() || session->origin().program.keep) continue;
    if (IsClient(*session)) continue;
    bool in_use = !session->waiters()->empty() || session->person().here();
    if (in_use) list_.Touch(*session);
    if (now - list_.LastUse(*session) < settings_.idle_limit) continue;
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

// Called when the state directory is over its cap, and only sessions on the
// list are left to delete.
bool SessionManager::MakeRoom() {
  std::vector<SessionRef> live;
  for (const SessionRef& session : list_.all()) {
    if (!session->life().ended()) {
      live.push_back(session);
    } else if (session->waiters()->empty()) {
      Forget(SessionRef(session));
      return true;
    }
  }
  // No live session is deleted, but each can keep less. A session can take four
  // times its cap: the cap applies to the log and to the lines, and either can
  // take twice as much, because only whole files are removed.
  for (const SessionRef& session : live) {
    uint64_t share = settings_.state_cap / (4 * live.size());
    session->SetPolicy(starter_.GraceOf(session->origin().program.keep),
                       std::min(share, session->origin().log_cap));
  }
  return false;
}

std::string SessionManager::LogPath(const Session& session) {
  return list_.state_dir()->PathOf(session.origin().id);
}

std::string SessionManager::PathForProgram(const Session& session) {
  const record::SessionOrigin& origin = session.origin();
  return origin.place.empty() ? LogPath(session) : origin.directory_there;
}

// Kept sessions are left running: their holders notice that the connection is
// closed, and wait for the next server.
void SessionManager::Shutdown(Duration grace) {
  remote_.Stop();
  guests_.Abandon();
  for (const SessionRef& session : list_.all()) {
    session->Abandon();
    if (Stays(*session) && !session->life().ended()) continue;
    // Daemons are ended, too, because nobody is left who could get a report of
    // survivors.
    if (!session->life().ended()) session->Close(grace, false, true);
    list_.state_dir()->MoveToEnded(session->origin().id);
  }
}

bool SessionManager::Idle() const {
  return std::all_of(list_.all().begin(), list_.all().end(),
                     [](const SessionRef& session) {
                       return session->life().ended() || Stays(*session);
                     });
}

}  // namespace glasstty::session
