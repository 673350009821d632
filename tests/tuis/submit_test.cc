// Tests that text and Enter in one call reach the model, complete and once,
// from the composer of each agent's program. These programs distinguish pastes
// from typing by speed, and treat an Enter that comes too soon as a newline.
//
// GLASSTTY_TUIS_ROUNDS=50 tries each fifty times instead of five.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "e2e/steps.h"
#include "tuis/programs.h"

namespace glasstty::testing {
namespace {

struct Message {
  const char* kind;
  const char* text;  // "~" stands for a word that names the round
  bool pasted;       // or typed
};

void PrintTo(const Message& message, std::ostream* out) {
  *out << message.kind;
}

constexpr Message kMessages[] = {
    {"Short", "hello ~", false},
    {"Long",
     "please read this long line and say which of its words came through; it "
     "has as many of them as a person types who explains something at length, "
     "for instance why the tests of a module that nobody has touched for years "
     "fail on one machine only, which was set up by somebody else, while they "
     "pass on all others; and since nobody knows the reason, what has been "
     "tried is told, too: another compiler, another version of the library, "
     "fewer processors, more memory, no network, a clean checkout, a new user "
     "with an empty home, and at last another disk ~",
     false},
    {"TypedLines", "the first line\nthe second line\n\nthe last ~", false},
    {"MultiLine", "the first line\nthe second line\n\nthe last ~", true},
};

class Submit : public ::testing::TestWithParam<std::tuple<Program, Message>> {};

TEST_P(Submit, TextAndEnterInOneCallAreHeardOnce) {
  const auto& [program, message] = GetParam();
  SKIP_IF_MISSING(program);
  AtWork agent(program);
  ASSERT_TRUE(agent.IsReady());
  for (int round = 1; round <= Rounds(); ++round) {
    std::string word = "round" + std::to_string(round) + ".";
    std::string text = message.text;
    text.replace(text.find('~'), 1, word);
    // Alternates between both ways to ask for Enter.
    if (message.pasted) {
      agent.Send({Json{{"paste", text}}, "<Enter>"});
    } else if (round % 2 == 0) {
      agent.Send({text + "<Enter>"});
    } else {
      agent.Send({text}, {{"enter", true}});
    }
    ASSERT_TRUE(agent.Sees("heard " + word))
        << "in round " << round << " of " << Rounds() << "; heard so far:\n"
        << agent.model().EverythingHeard();
    EXPECT_GE(agent.model().TimesHeard(text), 1)
        << agent.model().EverythingHeard();
  }
}

std::string SubmitName(
    const ::testing::TestParamInfo<Submit::ParamType>& info) {
  const auto& [program, message] = info.param;
  return program.name + message.kind;
}

INSTANTIATE_TEST_SUITE_P(
    All, Submit,
    ::testing::Combine(::testing::ValuesIn(AgentPrograms()),
                       ::testing::ValuesIn(kMessages)),
    SubmitName);

}  // namespace
}  // namespace glasstty::testing
