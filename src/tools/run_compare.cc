#include "tools/run_compare.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/fd.h"
#include "support/status.h"

namespace glasstty {
namespace {

// Files of the run's own session: they go with it.
absl::StatusOr<std::string> Store(Workbench* bench, const RunOutcome& outcome,
                                  const std::string& name) {
  ASSIGN_OR_RETURN(std::string text, OutputOf(outcome));
  const session::Session& session = *outcome.session;
  if (!ReplaceFileAt(session.OpenDirectory()->get(), name, text)) {
    return ErrnoStatus("write", name);
  }
  return bench->manager()->LogPath(session) + "/" + name;
}

// How one of the two ended, for the header.
std::string EndNote(const char* which, const RunOutcome& outcome) {
  if (!outcome.ended) return absl::StrFormat("%s did not end in time", which);
  if (!outcome.status)
    return absl::StrFormat("%s: its status is not known", which);
  return absl::StrFormat("%s exit=%d", which, *outcome.status);
}

// Beyond the call's own time: the outputs are there, and only diff is waited
// for.
constexpr Duration kDiffPatience = std::chrono::seconds(5);

// Labels are the commands: names of files in a state directory say nothing.
std::vector<std::string> DiffCommand(const Comparison& comparison,
                                     const std::vector<std::string>& files) {
  return {"diff",
          "-U",
          absl::StrFormat("%d", comparison.context),
          "--label",
          *comparison.first.command,
          "--label",
          *comparison.second.command,
          files[0],
          files[1]};
}

}  // namespace

Task<mcp::ToolResult> RunAndCompare(Workbench* bench, mcp::ToolCall* call,
                                    Comparison comparison) {
  Loop* loop = bench->loop();
  Patience patience = PatienceFor(*call, loop->Now(), 2 * comparison.timeout_s);
  std::vector<std::string> files, notes;
  RunOutcome outcome;
  // Both are judged before either runs.
  for (RunSpec* spec : {&comparison.first, &comparison.second}) {
    GatedCommand gated;
    gated.text = *spec->command;
    gated.cwd = spec->cwd;
    gated.confirmed = spec->confirm;
    auto allowed = co_await bench->gatekeeper()->AllowCommand(call, gated);
    if (!allowed.ok()) co_return allowed.status();
    notes.push_back(*allowed);
    spec->confirm = true;
  }
  for (const RunSpec* spec : {&comparison.first, &comparison.second}) {
    const char* which = files.empty() ? "first" : "second";
    Time deadline = std::min(patience.deadline,
                             loop->Now() + FromSeconds(comparison.timeout_s));
    ASSIGN_OR_CO_RETURN(outcome, co_await RunOnce(bench, call, spec,
                                                  comparison.limits, deadline));
    notes.push_back(EndNote(which, outcome));
    // Half an output makes no comparison; the reply is then about this one.
    if (!outcome.ended) break;
    ASSIGN_OR_CO_RETURN(std::string file,
                        Store(bench, outcome, std::string("compare.") + which));
    files.push_back(std::move(file));
    // Its output is shown as a difference, so all of it counts as read.
    bench->SetMark(call->connection(), *outcome.session, outcome.read.mark);
  }
  // About the session of the second, or of the one that did not end.
  Reply reply = ReplyOf(outcome);
  if (outcome.ended) {
    RunSpec diff;
    diff.argv = DiffCommand(comparison, files);
    // The labels repeat what was judged already.
    diff.confirm = true;
    ASSIGN_OR_CO_RETURN(RunOutcome made,
                        co_await RunOnce(bench, call, &diff, comparison.limits,
                                         patience.deadline + kDiffPatience));
    for (const std::string& file : files) unlink(file.c_str());
    // diff(1): 0 the same, 1 not, 2 trouble.
    if (made.status == 0) reply.AddNote("identical");
    if (made.status == 1) reply.AddNote("they differ");
    view::ReaderMark seen = outcome.read.mark;
    // The diff in the place of the output. The mark stays that of the second
    // command, whose session the reply is about.
    outcome.read = made.read;
    outcome.read.mark = seen;
    outcome.read.facts.clear();
    // Only a diff that was cut is read on.
    if (!made.status || *made.status > 1) reply.AddNote("diff(1) failed");
    if (made.ended && made.read.left_out == 0) {
      bench->manager()->Discard(made.session);
    }
  }
  reply.SetRead(outcome.read);
  for (std::string& note : notes) reply.AddNote(std::move(note));
  co_return reply.Finish(bench, *call, comparison.format);
}

}  // namespace glasstty
