#include "tools/away.h"

#include <algorithm>
#include <chrono>

#include "absl/strings/str_format.h"
#include "base/visible.h"
#include "support/text.h"

namespace glasstty {
namespace {

// Shorter absences are not reported.
constexpr Duration kShort = std::chrono::seconds(1);

double InSeconds(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

double SecondsLeft(const session::Session& session, uint64_t ns) {
  return InSeconds(Time(Duration(static_cast<int64_t>(ns))) -
                   session.loop()->Now());
}

// Describes the attempt to reconnect, and says who must act if glasstty cannot.
std::string AttemptText(const session::Session& session,
                        const session::ReachedPlace& place) {
  const wire::PlaceStatus& status = place.link->status();
  // `tries` includes the connection that was lost, so it is the number of the
  // next attempt.
  auto again = std::max<int>(1, static_cast<int>(status.tries));
  if (status.state == wire::PlaceState::kPausing) {
    double left = std::max(0.0, SecondsLeft(session, status.next_ns));
    return absl::StrFormat("try %d in %.0f s", again, left);
  }
  if (status.state != wire::PlaceState::kConnecting ||
      place.client == nullptr) {
    return "";
  }
  // The known state may be out of date. Keeping an interest for a moment
  // requests a probe; its answer will be there for the next reply.
  place.client->questions().Keep(session::Interest::kState);
  session::Activity state = place.client->verdict().LastState().activity;
  bool asks =
      state == session::Activity::kSecret || state == session::Activity::kInput;
  return absl::StrFormat("its client %s in session '%s'%s",
                         asks ? "asks" : "runs", place.client->name(),
                         asks ? ": answer there" : "");
}

}  // namespace

std::string AwayText(const Workbench& bench, const session::Session& session) {
  const std::string& on = session.origin().place;
  std::string attempt;
  for (const session::ReachedPlace& place :
       bench.manager()->remote()->places()) {
    if (place.link->place().text == on) attempt = AttemptText(session, place);
  }
  if (!attempt.empty()) attempt = " (" + attempt + ")";
  return absl::StrFormat(
      "away %.0f s: no connection to %s%s, so this is what was last known; the "
      "program keeps running there",
      InSeconds(session.loop()->Now() - *session.contact().away_since()),
      QuotedUnlessPlain(on), attempt);
}

std::string BackText(const session::Session& session, uint64_t told) {
  const session::Contact::Absence& absence = session.contact().absence();
  if (absence.number == told || absence.lasted < kShort) return "";
  std::string printed = absence.printed == 0
                            ? "nothing was"
                            : absl::StrFormat("%d bytes were", absence.printed);
  return absl::StrFormat("back after %.0f s; %s printed in the meantime",
                         InSeconds(absence.lasted), printed);
}

}  // namespace glasstty
