#include "tools/restart.h"

#include <utility>
#include <vector>

#include "support/status.h"
#include "tools/reach.h"

namespace glasstty {
namespace {

using session::SessionRef;

// Returns the machine on which the session runs; Place::text is empty for this
// machine.
absl::StatusOr<place::Place> PlaceOf(const session::Session& session) {
  const record::SessionOrigin& origin = session.origin();
  place::Place place;
  std::string error;
  if (!origin.place.empty() &&
      !place::PlaceAgain(origin.place, origin.place_prefix, &place, &error)) {
    return InvalidArgument("%s", error);
  }
  return place;
}

}  // namespace

Task<absl::StatusOr<std::string>> AllowRestart(Workbench* bench,
                                               mcp::ToolCall* call,
                                               SessionRef session,
                                               bool confirmed) {
  const record::ProgramSpec& program = session->origin().program;
  auto place = PlaceOf(*session);
  GatedCommand gated{"",
                     program.argv,
                     program.cwd,
                     nullptr,
                     confirmed,
                     place.value_or(place::Place()),
                     program.environment};
  co_return co_await bench->gatekeeper()->AllowCommand(call, std::move(gated));
}

Task<absl::StatusOr<Restarted>> Restart(Workbench* bench, mcp::ToolCall* call,
                                        SessionRef session) {
  session::PlaceLink* where = nullptr;
  auto place = PlaceOf(*session);
  if (!place.ok()) co_return Restarted{.refusal = Message(place.status())};
  if (!place->text.empty()) {
    auto reached =
        co_await ReachPlace(bench, call, *std::move(place), Time::max());
    if (!reached.ok()) co_return reached.status();
    where = *reached;
  }
  // The old session stays, because no new one would be opened.
  if (call->is_cancelled()) {
    co_return FailedPrecondition("the call was cancelled: nothing was opened");
  }
  Clients* clients = bench->clients();
  std::string called = clients->IsOthers(*call, *session)
                           ? session->name()
                           : clients->NameFor(*call, *session);
  bench->manager()->Forget(session);
  auto opened = co_await bench->OpenSession(
      call, session->name(), session->origin().program, nullptr, where);
  if (!opened.ok()) co_return opened.status();
  SessionRef again = *opened;
  clients->SetCalled(*again, called);
  co_await bench->AwaitStates(call, std::vector<SessionRef>(1, again));
  co_return Restarted{.session = again, .called = called};
}

}  // namespace glasstty
