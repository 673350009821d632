// Which other machines a session may run on: the rules of the user.
//
// Pure functions on values. Judges how a place is called (place/place.h), not
// what it is: an alias in ~/.ssh/config has a name of its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace glasstty::gate {

enum class PlaceAnswer { kAllow, kAsk, kDeny };

struct PlaceRule {
  std::string pattern;  // as of fnmatch(3): "ssh:*.prod"
  PlaceAnswer answer;
};

// "ssh:*.prod ask; sudo:root deny; * allow". Error: which rule, and what can be
// written.
absl::StatusOr<std::vector<PlaceRule>> ParsePlaceRules(std::string_view text);

// The first rule that matches decides; null: none does, and the place is
// allowed. A rule for ssh matches with the user and the port, and without.
const PlaceRule* RuleFor(const std::vector<PlaceRule>& rules,
                         const std::string& place);

}  // namespace glasstty::gate
