// The sessions that run on other machines, and the clients that connect to
// these machines.
#include <algorithm>
#include <chrono>
#include <set>
#include <string_view>
#include <utility>

#include "session/session_manager.h"
#include "support/log.h"
#include "support/status.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

// The locks of a dead relay may be released late, or another server may be
// starting the next relay.
constexpr Duration kRelayPatience = std::chrono::seconds(10);

constexpr Duration kHelperGrace = std::chrono::seconds(1);
constexpr Duration kHelperLook = std::chrono::milliseconds(200);
constexpr Duration kRelayLook = std::chrono::milliseconds(100);

// Returns the beginning of the line that a client runs on the other machine:
// the token that its relay expects.
std::string_view TokenIn(const std::vector<std::string>& argv) {
  std::string_view line = argv.back();
  return line.substr(0, line.find(';'));
}

}  // namespace

// Returns whether this is the session of a place's client, which serves the
// sessions at that place and ends by itself when none of them is left.
bool SessionManager::IsClient(const Session& session) {
  const std::vector<std::string>& words = session.origin().program.argv;
  return session.name()[0] == '@' && words.size() > 1 && words[1] == "--plug";
}

// A helper that is found at adoption belongs to a call that ended with the
// previous server.
bool SessionManager::IsHelper(const Session& session) {
  return session.name()[0] == '@' && !IsClient(session);
}

absl::StatusOr<ReachedPlace> SessionManager::Reach(
    const place::Place& place,
    std::shared_ptr<const record::Inheritance> inherited) {
  if (inherited != nullptr) {
    inherited_["@" + place.name] = std::move(inherited);
  }
  return places_->Reach(place);
}

// The client's session of an earlier server is used if there is one, because
// its client is connected.
absl::StatusOr<SessionRef> SessionManager::OpenClient(
    const std::string& name, const std::vector<std::string>& argv) {
  for (const SessionRef& session : sessions_) {
    const std::vector<std::string>& words = session->origin().program.argv;
    bool same = words.size() > 2 && words[1] == argv[1] &&
                words[2] == argv[2] && TokenIn(words) == TokenIn(argv);
    if (same && !session->finished()) return session;
  }
  ForgetOld();
  const Session* before = FindExact(name);
  bool is_free = before == nullptr || before->finished();
  ASSIGN_OR_RETURN(std::string free, ChooseName(is_free ? name : "", name));
  record::ProgramSpec program;
  program.argv = argv;
  auto inherited = inherited_.find(name);
  if (inherited != inherited_.end()) program.inheritance = inherited->second;
  return OpenNamed(std::move(free), std::move(program), nullptr);
}

absl::StatusOr<SessionRef> SessionManager::OpenHelper(
    const std::string& name, std::vector<std::string> argv,
    const Session& beside) {
  ASSIGN_OR_RETURN(ReachedPlace reached, Reach(beside.origin()));
  if (!reached.link->up() || beside.life().away_since()) {
    return Unavailable(
        "on %s: there is no connection now (term_list tells more)",
        beside.origin().place);
  }
  ASSIGN_OR_RETURN(std::string free, ChooseName("", name));
  record::ProgramSpec program;
  program.argv = std::move(argv);
  program.pipe = true;
  return OpenNamed(std::move(free), std::move(program), reached.link);
}

void SessionManager::EndHelper(const SessionRef& session) {
  if (session->finished()) return Discard(session);
  session->Close(kHelperGrace, true, true);
  helper_timer_.SetAfter(kHelperLook);
}

void SessionManager::DiscardHelpers() {
  for (const SessionRef& session : std::vector<SessionRef>(sessions_)) {
    if (!IsHelper(*session) || !session->life().close_asked()) continue;
    if (session->finished()) {
      Discard(session);
    } else {
      helper_timer_.SetAfter(kHelperLook);
    }
  }
}

bool SessionManager::RunsOn(const place::Place& place) const {
  return std::any_of(
      sessions_.begin(), sessions_.end(), [&place](const SessionRef& session) {
        return session->origin().place == place.text && !session->finished();
      });
}

// Takes over the clients of the places where the adopted sessions run.
void SessionManager::AdoptPlaces() {
  std::set<std::string> adopted;
  for (const SessionRef& session : std::vector<SessionRef>(sessions_)) {
    const record::SessionOrigin& origin = session->origin();
    place::Place place;
    std::string error;
    // Output of an ended session may still be on its way to the screen.
    if (origin.place.empty() || session->life().ended() ||
        !adopted.insert(origin.place).second ||
        !place::PlaceAgain(origin.place, origin.place_prefix, &place, &error)) {
      continue;
    }
    places_->Adopt(place);
  }
}

absl::StatusOr<ReachedPlace> SessionManager::Reach(
    const record::SessionOrigin& origin) {
  place::Place place;
  std::string error;
  if (!place::PlaceAgain(origin.place, origin.place_prefix, &place, &error)) {
    return InvalidArgument("%s", error);
  }
  return places_->Reach(place);
}

// The relay of a place has died; its sessions continue there.
void SessionManager::CutOff(const SessionRef& session, bool again) {
  cut_off_.push_back(session);
  // If a relay has refused the session, pause before asking again.
  resume_timer_.SetAfter(again ? kRelayLook : Duration::zero());
}

void SessionManager::ResumeCutOff() {
  for (const std::weak_ptr<Session>& cut : std::exchange(cut_off_, {})) {
    SessionRef session = cut.lock();
    if (session == nullptr || !Has(*session)) continue;
    Time now = loop_->Now();
    Time cut_off = session->life().cut_off_since().value_or(now);
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

absl::Status SessionManager::Resume(Session* session) {
  const record::SessionOrigin& origin = session->origin();
  ASSIGN_OR_RETURN(ReachedPlace reached, Reach(origin));
  wire::LaunchSpec spec;
  spec.argv = origin.program.argv;
  spec.pipe = origin.program.pipe;
  spec.record_input = origin.program.record_input;
  spec.log_cap = origin.log_cap;
  spec.grace_ms = GraceOf(origin.program.keep);
  ASSIGN_OR_RETURN(UniqueFd control,
                   reached.link->Resume(session->OpenDirectory()->get(),
                                        {origin.id, std::move(spec), {}}));
  session->Resume(std::make_unique<SocketChannel>(loop_, std::move(control)));
  // The environment file is removed as at every adoption, unless a command that
  // is being typed still needs it.
  if (!session->input().run_slot_taken())
    session->files()->Drop(wire::kEnvironmentName);
  return absl::OkStatus();
}

}  // namespace glasstty::session
