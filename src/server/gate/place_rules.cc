#include "gate/place_rules.h"

#include <fnmatch.h>

#include <algorithm>
#include <utility>

#include "support/status.h"
#include "support/text.h"

namespace glasstty::gate {
namespace {

constexpr std::pair<std::string_view, PlaceAnswer> kAnswers[] = {
    {"allow", PlaceAnswer::kAllow},
    {"ask", PlaceAnswer::kAsk},
    {"deny", PlaceAnswer::kDeny},
};

// Ignores case, as DNS does; FNM_CASEFOLD is a GNU extension of fnmatch(3).
bool Matches(const PlaceRule& rule, const std::string& name) {
  return fnmatch(rule.pattern.c_str(), name.c_str(), FNM_CASEFOLD) == 0;
}

// Returns "ssh:db" for "ssh:kim@db:2222", and other places unchanged.
std::string WithoutUserAndPort(const std::string& place) {
  constexpr std::string_view kScheme = "ssh:";
  if (!place.starts_with(kScheme)) return place;
  std::string host = place.substr(kScheme.size());
  host.erase(0, host.rfind('@') + 1);
  // An IPv6 address has more than one colon, and no port.
  size_t colon = host.rfind(':');
  if (colon != std::string::npos && host.find(':') == colon) host.erase(colon);
  return std::string(kScheme) + host;
}

}  // namespace

absl::StatusOr<std::vector<PlaceRule>> ParsePlaceRules(std::string_view text) {
  std::vector<PlaceRule> rules;
  for (const std::string& part : Split(text, ';')) {
    std::string rule(TrimBlanks(part));
    if (rule.empty()) continue;
    // A place may be the words of a client, so its pattern may contain blanks.
    size_t blank = rule.find_last_of(" \t");
    std::string word = blank == std::string::npos ? "" : rule.substr(blank + 1);
    auto answer = std::find_if(std::begin(kAnswers), std::end(kAnswers),
                               [&](const auto& a) { return a.first == word; });
    if (answer == std::end(kAnswers)) {
      return InvalidArgument(
          "'%s': write 'PATTERN allow', 'PATTERN ask' or 'PATTERN deny', as in "
          "\"ssh:*.prod ask\"",
          rule);
    }
    std::string pattern(TrimBlanks(rule.substr(0, blank)));
    rules.push_back({std::move(pattern), answer->second});
  }
  return rules;
}

const PlaceRule* RuleFor(const std::vector<PlaceRule>& rules,
                         const std::string& place) {
  std::string bare = WithoutUserAndPort(place);
  for (const PlaceRule& rule : rules) {
    if (Matches(rule, place) || Matches(rule, bare)) return &rule;
  }
  return nullptr;
}

}  // namespace glasstty::gate
