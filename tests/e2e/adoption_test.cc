// The server dies, the programs do not: the next one finds them as they are.
// When none comes, they go after the grace time.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

class Adoption : public ::testing::Test {
 protected:
  std::unique_ptr<McpClient> Start(const std::string& grace_s = "60") {
    ServerOptions options;
    options.state_dir = state_.path();
    options.extra_environment = {"GLASSTTY_GRACE_S=" + grace_s};
    return std::make_unique<McpClient>(options);
  }

  void Crash(McpClient* client) {
    client->Signal(SIGKILL);
    ASSERT_TRUE(client->WaitForExit(Seconds(10)));
  }

  TempDir state_;
};

TEST_F(Adoption, TheNextServerHasTheSameNamesScreensAndUnreadOutput) {
  TempDir folder;
  std::string go = folder.Join("go");
  std::unique_ptr<McpClient> first = Start();
  Json more = {{"cwd", folder.path()}, {"env", {{"PS1", "$ "}}}};
  ASSERT_TRUE(Good(Open(first.get(), "main", {"bash", "--norc"}, more)));
  ASSERT_TRUE(Good(
      Open(first.get(), "editor", {"vim", "-u", "NONE", "-n", "file"}, more)));
  Keys(first.get(), "editor", "iunsaved text<Esc>");
  Keys(first.get(), "main", "echo seen<Enter>");
  ASSERT_TRUE(SeesOnScreen(first.get(), "main", "seen"));
  std::vector<std::string> editor = Screen(first.get(), "editor");
  // Prints once the first server is dead.
  Keys(first.get(), "main",
       "until [ -e go ]; do sleep 0.01; done; echo un''read<Enter>");
  ASSERT_TRUE(SeesOnScreen(first.get(), "main", "until"));
  Crash(first.get());
  folder.Write("go", "");

  std::unique_ptr<McpClient> second = Start();
  Reply list = second->Call("term_list");
  EXPECT_TRUE(Shows(list, "main"));
  EXPECT_TRUE(Shows(list, "editor"));
  EXPECT_EQ(Join(Screen(second.get(), "editor")), Join(editor));
  Reply reply = second->Call("term_wait", {{"session", "main"},
                                           {"until", {{"text", "unread"}}},
                                           {"timeout_s", 20}});
  EXPECT_TRUE(Shows(reply, "unread"));
  EXPECT_EQ(reply.body.find("seen"), std::string::npos)
      << "what the first client had read is shown again:\n"
      << reply.text;
  ASSERT_TRUE(SeesOnScreen(second.get(), "main", "seen"));

  // It is as alive as before.
  Keys(second.get(), "main", "echo $((6 * 7))<Enter>");
  EXPECT_TRUE(SeesOnScreen(second.get(), "main", "42"));
  Keys(second.get(), "editor", ":wq<Enter>");
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    return ReadWholeFile(folder.Join("file")) == "unsaved text\n";
  }));
}

TEST_F(Adoption, AProgramThatEndedInBetweenIsReportedWithItsStatus) {
  TempDir folder;
  std::unique_ptr<McpClient> first = Start();
  Open(first.get(), "job",
       {"sh", "-c", "until [ -e go ]; do sleep 0.01; done; echo done; exit 7"},
       {{"cwd", folder.path()}});
  Crash(first.get());
  std::string log = SessionDirectory(state_.path(), "job");
  folder.Write("go", "");
  ASSERT_TRUE(Eventually(
      Seconds(20), [&] { return !ReadWholeFile(log + "/exit").empty(); }));

  std::unique_ptr<McpClient> second = Start();
  EXPECT_TRUE(Shows(second->Call("term_list"), "exited=7"));
  Reply reply = second->Call("term_read", {{"session", "job"}});
  EXPECT_TRUE(Shows(reply, "done"));
}

TEST_F(Adoption, WithoutANewServerAllIsGoneAfterTheGraceTime) {
  std::unique_ptr<McpClient> first = Start("0.5");
  Open(first.get(), "main", {"bash", "--norc"});
  Open(first.get(), "daemon",
       {"bash", "-c", "setsid sleep 100 & trap '' HUP TERM; echo up; wait"},
       {{"until", {{"text", "up"}}}});
  EXPECT_EQ(LiveHolders(state_.path()).size(), 2u);
  Crash(first.get());
  EXPECT_TRUE(Eventually(Seconds(15), [&] {
    return ProcessesWith(first->mark()).empty() &&
           LiveHolders(state_.path()).empty();
  })) << Describe(ProcessesWith(first->mark()));
  EXPECT_TRUE(SocketsBelow(state_.path()).empty());
}

TEST_F(Adoption, ASessionOfALiveServerIsNotTakenOver) {
  std::unique_ptr<McpClient> first = Start();
  ASSERT_TRUE(Good(Open(first.get(), "main", {"bash", "--norc"})));
  std::unique_ptr<McpClient> second = Start();
  EXPECT_TRUE(Shows(second->Call("term_list"), "elsewhere"));
  // Both may have a `main`.
  EXPECT_TRUE(Good(Open(second.get(), "main", {"bash", "--norc"})));
  Keys(first.get(), "main", "echo fir''st<Enter>");
  EXPECT_TRUE(SeesOnScreen(first.get(), "main", "first"));
  EXPECT_EQ(Join(Screen(second.get(), "main")).find("first"),
            std::string::npos);
}

// A kept shell that has printed so many lines, all of which the client has
// read.
void PrintAndRead(McpClient* client, const std::string& name, int lines) {
  ASSERT_TRUE(Good(Open(client, name, {"bash", "--norc"}, {{"keep", true}})));
  Reply run = client->Call(
      "term_run",
      {{"session", name}, {"command", "seq 1 " + std::to_string(lines)}});
  for (int i = 0; i < 20 && !Shows(run, "exit=0"); ++i) {
    run = client->Call("term_wait",
                       {{"session", name}, {"until", {{"state", "prompt"}}}});
  }
  ASSERT_TRUE(Shows(run, "exit=0"));
  client->Call("term_read", {{"session", name}});
}

TEST_F(Adoption, TheFirstListIsOfSessionsWhoseLogsHaveBeenRead) {
  std::unique_ptr<McpClient> first = Start();
  for (const char* name : {"one", "two"}) {
    PrintAndRead(first.get(), name, 100'000);
  }
  Crash(first.get());

  std::unique_ptr<McpClient> second = Start();
  Reply list = second->Call("term_list");
  EXPECT_TRUE(Shows(list, "[one] prompt"));
  EXPECT_TRUE(Shows(list, "[two] prompt"));
  EXPECT_EQ(list.text.find("unread"), std::string::npos) << list.text;
  for (const char* name : {"one", "two"}) {
    Reply read = second->Call("term_read", {{"session", name}});
    EXPECT_EQ(read.body.find("99999"), std::string::npos) << read.text;
  }
  second->Call("term_close", {{"all", true}});
}

TEST_F(Adoption, ASecondCrashWhileTheLogIsReadLosesNoLine) {
  std::unique_ptr<McpClient> server = Start();
  PrintAndRead(server.get(), "main", 800'000);
  std::string log = SessionDirectory(state_.path(), "main");
  Crash(server.get());
  // One that is killed in the middle of the taking over. A machine that is busy
  // with other things may let the moment pass.
  bool met = false;
  for (int i = 0; i < 20 && !met; ++i) {
    server = Start();
    server->SendCall("term_list", Json::object());
    std::string adopting = log + "/adopting";
    met = Eventually(Seconds(0.5),
                     [&] { return access(adopting.c_str(), F_OK) == 0; });
    server->Signal(SIGSTOP);
    met = met && access(adopting.c_str(), F_OK) == 0;
    Crash(server.get());
  }
  ASSERT_TRUE(met) << "no server was ever in the middle of it";

  server = Start();
  Reply read = server->Call("term_read", {{"session", "main"},
                                          {"mode", "history"},
                                          {"from_line", 2},
                                          {"lines", 2}});
  EXPECT_EQ(read.body, "1\n2") << read.text;
  Reply search = server->Call(
      "term_search", {{"session", "main"}, {"regex", "^(1|400000|800000)$"}});
  EXPECT_TRUE(Shows(search, "400001: 400000")) << search.text;
  EXPECT_TRUE(Shows(search, "800001: 800000"));
  server->Call("term_close", {{"all", true}});
}

TEST_F(Adoption, AHolderThatWasKilledIsReportedAndItsLogStaysReadable) {
  std::unique_ptr<McpClient> client = Start();
  Open(client.get(), "main", {"sh", "-c", "echo last words; exec sleep 100"},
       {{"until", {{"text", "last words"}}}});
  // Its last words may be there before it is a sleep.
  pid_t holder = 0;
  ASSERT_TRUE(Eventually(Seconds(20), [&] {
    for (const ProcessRow& row : ProcessesWith(client->mark())) {
      if (row.command.rfind("sleep", 0) == 0) holder = row.parent;
    }
    return holder > 1;
  }));
  kill(holder, SIGKILL);
  ASSERT_TRUE(Eventually(Seconds(20), [&] {
    return client->Call("term_list").text.find("lost") != std::string::npos;
  })) << client->Call("term_list").text;
  EXPECT_TRUE(Shows(
      client->Call("term_read", {{"session", "main"}, {"mode", "history"}}),
      "last words"));
}

TEST_F(Adoption, EveryLineThatAKilledHolderHasLoggedIsShown) {
  std::unique_ptr<McpClient> client = Start();
  Open(client.get(), "main", {"seq", "1", "100000000"},
       {{"until", {{"text", "\n1000\n"}}}});
  pid_t holder = 0;
  for (const ProcessRow& row : ProcessesWith(client->mark())) {
    if (row.command.rfind("seq", 0) == 0) holder = row.parent;
  }
  ASSERT_GT(holder, 1);
  // As much as may come between two doorbells.
  ASSERT_TRUE(Eventually(Seconds(20), [this] {
    return RawLog(state_.path(), "main").size() > 1'000'000;
  }));
  kill(holder, SIGKILL);
  ASSERT_TRUE(Eventually(Seconds(60), [&] {
    return client->Call("term_list").text.find("lost") != std::string::npos;
  }));
  // The log may end within a line.
  std::string log = RawLog(state_.path(), "main");
  std::string last = Lines(log).back();
  Reply read = client->Call("term_read", {{"session", "main"},
                                          {"mode", "history"},
                                          {"from_line", -2},
                                          {"lines", 2}});
  ASSERT_FALSE(read.body.empty()) << read.text;
  EXPECT_EQ(Lines(read.body).back(), last.substr(0, last.find('\r')))
      << read.text;
}

}  // namespace
}  // namespace glasstty::testing
