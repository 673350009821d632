#include "tools/remains.h"

#include <chrono>

#include "absl/strings/str_format.h"
#include "base/visible.h"
#include "session/orphans.h"
#include "support/loop.h"
#include "support/text.h"
#include "tools/session_words.h"

namespace glasstty {
namespace {

// Processes that lose their terminal usually end within milliseconds.
constexpr Duration kRemainsPatience = std::chrono::milliseconds(150);
constexpr Duration kRemainsLook = std::chrono::milliseconds(10);
constexpr size_t kMostRemains = 3, kMostOfRemains = 60;

// As long as the holder runs, processes of the session may run.
std::vector<session::ProcessInfo> RemainsOf(const session::Session& session) {
  bool may_have = session.finished() && !session.life().ended() &&
                  session.origin().place.empty();
  if (!may_have) return {};
  auto found = session::FindOrphans(
      {session.origin().id, session.life().leader_pid(), true});
  return found.ok() ? *std::move(found) : std::vector<session::ProcessInfo>();
}

}  // namespace

std::string RemainsText(const session::Session& session) {
  std::vector<session::ProcessInfo> remains = RemainsOf(session);
  if (remains.empty()) return "";
  std::vector<std::string> named;
  for (const session::ProcessInfo& process : remains) {
    if (named.size() == kMostRemains) break;
    named.push_back(absl::StrFormat("pid %d: %s", process.pid,
                                    Quoted(process.command, kMostOfRemains)));
  }
  if (named.size() < remains.size()) named.emplace_back("...");
  return absl::StrFormat(
      "%d still running (term_close survivors=kill ends them): %s",
      remains.size(), Join(named, ", "));
}

Task<bool> AwaitRemains(mcp::ToolCall* call, session::SessionRef session) {
  if (RemainsOf(*session).empty()) co_return false;
  session::Session* s = session.get();
  Loop* loop = s->loop();
  Outcome outcome = co_await s->WaitFor(
      [s, loop] {
        return Look(RemainsOf(*s).empty(), loop->Now() + kRemainsLook);
      },
      loop->Now() + kRemainsPatience, call->cancellation());
  co_return outcome == Outcome::kTimeout;
}

void AddLeft(const session::LeftSessions& sessions,
             std::vector<std::string>* lines, Json* list) {
  for (const session::LeftSessions::Left& left : sessions.all()) {
    if (left.id.empty() || sessions.HasEnded(left.id)) continue;
    std::string why = DescribeLeft(left);
    lines->push_back(absl::StrFormat(
        "[%s] not closed: %s; term_close {\"session\": \"%s\", \"force\": "
        "true} ends it",
        left.name, why, left.name));
    list->push_back(Json{{"session", left.name},
                         {"state", "left"},
                         {"closed", false},
                         {"why", why}});
  }
}

}  // namespace glasstty
