// Tests waiting for a server to listen, however it was started.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

constexpr char kServer[] = "/usr/bin/python3 -m http.server --bind 127.0.0.1 0";

class Listening : public ::testing::Test {
 protected:
  void Start(const std::string& line) {
    opened_ =
        Open(&client_, "web", {"bash", "--norc"}, {{"env", {{"PS1", "$ "}}}});
    client_.Call("term_send",
                 {{"session", "web"},
                  {"input", line + "\n"},
                  {"until", {{"state", Json::array({"prompt", "busy"})}}}});
  }
  Reply Await(const Json& port, double timeout_s = 20) {
    return client_.Call("term_wait", {{"session", "web"},
                                      {"until", {{"listening", port}}},
                                      {"timeout_s", timeout_s}});
  }

  McpClient client_;
  Reply opened_;
};

TEST_F(Listening, IsSeenOfAServerInTheForegroundWithItsPort) {
  Start(kServer);
  Reply reply = Await(true);
  EXPECT_TRUE(Shows(reply, "reason=listening"));
  EXPECT_TRUE(Shows(reply, "http.server"));
  size_t at = reply.header.find("port ");
  ASSERT_NE(at, std::string::npos) << reply.text;
  int port = std::stoi(reply.header.substr(at + 5));
  // It listens already: the wait ends at once, also with its number.
  reply = Await(port);
  EXPECT_TRUE(Shows(reply, "reason=listening"));
  // Another port does not match.
  reply = Await(port == 65535 ? 1 : port + 1, 0.3);
  EXPECT_TRUE(Shows(reply, "reason=timeout"));
}

TEST_F(Listening, IsSeenOfAServerInTheBackground) {
  Start(std::string(kServer) + " >/dev/null 2>&1 &");
  EXPECT_TRUE(Shows(Await(true), "reason=listening"));
}

TEST_F(Listening, IsSeenOfADaemon) {
  Start(std::string("(setsid ") + kServer + " </dev/null >/dev/null 2>&1 &)");
  EXPECT_TRUE(Shows(Await(true), "reason=listening"));
}

TEST_F(Listening, EndsWithTheSession) {
  Start("exit 3");
  Reply reply = Await(true);
  EXPECT_TRUE(Shows(reply, "exited=3"));
}

TEST_F(Listening, TakesAPortAndNothingElse) {
  Start(":");
  Reply reply = Await(70'000);
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "'listening' is a port from 1 to 65535 or true"));
}

}  // namespace
}  // namespace glasstty::testing
