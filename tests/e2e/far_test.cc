// Tests sessions on other machines: another home on this one stands for them.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "e2e/far_world.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

class Far : public FarWorld {
 protected:
  // Lets `PrintsInParts` print this part, and waits for its beginning.
  bool AwaitPart(int part) {
    size_t before = RawLog(state_.path(), "db").size();
    there_.Write("go" + std::to_string(part), "");
    return Eventually(Seconds(30), [&] {
      return RawLog(state_.path(), "db").size() > before + 300'000;
    });
  }
  // A shell over there may be told to be busy until the connection is back.
  void AwaitPrompt() {
    EXPECT_TRUE(
        Good(client_->Call("term_wait", {{"session", "db"},
                                         {"until", {{"state", "prompt"}}},
                                         {"timeout_s", 30}})));
  }
};

TEST_F(Far, ASessionIsAsAtHome) {
  Reply opened = OpenShell("db");
  ASSERT_TRUE(Good(opened));
  EXPECT_TRUE(Shows(opened, "[db] prompt "));
  Reply run = Run("db", "cd /; printf 'a\\tb \\n'; echo $HOME; false");
  EXPECT_TRUE(Shows(run, "[db] prompt exit=1"));
  EXPECT_EQ(run.body, "a\tb \n" + there_.path());
  Reply list = client_->Call("term_list");
  EXPECT_TRUE(Shows(list, " on \"env HOME="));
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
  // A session here must not be taken for one there.
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

// A command that prints `parts` * `lines` numbers, each part once the file `go`
// with its number is there. So each cut finds something on its way, however
// fast the machine is.
std::string PrintsInParts(const std::string& go, int parts, int lines) {
  std::string n = std::to_string(lines);
  return "for i in $(seq 0 " + std::to_string(parts - 1) + "); do until [ -e " +
         go + "$i ]; do sleep 0.01; done; seq $((i * " + n + " + 1)) $((i * " +
         n + " + " + n + ")); done";
}

TEST_F(Far, NothingIsLostWhenTheConnectionBreaks) {
  ASSERT_TRUE(Good(OpenShell("db")));
  Run("db", "stty -onlcr");
  constexpr int kParts = 6;
  const int kLines = Rounds(100'000, 500'000) * kParts;
  int call = client_->SendCall(
      "term_run",
      {{"session", "db"},
       {"command",
        PrintsInParts(there_.Join("go"), kParts, kLines / kParts) + "; exit 9"},
       {"max_lines", 3},
       {"timeout_s", 45}});
  for (int part = 0; part < kParts - 1; ++part) {
    ASSERT_TRUE(AwaitPart(part));
    EXPECT_TRUE(Cut()) << part;
  }
  there_.Write("go" + std::to_string(kParts - 1), "");
  Reply reply = client_->Await(call);
  // Under a sanitizer it takes longer than one call may wait.
  for (int i = 0; i < 5 && reply.text.find("timeout") != std::string::npos;
       ++i) {
    reply = client_->Call("term_wait", {{"session", "db"},
                                        {"until", {{"state", "exited"}}},
                                        {"timeout_s", 45}});
  }
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

// A client that were closed at each call would never be connected.
TEST_F(Far, ClosingAllAgainAndAgainAfterABreakEndsWhatRunsThere) {
  ASSERT_TRUE(Good(OpenShell("db")));
  ASSERT_TRUE(Cut());
  EXPECT_TRUE(Eventually(Seconds(20), [this] {
    client_->Call("term_close", {{"all", true}, {"force", true}});
    return LiveHolders(there_.Join(".cache/glasstty/sessions")).empty();
  }));
  Reply closed = client_->Call("term_close", {{"all", true}, {"force", true}});
  EXPECT_TRUE(Shows(closed, "closed; none of its processes is left"));
  EXPECT_EQ(closed.text.find("not closed yet"), std::string::npos);
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
  EXPECT_EQ(refused.text.find("timeout"), std::string::npos) << refused.text;
  EXPECT_TRUE(Shows(Run("db", "echo torn"), "nothing was typed"));
  Reply unsent =
      client_->Call("term_close", {{"session", "db"}, {"signal", "INT"}});
  EXPECT_TRUE(unsent.is_error);
  EXPECT_TRUE(Shows(unsent, "not sent: away "));
  EXPECT_TRUE(Shows(client_->Call("term_read", {{"session", "db"}}),
                    "the program keeps running there"));
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

TEST_F(Far, TheNextReplyAfterABreakSaysWhatWasMissedOnce) {
  ASSERT_TRUE(Good(OpenShell("db")));
  there_.Write("blocked", "");
  Keys(client_.get(), "db",
       "until [ -e " + there_.Join("go") +
           " ]; do sleep 0.01; done; seq 1000; echo e''nd<Enter>");
  ASSERT_TRUE(Cut());
  there_.Write("go", "");
  ASSERT_TRUE(Eventually(Seconds(20), [this] {
    return client_->Call("term_list")
               .text.find("(its client runs in session '@env')") !=
           std::string::npos;
  }));
  // This exceeds the time below which a break is not reported.
  ASSERT_TRUE(Good(Open(client_.get(), "here", {"sleep", "1.5"})));
  ASSERT_TRUE(Good(client_->Call(
      "term_wait", {{"session", "here"}, {"until", {{"state", "exited"}}}})));
  unlink(there_.Join("blocked").c_str());
  Reply back = client_->Call(
      "term_wait",
      {{"session", "db"}, {"until", {{"text", "end"}}}, {"timeout_s", 20}});
  EXPECT_TRUE(Shows(back, "back after "));
  // seq prints this, with CR LF; only the marks of a prompt come in addition.
  size_t at = back.text.find(" s; ");
  ASSERT_NE(at, std::string::npos);
  EXPECT_TRUE(Shows(back, " bytes were printed in the meantime"));
  EXPECT_NEAR(std::atoi(back.text.c_str() + at + 4), 4893 + 200, 200);
  EXPECT_EQ(Run("db", "echo again").text.find("back after"), std::string::npos);
}

TEST_F(Far, WhatAProgramPrintedAtItsEndWeeksAgoArrives) {
  ASSERT_TRUE(Good(OpenShell("db")));
  there_.Write("blocked", "");
  Keys(client_.get(), "db",
       "until [ -e " + there_.Join("go") +
           " ]; do sleep 0.01; done; echo la''st; exit 3<Enter>");
  ASSERT_TRUE(Cut());
  const std::string sessions = there_.Join(".cache/glasstty/sessions");
  there_.Write("go", "");
  ASSERT_TRUE(Eventually(
      Seconds(20), [&sessions] { return LiveHolders(sessions).empty(); }));
  CommandResult aged =
      RunCommand({"find", sessions, "-maxdepth", "1", "-type", "d", "-exec",
                  "touch", "-d", "15 days ago", "{}", "+"});
  ASSERT_EQ(aged.status, 0) << aged.output;
  unlink(there_.Join("blocked").c_str());
  Reply reply = client_->Call(
      "term_wait",
      {{"session", "db"}, {"until", {{"state", "exited"}}}, {"timeout_s", 20}});
  EXPECT_TRUE(Shows(reply, "exited=3"));
  EXPECT_TRUE(Shows(reply, "last"));
}

TEST_F(Far, OfALostProgramTheReasonIsSaid) {
  ASSERT_TRUE(Good(OpenShell("one")));
  ASSERT_TRUE(Good(OpenShell("two")));
  auto kill_holder = [this](const std::string& name) {
    kill(std::stoi(Run(name, "echo $PPID").body), SIGKILL);
  };
  auto ended = [this](const std::string& name) {
    return client_->Call("term_wait", {{"session", name},
                                       {"until", {{"state", "exited"}}},
                                       {"timeout_s", 20}});
  };
  kill_holder("one");
  EXPECT_TRUE(Shows(ended("one"), "exited (its holder was killed there"));
  // The container was stopped and started again.
  there_.Write("blocked", "");
  kill_holder("two");
  ASSERT_TRUE(Cut());
  RunCommand({"rm", "-rf", there_.Join(".cache/glasstty/sessions")});
  unlink(there_.Join("blocked").c_str());
  Reply gone = ended("two");
  EXPECT_TRUE(
      gone.text.find("nothing of it is there any more") != std::string::npos ||
      gone.text.find("its holder was killed there") != std::string::npos)
      << gone.text;
}

TEST_F(Far, WhatABrokenConnectionSwallowsIsSaidHoweverLate) {
  ASSERT_TRUE(Good(OpenShell("db")));
  ASSERT_TRUE(Good(Open(client_.get(), "here", {"cat"})));
  // It was sent while the other end reads nothing, and counts as typed ahead.
  auto swallow = [this](const std::string& tool, Json arguments) {
    arguments["session"] = "db";
    for (const ProcessRow& end : FarEnds()) kill(end.pid, SIGSTOP);
    int call = client_->SendCall(tool, arguments);
    client_->Call("term_wait",
                  {{"session", "here"}, {"until", {{"quiet_s", 1.5}}}});
    EXPECT_TRUE(Cut());
    return client_->Await(call);
  };
  Reply sent = swallow("term_send", {{"input", "echo torn\n"}});
  EXPECT_TRUE(sent.is_error);
  EXPECT_TRUE(Shows(sent, "not typed: there is no connection"));
  // At a prompt that is known to be empty, nothing is waited for.
  EXPECT_TRUE(Shows(Run("db", "echo wh''ole"), "whole"));
  AwaitPrompt();
  Reply run = swallow("term_run", {{"command", "echo torn"}});
  EXPECT_TRUE(run.is_error);
  EXPECT_TRUE(Shows(run, "term_run: the command was not typed"));
  AwaitPrompt();
  EXPECT_TRUE(Shows(Run("db", "echo wh''ole"), "whole"));
  EXPECT_EQ(RawLog(state_.path(), "db").find("torn"), std::string::npos);
}

TEST_F(Far, NothingIsLostWhenWhatKeepsTheConnectionDies) {
  ASSERT_TRUE(Good(OpenShell("db")));
  // This is more than a relay sends on without hearing that it was read.
  ASSERT_TRUE(Good(OpenThere("quiet", {"sh", "-c", "seq 600000; exec cat"},
                             {{"until", {{"text", "600000"}}}})));
  Run("db", "stty -onlcr");
  constexpr int kParts = 4;
  const int kLines = Rounds(100'000, 250'000) * kParts;
  int call = client_->SendCall(
      "term_run",
      {{"session", "db"},
       {"command", PrintsInParts(there_.Join("go"), kParts, kLines / kParts) +
                       "; (exit 9)"},
       {"max_lines", 3},
       {"timeout_s", 45}});
  for (int part = 0; part < kParts - 1; ++part) {
    ASSERT_TRUE(AwaitPart(part));
    ASSERT_TRUE(KillNearRelay());
  }
  there_.Write("go" + std::to_string(kParts - 1), "");
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

TEST_F(Far, AClientWhoseSessionDiesIsStartedAgain) {
  ASSERT_TRUE(Good(OpenShell("db")));
  Run("db", "kept=there");
  ASSERT_TRUE(KillClientSession());
  EXPECT_TRUE(Eventually(Seconds(20), [this] {
    return Run("db", "echo still $kept").body == "still there";
  }));
  // It keeps its earlier name.
  EXPECT_TRUE(Shows(client_->Call("term_list"), "[@env] "));
  // This also works for a server that has only found the session.
  client_->Signal(SIGKILL);
  ASSERT_TRUE(client_->WaitForExit(Seconds(10)));
  Start();
  EXPECT_TRUE(Shows(Run("db", "echo still $kept"), "still there"));
  ASSERT_TRUE(KillClientSession());
  EXPECT_TRUE(Eventually(Seconds(20), [this] {
    return Run("db", "echo still $kept").body == "still there";
  }));
}

TEST_F(Far, TheNextServerGoesOnWhereNotEvenTheClientIsLeft) {
  ASSERT_TRUE(Good(OpenShell("db")));
  Run("db", "kept=there");
  client_->Signal(SIGKILL);
  ASSERT_TRUE(client_->WaitForExit(Seconds(10)));
  ASSERT_TRUE(KillNearRelay());
  ASSERT_TRUE(EndClientSession());
  Start();
  EXPECT_TRUE(Eventually(Seconds(20), [this] {
    return Run("db", "echo still $kept").body == "still there";
  }));
}

TEST_F(Far, AClientThatWasClosedStaysClosedUntilItIsNeeded) {
  ASSERT_TRUE(Good(OpenShell("db")));
  ASSERT_TRUE(Good(Open(client_.get(), "here", {"cat"})));
  ASSERT_TRUE(Good(client_->Call("term_close", {{"session", "@env"}})));
  client_->Call("term_wait",
                {{"session", "here"}, {"until", {{"quiet_s", 0.5}}}});
  EXPECT_TRUE(Run("db", "echo no").is_error);
  ASSERT_TRUE(Good(OpenShell("two")));
  EXPECT_TRUE(Shows(Run("two", "echo yes"), "yes"));
  EXPECT_TRUE(Eventually(
      Seconds(20), [this] { return Run("db", "echo again").body == "again"; }));
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
  EXPECT_TRUE(Shows(read, "the program keeps running there"));
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
  // It also names the way for more.
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
  for (int i = 0; i < Rounds(2, 5); ++i) {
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

TEST_F(Far, ValuesThatNoShellHasReadAreDeletedByTheNextServer) {
  ASSERT_TRUE(Good(OpenShell("db")));
  Reply run = Run("db", "echo '", {{"env", {{"TOKEN", "tango-9-rivet"}}}});
  EXPECT_TRUE(Shows(run, "the shell wants the rest"));
  ASSERT_EQ(FilesWith(there_.path(), "tango-9-rivet").size(), 1u);
  client_->Signal(SIGKILL);
  ASSERT_TRUE(client_->WaitForExit(Seconds(10)));
  Start();
  EXPECT_TRUE(Shows(client_->Call("term_list"), "[db] "));
  EXPECT_TRUE(Eventually(Seconds(10), [this] {
    return FilesWith(there_.path(), "tango-9-rivet").empty();
  }));
}

TEST_F(Far, DirectoriesAreThoseOverThere) {
  ASSERT_TRUE(Good(OpenShell("db")));
  EXPECT_TRUE(Shows(Run("db", "mkdir -p ~/a; cd ~/a"),
                    "[db] prompt exit=0 " + there_.Join("a")));
  EXPECT_TRUE(
      Shows(client_->Call("term_list"), " " + there_.Join("a on \"env ")));
  Reply opened = OpenThere("in", {"sh", "-c", "pwd"},
                           {{"cwd", "~/a"}, {"until", {{"state", "exited"}}}});
  EXPECT_TRUE(Shows(opened, there_.Join("a")));
  EXPECT_TRUE(Shows(Run("db", "pwd", {{"cwd", "~"}}), there_.path()));
}

TEST_F(Far, TheSessionOfAClientTakesNoRoom) {
  ServerOptions options;
  options.extra_environment = {"GLASSTTY_MAX_SESSIONS=1"};
  client_ = std::make_unique<McpClient>(options);
  EXPECT_TRUE(Good(OpenShell("one")));
  Reply refused = OpenShell("two");
  EXPECT_TRUE(Shows(refused, "1 sessions are open, which is the limit"));
  EXPECT_TRUE(Shows(refused, "term_close one of: one"));
}

TEST_F(Far, ACommandThatCannotBeTypedArrivesWhole) {
  ASSERT_TRUE(Good(OpenShell("db")));
  Reply run = Run("db", "printf '%s' 'a\x01\x02z' | od -An -tx1");
  EXPECT_TRUE(Shows(run, "61 01 02 7a"));
  std::string text(20'000, 'x');
  EXPECT_TRUE(
      Shows(Run("db", "printf '\x01%s' " + text + " | wc -c"), "20001"));
}

// His home does not exist, and his shell lets nobody in.
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
       "ended with 3 before our program ran there: \"no such pod\""},
      {{"sh", "-c", "kill -9 $$"}, "was ended by signal 9"},
      {{"sh", "-c",
        "uname() { echo Darwin arm64; }; eval \"$(printf '%s' \"$3\")\"", "x"},
       "Linux on x86_64 or aarch64 is needed there, it is \"Darwin arm64\""},
  };
  for (const auto& row : kRows) {
    Reply reply = Open(client_.get(), "x", {"cat"}, {{"on", row.on}});
    EXPECT_TRUE(reply.is_error) << row.on;
    EXPECT_TRUE(Shows(reply, row.words)) << row.on;
  }
  EXPECT_TRUE(Good(Open(client_.get(), "here", {"cat"})));
}

TEST_F(Far, TheClientMayAskFirst) {
  const std::string script =
      "read -sp 'Password: ' p </dev/tty; echo >/dev/tty; "
      "[ ${#p} = 7 ] || exit 5; exec \"$@\"";
  Json on = {"env", "HOME=" + there_.path(), "bash", "-c", script, "gate"};
  auto open = [&] {
    return Open(client_.get(), "db", {"bash", "--norc"}, {{"on", on}});
  };
  Reply asked = open();
  EXPECT_TRUE(asked.is_error);
  EXPECT_TRUE(Shows(asked, "asks in session '@env'; answer with term_send"));
  EXPECT_TRUE(Shows(asked, "It asks: \"Password:\""));
  Keys(client_.get(), "@env", "wrong<Enter>");
  Reply refused = open();
  EXPECT_TRUE(refused.is_error);
  // It has failed, and the next call tries it again.
  while (refused.text.find("asks in session") == std::string::npos) {
    ASSERT_TRUE(Shows(refused, "ended with 5"));
    refused = open();
  }
  Keys(client_.get(), "@env", "zq7wx9k<Enter>");
  EXPECT_TRUE(Good(open()));
  EXPECT_EQ(FilesWith(state_.path(), "zq7wx9k"), std::vector<std::string>());
}

}  // namespace
}  // namespace glasstty::testing
