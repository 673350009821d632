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
      client_.Call("term_read", {{"mode", "history"}, {"stream", "out"}});
  EXPECT_EQ(out.body, "out\nmore") << out.text;
  Reply both = client_.Call("term_read", {{"mode", "history"}});
  EXPECT_EQ(both.body, "out\nmore\nerr| err") << both.text;
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

TEST_F(Pipe, ASearchFindsWhatIsOnStderr) {
  client_.Call("term_run",
               {{"argv", {"sh", "-c", "seq 3; seq 11 14 >&2; seq 5 6"}}});
  Json where = {{"session", "run-1"}, {"regex", "^1"}};
  Reply found = client_.Call("term_search", where);
  EXPECT_EQ(found.body, "1: 1\nstderr:\n1: 11\n2: 12\n3: 13\n4: 14");
  EXPECT_TRUE(Shows(found, "1 match in lines 1-"));
  EXPECT_TRUE(Shows(found, "4 matches in lines 1-"));
  where["format"] = "json";
  Reply json = client_.Call("term_search", where);
  const Json& facts = json.message["result"]["structuredContent"];
  EXPECT_EQ(facts["matches"], 5) << json.text;
  EXPECT_EQ(facts["lines"][4]["stream"], "err") << json.text;
}

TEST_F(Pipe, AnAddressOnStderrIsALink) {
  client_.Call("term_run",
               {{"argv", {"sh", "-c", "echo see http://e.org/login >&2"}}});
  Reply links =
      client_.Call("term_read", {{"session", "run-1"}, {"mode", "links"}});
  EXPECT_EQ(links.body, "err| line 1: http://e.org/login");
}

TEST_F(Pipe, TheListShowsTheLastLinesOfBothStreams) {
  Start({"sh", "-c", "read x; echo out; echo 1 >&2; echo last >&2; cat"});
  Send("go\n", {{"text", "last"}});
  Reply list = client_.Call("term_list", {{"lines", 1}});
  EXPECT_TRUE(Shows(list, "\n  out\n  err| last")) << list.text;
}

class WrittenPipe : public Pipe {
 protected:
  WrittenPipe() { client_.Call("term_run", {{"argv", {"sh", "-c", kPrints}}}); }
  Reply Write(Json arguments) {
    arguments["session"] = "run-1";
    arguments["path"] = path_;
    return client_.Call("term_write_file", arguments);
  }
  std::string Content() const { return ReadWholeFile(path_); }

  static constexpr char kPrints[] =
      "echo one; echo wrong >&2; printf two; printf 'worse\\n' >&2";
  TempDir dir_;
  const std::string path_ = dir_.Join("written");
};

TEST_F(WrittenPipe, HasBothStreamsInItsFileEachOnLinesOfItsOwn) {
  Reply reply = Write({{"output", "all"}});
  EXPECT_EQ(Content(), "one\ntwo\nwrong\nworse\n");
  EXPECT_TRUE(Shows(reply, "2 lines of run-1, 2 lines of its stderr"));
}

TEST_F(WrittenPipe, HasOneStreamInItsFileIfThatIsNamed) {
  Write({{"output", "all"}, {"stream", "err"}});
  EXPECT_EQ(Content(), "wrong\nworse\n");
  Write({{"output", "all"}, {"stream", "out"}});
  EXPECT_EQ(Content(), "one\ntwo");
  Write({{"output", "all"}, {"raw", true}, {"stream", "err"}});
  EXPECT_EQ(Content(), "wrong\nworse\n");
}

TEST_F(WrittenPipe, HasTheBytesOfOneStreamAndSaysSo) {
  Reply reply = Write({{"output", "all"}, {"raw", true}});
  EXPECT_EQ(Content(), "one\ntwo");
  EXPECT_TRUE(Shows(reply, "its stderr is left out: stream=err"));
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
