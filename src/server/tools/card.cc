#include "tools/card.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "mcp/apps.h"
#include "observe/frame.h"
#include "observe/screen_json.h"
#include "support/status.h"
#include "tools/session_words.h"

namespace glasstty {

using session::SessionRef;

namespace {

// All clients wait at least this many seconds for a tool.
constexpr double kMostWait = 20;

struct CardArgs {
  std::string session;
  // The revision that the card already shows; -1: none.
  int64_t since_rev = -1;
  double wait_s = 0;

  static const std::vector<mcp::Field<CardArgs>>& Fields() {
    using A = CardArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>{
        mcp::Required("session", &A::session, ""),
        mcp::Optional("since_rev", &A::since_rev,
                      "Waits until the screen is newer than this.",
                      mcp::Range{-1, 1e15}),
        mcp::Optional("wait_s", &A::wait_s, "The longest wait.",
                      mcp::Range{0, kMostWait}),
    };
    return *fields;
  }
};

// The card's reading does not count as use of the session, so the session may
// still be closed for lack of use.
SessionRef SessionNamed(const session::SessionManager& manager,
                        const std::string& name) {
  std::vector<SessionRef> all = manager.All();
  auto found = std::find_if(
      all.begin(), all.end(),
      [&name](const SessionRef& one) { return one->name() == name; });
  return found == all.end() ? nullptr : *found;
}

Task<mcp::ToolResult> LookForCard(Workbench* bench, mcp::ToolCall* call,
                                  CardArgs args) {
  ASSIGN_OR_CO_RETURN(std::string unique,
                      bench->clients()->Resolve(*call, args.session));
  SessionRef session = SessionNamed(*bench->manager(), unique);
  if (session == nullptr) {
    co_return NotFound("there is no session '%s'", args.session);
  }
  session::Session* looked_at = session.get();
  session->questions().Keep(session::Interest::kForeground);  // asks once
  // The call also returns if nothing but the state has changed.
  std::string state = StateWord(*session);
  Time deadline =
      bench->loop()->Now() + std::chrono::duration_cast<Duration>(
                                 std::chrono::duration<double>(args.wait_s));
  Predicate changed = [looked_at, state, since = args.since_rev] {
    auto rev = static_cast<int64_t>(looked_at->output().terminal().revision());
    return Look(rev != since || StateWord(*looked_at) != state);
  };
  co_await session->WaitFor(changed, deadline, call->cancellation());
  Json screen = observe::ScreenJson(
      nullptr, observe::TakeFrame(session->output().terminal()));
  screen["rev"] = session->output().terminal().revision();
  screen["state"] = StateWord(*session);
  screen["over"] = session->finished();
  mcp::ToolResult result(
      absl::StrFormat("[%s] %s", args.session, StateWord(*session)));
  result.structured = std::move(screen);
  co_return result;
}

Task<absl::StatusOr<mcp::ResourceContents>> ReadCard() {
  mcp::ResourceContents contents;
  contents.text = kCardPage;
  // An empty policy lets the page load nothing from anywhere.
  contents.meta = {{"ui", {{"csp", Json::object()}, {"prefersBorder", true}}}};
  co_return contents;
}

}  // namespace

mcp::Tool CardTool(Workbench* bench) {
  mcp::Tool tool = mcp::MakeTool<CardArgs>(
      bench,
      {.name = "term_card",
       .title = "Terminal card",
       .description = "For the card that shows a session: its screen.",
       .annotations = {.read_only = true,
                       .destructive = false,
                       .idempotent = true,
                       .open_world = false}},
      LookForCard);
  tool.for_cards = true;
  return tool;
}

mcp::Resource CardResource() {
  mcp::Resource card;
  card.uri = kCardUri;
  card.name = "terminal";
  card.title = "Terminal";
  card.mime_type = mcp::kCardType;
  card.read = [](mcp::ToolCall*, const mcp::UriVariables&) {
    return ReadCard();
  };
  return card;
}

}  // namespace glasstty
