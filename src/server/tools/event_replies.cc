#include "tools/event_replies.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <utility>

#include "base/visible.h"
#include "support/status.h"
#include "tools/attention.h"
#include "tools/until_args.h"

namespace glasstty {

using lookout::Event;
using session::SessionRef;

namespace {

// A wait for an event also returns the events that follow within this time.
constexpr Duration kTogether = std::chrono::milliseconds(400);

struct Noticed {
  SessionRef session;
  Event event;
};

std::string LocalTime(int64_t at_ms) {
  std::time_t seconds = at_ms / 1000;
  std::tm parts{};
  localtime_r(&seconds, &parts);
  return absl::StrFormat("%02d:%02d:%02d", parts.tm_hour, parts.tm_min,
                         parts.tm_sec);
}

// Quotes the part of the event's text that a program chose.
std::string QuotedTextOf(Event event) {
  event.text = Quoted(event.text);
  return TextOf(event);
}

std::string LineOf(const std::string& name, const Event& event) {
  bool is_ours =
      event.watch != lookout::kError && lookout::IsBuiltIn(event.watch);
  return absl::StrFormat("[%s] %s %s: %s", name, QuotedUnlessPlain(event.watch),
                         LocalTime(event.at_ms),
                         is_ours ? TextOf(event) : QuotedTextOf(event));
}

Json JsonOf(const std::string& name, const Event& event) {
  return {{"session", name},
          {"watch", event.watch},
          {"at_ms", event.at_ms},
          {"text", TextOf(event)},
          {"revision", event.revision}};
}

// Returns the number of the last event that was reported to the client. If none
// is known, the client gets only later events, unless it owns the session.
int64_t ToldOf(Workbench* bench, const mcp::ToolCall& call,
               const SessionRef& session, lookout::EventLog* log) {
  std::string reader = bench->clients()->ReaderName(call);
  if (auto told = log->ToldOf(reader)) return *told;
  if (bench->clients()->IsOwn(call, *session)) return log->forgotten();
  log->SetTold(reader, log->last());
  return log->last();
}

// Returns the events that have not been reported to the client, in order.
// Events whose facts a reply has shown count as reported, and are recorded as
// such up to the first unseen one.
std::vector<Noticed> UntoldOf(Workbench* bench, const mcp::ToolCall& call,
                              const SessionRef& session) {
  std::vector<Noticed> untold;
  lookout::Sentry* sentry = bench->lookout()->At(*session);
  if (sentry == nullptr) return untold;
  lookout::EventLog* log = sentry->log();
  const int64_t told = ToldOf(bench, call, session, log);
  int64_t seen = told;
  for (const Event& event : log->events()) {
    if (event.number <= told) continue;
    if (!bench->clients()->HasSeen(call, *session, event)) {
      untold.push_back({session, event});
    } else if (untold.empty()) {
      seen = event.number;
    }
  }
  if (seen > told) log->SetTold(bench->clients()->ReaderName(call), seen);
  return untold;
}

// Merges the events of several sessions by time, but keeps their order within
// each session, even if the clock jumps.
std::vector<Noticed> UntoldOfAll(Workbench* bench, const mcp::ToolCall& call,
                                 const std::vector<SessionRef>& sessions) {
  std::vector<std::vector<Noticed>> lists;
  for (const SessionRef& session : sessions) {
    auto list = UntoldOf(bench, call, session);
    std::reverse(list.begin(), list.end());
    if (!list.empty()) lists.push_back(std::move(list));
  }
  std::vector<Noticed> all;
  while (!lists.empty()) {
    auto first = std::min_element(
        lists.begin(), lists.end(), [](const auto& a, const auto& b) {
          return a.back().event.at_ms < b.back().event.at_ms;
        });
    all.push_back(std::move(first->back()));
    first->pop_back();
    if (first->empty()) lists.erase(first);
  }
  return all;
}

void SetTold(Workbench* bench, const std::string& reader,
             const std::vector<Noticed>& told) {
  for (const Noticed& noticed : told) {
    lookout::Sentry* sentry = bench->lookout()->At(*noticed.session);
    if (sentry == nullptr) continue;
    sentry->log()->SetTold(reader, noticed.event.number);
  }
}

std::vector<SessionRef> NotOthers(Workbench* bench, const mcp::ToolCall& call) {
  std::vector<SessionRef> sessions = bench->manager()->All();
  std::erase_if(sessions, [&](const SessionRef& session) {
    return bench->clients()->IsOthers(call, *session);
  });
  return sessions;
}

mcp::ToolResult Tell(Workbench* bench, const mcp::ToolCall& call,
                     std::vector<Noticed> told, ReplyFormat format) {
  mcp::ToolResult result;
  Json list = Json::array();
  for (const Noticed& noticed : told) {
    std::string name = bench->clients()->NameFor(call, *noticed.session);
    list.push_back(JsonOf(name, noticed.event));
    if (!result.text.empty()) result.text += "\n";
    result.text += LineOf(name, noticed.event);
  }
  if (format == ReplyFormat::kJson) {
    result.structured = Json{{"events", std::move(list)}};
    result.text = DumpJson(*result.structured);
  }
  result.on_sent = [bench, reader = bench->clients()->ReaderName(call),
                    told = std::move(told)] { SetTold(bench, reader, told); };
  return result;
}

mcp::ToolResult TellNone(const char* reason, std::string text,
                         ReplyFormat format) {
  mcp::ToolResult result(std::move(text));
  if (format == ReplyFormat::kJson) {
    result.structured = Json{{"events", Json::array()}, {"reason", reason}};
    result.text = DumpJson(*result.structured);
  }
  result.meta["glasstty/reason"] = reason;
  return result;
}

bool HaveAllEnded(Workbench* bench, const std::vector<SessionRef>& sessions) {
  return std::all_of(sessions.begin(), sessions.end(),
                     [bench](const SessionRef& session) {
                       lookout::Sentry* s = bench->lookout()->At(*session);
                       return s == nullptr || s->has_ended();
                     });
}

absl::StatusOr<waits::Until> ParseCondition(const Json& condition) {
  UntilArgs until;
  RETURN_IF_ERROR(mcp::ParseMembers(condition, {"watch", ""}, &until));
  if (until.empty()) {
    return InvalidArgument(
        "watch: give a condition such as {\"regex\": \"FAILED\"}");
  }
  return until;
}

}  // namespace

lookout::Surroundings SurroundingsOf(Clients* clients) {
  return {.question = QuestionOf,
          .is_known =
              [clients](const session::Session& session, const Event& event) {
                return clients->HasAnySeen(session, event);
              },
          .parse = ParseCondition,
          .tell = nullptr};
}

absl::Status CheckIsOurs(Workbench* bench, const mcp::ToolCall& call,
                         const session::Session& session) {
  if (!session.is_guest()) return absl::OkStatus();
  return FailedPrecondition(
      "session '%s' is open in another server, which keeps its watches and "
      "events; term_wait waits for other conditions of it here",
      bench->clients()->NameFor(call, session));
}

mcp::ToolResult ListEvents(Workbench* bench, mcp::ToolCall* call,
                           std::vector<SessionRef> sessions,
                           ReplyFormat format) {
  bench->clients()->SetAsksForEvents(*call);
  if (sessions.empty()) sessions = NotOthers(bench, *call);
  std::vector<Noticed> untold;
  std::string text;
  Json list = Json::array();
  for (const SessionRef& session : sessions) {
    lookout::Sentry* sentry = bench->lookout()->At(*session);
    if (sentry == nullptr) continue;
    std::string name = bench->clients()->NameFor(*call, *session);
    int64_t told = ToldOf(bench, *call, session, sentry->log());
    for (const Event& event : sentry->log()->events()) {
      bool is_new = event.number > told;
      list.push_back(JsonOf(name, event));
      list.back()["new"] = is_new;
      text += LineOf(name, event) + (is_new ? " (new)\n" : "\n");
      if (is_new) untold.push_back({session, event});
    }
    if (std::string watches = sentry->WatchNames(); !watches.empty()) {
      text += absl::StrFormat("[%s] watches: %s\n", name, watches);
    }
  }
  mcp::ToolResult result(text.empty() ? "no events" : std::move(text));
  if (result.text.ends_with('\n')) result.text.pop_back();
  if (format == ReplyFormat::kJson) {
    result.structured = Json{{"events", std::move(list)}};
    result.text = DumpJson(*result.structured);
  }
  result.on_sent = [bench, reader = bench->clients()->ReaderName(*call),
                    untold = std::move(untold)] {
    SetTold(bench, reader, untold);
  };
  return result;
}

Task<mcp::ToolResult> AwaitEvent(Workbench* bench, mcp::ToolCall* call,
                                 std::vector<SessionRef> sessions,
                                 double timeout_s, ReplyFormat format) {
  bench->clients()->SetAsksForEvents(*call);
  bool is_any = sessions.empty();
  std::vector<Noticed> untold;
  auto look = [bench, call, is_any, &sessions, &untold] {
    if (is_any) sessions = NotOthers(bench, *call);
    untold = UntoldOfAll(bench, *call, sessions);
    return Look(!untold.empty() || (!is_any && HaveAllEnded(bench, sessions)));
  };
  Time deadline = waits::PatienceFor(CallerOf(call), timeout_s).deadline;
  waits::Caller caller = CallerOf(call);
  waits::Result wait;
  bool is_over = false;
  while (!is_over) {
    std::vector<WaiterList*> lists(1, bench->lookout()->waiters());
    wait = co_await waits::AwaitOn(caller, std::move(lists), look, deadline);
    if (!untold.empty()) {
      // The last line of a program and its end come shortly after each other.
      Predicate never = [] { return Look(false); };
      std::vector<WaiterList*> none;
      Time together = std::min(deadline, bench->loop()->Now() + kTogether);
      co_await waits::AwaitOn(caller, std::move(none), std::move(never),
                              together);
    }
    // Another reply may have told the events in the meantime.
    is_over = look().met() || wait.outcome != Outcome::kMet;
  }
  if (!untold.empty()) {
    untold.resize(std::min(untold.size(), kMostNamedEvents));
    mcp::ToolResult result = Tell(bench, *call, std::move(untold), format);
    result.meta["glasstty/reason"] = "event";
    co_return result;
  }
  if (wait.outcome == Outcome::kMet) {
    co_return TellNone("exited", "no event will come: all have ended", format);
  }
  co_return TellNone("timeout", "timeout: no event; wait again", format);
}

EventNews NewsBeside(Workbench* bench, const mcp::ToolCall& call,
                     const session::Session& shown) {
  EventNews news;
  std::string reader = bench->clients()->ReaderName(call);
  bool asks = bench->clients()->AsksForEvents(call);
  std::vector<Noticed> told;
  size_t more = 0;
  for (const SessionRef& session : bench->clients()->OwnOf(call)) {
    if (session.get() == &shown) continue;
    for (Noticed& noticed : UntoldOf(bench, call, session)) {
      bool is_named = asks || !lookout::IsBuiltIn(noticed.event.watch);
      if (!is_named) continue;
      if (told.size() == kMostNamedEvents) {
        ++more;
        break;
      }
      std::string name = bench->clients()->NameFor(call, *session);
      news.lines.push_back(LineOf(name, noticed.event));
      told.push_back(std::move(noticed));
    }
  }
  if (more > 0) news.lines.push_back("more: term_read {\"mode\": \"events\"}");
  // The reply shows its own session, so the events of that session count as
  // reported.
  lookout::Sentry* sentry = bench->lookout()->At(shown);
  int64_t last = sentry == nullptr ? 0 : sentry->log()->last();
  if (told.empty() && last == 0) return news;
  news.on_sent = [bench, reader, told = std::move(told),
                  own = sentry == nullptr ? nullptr : sentry->session(), last] {
    SetTold(bench, reader, told);
    lookout::Sentry* now =
        own == nullptr ? nullptr : bench->lookout()->At(*own);
    if (now != nullptr && last > 0) now->log()->SetTold(reader, last);
  };
  return news;
}

absl::Status CheckWatches(const Json& watches) {
  if (watches.is_null()) return absl::OkStatus();
  if (!watches.is_object()) {
    return InvalidArgument(
        "watch: give conditions by name, such as {\"fails\": {\"regex\": "
        "\"^FAILED\"}}");
  }
  for (const auto& [name, condition] : watches.items()) {
    if (condition.is_null()) continue;
    RETURN_IF_ERROR(lookout::CheckWatchName(name));
    ASSIGN_OR_RETURN(waits::Until until, ParseCondition(condition));
    RETURN_IF_ERROR(lookout::Watch::Compile(std::move(until)).status());
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> SetWatches(Workbench* bench,
                                       const mcp::ToolCall& call,
                                       const SessionRef& session,
                                       const Json& watches) {
  if (watches.is_null()) return "";
  RETURN_IF_ERROR(CheckWatches(watches));
  lookout::Sentry* sentry = bench->lookout()->At(*session);
  std::string called = bench->clients()->NameFor(call, *session);
  RETURN_IF_ERROR(CheckIsOurs(bench, call, *session));
  if (sentry == nullptr) return NotFound("no session '%s'", called);
  for (const auto& [name, condition] : watches.items()) {
    if (!condition.is_null()) {
      RETURN_IF_ERROR(sentry->SetWatch(name, condition));
    } else if (!sentry->RemoveWatch(name)) {
      return NotFound("watch: session '%s' has no watch %s; it has: %s", called,
                      Quoted(name), sentry->WatchNames());
    }
  }
  std::string names = sentry->WatchNames();
  return names.empty() ? "no watches" : "watches: " + names;
}

}  // namespace glasstty
