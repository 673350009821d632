// Tests programs without a terminal: three pipes, with stdout and stderr apart.
#include <gtest/gtest.h>

#include <string>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

class Pipe : public ::testing::Test {
 protected:
  void Start(const std::vector<std::string>& argv) {
    ASSERT_TRUE(Good(Open(&client_, "piped", argv,
                          {{"pipe", true}, {"env", {{"A", "1"}}}})));
  }
  Reply Send(const Json& input, const Json& until = nullptr) {
    Json arguments = {{"session", "piped"}, {"input", input}};
    if (!until.is_null()) arguments["until"] = until;
    return client_.Call("term_send", arguments);
  }

  McpClient client_;
};

TEST_F(Pipe, TheProgramSeesNoTerminal) {
  Start({"sh", "-c", "test -t 0 || test -t 1 || test -t 2 || echo none; cat"});
  Reply reply = client_.Call("term_read", {{"since", 1}});
  EXPECT_EQ(reply.body, "none");
}

TEST_F(Pipe, StdoutAndStderrAreShownApart) {
  Start({"sh"});
  Reply reply = Send("echo out; echo err >&2; echo more\n", {{"text", "more"}});
  EXPECT_EQ(reply.body, "out\nmore\nerr| err") << reply.text;
  Reply errors = client_.Call(
      "term_read", {{"mode", "history"}, {"stream", "err"}, {"from_line", 1}});
  EXPECT_EQ(errors.body, "err") << errors.text;
  Reply out =
      client_.Call("term_read", {{"mode", "history"}, {"from_line", 1}});
  EXPECT_EQ(out.body, "out\nmore") << out.text;
}

TEST_F(Pipe, WhatIsOnStderrWhenTheProgramWaitsIsInTheReply) {
  Start({"sh"});
  for (int i = 0; i < 20; ++i) {
    Reply reply = Send("echo out; echo err >&2\n");
    EXPECT_EQ(reply.body, "out\nerr| err") << reply.text;
  }
}

TEST_F(Pipe, EnterIsANewlineAndControlDIsTheEnd) {
  Start({"od", "-An", "-c"});
  Send("a\nb\n");
  Reply reply = Send({"c<Enter>", "<C-d>"}, {{"state", "exited"}});
  EXPECT_TRUE(Shows(reply, "a  \\n   b  \\n   c  \\n"));
}

TEST_F(Pipe, ControlCInterrupts) {
  Start({"sh", "-c", "sleep 86391"});
  Reply reply = Send({"<C-c>"}, {{"state", "exited"}});
  EXPECT_TRUE(Shows(reply, "signal=INT"));
}

TEST_F(Pipe, AWaitSeesStderrToo) {
  Start({"sh", "-c", "read x; echo failed >&2; read y"});
  Reply reply = Send("go\n", {{"text", "failed"}});
  EXPECT_TRUE(Shows(reply, "reason=matched"));
  EXPECT_EQ(reply.body, "err| failed");
}

TEST_F(Pipe, LongStderrIsReadOnFromWhereItWasCut) {
  Reply reply = client_.Call(
      "term_run", {{"argv", {"sh", "-c", "seq 1 1500 >&2"}}, {"max_lines", 4}});
  EXPECT_TRUE(Shows(reply, "err| 1\nerr| 2\n[... 1496 lines left out]"));
  EXPECT_TRUE(Shows(reply, "term_read stream=err from_line=3 lines=1496"));
  Reply rest = client_.Call("term_read", {{"session", "run-1"},
                                          {"stream", "err"},
                                          {"from_line", 3},
                                          {"lines", 2}});
  EXPECT_EQ(rest.body, "3\n4") << rest.text;
  Reply found = client_.Call(
      "term_search",
      {{"session", "run-1"}, {"stream", "err"}, {"regex", "^1234$"}});
  EXPECT_EQ(found.body, "1234: 1234") << found.text;
}

TEST_F(Pipe, IsOpenedAgainAsItWas) {
  Start({"sh", "-c", "echo A=$A; cat"});
  Reply reply =
      client_.Call("term_close", {{"session", "piped"}, {"restart", true}});
  EXPECT_TRUE(Shows(reply, "| restarted; before: [piped] exited"));
  Reply wait = client_.Call("term_wait", {{"until", {{"text", "A=1"}}}});
  EXPECT_TRUE(Shows(wait, "reason=matched"));
  EXPECT_TRUE(Shows(Send("echoed\n"), "\nechoed"));
}

TEST_F(Pipe, WhatSurvivesIsNotStartedTwice) {
  Start({"sh", "-c", "setsid sh -c 'echo up; exec sleep 86390' & cat"});
  client_.Call("term_wait", {{"until", {{"quiet_s", 0.2}}}});
  Reply reply =
      client_.Call("term_close", {{"session", "piped"}, {"restart", true}});
  EXPECT_TRUE(Shows(reply, "not restarted"));
  EXPECT_TRUE(Good(client_.Call(
      "term_close", {{"session", "piped"}, {"survivors", "kill"}})));
}

}  // namespace
}  // namespace glasstty::testing
