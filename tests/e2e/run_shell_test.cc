// Tests term_run: which shell runs the command, and what the reply says about
// earlier events in the session.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

TEST(RunShell, IsOpenedWhenThereIsNoSessionOfThatName) {
  McpClient client;
  Reply reply = RunIn(&client, "build", "echo hi");
  EXPECT_TRUE(reply.header.starts_with("[build] prompt exit=0 ")) << reply.text;
  EXPECT_TRUE(Shows(reply, "opened a new shell: there was no session 'build'"));
  EXPECT_EQ(reply.header.find("; open:"), std::string::npos) << reply.text;
  EXPECT_EQ(reply.body, "hi");
  reply = RunIn(&client, "build", "echo again");
  EXPECT_EQ(reply.header.find("opened"), std::string::npos) << reply.text;
  // An agent that meant "build" sees the mistake.
  EXPECT_TRUE(Shows(RunIn(&client, "buidl", "true"),
                    "there was no session 'buidl'; open: build"));
  reply = RunIn(&client, "main", "true");
  EXPECT_EQ(reply.header.find("opened"), std::string::npos) << reply.text;
}

TEST(RunShell, IsNotOpenedUnderANameThatIsNone) {
  McpClient client;
  Reply reply = RunIn(&client, "a/b", "true");
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "session name 'a/b'"));
}

TEST(RunShell, IsNotOpenedInPlaceOfAProgramThatHasExited) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "server", {"true"})));
  client.Call("term_wait",
              {{"session", "server"}, {"until", {{"state", "exited"}}}});
  Reply reply = RunIn(&client, "server", "true");
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "session 'server' has exited"));
  // Nobody has named this session.
  RunIn(&client, "main", "x=1");
  RunIn(&client, "main", "exit");
  reply = client.Call("term_run", {{"command", "echo ${x-lost}"}});
  EXPECT_TRUE(Shows(reply, "opened a new shell: session 'main' had exited"));
  EXPECT_EQ(reply.body, "lost");
}

TEST(RunShell, WithoutMarksKnowsTheStatusOfTheCommandBefore) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "s", {"dash"})));
  for (const char* status : {"3", "0"}) {
    RunIn(&client, "s", absl::StrFormat("(exit %s)", status));
    EXPECT_EQ(RunIn(&client, "s", "echo $?").body, status);
  }
}

// ---- What came before

class RunBefore : public ::testing::TestWithParam<std::string> {
 protected:
  RunBefore() {
    ServerOptions options;
    options.environment = DefaultEnvironment(home_.path());
    // The prompt has two rows, and then one.
    home_.Write(".zshrc", "PS1=$'%~\\n%# '\none() { PS1='%# ' }\n");
    home_.Write(".bashrc", "PS1='\\w\\n$ '\none() { PS1='$ '; }\n");
    client_ = std::make_unique<McpClient>(options);
    mkfifo(gate_.c_str(), 0600);
    Open(client_.get(), "s", {GetParam()});
    RunIn(client_.get(), "s", "true");
  }

  // Returns the lines that the reply's hint leads to.
  std::string Before(const Reply& reply) {
    size_t at = reply.header.find("from_line=");
    int from = 0, lines = 0;
    if (at == std::string::npos ||
        std::sscanf(reply.header.c_str() + at, "from_line=%d lines=%d", &from,
                    &lines) != 2) {
      return "no hint: " + reply.header;
    }
    EXPECT_TRUE(Shows(reply, absl::StrFormat("%d line%s came before it", lines,
                                             lines == 1 ? "" : "s")));
    return client_
        ->Call("term_read",
               {{"session", "s"}, {"from_line", from}, {"lines", lines}})
        .body;
  }

  // Types a line that prints when Release is called, perhaps in the background.
  void Start(const std::string& print, const std::string& end = "") {
    client_->Call("term_send",
                  {{"session", "s"},
                   {"input", "sh -c 'cat " + gate_ + " >" + gate_ + ".open; " +
                                 print + "'" + end + "\n"},
                   {"timeout_s", end.empty() ? 0 : 5}});
  }
  void Release() {
    std::ofstream(gate_) << "go";
    // After this, only the program's output comes.
    EXPECT_TRUE(Eventually(Seconds(10), [this] {
      return ReadWholeFile(gate_ + ".open") == "go";
    }));
  }

  // Waits for the prompt without looking at what was printed.
  void AwaitPrompt() {
    EXPECT_TRUE(Eventually(Seconds(30), [this] {
      return client_->Call("term_list").text.find("[s] prompt") !=
             std::string::npos;
    }));
  }

  TempDir home_;
  std::string gate_ = home_.Join("gate");
  std::unique_ptr<McpClient> client_;
};

TEST_P(RunBefore, EveryLineThatWasNotShownIsNamed) {
  for (const char* rows : {"row1\nrow2\nrow3\nrow4\nrow5", "alone"}) {
    Start(absl::StrFormat("printf \"%s\\n\"", rows));
    Release();
    AwaitPrompt();
    Reply reply = RunIn(client_.get(), "s", "echo now");
    EXPECT_EQ(reply.body, "now");
    std::string before = Before(reply);
    EXPECT_TRUE(before.find(rows) != std::string::npos) << before;
  }
}

// fish draws its prompt over a job's output when the job ends.
class RunBesideAJob : public RunBefore {};

TEST_P(RunBesideAJob, LinesOfTheJobAreNamed) {
  for (const char* rows : {"row1\nrow2\nrow3", "alone"}) {
    Start(absl::StrFormat("printf \"%s\\n\"", rows), " &");
    Release();
    // The results of a search do not count as seen.
    const std::string last = Lines(rows).back();
    ASSERT_TRUE(Eventually(Seconds(10), [this, &last] {
      Reply found = client_->Call(
          "term_search", {{"session", "s"}, {"regex", "^.?.?.?" + last + "$"}});
      return found.body.find(last) != std::string::npos;
    }));
    Reply reply = RunIn(client_.get(), "s", "echo now");
    std::string before = Before(reply);
    for (const std::string& row : Lines(rows)) {
      EXPECT_NE(before.find(row), std::string::npos) << before;
    }
  }
}

TEST_P(RunBefore, WhatWasShownIsNotNamed) {
  const std::vector<std::string> commands = {
      "echo shown",          "true",  "one",
      "printf 'no newline'", "false", "cd /usr",
      "printf 'x\\ry'",      "seq 3", "echo shown",
      "printf 'no newline'", "true"};
  for (const std::string& command : Sample(commands, 3)) {
    RunIn(client_.get(), "s", command);
    Reply reply = RunIn(client_.get(), "s", "true");
    EXPECT_EQ(reply.header.find("came before"), std::string::npos)
        << command << "\n"
        << reply.text;
    client_->Call("term_send", {{"session", "s"}, {"input", command + "\n"}});
    reply = RunIn(client_.get(), "s", "true");
    EXPECT_EQ(reply.header.find("came before"), std::string::npos)
        << command << "\n"
        << reply.text;
  }
  Keys(client_.get(), "s", "echo given up");
  Reply reply = RunIn(client_.get(), "s", "true");
  EXPECT_EQ(reply.header.find("came before"), std::string::npos) << reply.text;
}

TEST_P(RunBesideAJob, AnUnfinishedLineOfTheJobIsNotSaidToBeTyped) {
  Start("printf partial", " &");
  Release();
  ASSERT_TRUE(SeesOnScreen(client_.get(), "s", "partial"));
  Reply reply = RunIn(client_.get(), "s", "echo now");
  EXPECT_EQ(reply.body, "now") << reply.text;
  EXPECT_EQ(reply.header.find("typed"), std::string::npos) << reply.text;
}

INSTANTIATE_TEST_SUITE_P(All, RunBesideAJob, ::testing::Values("bash", "zsh"),
                         [](const auto& row) { return row.param; });
INSTANTIATE_TEST_SUITE_P(All, RunBefore,
                         ::testing::Values("bash", "zsh", "fish"),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace glasstty::testing
