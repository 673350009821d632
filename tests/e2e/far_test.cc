// Sessions on other machines: another home on this one stands for them, reached
// by a client that only starts what it is told; and sshd, where it is real.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

class Far : public ::testing::Test {
 protected:
  void SetUp() override { Start(); }

  void Start() {
    ServerOptions options;
    options.state_dir = state_.path();
    options.extra_environment = {"GLASSTTY_GRACE_S=60"};
    // What the one before has started goes with it.
    before_ = std::move(client_);
    client_ = std::make_unique<McpClient>(options);
  }

  // A client that waits while the file `blocked` exists.
  std::vector<std::string> Client() const {
    return {"env",
            "HOME=" + there_.path(),
            "sh",
            "-c",
            "while [ -e " + there_.Join("blocked") +
                " ]; do sleep 0.02; done; exec \"$@\"",
            "client"};
  }
  Reply OpenThere(const std::string& name, const std::vector<std::string>& argv,
                  Json more = Json::object()) {
    more["on"] = Client();
    return Open(client_.get(), name, argv, more);
  }
  Reply OpenShell(const std::string& name) {
    return OpenThere(name, {"bash", "--norc"}, {{"env", {{"PS1", "$ "}}}});
  }
  Reply Run(const std::string& name, const std::string& command,
            Json more = Json::object()) {
    more["session"] = name;
    more["command"] = command;
    return client_->Call("term_run", more);
  }

  // The processes at the other end of connections.
  std::vector<ProcessRow> FarEnds() const {
    std::vector<ProcessRow> found = ProcessesWith(there_.path());
    std::erase_if(found, [this](const ProcessRow& row) {
      return !row.command.starts_with(there_.path() + "/") ||
             row.command.find(" --far ") == std::string::npos;
    });
    return found;
  }
  // Kills what keeps the connection on this side. False when nothing does.
  bool KillNearRelay() {
    for (const ProcessRow& row : ProcessesWith(state_.path())) {
      if (row.command.find("glasstty-holder ") == std::string::npos) continue;
      std::string fds = "/proc/" + std::to_string(row.pid) + "/fd";
      CommandResult held =
          RunCommand({"find", fds, "-lname", state_.path() + "/places/*/lock"});
      if (held.output.empty()) continue;
      return kill(row.pid, SIGKILL) == 0;
    }
    return false;
  }
  // Cuts the connection; false when there is none.
  bool Cut() {
    std::vector<ProcessRow> ends = FarEnds();
    for (const ProcessRow& end : ends) kill(end.pid, SIGKILL);
    return !ends.empty();
  }

  TempDir state_;
  TempDir there_;
  std::unique_ptr<McpClient> before_;
  std::unique_ptr<McpClient> client_;
};

TEST_F(Far, ASessionIsAsAtHome) {
  Reply opened = OpenShell("db");
  ASSERT_TRUE(Good(opened));
  EXPECT_TRUE(Shows(opened, "[db] prompt "));
  Reply run = Run("db", "cd /; printf 'a\\tb \\n'; echo $HOME; false");
  EXPECT_TRUE(Shows(run, "[db] prompt exit=1"));
  EXPECT_EQ(run.body, "a\tb \n" + there_.path());
  Reply list = client_->Call("term_list");
  EXPECT_TRUE(Shows(list, " on env HOME="));
  EXPECT_TRUE(Good(client_->Call("term_close", {{"session", "db"}})));
}

TEST_F(Far, TheStateComesFromTheKernelThere) {
  ASSERT_TRUE(Good(OpenThere(
      "ask",
      {"bash", "-c", "read -sp 'Password: ' p; echo; cat; exit ${#p}"})));
  Reply asked = client_->Call(
      "term_wait", {{"session", "ask"}, {"until", {{"state", "secret"}}}});
  EXPECT_TRUE(Shows(asked, "[ask] secret "));
  Reply typed = client_->Call("term_send", {{"session", "ask"},
                                            {"input", {{{"text", "four\n"}}}},
                                            {"until", {{"state", "input"}}}});
  EXPECT_TRUE(Shows(typed, "[ask] input "));
  Keys(client_.get(), "ask", "<C-d>");
  Reply ended = client_->Call(
      "term_wait", {{"session", "ask"}, {"until", {{"state", "exited"}}}});
  EXPECT_TRUE(Shows(ended, "[ask] exited=4"));
}

TEST_F(Far, ACommandFindsItsWayAlone) {
  auto run = [this](Json more) {
    more["on"] = Client();
    return client_->Call("term_run", more);
  };
  Reply first = run({{"command", "kept=$HOME; cd /"}});
  EXPECT_TRUE(Shows(first, "[env] prompt exit=0"));
  EXPECT_EQ(run({{"command", "echo $kept"}}).body, there_.path());
  Reply alone = run({{"argv", {"sh", "-c", "echo $HOME; exit 3"}}});
  EXPECT_TRUE(Shows(alone, "exited=3"));
  EXPECT_TRUE(Shows(alone, there_.path()));
  Reply fresh = run({{"command", "echo ~"}, {"fresh", true}});
  EXPECT_TRUE(Shows(fresh, there_.path()));
  // A session elsewhere is not taken for one there.
  ASSERT_TRUE(Good(Open(client_.get(), "main", {"bash", "--norc"})));
  Reply wrong = run({{"command", "true"}, {"session", "main"}});
  EXPECT_TRUE(Shows(wrong, "session 'main' does not run on env HOME="));
}

TEST_F(Far, AllSessionsOfAPlaceShareAConnection) {
  ASSERT_TRUE(Good(OpenShell("one")));
  ASSERT_TRUE(Good(OpenShell("two")));
  EXPECT_EQ(FarEnds().size(), 1u) << Describe(FarEnds());
  EXPECT_TRUE(Shows(Run("one", "echo first"), "first"));
  EXPECT_TRUE(Shows(Run("two", "echo second"), "second"));
}

TEST_F(Far, NothingIsLostWhenTheConnectionBreaks) {
  ASSERT_TRUE(Good(OpenShell("db")));
  Run("db", "stty -onlcr");
  constexpr int kLines = 3'000'000;
  int call = client_->SendCall(
      "term_run", {{"session", "db"},
                   {"command", "seq " + std::to_string(kLines) + "; exit 9"},
                   {"max_lines", 3},
                   {"timeout_s", 45}});
  int cuts = 0;
  for (uint64_t before = 0; cuts < 5;) {
    // In the middle of it, each time further on.
    bool moved = Eventually(Seconds(20), [&] {
      return RawLog(state_.path(), "db").size() > before + 300'000;
    });
    ASSERT_TRUE(moved) << cuts;
    before = RawLog(state_.path(), "db").size();
    if (Cut()) ++cuts;
  }
  Reply reply = client_->Await(call);
  EXPECT_TRUE(Shows(reply, "exited=9"));
  std::string all = RawLog(state_.path(), "db");
  size_t at = all.find("1\n2\n3\n4\n5\n6\n");
  ASSERT_NE(at, std::string::npos);
  for (int i = 1; i <= kLines; ++i) {
    std::string line = std::to_string(i) + "\n";
    ASSERT_EQ(all.compare(at, line.size(), line), 0) << i;
    at += line.size();
  }
}

TEST_F(Far, NothingIsTypedWithoutAConnection) {
  ASSERT_TRUE(Good(OpenShell("db")));
  there_.Write("blocked", "");
  Keys(client_.get(), "db",
       "until [ -e " + there_.Join("go") +
           " ]; do sleep 0.01; done; "
           "echo meanwh''ile<Enter>");
  ASSERT_TRUE(Cut());
  ASSERT_TRUE(Eventually(Seconds(20), [this] {
    return client_->Call("term_list").text.find("away") != std::string::npos;
  }));
  Reply refused = Keys(client_.get(), "db", "echo torn<Enter>");
  EXPECT_TRUE(refused.is_error);
  EXPECT_TRUE(
      Shows(refused, "there is no connection to the program's machine"));
  EXPECT_TRUE(Shows(client_->Call("term_read", {{"session", "db"}}),
                    "the program goes on there"));
  // It prints while nobody hears it.
  there_.Write("go", "");
  unlink(there_.Join("blocked").c_str());
  Reply back = client_->Call("term_wait", {{"session", "db"},
                                           {"until", {{"text", "meanwhile"}}},
                                           {"timeout_s", 20}});
  EXPECT_TRUE(Shows(back, "meanwhile"));
  EXPECT_TRUE(Shows(Run("db", "echo again"), "again"));
  EXPECT_EQ(RawLog(state_.path(), "db").find("torn"), std::string::npos);
}

TEST_F(Far, NothingIsLostWhenWhatKeepsTheConnectionDies) {
  ASSERT_TRUE(Good(OpenShell("db")));
  ASSERT_TRUE(Good(OpenThere("quiet", {"cat"})));
  Run("db", "stty -onlcr");
  constexpr int kLines = 1'000'000;
  int call = client_->SendCall(
      "term_run", {{"session", "db"},
                   {"command", "seq " + std::to_string(kLines) + "; (exit 9)"},
                   {"max_lines", 3},
                   {"timeout_s", 45}});
  int deaths = 0;
  for (uint64_t before = 0; deaths < 3;) {
    bool moved = Eventually(Seconds(20), [&] {
      return RawLog(state_.path(), "db").size() > before + 300'000;
    });
    ASSERT_TRUE(moved) << deaths;
    before = RawLog(state_.path(), "db").size();
    if (KillNearRelay()) ++deaths;
  }
  EXPECT_TRUE(Shows(client_->Await(call), "[db] prompt exit=9"));
  std::string all = RawLog(state_.path(), "db");
  size_t at = all.find("1\n2\n3\n4\n5\n6\n");
  ASSERT_NE(at, std::string::npos);
  for (int i = 1; i <= kLines; ++i) {
    std::string line = std::to_string(i) + "\n";
    ASSERT_EQ(all.compare(at, line.size(), line), 0) << i;
    at += line.size();
  }
  Reply echoed = client_->Call("term_send", {{"session", "quiet"},
                                             {"input", "still here\n"},
                                             {"until", {{"quiet_s", 0.2}}}});
  EXPECT_TRUE(Shows(echoed, "still here"));
  EXPECT_EQ(FarEnds().size(), 1u) << Describe(FarEnds());
}

TEST_F(Far, TheNextServerGoesOnWhereNothingElseIsLeft) {
  ASSERT_TRUE(Good(OpenShell("db")));
  Run("db", "kept=there");
  client_->Signal(SIGKILL);
  ASSERT_TRUE(client_->WaitForExit(Seconds(10)));
  ASSERT_TRUE(KillNearRelay());
  Start();
  EXPECT_TRUE(Shows(Run("db", "echo still $kept"), "still there"));
}

TEST_F(Far, APlaceThatIsOutOfReachHoldsUpNoServer) {
  ASSERT_TRUE(Good(OpenShell("db")));
  Run("db", "echo be''fore");
  there_.Write("blocked", "");
  client_->Signal(SIGKILL);
  ASSERT_TRUE(client_->WaitForExit(Seconds(10)));
  ASSERT_TRUE(KillNearRelay());
  Start();
  Reply read =
      client_->Call("term_read", {{"session", "db"}, {"mode", "history"}});
  EXPECT_TRUE(Shows(read, "before"));
  EXPECT_TRUE(Shows(read, "the program goes on there"));
  Reply typed = Keys(client_.get(), "db", "x");
  EXPECT_TRUE(typed.is_error) << typed.text;
  unlink(there_.Join("blocked").c_str());
  EXPECT_TRUE(
      Shows(client_->Call("term_wait", {{"session", "db"},
                                        {"until", {{"state", "prompt"}}},
                                        {"timeout_s", 20}}),
            "[db] prompt"));
  EXPECT_TRUE(Shows(Run("db", "echo again"), "again"));
}

TEST_F(Far, TheNextServerGoesOn) {
  ASSERT_TRUE(Good(OpenShell("db")));
  Run("db", "kept=there");
  client_->Signal(SIGKILL);
  ASSERT_TRUE(client_->WaitForExit(Seconds(10)));
  Start();
  EXPECT_TRUE(Shows(Run("db", "echo still $kept"), "still there"));
  // And knows the way for more.
  ASSERT_TRUE(Good(OpenShell("two")));
  EXPECT_TRUE(Shows(Run("two", "echo new"), "new"));
  EXPECT_EQ(FarEnds().size(), 1u) << Describe(FarEnds());
}

TEST_F(Far, WhatHasEndedLeavesNothingThere) {
  ASSERT_TRUE(Good(OpenThere("it", {"sh", "-c", "echo done"},
                             {{"until", {{"state", "exited"}}}})));
  std::string sessions = there_.Join(".cache/glasstty/sessions");
  EXPECT_TRUE(Eventually(Seconds(10), [&] {
    return RunCommand({"find", sessions, "-mindepth", "1", "-type", "d"})
        .output.empty();
  }));
  EXPECT_TRUE(Shows(
      client_->Call("term_read", {{"session", "it"}, {"mode", "history"}}),
      "done"));
}

TEST_F(Far, NothingStaysWhenTheClientHasGone) {
  ASSERT_TRUE(Good(OpenShell("db")));
  ASSERT_TRUE(Good(OpenThere("deaf", {"sh", "-c", "trap '' HUP; sleep 1000"})));
  client_->CloseStdin();
  ASSERT_TRUE(client_->WaitForExit(Seconds(20)));
  EXPECT_TRUE(Eventually(Seconds(20), [this] {
    return ProcessesWith(there_.path()).empty();
  })) << Describe(ProcessesWith(there_.path()));
}

TEST_F(Far, TheNextClientReachesAPlaceThatIsJustBeingLeft) {
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(Good(OpenThere("it", {"cat"}))) << i;
    client_->CloseStdin();
    ASSERT_TRUE(client_->WaitForExit(Seconds(20)));
    Start();
  }
}

TEST_F(Far, ValuesOfTheEnvironmentAreNotTypedAndStayNowhere) {
  ASSERT_TRUE(Good(OpenShell("db")));
  Reply run =
      Run("db", "echo ${#TOKEN}", {{"env", {{"TOKEN", "tango-9-rivet"}}}});
  EXPECT_TRUE(Shows(run, "13"));
  EXPECT_EQ(FilesWith(state_.path(), "tango-9-rivet"),
            std::vector<std::string>());
  EXPECT_EQ(FilesWith(there_.path(), "tango-9-rivet"),
            std::vector<std::string>());
}

TEST_F(Far, ACommandThatCannotBeTypedArrivesWhole) {
  ASSERT_TRUE(Good(OpenShell("db")));
  Reply run = Run("db", "printf '%s' 'a\x01\x02z' | od -An -tx1");
  EXPECT_TRUE(Shows(run, "61 01 02 7a"));
  std::string text(20'000, 'x');
  EXPECT_TRUE(
      Shows(Run("db", "printf '\x01%s' " + text + " | wc -c"), "20001"));
}

// Whose home is not there, and whose shell lets nobody in.
TEST_F(Far, AnotherUserIsAPlace) {
  if (geteuid() != 0) GTEST_SKIP() << "sudo would ask for a password";
  Reply run = client_->Call(
      "term_run", {{"on", "sudo:nobody"}, {"command", "id -un; pwd"}});
  EXPECT_TRUE(Shows(run, "[nobody] prompt exit=0"));
  EXPECT_EQ(run.body, "nobody\n/");
}

TEST_F(Far, WhatCannotBeReachedIsSaidInTheClientsWords) {
  const struct {
    Json on;
    const char* words;
  } kRows[] = {
      {"db", "write ssh:[USER@]HOST[:PORT], sudo:USER"},
      {"ssh:-oProxyCommand=x", "write ssh:[USER@]HOST[:PORT]"},
      {Json::array(), "cannot be empty"},
      {{"/no/such/client"}, "/no/such/client: No such file or directory"},
      {{"sh", "-c", "echo no such pod >&2; exit 3", "x"},
       "ended with 3 before our program ran there: no such pod"},
      {{"sh", "-c", "kill -9 $$"}, "was ended by signal 9"},
      {{"sh", "-c",
        "uname() { echo Darwin arm64; }; eval \"$(printf '%s' \"$3\")\"", "x"},
       "Linux on x86_64 or aarch64 is needed there, it is Darwin arm64"},
  };
  for (const auto& row : kRows) {
    Reply reply = Open(client_.get(), "x", {"cat"}, {{"on", row.on}});
    EXPECT_TRUE(reply.is_error) << row.on;
    EXPECT_TRUE(Shows(reply, row.words)) << row.on;
  }
  EXPECT_TRUE(Good(Open(client_.get(), "here", {"cat"})));
}

TEST_F(Far, TheClientMayAskFirst) {
  Json on = {"env",
             "HOME=" + there_.path(),
             "bash",
             "-c",
             "read -sp 'Password: ' p </dev/tty; echo >/dev/tty; "
             "[ ${#p} = 7 ] || exit 5; exec \"$@\"",
             "gate"};
  auto open = [&] {
    return Open(client_.get(), "db", {"bash", "--norc"}, {{"on", on}});
  };
  Reply asked = open();
  EXPECT_TRUE(asked.is_error);
  EXPECT_TRUE(Shows(asked, "asks in session '@env': \"Password:\""));
  Keys(client_.get(), "@env", "wrong<Enter>");
  Reply refused = open();
  EXPECT_TRUE(refused.is_error);
  // It has failed, and is tried anew by the call after that.
  while (refused.text.find("asks in session") == std::string::npos) {
    ASSERT_TRUE(Shows(refused, "ended with 5"));
    refused = open();
  }
  Keys(client_.get(), "@env", "zq7wx9k<Enter>");
  EXPECT_TRUE(Good(open()));
  EXPECT_EQ(FilesWith(state_.path(), "zq7wx9k"), std::vector<std::string>());
}

// ---- sshd, as an ordinary user may run it

class FarSsh : public ::testing::Test {
 protected:
  // A port that is free now.
  static int FreePort() {
    UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
  }

  void SetUp() override {
    std::string port = std::to_string(FreePort());
    const std::string& d = home_.path();
    RunCommand(
        {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", d + "/hostkey"});
    RunCommand({"ssh-keygen", "-q", "-t", "ed25519", "-N", kPassphrase, "-f",
                d + "/key"});
    home_.Write("sshd_config",
                "Port " + port + "\nListenAddress 127.0.0.1\nHostKey " + d +
                    "/hostkey\nAuthorizedKeysFile " + d + "/key.pub\nPidFile " +
                    d +
                    "/pid\nPasswordAuthentication no\nStrictModes no\n"
                    "UsePAM no\n");
    home_.Write("config",
                "Host db\n HostName 127.0.0.1\n Port " + port +
                    "\n IdentityFile " + d +
                    "/key\n IdentitiesOnly yes\n UserKnownHostsFile " + d +
                    "/known\n GlobalKnownHostsFile /dev/null\n");
    std::string client = home_.Write(
        "bin-ssh", "#!/bin/sh\nexec /usr/bin/ssh -F " + d + "/config \"$@\"\n");
    ASSERT_EQ(mkdir(home_.Join("bin").c_str(), 0700), 0);
    ASSERT_EQ(rename(client.c_str(), home_.Join("bin/ssh").c_str()), 0);
    ASSERT_EQ(chmod(home_.Join("bin/ssh").c_str(), 0700), 0);
    // Of root's, it insists on this one.
    if (geteuid() == 0) mkdir("/run/sshd", 0755);
    CommandResult started = RunCommand(
        {"/usr/sbin/sshd", "-f", d + "/sshd_config", "-E", d + "/log"});
    ASSERT_EQ(started.status, 0) << started.output;
    ASSERT_TRUE(Eventually(Seconds(10), [this] {
      return !ReadWholeFile(home_.Join("pid")).empty();
    }));
    ServerOptions options;
    options.state_dir = state_.path();
    options.extra_environment = {
        "PATH=" + home_.Join("bin") + ":" + getenv("PATH"),
        std::string("PHRASE=") + kPassphrase,
        // Not into the home of who runs the test.
        "GLASSTTY_FAR_DIR=" + there_.path()};
    client_ = std::make_unique<McpClient>(options);
  }
  void TearDown() override {
    client_.reset();
    std::string pid = ReadWholeFile(home_.Join("pid"));
    if (!pid.empty()) kill(std::stoi(pid), SIGTERM);
  }
  Reply OpenThere() { return client_->Call("term_open", {{"on", "ssh:db"}}); }

  static constexpr char kPassphrase[] = "tango-7-rivet-91";
  TempDir home_;
  TempDir state_;
  TempDir there_;
  std::unique_ptr<McpClient> client_;
};

TEST_F(FarSsh, AsksForTheHostAndThePassphraseWhichStayNowhere) {
  EXPECT_TRUE(Shows(OpenThere(), "Are you sure you want to continue"));
  Json wait = {{"regex", "passphrase.*:"}};
  EXPECT_TRUE(Good(client_->Call(
      "term_send", {{"session", "@db"}, {"input", "yes\n"}, {"until", wait}})));
  EXPECT_TRUE(Shows(OpenThere(), "Enter passphrase for key"));
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(Good(client_->Call(
        "term_send",
        {{"session", "@db"}, {"input", "wrong\n"}, {"until", wait}})));
  }
  EXPECT_TRUE(Good(client_->Call(
      "term_send",
      {{"session", "@db"}, {"input", {{{"secret_env", "PHRASE"}}}}})));
  Reply opened = OpenThere();
  ASSERT_TRUE(Good(opened));
  EXPECT_TRUE(Shows(opened, "[db] "));
  Reply run = client_->Call(
      "term_run",
      {{"session", "db"}, {"command", "echo ${SSH_CONNECTION%% *}"}});
  EXPECT_TRUE(Shows(run, "127.0.0.1"));
  for (const std::string& folder : {state_.path(), there_.path()}) {
    EXPECT_EQ(FilesWith(folder, kPassphrase), std::vector<std::string>());
  }
}

}  // namespace
}  // namespace glasstty::testing
