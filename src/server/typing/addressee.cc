// The typing stops only if the process groups of the foreground and of its
// ancestors are known, and the addressee's is not among them. Between two
// programs of a shell there is no foreground for a moment, an older holder does
// not report ancestors, and a full list may be truncated. In these three cases
// the next step is typed, as on a real keyboard.
//
// A program that the typed text starts ("vim a" in a shell) has the addressee
// as an ancestor, and when that program ends, the addressee is in the
// foreground again. Neither stops the typing.
#include "typing/addressee.h"

#include <algorithm>
#include <iterator>

#include "base/visible.h"
#include "support/status.h"

namespace glasstty::typing {

void Addressee::Learn(const wire::ProbeAnswer& answer) {
  // A reader in another session (setsid(2)) does not count, because it comes
  // and goes independently of the foreground.
  bool is_outside =
      answer.outside_pid != 0 && answer.outside_pid == answer.foreground_pid;
  bool waits = !is_outside && answer.settled != 0 &&
               answer.waiting >= wire::Waiting::kPollTimeout;
  if (group_ != 0 || !waits) return;
  group_ = answer.lineage[0];
  name_ = answer.name;
}

std::string Addressee::Missing(const wire::ProbeAnswer& answer) const {
  bool known =
      answer.lineage[0] != 0 && answer.lineage[wire::kMaxLineage - 1] == 0;
  if (group_ == 0 || !known) return "";
  auto end = std::end(answer.lineage);
  if (std::find(answer.lineage, end, group_) != end) return "";
  return absl::StrFormat(
      "%s is no longer in the foreground (%s is); where a program is meant to "
      "end, put {\"until\": {\"state\": \"prompt\"}} behind it",
      QuotedUnlessPlain(name_), QuotedUnlessPlain(answer.name));
}

}  // namespace glasstty::typing
