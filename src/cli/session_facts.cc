#include "cli/session_facts.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_format.h"
#include "base/clock.h"
#include "base/fd.h"
#include "base/visible.h"
#include "record/recording.h"
#include "record/timeline.h"
#include "session/state.h"
#include "support/status.h"
#include "support/text.h"
#include "watch/foreground.h"
#include "wire/launch.h"
#include "wire/messages.h"
#include "wire/session_files.h"

namespace glasstty {
namespace {

// A holder answers in less than a millisecond; one that does not is busy or
// stopped, and the list continues without its answer.
constexpr int kHolderPatience_ms = 300;

// Asks a holder about its session, and stores the answer in `facts`. Returns
// the holder's report on the program, if there is one.
std::optional<wire::ProbeAnswer> AskHolder(int directory, SessionFacts* facts) {
  UniqueFd socket = wire::ConnectObserver(directory);
  bool asked = socket.valid() &&
               wire::SendMessage(socket.get(), wire::Watch{.label = "ls"}) &&
               wire::SendMessage(socket.get(), wire::Probe{1});
  // An older holder does not answer, but is alive.
  facts->state = "?";
  char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
  pollfd query{socket.get(), POLLIN, 0};
  bool is_crowded = false;
  while (asked) {
    wire::Packet packet;
    switch (wire::ReceivePacket(socket.get(), buffer, sizeof buffer, &packet)) {
      case wire::Receive::kClosed:
        asked = false;
        continue;
      case wire::Receive::kNothing:
        if (poll(&query, 1, kHolderPatience_ms) <= 0) return std::nullopt;
        continue;
      case wire::Receive::kPacket:
        break;
    }
    auto message = wire::Decode<wire::FromHolder>(packet);
    is_crowded = is_crowded || std::holds_alternative<wire::Busy>(message);
    if (auto* lease = std::get_if<wire::Lease>(&message)) {
      facts->served = lease->info.server_attached != 0;
      lease->info.label[wire::kMaxLabel] = '\0';
      bool held =
          (lease->flags & wire::kLeaseHeld) != 0 && lease->info.for_call == 0;
      if (held) facts->person = CleanText(lease->info.label);
    } else if (auto* welcome = std::get_if<wire::Welcome>(&message)) {
      facts->size = {welcome->info.rows, welcome->info.cols};
    } else if (auto* request = std::get_if<wire::Asked>(&message)) {
      facts->asked = CleanText(request->text);
    } else if (auto* state = std::get_if<wire::State>(&message)) {
      state->answer.name[sizeof state->answer.name - 1] = '\0';
      return state->answer;
    }
  }
  // A near relay drops each observer while it has no connection to the
  // session's machine.
  if (!is_crowded && wire::IsElsewhere(directory)) facts->state = "away";
  return std::nullopt;
}

// It is unknown how long the session has been quiet, so that is not used as
// evidence.
std::string StateOf(const wire::ProbeAnswer& answer) {
  return std::string(
      session::ActivityName(session::JudgeProbe(answer, Duration()).activity));
}

// Only the holder knows anything about such a session. If no server has it now,
// none can take it over.
SessionFacts FactsOf(const record::UnreadableSession& session) {
  SessionFacts facts;
  facts.name = session.id;
  facts.path = session.path;
  facts.trouble = CleanText(record::DescribeUnreadable(session));
  facts.live = true;
  struct stat lock;
  if (fstatat(session.directory.get(), wire::kLockName, &lock,
              AT_SYMLINK_NOFOLLOW) == 0) {
    int64_t age_s = WallMilliseconds() / 1000 - lock.st_mtim.tv_sec;
    facts.age_s = std::max<int64_t>(age_s, 0);
  }
  if (auto answer = AskHolder(session.directory.get(), &facts)) {
    facts.state = StateOf(*answer);
    watch::Foreground foreground =
        watch::ForegroundOf(record::SessionOrigin(), *answer);
    facts.program = foreground.program;
    facts.where = foreground.where;
  }
  if (!facts.served) facts.state = "left";
  return facts;
}

SessionFacts FactsOf(const record::RecordedSession& session) {
  SessionFacts facts;
  const record::SessionOrigin& origin = session.origin;
  facts.name = CleanText(origin.name);
  facts.serves_place = facts.name.starts_with('@');
  facts.command = watch::OpenedWith(origin);
  watch::Foreground foreground = watch::StartedProgram(origin);
  facts.path = session.path;
  facts.size = origin.program.size;
  int directory = session.directory.get();
  record::Timeline timeline = record::ReadTimeline(directory);
  if (!timeline.resizes().empty()) {
    facts.size = timeline.resizes().back().size;
  }
  facts.age_s =
      std::max<int64_t>(WallMilliseconds() - origin.started_ms, 0) / 1000;
  facts.place = CleanText(origin.place);
  auto exit = wire::ReadExit(directory);
  facts.live = !wire::IsOver(directory);
  if (facts.live) {
    if (auto answer = AskHolder(directory, &facts)) {
      facts.state = StateOf(*answer);
      foreground = watch::ForegroundOf(origin, *answer);
    }
  }
  facts.program = foreground.program;
  facts.where = foreground.where;
  if (exit) facts.state = "exited " + session::ExitText(exit->status);
  if (!exit && !facts.live) facts.state = "lost";
  return facts;
}

}  // namespace

absl::StatusOr<std::vector<SessionFacts>> ListSessions(bool ended) {
  std::vector<SessionFacts> sessions;
  RETURN_IF_ERROR(record::ForEachRecorded(
      [&](const record::RecordedSession& session) {
        SessionFacts facts = FactsOf(session);
        if (facts.live || ended) sessions.push_back(std::move(facts));
      },
      [&](const record::UnreadableSession& session) {
        sessions.push_back(FactsOf(session));
      }));
  std::sort(sessions.begin(), sessions.end(),
            [](const SessionFacts& a, const SessionFacts& b) {
              return std::pair(a.name, -a.age_s) < std::pair(b.name, -b.age_s);
            });
  return sessions;
}

void PutNeedyFirst(std::vector<SessionFacts>* sessions) {
  std::stable_partition(
      sessions->begin(), sessions->end(),
      [](const SessionFacts& facts) { return facts.NeedsPerson(); });
}

std::string AgeText(int64_t seconds) {
  constexpr int64_t kMinute = 60, kHour = 3600, kDay = 86'400;
  if (seconds < 2 * kMinute) return absl::StrFormat("%ds", seconds);
  if (seconds < 2 * kHour) return absl::StrFormat("%dm", seconds / kMinute);
  if (seconds < 2 * kDay) return absl::StrFormat("%dh", seconds / kHour);
  return absl::StrFormat("%dd", seconds / kDay);
}

}  // namespace glasstty
