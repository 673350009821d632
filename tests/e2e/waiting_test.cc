// Tests that waits see what a person could have seen, once, and nothing else.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

// Opens a session with a few lines of Python. `seen` is what it prints when it
// has begun.
Reply OpenPython(McpClient* client, const std::string& name,
                 const std::string& script, const std::string& seen = "") {
  Json more = Json::object();
  if (!seen.empty()) more["until"] = {{"text", seen}};
  return Open(client, name, {"/usr/bin/python3", "-u", "-c", script}, more);
}

Reply Wait(McpClient* client, const std::string& name, const Json& until,
           double timeout_s = 20) {
  return client->Call(
      "term_wait",
      {{"session", name}, {"until", until}, {"timeout_s", timeout_s}});
}

// ---- a flash

// The text that is printed at each Enter; the marker counts, so that each is
// new.
struct Flash {
  const char* name;
  const char* script;
};
const Flash kFlashes[] = {
    {"FiveMilliseconds",
     "import time\n"
     "for i in range(99):\n"
     "  input(); print(f'flash{i}.', end=''); time.sleep(0.005)\n"
     "  print('\\r\\033[K', end='')\n"},
    {"OneWrite",
     "for i in range(99):\n"
     "  input(); print(f'before flash{i}.\\r\\033[Kafter', end='')\n"},
    {"OneWriteOfAMenu",
     "print('\\033[?1049h\\033[H')\n"
     "for i in range(99):\n"
     "  input(); print(f'\\033[5;9Hflash{i}.\\033[5;9H         \\033[H',\n"
     "                 end='')\n"},
    {"FiveMillisecondsOfAMenu",
     "import time\n"
     "for i in range(99):\n"
     "  input(); print(f'\\033[?1049h\\033[5;9Hflash{i}.', end='')\n"
     "  time.sleep(0.005)\n"
     "  print('\\033[?1049l', end='')\n"},
};

class WaitingFlash : public ::testing::TestWithParam<Flash> {};

TEST_P(WaitingFlash, IsSeenThoughItIsGoneAtOnce) {
  McpClient client;
  ASSERT_TRUE(Good(OpenPython(&client, "it", GetParam().script)));
  for (int i = 0; i < 20; ++i) {
    std::string text = "flash" + std::to_string(i) + ".";
    Reply reply = client.Call("term_send", {{"session", "it"},
                                            {"input", "\n"},
                                            {"until", {{"text", text}}},
                                            {"timeout_s", 10}});
    ASSERT_TRUE(Shows(reply, "reason=matched")) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(All, WaitingFlash, ::testing::ValuesIn(kFlashes),
                         [](const auto& row) { return row.param.name; });

// ---- text that was printed when nobody waited

TEST(Waiting, FindsWhatWasPrintedBetweenTwoCallsAndOnlyOnce) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "main", {"bash", "--norc"})));
  client.Call("term_send", {{"session", "main"},
                            {"input", "(sleep 0.1; echo LA''TER) &\n"}});
  ASSERT_TRUE(Eventually(Seconds(20), [&] {
    return RawLog(client.state_dir(), "main").find("LATER") !=
           std::string::npos;
  }));
  EXPECT_TRUE(
      Shows(Wait(&client, "main", {{"text", "LATER"}}), "reason=matched"));
  // It has been shown now.
  EXPECT_TRUE(
      Shows(Wait(&client, "main", {{"text", "LATER"}}, 0.2), "reason=timeout"));
}

// ---- the echo

struct Shell {
  const char* name;
  std::vector<std::string> argv;
  int cols;
};
const Shell kShells[] = {
    {"bash", {"bash", "--norc"}, 80},
    {"bash40", {"bash", "--norc"}, 40},
    {"zsh", {"zsh", "-f"}, 80},
    {"zsh40", {"zsh", "-f"}, 40},
    {"fish", {"fish", "--no-config"}, 80},
    {"fish40", {"fish", "--no-config"}, 40},
    {"dash", {"dash"}, 80},
    {"dash40", {"dash"}, 40},
};

class WaitingEcho : public ::testing::TestWithParam<Shell> {};

TEST_P(WaitingEcho, OfTheTypedLineNeverMatches) {
  McpClient client;
  const Shell& shell = GetParam();
  ASSERT_TRUE(Good(Open(&client, "it", shell.argv,
                        {{"cols", shell.cols}, {"env", {{"PS1", "$ "}}}})));
  for (int i = 0; i < 3; ++i) {
    // It is long enough to wrap, and it waits before it prints.
    std::string needle = "needle" + std::to_string(i);
    Reply reply = client.Call(
        "term_send",
        {{"session", "it"},
         {"input",
          "read x; echo 'a line of some length before the '" + needle + "\n"},
         {"until", {{"text", needle}}},
         {"timeout_s", 0.5}});
    ASSERT_TRUE(Shows(reply, "reason=timeout"));
    reply = client.Call("term_send", {{"session", "it"},
                                      {"input", "go\n"},
                                      {"until", {{"text", needle}}},
                                      {"timeout_s", 10}});
    ASSERT_TRUE(Shows(reply, "reason=matched"));
    ASSERT_TRUE(Eventually(Seconds(10), [&] {
      return Wait(&client, "it", {{"state", "prompt"}}).header.find("prompt") !=
             std::string::npos;
    }));
  }
}

// A program that is busy until the test opens its FIFO.
class Busy {
 public:
  Busy() { EXPECT_EQ(mkfifo(path_.c_str(), 0600), 0); }
  const std::string& path() const { return path_; }
  void End() { std::ofstream(path_).flush(); }

 private:
  TempDir folder_;
  std::string path_ = folder_.Join("gate");
};

// The kernel echoes it at once, and the line editor again when it reads it.
TEST_P(WaitingEcho, OfALineTypedAheadNeverMatches) {
  Busy busy;
  McpClient client;
  Shell shell = GetParam();
  // The configuration of fish asks for bracketed paste, which is the sign that
  // the line editor reads.
  std::erase(shell.argv, "--no-config");
  ASSERT_TRUE(Good(Open(&client, "it", shell.argv,
                        {{"cols", shell.cols}, {"env", {{"PS1", "$ "}}}})));
  Reply reply = client.Call("term_send",
                            {{"session", "it"},
                             {"input", "echo u''p; cat " + busy.path() + "\n"},
                             {"until", {{"text", "up"}}}});
  ASSERT_TRUE(Shows(reply, "reason=matched"));
  reply = client.Call(
      "term_send",
      {{"session", "it"},
       {"input", "read x; echo 'a line of some length before the 'needle\n"},
       {"until", {{"text", "needle"}, {"quiet_s", 0.1}}}});
  ASSERT_TRUE(Shows(reply, "reason=quiet"));
  busy.End();
  // When `read` waits, the line editor has echoed the line. dash reads for it
  // itself, as at its prompt.
  reply =
      Wait(&client, "it",
           {{"text", "needle"}, {"state", Json::array({"input", "prompt"})}});
  ASSERT_EQ(reply.header.find("reason="), std::string::npos) << reply.header;
  reply = client.Call("term_send", {{"session", "it"},
                                    {"input", "go\n"},
                                    {"until", {{"text", "needle"}}},
                                    {"timeout_s", 20}});
  EXPECT_TRUE(Shows(reply, "reason=matched"));
}

INSTANTIATE_TEST_SUITE_P(All, WaitingEcho, ::testing::ValuesIn(kShells),
                         [](const auto& row) { return row.param.name; });

// Python's line editor is known by its prompt.
TEST(Waiting, ALineTypedAheadOfPythonNeverMatches) {
  Busy busy;
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "py", {"python3", "-q"})));
  Reply reply = client.Call(
      "term_send",
      {{"session", "py"},
       {"input", "print('u' 'p'); open('" + busy.path() + "').read()\n"},
       {"until", {{"text", "up"}}}});
  ASSERT_TRUE(Shows(reply, "reason=matched"));
  reply = client.Call("term_send",
                      {{"session", "py"},
                       {"input", "input('in'); 'nee' 'dle'  # needle\n"},
                       {"until", {{"text", "needle"}, {"quiet_s", 0.1}}}});
  ASSERT_TRUE(Shows(reply, "reason=quiet"));
  busy.End();
  reply = Wait(&client, "py", {{"regex", "needle|^in"}});
  ASSERT_TRUE(Shows(reply, "reason=matched"));
  ASSERT_TRUE(Shows(reply, "\nin"));
  reply = client.Call("term_send", {{"session", "py"},
                                    {"input", "go\n"},
                                    {"until", {{"text", "needle"}}},
                                    {"timeout_s", 20}});
  EXPECT_TRUE(Shows(reply, "reason=matched"));
  EXPECT_TRUE(Shows(reply, "'needle'"));
}

// Nothing shows what is typed, so what comes back is the program's answer.
TEST(Waiting, AnAnswerThatRepeatsTheInputMatchesWhereNothingEchoes) {
  McpClient client;
  const struct {
    std::string name;
    std::vector<std::string> argv;
    Json more = Json::object();
  } kRows[] = {
      {"pipe", {"cat"}, {{"pipe", true}}},
      {"cooked", {"sh", "-c", "stty -echo; echo on; exec cat"}},
      {"raw", {"sh", "-c", "stty raw -echo; echo on; exec cat"}},
  };
  for (const auto& row : kRows) {
    ASSERT_TRUE(Good(Open(&client, row.name, row.argv, row.more)));
    for (const Json& until :
         {Json{{"text", "hello"}}, Json{{"regex", "^hel+o"}}}) {
      // While `cat` does not read, an echo is to be expected.
      Reply ready = Wait(&client, row.name,
                         {{"state", Json::array({"input", "secret"})}});
      ASSERT_FALSE(Shows(ready, "reason=timeout"));
      Reply reply = client.Call("term_send", {{"session", row.name},
                                              {"input", "hello\n"},
                                              {"until", until},
                                              {"timeout_s", 5}});
      EXPECT_TRUE(Shows(reply, "reason=matched")) << row.name;
    }
  }
  // A line editor turns the terminal's echo off and echoes by itself.
  ASSERT_TRUE(Good(Open(&client, "repl", {"python3", "-q"})));
  Reply reply = client.Call("term_send", {{"session", "repl"},
                                          {"input", "input() and 'hello'\n"},
                                          {"until", {{"text", "hello"}}},
                                          {"timeout_s", 0.5}});
  EXPECT_TRUE(Shows(reply, "reason=timeout"));
  ASSERT_TRUE(Good(Open(&client, "cat", {"sh", "-c", "read x; exec cat"})));
  reply = client.Call("term_send", {{"session", "cat"},
                                    {"input", "hello\n"},
                                    {"until", {{"text", "hello"}}},
                                    {"timeout_s", 0.5}});
  EXPECT_TRUE(Shows(reply, "reason=timeout"));
}

// ---- text that was shown, is not there, or did not come

// Prints a moment after it was opened, so that the lines are unread.
Reply OpenLate(McpClient* client, const std::string& name,
               const std::string& script) {
  return Open(client, name, {"sh", "-c", "sleep 0.2; " + script},
              {{"until", {{"change", true}}}, {"timeout_s", 0}});
}

Reply WaitForMatch(McpClient* client, const std::string& name,
                   const Json& until, double timeout_s) {
  return client->Call("term_wait", {{"session", name},
                                    {"until", until},
                                    {"show", "match"},
                                    {"timeout_s", timeout_s}});
}

TEST(Waiting, MatchesALineThatItHasShownOnlyOnce) {
  McpClient client;
  ASSERT_TRUE(Good(OpenLate(&client, "it",
                            "seq 30; echo listening; seq 30; read x; "
                            "echo listening; read x")));
  Reply reply = WaitForMatch(&client, "it", {{"text", "listening"}}, 10);
  EXPECT_TRUE(Shows(reply, "reason=matched"));
  EXPECT_EQ(reply.body, "listening");
  for (const Json& until :
       {Json{{"text", "listening"}}, Json{{"regex", "^listen"}}}) {
    EXPECT_TRUE(
        Shows(WaitForMatch(&client, "it", until, 0.2), "reason=timeout"));
  }
  // A line that comes later counts again.
  int wait = client.SendCall("term_wait", {{"session", "it"},
                                           {"until", {{"text", "listening"}}},
                                           {"show", "match"}});
  client.Call("term_send", {{"session", "it"}, {"input", "go\n"}});
  EXPECT_TRUE(Shows(client.Await(wait), "reason=matched"));
}

TEST(Waiting, AMatchLeavesTheLinesBeforeItUnread) {
  McpClient client;
  ASSERT_TRUE(Good(OpenLate(
      &client, "it", "echo before; echo listening; echo behind; read x")));
  WaitForMatch(&client, "it", {{"text", "listening"}}, 10);
  Reply reply = WaitForMatch(&client, "it", {{"text", "before"}}, 0.2);
  EXPECT_TRUE(Shows(reply, "reason=timeout"));
  reply = WaitForMatch(&client, "it", {{"text", "behind"}}, 10);
  EXPECT_TRUE(Shows(reply, "reason=matched"));
  reply = client.Call("term_read", {{"session", "it"}});
  EXPECT_TRUE(Shows(reply, "before\nlistening\nbehind"));
}

TEST(Waiting, AMatchThatDoesNotComeCostsALine) {
  McpClient client;
  ASSERT_TRUE(Good(
      OpenLate(&client, "it", "seq 500; echo Server Ready; echo last; cat")));
  Reply reply = client.Call("term_wait", {{"session", "it"},
                                          {"until", {{"text", "server ready"}}},
                                          {"show", "match"},
                                          {"timeout_s", 1}});
  EXPECT_TRUE(Shows(reply, "reason=timeout"));
  EXPECT_TRUE(Shows(reply, "502 new lines;"));
  EXPECT_TRUE(Shows(reply, "the last: \"last\""));
  EXPECT_TRUE(Shows(reply, "near: \"Server Ready\""));
  EXPECT_EQ(reply.body, "");
  // They are still unread.
  reply = client.Call("term_read", {{"session", "it"}});
  EXPECT_TRUE(Shows(reply, "Server Ready"));
}

TEST(Waiting, GoneSaysWhenTheTextWasNeverThere) {
  McpClient client;
  ASSERT_TRUE(Good(OpenPython(&client, "it",
                              "import time\n"
                              "print('Loading', end='')\n"
                              "input(); time.sleep(1)\n"
                              "print('\\033[2J'); input()",
                              "Loading")));
  Reply reply = Wait(&client, "it", {{"gone", "Loadnig"}});
  EXPECT_TRUE(Shows(reply, "reason=gone"));
  EXPECT_TRUE(Shows(reply, "gone: was not on the screen"));
  reply = client.Call(
      "term_send",
      {{"session", "it"}, {"input", "\n"}, {"until", {{"gone", "Loading"}}}});
  EXPECT_TRUE(Shows(reply, "reason=gone"));
  EXPECT_EQ(reply.text.find("was not"), std::string::npos) << reply.text;
}

// 3,500 lines of one byte are one piece of output.
TEST(Waiting, SeesWhatAShortScrollbackCannotKeep) {
  McpClient client;
  for (int kept : {0, 100}) {
    std::string name = "it" + std::to_string(kept);
    ASSERT_TRUE(
        Good(Open(&client, name,
                  {"python3", "-c",
                   "import os\n"
                   "for i in range(9):\n"
                   "  input(); os.write(1, b'NEEDLE\\n' + b'\\n' * 3500)"},
                  {{"scrollback_lines", kept}, {"rows", 10}})));
    Reply reply = client.Call(
        "term_send",
        {{"session", name}, {"input", "\n"}, {"until", {{"text", "NEEDLE"}}}});
    EXPECT_TRUE(Shows(reply, "reason=matched")) << kept;
  }
}

TEST(Waiting, OfNoTimeIsALook) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "sh", {"bash", "--norc"})));
  ASSERT_TRUE(Good(Open(&client, "cat", {"cat"})));
  for (int i = 0; i < 10; ++i) {
    // On a busy machine it may not be done yet, and then the reply says that.
    for (const std::string name : {"sh", "cat"}) {
      Reply reply = client.Call(
          "term_send",
          {{"session", name}, {"input", "true\n"}, {"timeout_s", 0}});
      bool busy = reply.header.find("busy") != std::string::npos;
      bool timeout = reply.header.find("timeout") != std::string::npos;
      // It may be done by the time at which the reply says what it does.
      EXPECT_TRUE(timeout || !busy) << reply.text;
      Json rests = {{"state", Json::array({"prompt", "input"})}};
      EXPECT_TRUE(
          Shows(Wait(&client, name, rests), name == "sh" ? "prompt" : "input"));
    }
    // Nothing is known of cat but what the kernel says when it is asked.
    Reply reply = Wait(&client, "cat", {{"state", "input"}}, 0);
    EXPECT_TRUE(Shows(reply, "input"));
    EXPECT_EQ(reply.text.find("timeout"), std::string::npos) << reply.text;
  }
  Reply reply = Wait(&client, "cat", {{"state", "prompt"}}, 0);
  EXPECT_TRUE(Shows(reply, "reason=timeout"));
}

// ---- frames

TEST(Waiting, HalfAFrameIsNeverShown) {
  McpClient client;
  // A frame is drawn for 10 ms and stays for 5.
  ASSERT_TRUE(Good(
      OpenPython(&client, "anim",
                 "import time\n"
                 "print('\\033[?1049h', end='')\n"
                 "for i in range(100000):\n"
                 "  print(f'\\033[?2026h\\033[H\\033[2Jtop {i}.', end='')\n"
                 "  time.sleep(0.01)\n"
                 "  print(f'\\033[2;1Hbottom {i}.\\033[?2026l', end='')\n"
                 "  time.sleep(0.005)\n",
                 "bottom")));
  for (int i = 0; i < 60; ++i) {
    Reply reply = i % 2 == 0 ? client.Call("term_read", {{"session", "anim"},
                                                         {"mode", "snapshot"}})
                             : Wait(&client, "anim", {{"change", true}});
    int top = -1, bottom = -1;
    ASSERT_EQ(
        std::sscanf(reply.body.c_str(), "top %d.\nbottom %d.", &top, &bottom),
        2)
        << reply.text;
    EXPECT_EQ(top, bottom) << reply.text;
  }
}

TEST(Waiting, AFrameThatIsNeverEndedIsShownAfterAll) {
  McpClient client;
  ASSERT_TRUE(Good(
      OpenPython(&client, "it", "print('\\033[?2026hhalf', end=''); input()")));
  EXPECT_TRUE(SeesOnScreen(&client, "it", "half"));
}

// ---- many at once

TEST(Waiting, OnSeveralSessionsIsEndedByTheFirst) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "slow", {"cat"})));
  ASSERT_TRUE(Good(Open(&client, "quick", {"bash", "--norc"})));
  int wait = client.SendCall("term_wait",
                             {{"sessions", Json::array({"slow", "quick"})},
                              {"until", {{"regex", "^4[0-9]$"}}}});
  client.Call("term_send",
              {{"session", "quick"}, {"input", "echo $((6*7))\n"}});
  Reply reply = client.Await(wait);
  EXPECT_TRUE(Shows(reply, "[quick]"));
  EXPECT_TRUE(Shows(reply, "reason=matched"));
}

// Either may still print the text.
TEST(Waiting, OnSeveralSessionsIsEndedOnlyByTheEndOfAll) {
  McpClient client;
  ASSERT_TRUE(Good(
      Open(&client, "gone", {"true"}, {{"until", {{"state", "exited"}}}})));
  ASSERT_TRUE(Good(Open(&client, "there", {"bash", "--norc"})));
  Json arguments = {{"sessions", {"gone", "there"}},
                    {"until", {{"regex", "^4[0-9]$"}}}};
  int wait = client.SendCall("term_wait", arguments);
  client.Call("term_send",
              {{"session", "there"}, {"input", "echo $((6*7))\n"}});
  Reply reply = client.Await(wait);
  EXPECT_TRUE(Shows(reply, "[there]"));
  EXPECT_TRUE(Shows(reply, "reason=matched"));
  EXPECT_TRUE(Shows(reply, "[gone] exited=0"));

  wait = client.SendCall("term_wait", arguments);
  client.Call("term_send", {{"session", "there"}, {"input", "exit 3\n"}});
  reply = client.Await(wait);
  EXPECT_TRUE(Shows(reply, "[there] exited=3 "));

  arguments["until"] = {{"state", "exited"}};
  EXPECT_TRUE(Shows(client.Call("term_wait", arguments), "[gone] exited=0"));
}

TEST(Waiting, ManyWaitsOnBusySessionsEndWithThem) {
  McpClient client;
  constexpr int kSessions = 4, kWaits = 128;
  for (int i = 0; i < kSessions; ++i) {
    ASSERT_TRUE(Good(OpenPython(&client, "s" + std::to_string(i),
                                "import time\n"
                                "while True:\n"
                                "  print('tick', time.time())\n"
                                "  time.sleep(0.005)\n",
                                "tick")));
  }
  std::vector<int> waits;
  waits.reserve(kWaits);
  for (int i = 0; i < kWaits; ++i) {
    waits.push_back(client.SendCall(
        "term_wait", {{"session", "s" + std::to_string(i % kSessions)},
                      {"until", {{"text", "never"}}},
                      {"timeout_s", 40}}));
  }
  // Calls are answered meanwhile.
  ASSERT_TRUE(Good(Open(&client, "other", {"cat"})));
  EXPECT_TRUE(
      Good(client.Call("term_close", {{"all", true}, {"force", true}})));
  for (int wait : waits) {
    EXPECT_TRUE(Shows(client.Await(wait), "exited"));
  }
}

TEST(Waiting, ForSeveralSessionsTellsEachInALine) {
  McpClient client;
  for (const char* name : {"one", "two"}) {
    Open(&client, name, {"cat"});
    client.Call("term_send", {{"session", name}, {"input", "text\n"}});
  }
  Reply reply = client.Call("term_wait", {{"sessions", {"one", "two"}},
                                          {"until", {{"text", "never"}}},
                                          {"timeout_s", 0}});
  EXPECT_EQ(reply.header.substr(0, 6), "[one] ") << reply.text;
  EXPECT_TRUE(Shows(reply, "\n[two] input, 0 new lines"));
}

TEST(Waiting, SeveralSessionsAreReadInOneCall) {
  McpClient client;
  for (std::string name : {"one", "two"}) {
    Open(&client, name, {"sh", "-c", "echo from $0; exec cat", name},
         {{"timeout_s", 0}});
    ASSERT_TRUE(SeesOnScreen(&client, name, "from " + name));
  }
  Json both = {{"sessions", {"one", "two", "nosuch"}}, {"mode", "all"}};
  Reply reply = client.Call("term_read", both);
  EXPECT_FALSE(reply.is_error);
  for (const char* text :
       {"[one] ", "from one\n\n[two] ", "from two\n\nno session"}) {
    EXPECT_TRUE(Shows(reply, text));
  }
  both = {{"sessions", {"one", "two"}}};
  EXPECT_EQ(client.Call("term_read", both).text.find("from"), std::string::npos)
      << "it has been shown";
  both["session"] = "one";
  EXPECT_TRUE(Shows(client.Call("term_read", both), "not both"));
}

}  // namespace
}  // namespace glasstty::testing
