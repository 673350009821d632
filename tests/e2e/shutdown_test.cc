// Tests that the server and everything that it started are gone within a
// second, however the server is told to go.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <string>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

struct Ending {
  std::string name;
  int signal_number;  // 0: stdin is closed
};

class Shutdown : public ::testing::TestWithParam<Ending> {
 protected:
  void End() {
    if (GetParam().signal_number == 0) {
      client_.CloseStdin();
    } else {
      client_.Signal(GetParam().signal_number);
    }
    start_ = std::chrono::steady_clock::now();
  }

  // Returns true within one second of End(), with an allowance for a busy
  // machine.
  bool InTime() const {
    return std::chrono::steady_clock::now() - start_ <
           Seconds(1.0 * Slowness() + 0.2);
  }

  void ExpectNothingLeft() {
    ASSERT_TRUE(client_.WaitForExit(Seconds(10))) << "it still runs";
    EXPECT_TRUE(InTime()) << "it took longer than a second";
    EXPECT_TRUE(WIFEXITED(*client_.WaitForExit(Seconds(0))))
        << client_.stderr_text();
    std::vector<ProcessRow> left = ProcessesWith(client_.mark());
    EXPECT_TRUE(left.empty()) << Describe(left);
    EXPECT_TRUE(LiveHolders(client_.state_dir()).empty());
    EXPECT_TRUE(SocketsBelow(client_.state_dir()).empty());
    EXPECT_TRUE(client_.garbage().empty()) << client_.garbage()[0];
  }

  McpClient client_;
  std::chrono::steady_clock::time_point start_;
};

TEST_P(Shutdown, WithoutASession) {
  End();
  ExpectNothingLeft();
}

TEST_P(Shutdown, WithProgramsThatDoNotWantToGo) {
  Open(&client_, "shell", {"bash", "--norc"});
  Open(&client_, "deaf",
       {"bash", "-c",
        "trap '' HUP TERM INT; echo deaf; while :; do sleep 100; done"},
       {{"until", {{"text", "deaf"}}}});
  Open(&client_, "daemon",
       {"bash", "-c",
        "setsid sleep 100 & nohup sleep 100 >/dev/null 2>&1 & echo away; wait"},
       {{"until", {{"text", "away"}}}});
  EXPECT_GE(ProcessesWith(client_.mark()).size(), 6u);
  End();
  ExpectNothingLeft();
}

TEST_P(Shutdown, WhileCallsWaitAndAProgramFloods) {
  Open(&client_, "flood", {"yes"}, {{"until", {{"text", "y"}}}});
  for (int i = 0; i < 5; ++i) {
    client_.SendCall("term_wait", {{"session", "flood"},
                                   {"until", {{"text", "never printed"}}},
                                   {"timeout_s", 40}});
  }
  End();
  ExpectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(All, Shutdown,
                         ::testing::Values(Ending{"StdinClosed", 0},
                                           Ending{"Interrupt", SIGINT},
                                           Ending{"Terminate", SIGTERM},
                                           Ending{"Hangup", SIGHUP}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace glasstty::testing
