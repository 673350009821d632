// `glasstty new`: a person opens a session, works in it, and lends it to an
// agent.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "e2e/desk.h"
#include "e2e/steps.h"
#include "wire/shared_server.h"

namespace glasstty::testing {
namespace {

class NewSession : public ::testing::Test {
 protected:
  ~NewSession() override {
    desk_.reset();
    agent_.reset();
    pid_t server = wire::ServerOwner(state_.path()).pid;
    if (server > 0) kill(server, SIGKILL);
  }

  std::vector<std::string> State() const {
    return {"GLASSTTY_STATE_DIR=" + state_.path()};
  }
  // A server that has been started elsewhere, by somebody else.
  void Serve() {
    CommandResult result =
        RunCommand({"sh", "-c",
                    "cd / && MINE=the-servers exec " + ServerPath() +
                        " serve --background"},
                   State());
    ASSERT_EQ(result.status, 0) << result.output;
  }
  void OpenNew(std::vector<std::string> words, terminal::Size size = {25, 80}) {
    words.insert(words.begin(), "new");
    desk_ = std::make_unique<Desk>(
        state_.path(), words, size,
        std::vector<std::string>{"MINE=a-persons", "SHELL=/bin/bash",
                                 "HOME=" + home_.path(), "PAGER=less"});
  }
  McpClient* Agent() {
    ServerOptions options;
    options.arguments = {"mcp", "--shared"};
    options.state_dir = state_.path();
    agent_ = std::make_unique<McpClient>(options);
    return agent_.get();
  }
  std::string Listed() {
    return RunCommand({ServerPath(), "ls"}, State()).output;
  }

  TempDir state_, home_;
  std::unique_ptr<Desk> desk_;
  std::unique_ptr<McpClient> agent_;
};

TEST_F(NewSession, HasTheEnvironmentDirectoryAndSizeOfThePerson) {
  Serve();
  OpenNew({"mine"});
  ASSERT_TRUE(desk_->Sees("you have the keyboard"));
  desk_->Type("echo $MINE in $PWD, $PAGER; stty size\r");
  EXPECT_TRUE(desk_->Sees("a-persons in " +
                          std::filesystem::current_path().string() + ", less"));
  EXPECT_TRUE(desk_->Sees("24 80"));
}

TEST_F(NewSession, IsLentToAnAgent) {
  OpenNew({"mine"});
  ASSERT_TRUE(desk_->Sees("you have the keyboard"));
  desk_->Type("x=from-a-''person\r");
  McpClient* agent = Agent();
  EXPECT_TRUE(Shows(agent->Call("term_list", Json::object()), "[mine]"));
  Reply refused = RunIn(agent, "mine", "echo $x");
  EXPECT_TRUE(refused.is_error);
  EXPECT_TRUE(Shows(refused, "a person has the keyboard"));
  ASSERT_TRUE(desk_->TypeAndSee("\x1ch", "handed back"));
  EXPECT_TRUE(Shows(RunIn(agent, "mine", "echo $x"), "from-a-person"));
  EXPECT_TRUE(desk_->Sees("from-a-person"));
}

TEST_F(NewSession, LivesOnWhenThePersonLeaves) {
  OpenNew({"mine"});
  ASSERT_TRUE(desk_->Sees("you have the keyboard"));
  desk_->Type("x=kept\r");
  desk_->Type(
      "\x1c"
      "d");
  EXPECT_EQ(desk_->AwaitEnd(), 0);
  EXPECT_TRUE(desk_->IsRestored());
  EXPECT_TRUE(desk_->Sees("[mine: left; glasstty attach mine comes back]"));
  desk_ = std::make_unique<Desk>(state_.path(),
                                 std::vector<std::string>{"attach", "--take"});
  ASSERT_TRUE(desk_->Sees("you have the keyboard"));
  desk_->Type("echo it is $x\r");
  EXPECT_TRUE(desk_->Sees("it is kept"));
}

TEST_F(NewSession, EndsWithItsShell) {
  OpenNew({});
  ASSERT_TRUE(desk_->Sees("you have the keyboard"));
  desk_->Type("exit 3\r");
  EXPECT_EQ(desk_->AwaitEnd(), 0);
  EXPECT_TRUE(desk_->IsRestored());
  EXPECT_TRUE(desk_->Sees(": exited 3]"));
}

TEST_F(NewSession, ShowsTheEndOfACommandUntilAKeyIsPressed) {
  OpenNew({"it", "echo BUILD FAILED; exit 4"});
  ASSERT_TRUE(desk_->Sees("exited 4  any key leaves"));
  ASSERT_TRUE(desk_->Sees("BUILD FAILED"));
  desk_->Type("x");
  EXPECT_EQ(desk_->AwaitEnd(), 0);
}

TEST_F(NewSession, WordsReachTheProgramUnchanged) {
  OpenNew({"it", "printf", "<%s>", "a  b", "-x", "$HOME"});
  EXPECT_TRUE(desk_->Sees("<a  b><-x><$HOME>"));
}

TEST_F(NewSession, FollowsTheWindowAndKeepsItsSize) {
  OpenNew({"mine"});
  ASSERT_TRUE(desk_->Sees("you have the keyboard"));
  desk_->SetSize({31, 100});
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    desk_->Look();
    return Listed().find("30x100") != std::string::npos;
  }));
  ASSERT_TRUE(desk_->TypeAndSee("\x1ch", "handed back"));
  desk_->Type(
      "\x1c"
      "d");
  EXPECT_EQ(desk_->AwaitEnd(), 0);
  EXPECT_NE(Listed().find("30x100"), std::string::npos) << Listed();
}

TEST_F(NewSession, ANameIsGivenOnce) {
  OpenNew({"mine"});
  ASSERT_TRUE(desk_->Sees("you have the keyboard"));
  Desk second(state_.path(), {"new", "mine"});
  auto status = second.AwaitEnd();
  ASSERT_TRUE(status);
  EXPECT_EQ(WEXITSTATUS(*status), 1);
  EXPECT_TRUE(second.Sees("'mine'"));
  EXPECT_TRUE(second.IsRestored());
}

TEST_F(NewSession, NeedsATerminal) {
  CommandResult result = RunCommand({ServerPath(), "new", "mine"}, State());
  EXPECT_EQ(WEXITSTATUS(result.status), 1);
  EXPECT_NE(result.output.find("must be a terminal"), std::string::npos);
  EXPECT_EQ(Listed(), "no sessions\n");
}

TEST_F(NewSession, IsRefusedInsideASession) {
  McpClient* agent = Agent();
  Reply reply = RunIn(agent, "main", ServerPath() + " new 2>&1; echo st=$?");
  EXPECT_TRUE(Shows(reply, "this terminal is itself a glasstty session"));
  EXPECT_TRUE(Shows(reply, "st=1"));
}

}  // namespace
}  // namespace glasstty::testing
