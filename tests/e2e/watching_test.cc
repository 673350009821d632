// Tests that an agent can watch a long job with few calls: it is told what
// matters, how far the job is and when it is stuck.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <fstream>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

class Watching : public ::testing::Test {
 protected:
  // Runs a few lines of Python, which begin at once.
  void Begin(const std::string& script) {
    ASSERT_TRUE(
        Good(Open(&client_, "job", {"/usr/bin/python3", "-u", "-c", script},
                  {{"until", {{"text", "begin"}}}})));
  }
  Reply Wait(const Json& until, double timeout_s = 20) {
    return client_.Call("term_wait", {{"session", "job"},
                                      {"until", until},
                                      {"timeout_s", timeout_s},
                                      {"show", "match"}});
  }

  McpClient client_;
};

TEST_F(Watching, AFirstErrorAmongLinesThatOnlyCountEndsTheWait) {
  Begin(
      "import time\n"
      "print('begin'); print('[0/300] CC src/f0.c')\n"
      "for i in range(1, 300):\n"
      "  print(f'[{i}/300] CC src/f{i}.c'); time.sleep(0.002)\n"
      "  if i == 200: print('src/f200.c:3:5: error: expected expression')\n");
  ASSERT_TRUE(Good(Wait({{"text", "[5/300]"}})));
  Reply reply = Wait({{"change", "meaningful"}});
  EXPECT_TRUE(Shows(reply, "reason=change"));
  EXPECT_TRUE(Shows(reply, "error: expected expression"));
}

// It goes on when its first lines have been shown.
TEST_F(Watching, WhatTheReplyThatOpenedItHasShownIsNoChange) {
  ASSERT_TRUE(Good(Open(
      &client_, "build",
      {"/usr/bin/python3", "-uc",
       "import time\nfor i in range(10000): print(f'[{i}/9999] CC {i}.o'); "
       "time.sleep(0.01)"},
      {{"until", {{"lines", 20}}}})));
  EXPECT_TRUE(
      Shows(client_.Call("term_wait", {{"session", "build"},
                                       {"until", {{"change", "meaningful"}}},
                                       {"timeout_s", 1}}),
            "reason=timeout"));
}

TEST_F(Watching, WaitsThatShowOnlyTheMatchTellEachLineOnce) {
  TempDir directory;
  Begin(
      "import os, time\n"
      "print('begin')\n"
      "while not os.path.exists('" +
      directory.Join("go") +
      "'): time.sleep(0.01)\n"
      "for i in range(600):\n"
      "  print('tick', i)\n"
      "  if i == 10: print('Linking app')\n"
      "  if i == 60: print('error: no such symbol')\n"
      "  time.sleep(0.02)\n");
  std::ofstream(directory.Join("go")).close();
  ASSERT_TRUE(Good(Wait({{"text", "tick 5"}})));
  EXPECT_TRUE(Shows(Wait({{"change", "meaningful"}}), "Linking app"));
  EXPECT_TRUE(Shows(Wait({{"change", "meaningful"}}), "error: no such symbol"));
}

TEST_F(Watching, AFailureIsShownWithItsReasonsAndNothingElse) {
  Begin(
      "import time\n"
      "print('begin')\n"
      "for i in range(60):\n"
      "  print(f'[{i}/60] CC {i}.o'); time.sleep(0.02)\n"
      "print('FAILED: a.o\\na.c:3: error: no b\\n1 error generated.\\n"
      "[60/60] CC 60.o')\n"
      "time.sleep(60)");
  Json news = {{"change", "meaningful"}};
  ASSERT_TRUE(Good(client_.Call(
      "term_wait", {{"session", "job"}, {"until", {{"text", "9/60"}}}})));
  Reply failed =
      client_.Call("term_wait", {{"session", "job"}, {"until", news}});
  EXPECT_EQ(failed.body, "FAILED: a.o\na.c:3: error: no b\n1 error generated.");
  Reply none = client_.Call(
      "term_wait", {{"session", "job"}, {"until", news}, {"timeout_s", 0.5}});
  EXPECT_TRUE(Shows(none, "reason=timeout"));
}

TEST_F(Watching, AFailureOnStderrIsShownWithItsReasonsThere) {
  TempDir directory;
  const std::string script =
      "import os, sys, time\n"
      "print('[0/9] CC 0.o'); print('begin')\n"
      "while not os.path.exists('" +
      directory.Join("go") +
      "'): time.sleep(0.01)\n"
      "print('[1/9] CC 1.o')\n"
      "sys.stderr.write('FAILED: a.o\\na.c:3: error: no b\\n')\n"
      "time.sleep(60)";
  ASSERT_TRUE(
      Good(Open(&client_, "job", {"/usr/bin/python3", "-u", "-c", script},
                {{"pipe", true}, {"until", {{"text", "begin"}}}})));
  std::ofstream(directory.Join("go")).close();
  EXPECT_EQ(Wait({{"change", "meaningful"}}).body,
            "FAILED: a.o\na.c:3: error: no b");
}

TEST_F(Watching, AFailureInARowThatIsDrawnAnewIsShownWithTheLineBelow) {
  TempDir directory;
  Begin(
      "import os, sys, time\n"
      "print(' app-0 Waiting 0s'); print(' app-1 Waiting 0s')\n"
      "print('begin')\n"
      "while not os.path.exists('" +
      directory.Join("go") +
      "'): time.sleep(0.01)\n"
      "sys.stdout.write('\\033[2A\\r\\033[K app-1 Error: exited (1)"
      "\\033[2B\\rno space is left there\\n')\n"
      "time.sleep(60)");
  std::ofstream(directory.Join("go")).close();
  EXPECT_EQ(Wait({{"change", "meaningful"}}).body,
            " app-1 Error: exited (1)\nno space is left there");
}

TEST_F(Watching, AWaitThatShowsOnlyTheMatchShowsAnotherScreen) {
  TempDir directory;
  Begin(
      "import os, time\nprint('\\033[?1049h\\033[Hbegin')\n"
      "while not os.path.exists('" +
      directory.Join("go") +
      "'): time.sleep(0.01)\n"
      "input('\\033[?1049lApply it? [y/N] ')");
  std::ofstream(directory.Join("go")).close();
  EXPECT_TRUE(Shows(Wait({{"change", "meaningful"}}), "Apply it? [y/N]"));
}

TEST_F(Watching, AWordThatIsReplacedBesideAClockEndsTheWait) {
  Begin(
      "import time\n"
      "print('\\033[?1049h\\033[H\\033[2Jbegin')\n"
      "for i in range(999):\n"
      "  state = 'Pending' if i < 30 else 'Running'\n"
      "  print(f'\\033[2;1H\\033[Kclock {i}\\033[5;1H\\033[Kweb {state}', "
      "end='', flush=True)\n"
      "  time.sleep(0.05)\n");
  ASSERT_TRUE(Good(client_.Call("term_read", {{"session", "job"}})));
  Reply reply = Wait({{"change", "meaningful"}});
  EXPECT_TRUE(Shows(reply, "reason=change"));
  EXPECT_TRUE(Shows(reply, "web Running"));
}

TEST_F(Watching, AJobThatIsStuckBesideItsSpinnerIsStill) {
  Begin(
      "import time\n"
      "print('begin')\n"
      "for i in range(9999):\n"
      "  print('\\r' + '|/-\\\\'[i % 4] + f' copying {min(i, 20)}%', end='', "
      "flush=True)\n"
      "  time.sleep(0.02)\n");
  EXPECT_TRUE(Shows(Wait({{"quiet_s", 1}}, 2), "reason=timeout"));
  EXPECT_TRUE(Shows(Wait({{"still_s", 1}}), "reason=still"));
}

TEST_F(Watching, AValueThatIsReachedEndsTheWaitAndATimeOutTellsItsRate) {
  Begin(
      "import time\n"
      "print('begin')\n"
      "for i in range(9999):\n"
      "  print(f'step {i} loss={5 - i * 0.01:.4f}'); time.sleep(0.02)\n");
  Json value = {{"regex", "loss=([0-9.]+)"}, {"below", 0.01}};
  Reply early = Wait({{"value", value}}, 2);
  EXPECT_TRUE(Shows(early, "reason=timeout"));
  EXPECT_TRUE(Shows(early, "value: "));
  EXPECT_TRUE(Shows(early, "0.01 in "));
  value["below"] = 4.0;
  Reply reply = Wait({{"value", value}});
  EXPECT_TRUE(Shows(reply, "reason=value"));
  EXPECT_TRUE(Shows(reply, "loss=3.9"));
}

TEST_F(Watching, AValueWithoutAGroupOrALimitIsRefused) {
  Begin("print('begin'); input()\n");
  Reply no_group = Wait({{"value", {{"regex", "loss"}, {"below", 1}}}});
  EXPECT_TRUE(no_group.is_error);
  EXPECT_TRUE(Shows(no_group, "needs a group around the number"));
  Reply no_limit = Wait({{"value", {{"regex", "(loss)"}}}});
  EXPECT_TRUE(Shows(no_limit, "needs 'below', 'above' or 'changes_by'"));
  Reply word = Wait({{"change", "much"}});
  EXPECT_TRUE(word.is_error);
  EXPECT_TRUE(Shows(word, "true or \"meaningful\""));
}

// ---- digests

class WatchingDigest : public Watching {
 protected:
  Reply Digest(const Json& more = Json::object()) {
    Json arguments = {{"session", "job"}, {"mode", "digest"}};
    arguments.update(more);
    return client_.Call("term_read", arguments);
  }
  CommandResult Glasstty(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), ServerPath());
    return RunCommand(arguments, {"GLASSTTY_STATE_DIR=" + client_.state_dir()});
  }
};

TEST_F(WatchingDigest, SaysHowCommandsEndedAndWhatTheyPrinted) {
  ASSERT_TRUE(Good(Open(&client_, "job", {"bash", "--norc"})));
  ASSERT_TRUE(Good(RunIn(&client_, "job", "seq -f '[%g/500] CC f.o' 500")));
  RunIn(&client_, "job", "echo 'ld: error: no space left'; (exit 3)");
  // A digest leaves out what the client has read, unless it is asked for.
  EXPECT_TRUE(Shows(Digest(), "0 lines, "));
  Reply reply = Digest({{"since", 0}});
  EXPECT_TRUE(Good(reply));
  EXPECT_TRUE(Shows(reply, "commands: 2, 1 failed"));
  EXPECT_TRUE(Shows(reply, "exit=0 "));
  EXPECT_TRUE(Shows(reply, "  seq -f '[%g/500] CC f.o' 500"));
  EXPECT_TRUE(Shows(reply, "exit=3 "));
  EXPECT_TRUE(Shows(reply, "ld: error: no space left"));
  EXPECT_TRUE(Shows(reply, "501 lines"));
  EXPECT_TRUE(Shows(reply, "500x "));
  EXPECT_LE(reply.body.size(), 2'000u);
  EXPECT_TRUE(Shows(Digest({{"since", "-1h"}}), "commands: 2, 1 failed"));
  // A digest begins where the last one ended.
  EXPECT_TRUE(Shows(Digest(), "0 lines, "));
}

TEST_F(WatchingDigest, IsThereForSessionsThatHaveEndedWithoutAServer) {
  Begin("print('begin'); print('step 1 of 9'); print('fatal: no disk')\n");
  ASSERT_TRUE(Good(Wait({{"state", "exited"}})));
  ASSERT_TRUE(Good(client_.Call("term_close", {{"session", "job"}})));
  CommandResult result = Glasstty({"digest", "job"});
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_NE(result.output.find("3 lines, "), std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("fatal: no disk"), std::string::npos);
  EXPECT_NE(result.output.find("exited=0"), std::string::npos);
  CommandResult wrong = Glasstty({"digest", "job", "--since", "soon"});
  EXPECT_EQ(WEXITSTATUS(wrong.status), 2);
  EXPECT_NE(wrong.output.find("such as \"-90s\""), std::string::npos)
      << wrong.output;
}

TEST_F(WatchingDigest, SaysThatItLeavesOutASeparateStderr) {
  ASSERT_TRUE(
      Good(Open(&client_, "job", {"sh", "-c", "echo one; echo no disk >&2"},
                {{"pipe", true}, {"until", {{"state", "exited"}}}})));
  EXPECT_TRUE(Shows(Digest({{"since", 0}}), "8 bytes of stderr are left out"));
  EXPECT_NE(Glasstty({"digest", "job"}).output.find("8 bytes of stderr"),
            std::string::npos);
}

TEST_F(WatchingDigest, ShowsKeyFramesOfAFullScreenProgram) {
  Begin(
      "import time\n"
      "print('\\033[?1049h\\033[H\\033[2Jbegin', end='')\n"
      "for i in range(30):\n"
      "  state = 'Running' if i < 20 else 'CrashLoopBackOff'\n"
      "  print(f'\\033[3;1H\\033[Kweb {state}  {i}s', end='', flush=True)\n"
      "  time.sleep(0.1)\n"
      "input()\n");
  ASSERT_TRUE(Good(Wait({{"text", "29s"}})));
  Reply reply = Digest({{"since", 0}});
  EXPECT_TRUE(Shows(reply, "what mattered on the screen: 1 change"));
  EXPECT_TRUE(Shows(reply, "web CrashLoopBackOff"));
  EXPECT_TRUE(Shows(reply, "screen at "));
}

TEST_F(WatchingDigest, ATimeIsForDigestsOnly) {
  Begin("print('begin'); input()\n");
  EXPECT_TRUE(Shows(Digest({{"since", "yesterday"}}), "\"-90s\", \"-1h\" or"));
  EXPECT_TRUE(Shows(client_.Call("term_read", {{"since", "-1h"}}),
                    "other modes a number"));
}

}  // namespace
}  // namespace glasstty::testing
