// Tests that what agents' programs say of themselves (OSC 7501) is the status
// of their sessions while they work, ask and have finished.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "tuis/programs.h"

namespace glasstty::testing {
namespace {

Reply AwaitStatus(AtWork* agent, const std::vector<std::string>& any_of) {
  return agent->client()->Call(
      "term_wait",
      {{"session", "it"}, {"until", {{"status", any_of}}}, {"timeout_s", 45}});
}

class Statuses : public ::testing::TestWithParam<Program> {};

TEST_P(Statuses, FollowATurn) {
  SKIP_IF_MISSING(GetParam());
  AtWork agent(GetParam());
  ASSERT_TRUE(agent.IsReady());
  EXPECT_TRUE(Shows(AwaitStatus(&agent, {"idle"}), " status=idle "));
  // The model answers only when it is told to, so the program cannot be faster.
  Reply working =
      agent.Send({"please wait<Enter>"},
                 {{"until", {{"status", {"working"}}}}, {"timeout_s", 45}});
  EXPECT_TRUE(Shows(working, " status=working "));
  Reply list = agent.client()->Call("term_list", {{"session", "it"}});
  EXPECT_TRUE(Shows(list, " status=working "));
  agent.model().GoOn();
  Reply done = AwaitStatus(&agent, {"done", "idle"});
  EXPECT_TRUE(Shows(done, "reason=status"));
  EXPECT_TRUE(agent.Sees("heard wait"));
}

INSTANTIATE_TEST_SUITE_P(All, Statuses,
                         ::testing::Values(AgentProgram("ClaudeCode"),
                                           AgentProgram("Codex"),
                                           AgentProgram("pi")),
                         [](const ::testing::TestParamInfo<Program>& row) {
                           return row.param.name;
                         });

TEST(StatusesOfQuestions, AreBlockedUntilTheyAreAnswered) {
  Program program = AgentProgram("ClaudeCode");
  program.argv.insert(program.argv.end(),
                      {"--settings", R"({"permissions": {"ask": ["Bash"]}})"});
  SKIP_IF_MISSING(program);
  AtWork agent(program);
  ASSERT_TRUE(agent.IsReady());
  Reply question =
      agent.Send({"use the shell: touch made-by-claude<Enter>"},
                 {{"until", {{"status", {"blocked"}}}}, {"timeout_s", 45}});
  EXPECT_TRUE(Shows(question, " status=blocked(permission) "));
  ASSERT_TRUE(agent.Sees("1. Yes"));
  // It ignores keys that come just after the question, as nobody has read it.
  Json until_it_goes_on = {{"until", {{"status", {"done", "idle"}}}},
                           {"timeout_s", 5}};
  EXPECT_TRUE(Eventually(Seconds(60), [&] {
    Reply reply = agent.Send({"<Enter>"}, until_it_goes_on);
    return reply.header.find("reason=status") != std::string::npos;
  }));
  EXPECT_TRUE(agent.Sees("heard nothing"));
  EXPECT_EQ(
      RunCommand({"test", "-e", agent.project() + "/made-by-claude"}).status,
      0);
}

}  // namespace
}  // namespace glasstty::testing
