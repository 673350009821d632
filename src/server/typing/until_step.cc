#include "typing/until_step.h"

#include <algorithm>
#include <utility>

#include "base/visible.h"
#include "support/status.h"
#include "waits/waiting.h"

namespace glasstty::typing {
namespace {

// Returns why the condition does not hold although the outcome is kMet: the
// session has ended, or the `stop` pattern has matched. Returns "" if the
// condition holds, and for every other outcome.
std::string WhyNot(const waits::Waiting& waiting, const waits::Result& result) {
  if (result.outcome != Outcome::kMet) return "";
  if (waiting.IsOnlyEnd(result.reason)) {
    return absl::StrFormat("session '%s' has ended before its 'until' was true",
                           waiting.session()->name());
  }
  if (result.reason.word != "stopped") return "";
  return "its 'until' ended at 'stop': " + Quoted(result.reason.detail);
}

}  // namespace

Task<Next> AwaitUntil(Typist* typist, const Step* step) {
  session::ConstSessionRef session = typist->session;
  waits::From from{typist->baseline, typist->result.lines};
  if (step->other != nullptr) {
    session = step->other;
    from = {step->other_mark};
  }
  auto waiting = waits::Waiting::Compile(step->until);
  if (!waiting.ok()) {
    typist->result.stopped = Message(waiting.status());
    co_return Next::kStop;
  }
  // The wanted text may already have come, in answer to an earlier step.
  waiting->Begin(session, std::move(from));
  Time began = session->loop()->Now();
  Time deadline = std::max(began + FromSeconds(step->seconds), step->latest);
  waits::Result result = co_await waiting->Await(
      {session->loop(), typist->cancellation, nullptr}, deadline);
  if (result.outcome == Outcome::kTimeout) {
    std::chrono::duration<double> waited = deadline - began;
    typist->result.stopped = absl::StrFormat(
        "its 'until' did not become true within %.3g s", waited.count());
  }
  std::string why = WhyNot(*waiting, result);
  if (!why.empty()) {
    typist->result.stopped = std::move(why);
    co_return Next::kStop;
  }
  co_return NextIfMet(result.outcome);
}

}  // namespace glasstty::typing
