// Only positive evidence stops the typing: a foreground that is known, with
// ancestors that are known, and the addressee not among them. Between two
// programs of a shell there is no foreground for a moment, an older holder
// tells no ancestors, and a list that is full may be cut; the next step is then
// typed as on a real keyboard.
//
// A program that was started by the typing itself (a shell's "vim a") has the
// addressee for an ancestor, and when it ends the addressee is back: both are
// the ordinary course of a call.
#include "typing/addressee.h"

#include <algorithm>
#include <iterator>

#include "support/status.h"

namespace glasstty::typing {

void Addressee::Learn(const wire::ProbeAnswer& answer) {
  bool waits =
      answer.settled != 0 && answer.waiting >= wire::Waiting::kPollTimeout;
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
      name_, answer.name);
}

}  // namespace glasstty::typing
