#include "session/person.h"

#include <string_view>

namespace glasstty::session {
namespace {

// The first word of the label, which another process has chosen.
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

// Packets are a latest state: a whole turn may lie between two of them.
void Person::Take(const wire::LeaseInfo& info, bool held, Time now) {
  if (!is_base_known_) {
    is_base_known_ = true;
    first_keys_ = info.writes;
    first_secrets_ = info.secrets;
    serial_ = held ? info.serial - 1 : info.serial;
  }
  if (info.serial == serial_) return;
  bool was_here = here_;
  bool is_another = held && was_here;
  serial_ = info.serial;
  if (held || !was_here) ++begun_;
  if (!held || is_another) {
    ++visits_.turns;
    Time since = was_here ? since_ : Time(Duration(info.since_ns));
    if (now > since) visits_.time += now - since;
    visits_.keys = info.writes - first_keys_;
    visits_.secrets = info.secrets - first_secrets_;
    visits_.how = held ? wire::LeaseEnd::kTaken : info.how;
    visits_.size_before = {info.rows, info.cols};
  }
  here_ = held;
  if (!held) return;
  via_ = ViaOf(info);
  since_ = Time(Duration(info.since_ns));
}

}  // namespace glasstty::session
