#include "session/person.h"

#include <string_view>
#include <utility>

namespace glasstty::session {
namespace {

// Returns the first word of the label. The label may hold anything, because
// another process has chosen it.
std::string ViaOf(const wire::LeaseInfo& info) {
  std::string_view label(info.label, sizeof info.label);
  label = label.substr(0, label.find('\0'));
  std::string via;
  for (char c : label) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    if (!plain) break;
    via += c;
  }
  return via.empty() ? "another program" : via;
}

}  // namespace

// A call's keys are not counted as a person's.
void Person::EndCall(const wire::LeaseInfo& info) {
  Call ended = std::exchange(call_, Call::kNone);
  bool is_own = ended == Call::kOwn || ended == Call::kOwnThatEnds;
  if (!is_own) ++visits_.calls;
  first_keys_ = info.writes - static_cast<uint32_t>(visits_.keys);
  first_secrets_ = info.secrets - static_cast<uint32_t>(visits_.secrets);
}

// A packet reports only the latest state, so turns may lie between two packets.
void Person::Take(const wire::LeaseInfo& info, uint64_t flags, Time now) {
  bool held = flags & wire::kLeaseHeld;
  if (!is_base_known_) {
    is_base_known_ = true;
    first_keys_ = info.writes;
    first_secrets_ = info.secrets;
    serial_ = held ? info.serial - 1 : info.serial;
  }
  uint32_t changes = info.serial - serial_;
  if (changes == 0) return;
  serial_ = info.serial;
  bool was_here = std::exchange(here_, held && info.for_call == 0);
  // True if nothing but the turn of a call has begun or ended.
  bool is_only_call = info.for_call != 0 && !was_here && changes <= 2;
  if (call_ != Call::kNone || (is_only_call && !held)) EndCall(info);
  if (held && !here_) {
    call_ = flags & wire::kLeaseYours ? Call::kOwn : Call::kOfAnother;
  }
  if (!held || changes > 1) typed_ = uint64_t{info.writes} + info.secrets;
  if (is_only_call) return;
  if (here_ || !was_here) ++begun_;
  if (was_here || !here_) {
    ++visits_.turns;
    Time since = was_here ? since_ : Time(Duration(info.since_ns));
    if (now > since) visits_.time += now - since;
    visits_.keys = info.writes - first_keys_;
    visits_.secrets = info.secrets - first_secrets_;
    visits_.how = held ? wire::LeaseEnd::kTaken : info.how;
    visits_.size_before = {info.rows, info.cols};
  }
  if (!here_) return;
  via_ = ViaOf(info);
  since_ = Time(Duration(info.since_ns));
}

}  // namespace glasstty::session
