// Tests that what happens in a session is noticed while nobody looks, and that
// each client is told once.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <fstream>
#include <future>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"
#include "testing/system.h"
#include "wire/shared_server.h"

namespace glasstty::testing {
namespace {

class Noticing : public ::testing::Test {
 protected:
  ~Noticing() override {
    pid_t server = wire::ServerOwner(state_.path()).pid;
    if (server > 0) kill(server, SIGKILL);
  }
  // Runs `glasstty ARGUMENTS...` as this client; the status is that of exit(3).
  CommandResult Shell(std::vector<std::string> arguments,
                      const std::string& client = "shell") {
    arguments.insert(arguments.begin(), ServerPath());
    CommandResult result = RunCommand(
        arguments,
        {"GLASSTTY_STATE_DIR=" + state_.path(), "GLASSTTY_CLIENT=" + client});
    result.status = WEXITSTATUS(result.status);
    return result;
  }
  // Opens a session that prints what is written into its file.
  void OpenJob() {
    std::ofstream(File()).close();
    CommandResult opened =
        Shell({"open", "-q", "--name", "job", "tail", "-n", "+1", "-f", File()},
              "opener");
    ASSERT_EQ(opened.status, 0) << opened.output;
  }
  void Print(const std::string& line) {
    std::ofstream(File(), std::ios::app) << line << std::endl;
  }
  std::string File() const { return folder_.Join("lines"); }

  TempDir state_, folder_;
};

TEST_F(Noticing, AWaitForAnEventPrintsItAndHasItsStatus) {
  OpenJob();
  EXPECT_EQ(Shell({"wait", "--event", "job", "--timeout", "0.1"}).status, 124);
  Print("compiling");
  Print("main.c:3: error: no such type");
  CommandResult told = Shell({"wait", "--event", "job"});
  EXPECT_EQ(told.status, 0) << told.output;
  EXPECT_TRUE(told.output.starts_with("[job] error ")) << told.output;
  EXPECT_TRUE(told.output.ends_with(": \"main.c:3: error: no such type\"\n"))
      << told.output;
  // It has been told; another client has not, but it begins with what comes.
  EXPECT_EQ(Shell({"wait", "--event", "job", "--timeout", "0.1"}).status, 124);
  EXPECT_EQ(Shell({"wait", "--event", "job", "--timeout", "0.1"}, "b").status,
            124);
  // Its opener has not been shown it.
  EXPECT_EQ(Shell({"wait", "--event"}, "opener").output, told.output);
  EXPECT_EQ(Shell({"wait", "--event", "nobody"}).status, 126);
  EXPECT_EQ(Shell({"wait", "job", "--event", "--text", "x"}).status, 2);
}

TEST_F(Noticing, AnEndIsAnEventAndThenNoneComes) {
  OpenJob();
  EXPECT_EQ(Shell({"wait", "--event", "job", "--timeout", "0.1"}).status, 124);
  std::vector<ProcessRow> tails = ProcessesWith(File());
  ASSERT_EQ(tails.size(), 1u) << Describe(tails);
  kill(tails[0].pid, SIGTERM);
  CommandResult end = Shell({"wait", "--event", "--follow", "job"});
  EXPECT_EQ(end.status, 1);
  EXPECT_NE(end.output.find("ended "), std::string::npos) << end.output;
  EXPECT_NE(end.output.find("exit=signal=TERM"), std::string::npos)
      << end.output;
  EXPECT_NE(end.output.find("no event will come"), std::string::npos)
      << end.output;
}

TEST_F(Noticing, AWatchStaysAndIsListed) {
  OpenJob();
  CommandResult set = Shell({"watch", "job", "done", "--regex", "^DONE"});
  EXPECT_EQ(set.status, 0) << set.output;
  EXPECT_NE(set.output.find("watches: \"done\""), std::string::npos)
      << set.output;
  EXPECT_EQ(Shell({"wait", "--event", "job", "--timeout", "0.1"}).status, 124);
  kill(wire::ServerOwner(state_.path()).pid, SIGKILL);
  Print("DONE 17");
  CommandResult told = Shell({"wait", "--event", "job"});
  EXPECT_NE(told.output.find("] done "), std::string::npos) << told.output;
  EXPECT_NE(told.output.find("DONE 17"), std::string::npos) << told.output;
  CommandResult list = Shell({"read", "job", "--mode", "events"});
  EXPECT_NE(list.output.find("DONE 17"), std::string::npos) << list.output;
  EXPECT_NE(list.output.find("watches: \"done\""), std::string::npos)
      << list.output;
  EXPECT_EQ(Shell({"watch", "job", "done"}).status, 0);
  EXPECT_EQ(Shell({"watch", "job", "done"}).status, 126);
  EXPECT_EQ(Shell({"watch", "job", "error", "--text", "x"}).status, 2);
  EXPECT_EQ(Shell({"watch", "job"}).status, 2);
}

TEST_F(Noticing, ACommandIsRunWithTheFactsInItsEnvironment) {
  std::string seen = folder_.Join("seen");
  std::string command =
      "printf '%s|%s|%s' \"$GLASSTTY_EVENT_SESSION\" \"$GLASSTTY_EVENT\" "
      "\"$GLASSTTY_EVENT_TEXT\" > " +
      seen;
  setenv("GLASSTTY_ON_EVENT", command.c_str(), 1);
  OpenJob();
  unsetenv("GLASSTTY_ON_EVENT");
  Print("error: $(touch " + folder_.Join("obeyed") + ") `id`; '\" done");
  EXPECT_TRUE(Eventually(Seconds(10), [&] {
    return ReadWholeFile(seen) == "job|error|error: $(touch " +
                                      folder_.Join("obeyed") +
                                      ") `id`; '\" done";
  })) << ReadWholeFile(seen);
  EXPECT_EQ(ReadWholeFile(folder_.Join("obeyed")), "");
}

// ---- agents

class NoticingAgent : public ::testing::Test {
 protected:
  void Begin(const std::string& name, const std::string& script,
             const Json& more = Json::object()) {
    Json arguments = {{"until", {{"text", "begin"}}}};
    arguments.update(more);
    ASSERT_TRUE(Good(Open(
        &client_, name, {"/usr/bin/python3", "-u", "-c", script}, arguments)));
  }
  Reply AwaitEvent(double timeout_s = 20) {
    return client_.Call(
        "term_wait", {{"until", {{"event", true}}}, {"timeout_s", timeout_s}});
  }

  McpClient client_;
};

TEST_F(NoticingAgent, ALaterReplyNamesTheEventsOfItsWatchesOnce) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"bash", "--norc"})));
  Begin("job",
        "import time\nprint('begin'); time.sleep(1)\n"
        "print('FAILED a'); time.sleep(60)",
        {{"watch", {{"fails", {{"regex", "^FAILED"}}}}}});
  std::string echo = "echo it";
  ASSERT_TRUE(Eventually(Seconds(10), [&] {
    Reply reply = RunIn(&client_, "main", echo);
    return reply.text.find("[job] fails ") != std::string::npos;
  }));
  Reply again = RunIn(&client_, "main", echo);
  EXPECT_EQ(again.text.find("[job] fails"), std::string::npos) << again.text;
}

TEST_F(NoticingAgent, AWaitForAnEventSetsWatchesOfAllItsSessions) {
  TempDir directory;
  std::string script =
      "import os, time\nprint('begin')\n"
      "while not os.path.exists('" +
      directory.Join("go") + "'): time.sleep(0.01)\nprint('new')\ninput()";
  Begin("one", script);
  Begin("two", script);
  Json both = Json::array({"one", "two"});
  Json watch = {{"news", {{"regex", "^new"}}}};
  Reply none = client_.Call("term_wait", {{"sessions", both},
                                          {"watch", watch},
                                          {"until", {{"event", true}}},
                                          {"timeout_s", 0.1}});
  EXPECT_TRUE(Shows(none, "watches: \"news\"\ntimeout: no event"));
  std::ofstream(directory.Join("go")).close();
  std::string told = AwaitEvent().text;
  bool are_both = told.find("[one]") != std::string::npos &&
                  told.find("[two]") != std::string::npos;
  if (!are_both) told += AwaitEvent().text;
  EXPECT_NE(told.find("[one] news "), std::string::npos) << told;
  EXPECT_NE(told.find("[two] news "), std::string::npos) << told;
}

TEST_F(NoticingAgent, AWatchOfSeveralSessionsIsSetWithoutAWait) {
  Begin("one", "print('begin'); input()");
  Begin("two", "print('begin'); input()");
  Json both = Json::array({"one", "two"});
  Json watch = {{"news", {{"regex", "^new"}}}};
  EXPECT_TRUE(
      Shows(client_.Call("term_wait", {{"sessions", both}, {"watch", watch}}),
            "watches: \"news\""));
  Reply list = client_.Call("term_read", {{"mode", "events"}});
  EXPECT_TRUE(Shows(list, "[one] watches: \"news\""));
  EXPECT_TRUE(Shows(list, "[two] watches: \"news\""));
}

TEST_F(NoticingAgent, ASessionIsShownAlthoughItHasTooManyWatches) {
  Json watch = Json::object();
  for (int i = 0; i < 21; ++i) {
    watch["w" + std::to_string(i)] = {{"regex", "^new"}};
  }
  Reply reply = Open(&client_, "job", {"cat"}, {{"watch", watch}});
  EXPECT_TRUE(Good(reply));
  EXPECT_TRUE(Shows(reply, "[job] "));
  EXPECT_TRUE(Shows(reply, "has 20 watches already"));
}

TEST_F(NoticingAgent, WhatAReplyHasShownIsNoNews) {
  Begin("job",
        "print('begin'); input('name? '); print('error: bad name')\n"
        "import time; time.sleep(60)");
  ASSERT_TRUE(Good(client_.Call(
      "term_wait", {{"session", "job"}, {"until", {{"state", "input"}}}})));
  ASSERT_TRUE(
      Good(client_.Call("term_send", {{"session", "job"},
                                      {"input", "bob\n"},
                                      {"until", {{"text", "bad name"}}}})));
  EXPECT_TRUE(Shows(AwaitEvent(2.5), "timeout: no event"));
}

TEST_F(NoticingAgent, AQuestionThatComesLaterIsAnEventAndSoIsTheEnd) {
  Begin("job",
        "import time\nprint('begin'); time.sleep(1)\n"
        "input('Overwrite? [y/N] '); print('fine'); time.sleep(1)");
  Reply asks = AwaitEvent();
  EXPECT_TRUE(Shows(asks, "[job] asks "));
  EXPECT_TRUE(Shows(asks, "Overwrite? [y/N]"));
  EXPECT_TRUE(Shows(AwaitEvent(0.1), "timeout: no event"));
  ASSERT_TRUE(Good(client_.Call(
      "term_send",
      {{"session", "job"}, {"input", "y\n"}, {"until", {{"lines", 1}}}})));
  EXPECT_TRUE(Shows(AwaitEvent(), "the program has ended, exit=0"));
  Reply list = client_.Call("term_read", {{"mode", "events"}});
  EXPECT_TRUE(Shows(list, "[job] asks "));
  EXPECT_TRUE(Shows(list, "exit=0"));
}

TEST_F(NoticingAgent, EventsAsJsonAndMistakes) {
  Begin("job", "print('begin'); print('error: it'); input()");
  Reply empty =
      client_.Call("term_read", {{"mode", "events"}, {"format", "json"}});
  EXPECT_FALSE(empty.is_error) << empty.text;
  auto refused = [this](const std::string& tool, const Json& arguments,
                        const std::string& why) {
    Reply reply = client_.Call(tool, arguments);
    EXPECT_TRUE(reply.is_error) << reply.text;
    EXPECT_TRUE(Shows(reply, why));
  };
  refused("term_wait", {{"until", {{"event", true}, {"text", "x"}}}},
          "stands alone");
  refused("term_send",
          {{"session", "job"}, {"input", "x"}, {"until", {{"event", true}}}},
          "is a condition of term_wait");
  refused("term_wait",
          {{"session", "job"},
           {"until", Json::object()},
           {"watch", {{"w", {{"regex", "("}}}}}},
          "missing )");
  refused("term_wait",
          {{"session", "job"},
           {"until", Json::object()},
           {"watch", {{"w", Json::object()}}}},
          "give a condition");
  refused("term_wait",
          {{"session", "job"},
           {"until", Json::object()},
           {"watch", {{"w", {{"person", "here"}}}}}},
          "but not watched");
}

// ---- the promise

// The server is killed at random moments, while clients wait and while none
// does.
TEST_F(Noticing, EachEventIsToldToEachClientOnceWhateverKillsTheServer) {
  std::mt19937 random(20261127);
  auto chance = [&random](int percent) {
    return static_cast<int>(random() % 100) < percent;
  };
  OpenJob();
  std::map<std::string, std::string> told = {{"a", ""}, {"b", ""}, {"c", ""}};
  auto wait = [&](const std::string& client, const std::string& timeout) {
    CommandResult result =
        Shell({"wait", "-q", "--event", "job", "--timeout", timeout}, client);
    EXPECT_TRUE(result.status == 0 || result.status == 124)
        << result.status << result.output;
    for (const std::string& line : Lines(result.output)) {
      told[client] += line.substr(line.rfind("is ") + 3, 3) + "\n";
    }
    return result.status == 0;
  };
  for (auto& [client, lines] : told) ASSERT_FALSE(wait(client, "0.1"));
  std::string printed;
  const int rounds = Rounds(4, 100);
  for (int i = 0; i < rounds; ++i) {
    if (chance(70)) {
      // Each begins with a word of its own, so it is the first of its kind.
      std::string word{static_cast<char>('a' + i / 26 % 26),
                       static_cast<char>('a' + i % 26), 'q'};
      std::string line = word + " error: this is " + word;
      Print(line);
      printed += word + "\n";
    }
    std::future<void> killer;
    if (chance(60)) {
      int ms = static_cast<int>(random() % 400);
      killer = std::async(std::launch::async, [this, ms] {
        Eventually(Seconds(ms / 1000.0), [] { return false; });
        pid_t server = wire::ServerOwner(state_.path()).pid;
        if (server > 0) kill(server, SIGKILL);
      });
    }
    for (auto& [client, lines] : told) {
      if (chance(40)) wait(client, chance(50) ? "0.2" : "1");
    }
  }
  for (auto& [client, lines] : told) {
    while (wait(client, "2")) {
    }
    EXPECT_EQ(lines, printed) << client;
  }
}

}  // namespace
}  // namespace glasstty::testing
