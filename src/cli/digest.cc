// `glasstty digest SESSION`: prints what happened in a session, in short.
//
// It reads the session's files, as `tail` does, so it needs no server and works
// for sessions that have ended.
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "lookout/event_log.h"
#include "record/recording.h"
#include "support/status.h"
#include "view/log_digest.h"

namespace glasstty {
namespace {

absl::Status Digest(const Options& options) {
  if (options.operands.size() != 1) return InvalidArgument("give one session");
  view::DigestSince since;
  if (options.Has("since")) since.time = options.Get("since");
  ASSIGN_OR_RETURN(record::RecordedSession session,
                   record::FindRecorded(options.operands[0]));
  ASSIGN_OR_RETURN(auto digest, view::LogDigest::Open(session.directory.get(),
                                                      session.origin, since));
  while (digest->Continue()) continue;
  RETURN_IF_ERROR(digest->status());
  for (const lookout::Event& event :
       lookout::ReadEvents(session.directory.get())) {
    if (lookout::IsToldByOutput(event)) continue;
    digest->AddEvent(event.at_ms, event.watch + ": " + lookout::TextOf(event));
  }
  Print("%s", digest->Text());
  return absl::OkStatus();
}

}  // namespace

int RunDigest(const Options& options) {
  return Report(*FindCommand("digest"), Digest(options));
}

}  // namespace glasstty
