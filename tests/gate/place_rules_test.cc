// Tests which other machines the user's rules allow.
#include "gate/place_rules.h"

#include <gtest/gtest.h>

#include <string>

namespace glasstty::gate {
namespace {

// Returns "ask" and so on; "-" if no rule matches it.
std::string AnswerTo(const std::string& rules, const std::string& place) {
  auto parsed = ParsePlaceRules(rules);
  if (!parsed.ok()) return "invalid";
  const PlaceRule* rule = RuleFor(*parsed, place);
  if (rule == nullptr) return "-";
  constexpr const char* kWords[] = {"allow", "ask", "deny"};
  return kWords[static_cast<size_t>(rule->answer)];
}

TEST(PlaceRules, TheFirstThatMatchesDecides) {
  constexpr char kRules[] =
      " ssh:*.prod ask ;sudo:root deny;; ssh:* allow; env A=* x ask; * deny";
  const struct {
    const char* place;
    const char* answer;
  } kRows[] = {
      {"ssh:db.prod", "ask"},       {"ssh:DB.Prod", "ask"},
      {"ssh:kim@db.prod", "ask"},   {"ssh:kim@db.prod:2222", "ask"},
      {"ssh:db.prod:22", "ask"},    {"ssh:db.production", "allow"},
      {"ssh:2001:db8::7", "allow"}, {"sudo:root", "deny"},
      {"sudo:www-data", "deny"},    {"env A=1 x", "ask"},
      {"kubectl:shop/web", "deny"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(AnswerTo(kRules, row.place), row.answer) << row.place;
  }
}

TEST(PlaceRules, WithoutOneAPlaceIsAllowed) {
  EXPECT_EQ(AnswerTo("", "ssh:db"), "-");
  EXPECT_EQ(AnswerTo("sudo:* deny", "ssh:db"), "-");
}

TEST(PlaceRules, ARuleForAHostHoldsForEveryUserAndPort) {
  for (const char* place :
       {"ssh:db", "ssh:kim@db", "ssh:kim@db:2222", "ssh:kim@corp@db"}) {
    EXPECT_EQ(AnswerTo("ssh:db ask", place), "ask") << place;
  }
}

TEST(PlaceRules, AUserInARuleMustMatch) {
  EXPECT_EQ(AnswerTo("ssh:root@* ask", "ssh:root@db:22"), "ask");
  EXPECT_EQ(AnswerTo("ssh:root@* ask", "ssh:kim@db"), "-");
}

TEST(PlaceRules, ARuleWithoutAnAnswerIsRefusedWithTheWayOut) {
  for (const char* rules : {"ssh:db", "ssh:db maybe", "ask", "a ask; b"}) {
    auto parsed = ParsePlaceRules(rules);
    ASSERT_FALSE(parsed.ok()) << rules;
    EXPECT_NE(parsed.status().message().find("'PATTERN ask'"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace glasstty::gate
