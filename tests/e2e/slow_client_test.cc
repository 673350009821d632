// Tests a client that stops reading its answers: programs continue and are
// logged, the server's memory is bounded, and nothing is lost when the client
// reads again.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

// Returns the memory of process `pid` in mebibytes.
size_t ResidentMib(pid_t pid) {
  std::string statm = ReadWholeFile("/proc/" + std::to_string(pid) + "/statm");
  size_t pages = std::stoul(statm.substr(statm.find(' ')));
  return pages * 4096 >> 20;
}

TEST(SlowClient, StopsNoSessionAndLosesNoAnswer) {
  McpClient client;
  // This is more than one reply can hold: 48,000 characters of it are shown.
  client.Call("term_open",
              {{"name", "big"},
               {"argv", {"sh", "-c", "seq -f %060g 2000; echo end; cat"}},
               {"until", {{"text", "end"}}}});
  client.Call("term_open",
              {{"name", "clock"},
               {"argv",
                {"bash", "-c",
                 "while :; do echo tick $((++i)); read -rt 0.02 x; done"}},
               {"until", {{"text", "tick"}}}});
  size_t before = ResidentMib(client.pid());
  std::vector<int> calls;
  auto ask = [&] {
    for (int i = 0; i < 60; ++i) {
      calls.push_back(client.SendCall("term_read", {{"session", "big"},
                                                    {"mode", "history"},
                                                    {"from_line", 1},
                                                    {"lines", 2001}}));
    }
  };
  // There are nearly three megabytes of answers, then requests that are held
  // back, but no more than may wait at once.
  ask();
  size_t logged = RawLog(client.state_dir(), "clock").size();
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    return RawLog(client.state_dir(), "clock").size() > logged + 400;
  }));
  ask();
  // Sanitizers keep freed memory.
  if (Slowness() == 1) {
    EXPECT_LT(ResidentMib(client.pid()), before + 16);
  }
  for (int call : calls) {
    Reply reply = client.Await(call);
    ASSERT_FALSE(reply.is_error) << reply.text;
    ASSERT_NE(reply.body.find("2000\nend"), std::string::npos);
  }
  // The output of that time can be read.
  Reply clock = client.Call("term_read", {{"session", "clock"}});
  EXPECT_TRUE(Shows(clock, "tick 20")) << clock.text;
  EXPECT_TRUE(client.garbage().empty());
}

TEST(SlowClient, IsPushedNoMoreThanItReads) {
  McpClient client;
  client.Request("logging/setLevel", {{"level", "info"}});
  // Each message has some 25 kB, which is just reported whole.
  for (int i = 0; i < 12; ++i) {
    client.Call("term_open",
                {{"name", "s" + std::to_string(i)},
                 {"argv",
                  {"bash", "-c",
                   "t=$(seq -f %0100g 120); while :; do echo \"$t\"; "
                   "read -rt 0.05 x; done"}},
                 {"notify", true},
                 {"scrollback_lines", 100},
                 {"until", {{"text", "120"}}}});
  }
  size_t before = ResidentMib(client.pid());
  EXPECT_TRUE(Eventually(Seconds(60), [&] {
    return RawLog(client.state_dir(), "s11").size() >
           static_cast<size_t>(Rounds(300'000, 900'000));
  }));
  if (Slowness() == 1) {
    EXPECT_LT(ResidentMib(client.pid()), before + 5);
  }
  EXPECT_FALSE(client.Call("term_list").is_error);
}

}  // namespace
}  // namespace glasstty::testing
