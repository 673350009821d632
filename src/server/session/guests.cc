#include "session/guests.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "base/descriptors.h"
#include "record/meta.h"
#include "session/observer_channel.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/launch.h"

namespace glasstty::session {
namespace {

// A visit ends after this time without use, because a holder accepts few
// observers. The time is long, because reading a long log again takes time.
constexpr Duration kVisit = std::chrono::minutes(5);
constexpr Duration kVisitLook = std::chrono::minutes(1);
// A visit takes as many descriptors as a session of our own.
constexpr int kDescriptorsToVisit = 16;
// The number of digits of the id that are appended to an ambiguous name.
constexpr size_t kShownId = 6;

std::string FullName(const Guests::Elsewhere& session) {
  return session.name + "@" + session.id.substr(0, kShownId);
}

}  // namespace

std::string Guests::NameOf(const Elsewhere& session) const {
  bool is_unique = sessions_->FindExact(session.name) == nullptr &&
                   std::count_if(elsewhere_.begin(), elsewhere_.end(),
                                 [&session](const Elsewhere& other) {
                                   return other.name == session.name;
                                 }) == 1;
  return is_unique ? session.name : FullName(session);
}

std::string_view Guests::BaseOf(std::string_view name) {
  // The sessions in which the clients of other machines run have names that
  // begin with an '@' (places.cc).
  size_t at = name.rfind('@');
  return at == std::string_view::npos || at == 0 ? name : name.substr(0, at);
}

bool Guests::IsElsewhere(std::string_view name) const {
  return std::any_of(elsewhere_.begin(), elsewhere_.end(),
                     [name](const Elsewhere& session) {
                       return session.name == name || FullName(session) == name;
                     });
}

bool Guests::HasEnded(const Elsewhere& session) const {
  auto folder = sessions_->state_dir()->OpenSession(session.id);
  if (!folder.ok()) return true;
  // The holder of a program that has ended stays for a moment.
  record::Folder::Hold directory = folder->Open();
  return wire::IsOver(directory->get()) ||
         wire::ReadExit(directory->get()).has_value();
}

absl::StatusOr<SessionRef> Guests::Visit(std::string_view name) {
  std::vector<Elsewhere> same;
  for (const Elsewhere& session : elsewhere_) {
    if (FullName(session) == name) return Visit(session);
    if (session.name == name) same.push_back(session);
  }
  // If there are several of that name but only one is alive, that one is meant.
  auto live = std::stable_partition(
      same.begin(), same.end(),
      [this](const Elsewhere& session) { return !HasEnded(session); });
  bool one_lives = std::distance(same.begin(), live) == 1;
  if (one_lives || same.size() == 1) return Visit(same.front());
  if (!same.empty()) {
    std::vector<std::string> names;
    for (const Elsewhere& session : same) names.push_back(FullName(session));
    return InvalidArgument("which session '%s'? other servers have: %s", name,
                           Join(names, ", "));
  }
  // The session and its server have ended, but its output is still here.
  for (auto& [id, guest] : guests_) {
    if (guest.session == nullptr || guest.session->name() != name) continue;
    guest.used = loop_->Now();
    return guest.session;
  }
  return NotFound("no session '%s'", name);
}

// If NameOf now returns another name, the guest is opened again, because
// replies must use that name.
absl::StatusOr<SessionRef> Guests::Visit(const Elsewhere& session) {
  Guest* guest = &guests_[session.id];
  guest->used = loop_->Now();
  if (guest->session != nullptr && guest->session->name() == NameOf(session)) {
    return guest->session;
  }
  wire::MarkRecord read_to = Leave(session.id);
  ASSIGN_OR_RETURN(guest->session, Open(session, read_to));
  if (!timer_.armed()) timer_.SetAfter(kVisitLook);
  return guest->session;
}

absl::StatusOr<SessionRef> Guests::Open(const Elsewhere& elsewhere,
                                        wire::MarkRecord read_to) {
  if (FreeDescriptors() < kDescriptorsToVisit) {
    return ResourceExhausted(
        "too few descriptors are free (ulimit -n allows this server %d)",
        DescriptorLimit());
  }
  ASSIGN_OR_RETURN(record::Folder folder,
                   sessions_->state_dir()->OpenSession(elsewhere.id));
  ASSIGN_OR_RETURN(record::SessionOrigin origin, record::ReadMeta(folder));
  origin.id = elsewhere.id;
  origin.name = NameOf(elsewhere);
  record::Folder::Hold directory = folder.Open();
  UniqueFd watch = wire::ConnectObserver(directory->get());
  std::unique_ptr<Channel> channel;
  if (watch.valid()) {
    channel = std::make_unique<ObserverChannel>(
        loop_, std::make_unique<SocketChannel>(loop_, std::move(watch)));
  }
  bool dead = channel == nullptr && wire::IsOver(directory->get());
  ASSIGN_OR_RETURN(Replay::Left left, Replay::Inspect(directory->get(), dead));
  left.read_to = read_to;
  ASSIGN_OR_RETURN(SessionRef session,
                   Session::CreateGuest(loop_, std::move(origin),
                                        std::move(folder), std::move(channel)));
  session->Adopt(left);
  return session;
}

// Readers' marks count revisions of the guest's terminal, so the marks are
// forgotten together with the guest. Calls that wait keep the session alive.
wire::MarkRecord Guests::Leave(const std::string& id) {
  auto guest = guests_.find(id);
  if (guest == guests_.end()) return {};
  SessionRef session = std::exchange(guest->second.session, nullptr);
  if (session == nullptr) return guest->second.read_to;
  wire::MarkRecord mark = session->files()->mark();
  if (mark != wire::MarkRecord()) guest->second.read_to = mark;
  sessions_->ForgetUse(id);
  return guest->second.read_to;
}

void Guests::LeaveUnused() {
  std::vector<std::string> unused;
  for (const auto& [id, guest] : guests_) {
    bool is_used =
        guest.session != nullptr && (!guest.session->waiters()->empty() ||
                                     loop_->Now() < guest.used + kVisit);
    if (!is_used) unused.push_back(id);
  }
  for (const std::string& id : unused) Leave(id);
  std::vector<std::string> known;
  for (const Elsewhere& session : elsewhere_) known.push_back(session.id);
  std::erase_if(guests_, [&known](const auto& entry) {
    return entry.second.session == nullptr &&
           std::find(known.begin(), known.end(), entry.first) == known.end();
  });
  bool has_any = std::any_of(
      guests_.begin(), guests_.end(),
      [](const auto& entry) { return entry.second.session != nullptr; });
  if (has_any) timer_.SetAfter(kVisitLook);
}

bool Guests::Has(const Session& session) const {
  auto guest = guests_.find(session.origin().id);
  return guest != guests_.end() && guest->second.session.get() == &session;
}

void Guests::Abandon() {
  for (const auto& [id, guest] : guests_) {
    if (guest.session != nullptr) guest.session->Abandon();
  }
}

void Guests::LookFor(std::string_view name) {
  std::erase_if(elsewhere_, [name](const Elsewhere& session) {
    return name.empty() || session.name == name;
  });
}

void Guests::Found(const std::string& id, const std::string& name) {
  std::erase_if(elsewhere_,
                [&id](const Elsewhere& session) { return session.id == id; });
  elsewhere_.push_back({id, name});
}

wire::MarkRecord Guests::Adopted(const std::string& id) {
  wire::MarkRecord read_to = Leave(id);
  guests_.erase(id);
  // The session's name may have changed since it was found.
  std::erase_if(elsewhere_,
                [&id](const Elsewhere& session) { return session.id == id; });
  return read_to;
}

}  // namespace glasstty::session
