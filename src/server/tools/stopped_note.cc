#include "tools/stopped_note.h"

#include "base/visible.h"
#include "support/status.h"

namespace glasstty {

std::string StoppedNote(const session::Session& session) {
  const wire::ProbeAnswer* probe = session.questions().prober().last();
  bool is_busy =
      session.verdict().LastState().activity == session::Activity::kBusy;
  if (!is_busy || probe == nullptr || probe->stopped_pid == 0) return "";
  return absl::StrFormat(
      "%s (pid %d) is stopped, because it wants the terminal in the background "
      "(SIGTTIN), so this never ends by itself: give it other input "
      "(</dev/null), or keep it in the foreground (timeout --foreground)",
      QuotedUnlessPlain(probe->stopped_name), probe->stopped_pid);
}

}  // namespace glasstty
