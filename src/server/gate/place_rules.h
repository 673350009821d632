// The user's rules about the places where sessions may run, besides this
// account on this machine: ssh hosts, other users, containers.
//
// Pure functions on values. They judge the name of a place (place/place.h), not
// the machine itself: an alias in ~/.ssh/config counts as a separate name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace glasstty::gate {

enum class PlaceAnswer { kAllow, kAsk, kDeny };

struct PlaceRule {
  std::string pattern;  // for fnmatch(3): "ssh:*.prod"
  PlaceAnswer answer;
};

// Parses rules such as "ssh:*.prod ask; sudo:root deny; * allow". Error: names
// the invalid rule and says what is allowed.
absl::StatusOr<std::vector<PlaceRule>> ParsePlaceRules(std::string_view text);

// Returns the first rule that matches; null if none does, and the place is thus
// allowed. A rule may match an ssh place with or without user and port.
const PlaceRule* RuleFor(const std::vector<PlaceRule>& rules,
                         const std::string& place);

}  // namespace glasstty::gate
