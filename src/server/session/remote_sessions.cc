#include "session/remote_sessions.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <string_view>
#include <utility>

#include "support/log.h"
#include "support/status.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// A relay's locks may be released late after its death, or another server may
// be starting the next relay, so sessions wait for this long.
constexpr Duration kRelayPatience = std::chrono::seconds(10);

constexpr Duration kHelperGrace = std::chrono::seconds(1);
constexpr Duration kHelperLook = std::chrono::milliseconds(200);
constexpr Duration kRelayLook = std::chrono::milliseconds(100);

// Returns the beginning of the command line that a client runs on the other
// machine. It contains the token that the relay expects.
std::string_view TokenIn(const std::vector<std::string>& argv) {
  std::string_view line = argv.back();
  return line.substr(0, line.find(';'));
}

}  // namespace

RemoteSessions::RemoteSessions(Loop* loop, SessionList* sessions,
                               SessionStarter* starter)
    : loop_(loop),
      sessions_(sessions),
      starter_(starter),
      resume_timer_(loop, [this] { ResumeCutOff(); }),
      helper_timer_(loop, [this] { DiscardHelpers(); }) {
  sessions_->OnCutOff([this](const SessionRef& session, bool again) {
    CutOff(session, again);
  });
}

void RemoteSessions::Start() {
  places_.emplace(
      loop_, sessions_->state_dir()->path() + "/places", starter_->executable(),
      starter_->executable_path(),
      [this](const auto& name, const auto& argv) {
        return OpenClient(name, argv);
      },
      [this](const place::Place& place) { return RunsOn(place); });
}

void RemoteSessions::Stop() {
  if (places_) places_->Stop();
}

absl::StatusOr<ReachedPlace> RemoteSessions::Reach(
    const place::Place& place,
    std::shared_ptr<const record::Inheritance> inherited) {
  if (inherited != nullptr) {
    inherited_["@" + place.name] = std::move(inherited);
  }
  return places_->Reach(place);
}

// If an earlier server has left a session for this client, that session is
// used, because its client is connected.
absl::StatusOr<SessionRef> RemoteSessions::OpenClient(
    const std::string& name, const std::vector<std::string>& argv) {
  for (const SessionRef& session : sessions_->all()) {
    const std::vector<std::string>& words = session->origin().program.argv;
    bool same = words.size() > 2 && words[1] == argv[1] &&
                words[2] == argv[2] && TokenIn(words) == TokenIn(argv);
    if (same && !session->finished()) return session;
  }
  sessions_->ForgetOld(starter_->settings().exited_for);
  const Session* before = sessions_->FindExact(name);
  bool is_free = before == nullptr || before->finished();
  record::ProgramSpec program;
  program.argv = argv;
  auto inherited = inherited_.find(name);
  if (inherited != inherited_.end()) program.inheritance = inherited->second;
  return starter_->Start(is_free ? name : "", name, std::move(program),
                         nullptr);
}

absl::StatusOr<SessionRef> RemoteSessions::OpenHelper(
    const std::string& name, std::vector<std::string> argv,
    const Session& beside) {
  ASSIGN_OR_RETURN(ReachedPlace reached, Reach(beside.origin()));
  if (!reached.link->up() || beside.contact().away_since()) {
    return Unavailable(
        "on %s: there is no connection now (term_list tells more)",
        beside.origin().place);
  }
  record::ProgramSpec program;
  program.argv = std::move(argv);
  program.pipe = true;
  return starter_->Start("", name, std::move(program), reached.link.get());
}

// An adopted helper belongs to a call that ended with the old server.
void RemoteSessions::EndHelper(const SessionRef& session) {
  if (session->finished()) return sessions_->Discard(session);
  session->Close(kHelperGrace, true, true);
  helper_timer_.SetAfter(kHelperLook);
}

void RemoteSessions::DiscardHelpers() {
  for (const SessionRef& session : std::vector<SessionRef>(sessions_->all())) {
    if (!IsHelper(*session) || !session->life().close_asked()) continue;
    if (session->finished()) {
      sessions_->Discard(session);
    } else {
      helper_timer_.SetAfter(kHelperLook);
    }
  }
}

bool RemoteSessions::RunsOn(const place::Place& place) const {
  return std::any_of(sessions_->all().begin(), sessions_->all().end(),
                     [&place](const SessionRef& session) {
                       return session->origin().place == place.text &&
                              !session->finished();
                     });
}

void RemoteSessions::AdoptClients() {
  std::set<std::string> adopted;
  for (const SessionRef& session : std::vector<SessionRef>(sessions_->all())) {
    const record::SessionOrigin& origin = session->origin();
    place::Place place;
    std::string error;
    // finished() would also depend on the replay of an ended session.
    if (origin.place.empty() || session->life().ended() ||
        !adopted.insert(origin.place).second ||
        !place::PlaceAgain(origin.place, origin.place_prefix, &place, &error)) {
      continue;
    }
    places_->Adopt(place);
  }
}

absl::StatusOr<ReachedPlace> RemoteSessions::Reach(
    const record::SessionOrigin& origin) {
  place::Place place;
  std::string error;
  if (!place::PlaceAgain(origin.place, origin.place_prefix, &place, &error)) {
    return InvalidArgument("%s", error);
  }
  return places_->Reach(place);
}

// The relay of a place has died; its sessions continue there.
void RemoteSessions::CutOff(const SessionRef& session, bool again) {
  cut_off_.push_back(session);
  // If a relay has refused the session, this pauses before asking again.
  resume_timer_.SetAfter(again ? kRelayLook : Duration::zero());
}

void RemoteSessions::ResumeCutOff() {
  for (const std::weak_ptr<Session>& cut : std::exchange(cut_off_, {})) {
    SessionRef session = cut.lock();
    if (session == nullptr || !sessions_->Has(*session)) continue;
    Time now = loop_->Now();
    Time cut_off = session->contact().cut_off_since().value_or(now);
    if (now >= cut_off + kRelayPatience) {
      session->GiveUp();
      continue;
    }
    absl::Status status = Resume(session.get());
    if (status.ok()) continue;
    Trace(LogCategory::kHolder, "%s: %s", session->name(), Message(status));
    cut_off_.push_back(cut);
  }
  if (!cut_off_.empty()) resume_timer_.SetAfter(kRelayLook);
}

absl::Status RemoteSessions::Resume(Session* session) {
  const record::SessionOrigin& origin = session->origin();
  ASSIGN_OR_RETURN(ReachedPlace reached, Reach(origin));
  wire::LaunchSpec spec;
  spec.argv = origin.program.argv;
  spec.pipe = origin.program.pipe;
  spec.record_input = origin.program.record_input;
  spec.log_cap = origin.log_cap;
  spec.grace_ms = starter_->GraceOf(origin.program.keep);
  ASSIGN_OR_RETURN(UniqueFd control,
                   reached.link->Resume(session->OpenDirectory()->get(),
                                        {origin.id, std::move(spec), {}}));
  session->Resume(std::make_unique<SocketChannel>(loop_, std::move(control)));
  // The environment file is removed, as at every adoption, unless a running
  // command may still need it.
  if (!session->input().turn().run_slot_taken())
    session->files()->Drop(wire::kEnvironmentName);
  return absl::OkStatus();
}

}  // namespace glasstty::session
