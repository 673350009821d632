#include "tools/first_wait.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_format.h"
#include "support/status.h"
#include "tools/reply.h"
#include "waits/waiting.h"

namespace glasstty {

Task<absl::StatusOr<FirstWait>> AwaitFirst(Workbench* bench,
                                           mcp::ToolCall* call,
                                           session::SessionRef session,
                                           std::optional<UntilArgs> until,
                                           double timeout_s) {
  if (!until) co_return FirstWait();
  auto waiting = waits::Waiting::Compile(*until);
  if (!waiting.ok()) co_return waiting.status();
  waiting->Begin(session, {view::WaitFrom(bench->MarkOf(*call, *session))});
  waits::Patience patience = waits::PatienceFor(CallerOf(call), timeout_s);
  waits::Result result =
      co_await waiting->Await(CallerOf(call), patience.deadline);
  if (result.outcome == Outcome::kCancelled) {
    co_return FailedPrecondition("the call was cancelled");
  }
  FirstWait wait;
  wait.reason = std::string(ReasonWord(result));
  wait.is_met = result.outcome == Outcome::kMet;
  wait.waited_s = std::chrono::duration<double>(result.waited).count();
  wait.note = patience.note;
  co_return wait;
}

void TellFirstWait(const FirstWait& wait, const session::Session& session,
                   mcp::ToolResult* result) {
  if (wait.reason.empty()) return;
  if (result->structured) {
    Json& json = *result->structured;
    json["reason"] = wait.reason;
    json["waited_s"] = wait.waited_s;
    if (!wait.note.empty()) json["note"] = wait.note;
    result->text = DumpJson(json);
    return;
  }
  result->text += wait.is_met ? absl::StrFormat("; waited %.1fs, reason=%s",
                                                wait.waited_s, wait.reason)
                              : "; reason=" + wait.reason;
  if (!wait.is_met && !session.finished()) {
    result->text += ", the program keeps running";
  }
  if (!wait.note.empty()) result->text += "; " + wait.note;
}

}  // namespace glasstty
