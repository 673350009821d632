#include "tools/run_compare.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/fd.h"
#include "support/status.h"
#include "tools/reach.h"
#include "tools/run_output.h"

namespace glasstty {
namespace {

// Writes an output to a file in the directory of the session in which it was
// printed; the file is deleted with that session at the latest.
absl::StatusOr<std::string> Store(Workbench* bench, const RunOutcome& outcome,
                                  const std::string& name) {
  ASSIGN_OR_RETURN(std::string text, OutputOf(outcome));
  const session::Session& session = *outcome.session;
  if (!ReplaceFileAt(session.OpenDirectory()->get(), name, text)) {
    return ErrnoStatus("write", name);
  }
  return bench->manager()->LogPath(session) + "/" + name;
}

// Returns a note for the header about how one of the two commands ended.
std::string EndNote(const char* which, const RunOutcome& outcome) {
  if (!outcome.ended) return absl::StrFormat("%s has not ended", which);
  if (!outcome.status)
    return absl::StrFormat("%s: its status is not known", which);
  return absl::StrFormat("%s exit=%d", which, *outcome.status);
}

// The time for diff(1) in addition to the call's own, because the outputs are
// complete by then.
constexpr Duration kDiffPatience = std::chrono::seconds(5);

// The commands serve as labels, because the names of our files would be
// meaningless to the reader.
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
  waits::Patience patience =
      waits::PatienceFor(CallerOf(call), 2 * comparison.timeout_s);
  std::vector<std::string> files, notes;
  RunOutcome outcome;
  // The gate judges both commands before either runs, and each again once its
  // session and thus its directory is known.
  for (RunSpec* spec : {&comparison.first, &comparison.second}) {
    place::Place place;
    if (!spec->on.is_null()) {
      ASSIGN_OR_CO_RETURN(place, PlaceOfArgument(spec->on));
    }
    bool was_allowed = spec->confirm;
    GatedCommand gated = GatedCommandOf(*spec, spec->cwd, nullptr, place);
    gated.was_allowed = &was_allowed;
    auto allowed =
        co_await bench->gatekeeper()->AllowCommand(call, std::move(gated));
    if (!allowed.ok()) co_return allowed.status();
    notes.push_back(*allowed);
    spec->confirm = was_allowed;
  }
  comparison.second.is_second = true;
  for (const RunSpec* spec : {&comparison.first, &comparison.second}) {
    const char* which = files.empty() ? "first" : "second";
    Time deadline = std::min(patience.deadline,
                             loop->Now() + FromSeconds(comparison.timeout_s));
    ASSIGN_OR_CO_RETURN(outcome, co_await RunOnce(bench, call, spec,
                                                  comparison.limits, deadline));
    notes.push_back(EndNote(which, outcome));
    // A partial output cannot be compared, so the reply is then about this
    // command.
    if (!outcome.ended) break;
    ASSIGN_OR_CO_RETURN(std::string file,
                        Store(bench, outcome, std::string("compare.") + which));
    files.push_back(std::move(file));
    // The diff represents the output, so all of it counts as read.
    bench->SetMark(call->connection(), *outcome.session, outcome.read.mark);
  }
  // The reply is about the session of the second command, or of the one that
  // did not end.
  Reply reply = ReplyOf(outcome);
  if (outcome.ended) {
    RunSpec diff;
    diff.argv = DiffCommand(comparison, files);
    // The labels repeat commands that were judged already.
    diff.confirm = true;
    ASSIGN_OR_CO_RETURN(RunOutcome made,
                        co_await RunOnce(bench, call, &diff, comparison.limits,
                                         patience.deadline + kDiffPatience));
    for (const std::string& file : files) unlink(file.c_str());
    // diff(1) exits with 0 if the files are equal, 1 if they differ, and 2 on
    // trouble.
    if (made.status == 0) reply.AddNote("identical");
    if (made.status == 1) reply.AddNote("they differ");
    bool is_known = made.status == 0 || made.status == 1;
    if (is_known) reply.SetSuccess(made.status == 0);
    view::ReaderMark seen = outcome.read.mark;
    // The diff replaces the output. The mark remains that of the second
    // command, whose session the reply is about.
    outcome.read = made.read;
    outcome.read.mark = seen;
    outcome.read.facts.clear();
    if (!made.status || *made.status > 1) reply.AddNote("diff(1) failed");
    // Keep the session of the diff only if the diff is cut or not complete, so
    // that the rest can be read.
    if (made.ended && made.read.left_out == 0) {
      bench->manager()->list()->Discard(made.session);
    }
  }
  reply.SetRead(outcome.read);
  for (std::string& note : notes) reply.AddNote(std::move(note));
  co_return reply.Finish(bench, *call, comparison.format);
}

}  // namespace glasstty
