#include "session/contact.h"

namespace glasstty::session {

std::optional<Time> Contact::away_since() const {
  bool is_away =
      connection_ == Connection::kAway || connection_ == Connection::kCutOff;
  return is_away ? std::optional(away_since_) : std::nullopt;
}

std::optional<Time> Contact::cut_off_since() const {
  bool is_cut_off = connection_ >= Connection::kCutOff;
  return is_cut_off ? std::optional(cut_off_since_) : std::nullopt;
}

void Contact::WentAway(Time since) {
  away_since_ = since;
  bool has_relay = !cut_off_since();
  connection_ = has_relay ? Connection::kAway : Connection::kCutOff;
}

void Contact::CameBack(Time now, uint64_t printed) {
  if (!away_since()) return;
  absence_ = {absence_.number + 1, now - away_since_, printed};
  connection_ = Connection::kHere;
}

bool Contact::CutOff(Time now) {
  bool again = cut_off_since().has_value();
  if (!again) cut_off_since_ = now;
  if (!away_since()) away_since_ = now;
  connection_ = Connection::kCutOff;
  return again;
}

// The relay itself reports when its connection is back.
void Contact::Greeted() {
  if (connection_ == Connection::kCutOff) connection_ = Connection::kAway;
  if (connection_ == Connection::kGivenUp) connection_ = Connection::kHere;
}

}  // namespace glasstty::session
