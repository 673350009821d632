// Tests that dangerous commands are refused in every way that text takes to a
// shell.
//
// The commands here are refused, but would do no harm if they were run, because
// their path does not exist. fixtures/gate has harmful ones.
#include <gtest/gtest.h>
#include <unistd.h>

#include <optional>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

constexpr char kHarm[] = "rm --no-preserve-root /nonexistent/x";

::testing::AssertionResult Refused(const Reply& reply) {
  if (reply.is_error && reply.text.find("refused") != std::string::npos &&
      reply.text.find("\"confirm\": true") != std::string::npos) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "not refused: " << reply.text;
}

Reply Send(McpClient* client, const Json& input, const Json& more = Json()) {
  Json arguments = {{"session", "s"}, {"input", input}};
  if (more.is_object()) arguments.update(more);
  return client->Call("term_send", arguments);
}

class GateTest : public ::testing::Test {
 protected:
  void OpenShell(const std::vector<std::string>& argv = {"bash", "--norc"}) {
    ASSERT_TRUE(Good(Open(&client_, "s", argv, {{"cwd", dir_.path()}})));
  }

  TempDir dir_;
  McpClient client_;
};

using Gate = GateTest;

TEST_F(Gate, ARunIsRefusedWithTheReasonAndTheWayOut) {
  Reply reply = client_.Call("term_run", {{"command", kHarm}});
  EXPECT_EQ(reply.text,
            "refused, nothing was started: `rm --no-preserve-root "
            "/nonexistent/x` switches off rm's own "
            "guard of / (gate: rm-no-preserve-root). If this is "
            "intended (ask the user when in doubt), call again with "
            "\"confirm\": true");
  EXPECT_TRUE(reply.is_error);
}

TEST_F(Gate, ConfirmLetsItPass) {
  OpenShell();
  Reply reply = client_.Call(
      "term_run", {{"session", "s"}, {"command", kHarm}, {"confirm", true}});
  EXPECT_FALSE(reply.is_error) << reply.text;
  EXPECT_TRUE(Shows(reply, "cannot remove"));
  reply = Send(&client_, std::string(kHarm) + "\n", {{"confirm", true}});
  EXPECT_TRUE(Good(reply));
  EXPECT_TRUE(SeesOnScreen(&client_, "s", "cannot remove"));
}

// The command asks only in its second attempt, for which nobody has confirmed
// anything.
TEST_F(Gate, AnswersAreJudgedInEveryAttempt) {
  Reply reply = client_.Call(
      "term_run",
      {{"command",
        "if [ -e tried ]; then sqlite3 a.db; else touch tried; false; fi"},
       {"cwd", dir_.path()},
       {"retry", {{"times", 1}, {"delay_s", 0.01}}},
       {"answers", {{{"when", "sqlite>"}, {"input", "drop table t;\n"}}}}});
  EXPECT_TRUE(Shows(reply, "attempt 2 of 2")) << reply.text;
  EXPECT_TRUE(Shows(reply, "refused, nothing was typed: `drop table t`"))
      << reply.text;
}

TEST_F(Gate, ProgramsStartedWithoutAShellAreJudgedToo) {
  const Json kCalls[] = {
      {{"argv", {"rm", "--no-preserve-root", "/nonexistent/x"}}},
      {{"argv", {"sh", "-c", kHarm}}},
      {{"command", kHarm}, {"fresh", true}},
  };
  for (const Json& arguments : kCalls) {
    EXPECT_TRUE(Refused(client_.Call("term_run", arguments)));
  }
  EXPECT_TRUE(Refused(client_.Call("term_open", {{"command", kHarm}})));
  EXPECT_TRUE(Refused(client_.Call(
      "term_open",
      {{"argv", {"rm", "--no-preserve-root", "/nonexistent/x"}}})));
  EXPECT_TRUE(Shows(client_.Call("term_list"), "no sessions"));
}

// These are the arguments by which a command reaches a program.
TEST_F(Gate, EveryWayInWhichACommandIsStartedIsJudged) {
  const Json kArgv = {"rm", "--no-preserve-root", "/nonexistent/x"};
  const Json kPrompt = {{"PROMPT_COMMAND", kHarm}};
  const struct {
    const char* tool;
    Json arguments;
  } kCalls[] = {
      {"term_run", {{"command", kHarm}}},
      {"term_run", {{"argv", kArgv}}},
      {"term_run", {{"command", "true"}, {"on", kArgv}}},
      {"term_run", {{"command", "true"}, {"on", {"sh", "-c", kHarm}}}},
      {"term_run", {{"argv", {"true"}}, {"on", kArgv}}},
      {"term_run", {{"command", "true"}, {"compare_with", kHarm}}},
      {"term_run", {{"command", "true"}, {"env", kPrompt}}},
      {"term_open", {{"argv", kArgv}}},
      {"term_open", {{"on", kArgv}}},
      {"term_open", {{"env", kPrompt}}},
      {"term_open",
       {{"on",
         {"ssh", std::string("-oProxyCommand=") + kHarm, "nonexistent"}}}},
  };
  for (const auto& call : kCalls) {
    EXPECT_TRUE(Refused(client_.Call(call.tool, call.arguments)))
        << call.tool << DumpJson(call.arguments);
  }
}

TEST_F(Gate, ARestartIsAskedAboutAgain) {
  ASSERT_FALSE(
      Open(&client_, "s", {"sh", "-c", kHarm}, {{"confirm", true}}).is_error);
  Json restart = {{"session", "s"}, {"restart", true}};
  EXPECT_TRUE(Refused(client_.Call("term_close", restart)));
  restart["confirm"] = true;
  EXPECT_TRUE(Shows(client_.Call("term_close", restart), "restarted"));
}

// There is no terminal driver, so half a line may run at the end.
TEST_F(Gate, WhatIsWrittenToAPipeIsJudgedByTheProgramThatReadsIt) {
  const struct {
    std::vector<std::string> argv;
    const char* harm;
  } kPrograms[] = {
      {{"sh"}, "rm --no-preserve-root /nonexistent/x\n"},
      {{"sh"}, "rm --no-preserve-root /nonexistent/x"},
      {{"env", "sh", "-s"}, "rm --no-preserve-root /nonexistent/x \x15\n"},
      {{"python3", "-"},
       "import os; os.system('rm --no-preserve-root /nonexistent/x')\n"},
      {{"sqlite3"}, "drop table t;\n"},
  };
  for (const auto& program : kPrograms) {
    McpClient client;
    ASSERT_TRUE(Good(Open(&client, "s", program.argv, {{"pipe", true}})));
    EXPECT_TRUE(Refused(Send(&client, program.harm))) << program.harm;
    EXPECT_TRUE(Good(Send(&client, "# fine\n")));
  }
  ASSERT_TRUE(Good(Open(&client_, "s", {"sh"}, {{"pipe", true}})));
  ASSERT_TRUE(Good(Send(&client_, "rm --no-preserve")));
  EXPECT_TRUE(Refused(Send(&client_, "-root /nonexistent/x")));
  ASSERT_TRUE(Good(Open(&client_, "c", {"cat"}, {{"pipe", true}})));
  EXPECT_TRUE(
      Good(client_.Call("term_send", {{"session", "c"}, {"input", kHarm}})));
}

TEST_F(Gate, ANulByteIsRefusedWhereverACommandOrANameIsGiven) {
  OpenShell();
  const std::string kNul("a\0b", 3);
  const Json kNulMap = {{"A", kNul}};
  const struct {
    const char* tool;
    Json arguments;
  } kCalls[] = {
      {"term_run", {{"command", kNul}}},
      {"term_run", {{"argv", {"echo", kNul}}}},
      {"term_run", {{"command", "ls"}, {"cwd", kNul}}},
      {"term_run", {{"command", "ls"}, {"env", kNulMap}}},
      {"term_run", {{"command", "ls"}, {"env", {{kNul, "x"}}}}},
      {"term_run", {{"command", "ls"}, {"on", kNul}}},
      {"term_run", {{"command", "ls"}, {"on", {"sudo", kNul}}}},
      {"term_run", {{"command", "ls"}, {"compare_with", kNul}}},
      {"term_run", {{"command", "ls"}, {"session", kNul}}},
      {"term_open", {{"command", kNul}}},
      {"term_open", {{"argv", {kNul}}}},
      {"term_open", {{"cwd", kNul}}},
      {"term_open", {{"env", kNulMap}}},
      {"term_open", {{"on", kNul}}},
      {"term_open", {{"name", kNul}}},
      {"term_send", {{"session", "s"}, {"input", kNul}}},
      {"term_send", {{"session", "s"}, {"input", {kNul}}}},
      {"term_send", {{"session", "s"}, {"input", {Json{{"text", kNul}}}}}},
      {"term_send", {{"session", "s"}, {"input", {Json{{"paste", kNul}}}}}},
      {"term_send",
       {{"session", "s"},
        {"input", {Json{{"secret", kNul}, {"force", true}}}}}},
      {"term_write_file", {{"path", kNul}, {"content", "x"}}},
  };
  for (const auto& call : kCalls) {
    Reply reply = client_.Call(call.tool, call.arguments);
    EXPECT_TRUE(reply.is_error) << call.tool << DumpJson(call.arguments);
    EXPECT_NE(reply.text.find("holds a NUL byte"), std::string::npos)
        << DumpJson(call.arguments) << reply.text;
    EXPECT_NE(reply.text.find("leave it out"), std::string::npos) << reply.text;
  }
  Json file = {{"path", dir_.Join("f")}, {"content", kNul}};
  EXPECT_TRUE(Good(client_.Call("term_write_file", file)));
  EXPECT_EQ(ReadWholeFile(dir_.Join("f")), kNul);
}

// A zsh that somebody started in the session runs the text after "#".
TEST_F(Gate, AShellWithoutCommentsIsJudgedAsItReads) {
  ASSERT_TRUE(Good(Open(&client_, "s", {"zsh", "-f"},
                        {{"cwd", dir_.path()}, {"integration", "off"}})));
  EXPECT_TRUE(Refused(
      Send(&client_, "ls # x; rm --no-preserve-root /nonexistent/x\n")));
}

TEST_F(Gate, EveryWayOfTypingIsJudgedAndNothingOfItIsTyped) {
  OpenShell();
  const Json kInputs[] = {
      "rm --no-preserve-root /nonexistent/x\n",
      Json::array({"rm --no-preserve-root /nonexistent/x<Enter>"}),
      Json::array({"rm --no-preserve-root", " /nonexistent/x", "<Enter>"}),
      Json::array({"rm --no-preserve-root /nonexistent/xx<BS><Enter>"}),
      Json::array({"--no-preserve-root /nonexistent/x<C-a>rm <Enter>"}),
      Json::array({"harmless<C-u>rm --no-preserve-root /nonexistent/x<Enter>"}),
      Json::array({Json{{"text", "rm --no-preserve-root /nonexistent/x\n"}}}),
      Json::array(
          {Json{{"paste", "rm --no-preserve-root /nonexistent/x"}}, "<Enter>"}),
      Json::array({Json{{"secret", kHarm}, {"force", true}}}),
      Json::array({"rm --no-preserve-root /nonexistent/x<C-m>"}),
      Json::array({"rm --no-preserve-root /nonexistent/x<C-j>"}),
      "echo a\nrm --no-preserve-root /nonexistent/x\n",
      "sh <<EOF\nrm --no-preserve-root /nonexistent/x\nEOF\n",
      Json::array({"for i in 1; do<Enter>",
                   "rm --no-preserve-root /nonexistent/x<Enter>",
                   "done<Enter>"}),
  };
  for (const Json& input : kInputs) {
    Reply reply = Send(&client_, input);
    if (input.is_array() && input.size() == 3 && input[2] == "done<Enter>") {
      EXPECT_TRUE(Shows(reply, "typed 2 of 6 steps: refused"))
          << DumpJson(input);
      EXPECT_TRUE(reply.is_error);
      Keys(&client_, "s", "<C-c>");
      continue;
    }
    EXPECT_TRUE(Refused(reply)) << DumpJson(input);
    EXPECT_TRUE(Shows(reply, "nothing was typed")) << DumpJson(input);
  }
  // This includes text that Enter alone would run.
  Reply reply = Send(&client_, kHarm, {{"enter", true}});
  EXPECT_TRUE(Refused(reply));
  EXPECT_EQ(Join(Screen(&client_, "s")).find("nonexistent"), std::string::npos);
}

TEST_F(Gate, ASecretIsNotRepeatedInTheRefusal) {
  OpenShell();
  Reply reply =
      Send(&client_, Json::array({Json{{"secret", kHarm}, {"force", true}}}));
  EXPECT_EQ(reply.text.find("nonexistent"), std::string::npos) << reply.text;
}

TEST_F(Gate, ASecretIsNotRepeatedInANoteNorInALaterRefusal) {
  OpenShell();
  auto secret = [](const char* text) {
    return Json::array({Json{{"secret", text}, {"force", true}}});
  };
  Reply reply = Send(&client_, secret("pa$word1 x"));
  EXPECT_EQ(reply.text.find("could not tell"), std::string::npos) << reply.text;
  // The quote leaves the line open.
  Send(&client_, secret("hunter2 '"));
  reply = Send(&client_, std::string(kHarm) + " '\n");
  EXPECT_TRUE(Refused(reply));
  EXPECT_EQ(reply.text.find("hunter2"), std::string::npos) << reply.text;
}

TEST_F(Gate, TextInSeveralCallsIsJudgedWhenEnterComes) {
  for (const std::vector<std::string>& shell :
       std::vector<std::vector<std::string>>{{"bash", "--norc"}, {"dash"}}) {
    SCOPED_TRACE(shell[0]);
    McpClient client;
    ASSERT_TRUE(Good(Open(&client, "s", shell, {{"cwd", dir_.path()}})));
    ASSERT_TRUE(Good(Send(&client, "rm --no-pre")));
    ASSERT_TRUE(Good(Send(&client, "serve-root /nonexistent/x")));
    EXPECT_TRUE(Refused(Send(&client, "", {{"enter", true}})));
    EXPECT_TRUE(Refused(Send(&client, Json::array({"<Enter>"}))));
    // The line is still there, and the agent removes it.
    ASSERT_TRUE(Good(Send(&client, Json::array({"<C-u>echo fine<Enter>"}))));
    EXPECT_TRUE(SeesOnScreen(&client, "s", "fine"));
    // The line continues.
    ASSERT_TRUE(Good(Send(&client, "rm \\\n")));
    EXPECT_TRUE(Refused(Send(&client, "--no-preserve-root /nonexistent/x\n")));
    ASSERT_TRUE(Good(Send(&client, Json::array({"<C-c>"}))));
    EXPECT_TRUE(Good(Send(&client, "echo 777 x\n")));
  }
}

TEST_F(Gate, ALineIsJudgedWholeAlsoWhenThePromptWasDrawnAgain) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    SCOPED_TRACE(shell);
    McpClient client;
    ASSERT_TRUE(Good(Open(&client, "s", {shell}, {{"cwd", dir_.path()}})));
    const Json kRedraws[] = {
        {"<C-l>"}, {{{"resize", {20, 70}}}}, {"<Tab>", "<Tab>"}};
    for (const Json& redraw : kRedraws) {
      ASSERT_TRUE(Good(Send(&client, kHarm)));
      ASSERT_TRUE(Good(Send(&client, redraw)));
      EXPECT_TRUE(Refused(Send(&client, Json::array({"<Enter>"}))));
      ASSERT_TRUE(Good(Send(&client, Json::array({"<C-c>"}))));
    }
  }
}

TEST_F(Gate, WhatARunGivesUpIsNotJudgedWithItButWhatStaysIs) {
  OpenShell();
  ASSERT_TRUE(Good(Send(&client_, kHarm)));
  Reply run =
      client_.Call("term_run", {{"session", "s"}, {"command", "echo fine"}});
  EXPECT_EQ(run.body, "fine") << run.text;
  EXPECT_TRUE(Good(Send(&client_, "echo 777 x\n")));
  // A shell that cannot be interrupted keeps its line, and no command runs.
  client_.Call("term_run", {{"session", "s"}, {"command", "trap '' INT"}});
  ASSERT_TRUE(Good(Send(&client_, kHarm)));
  run = client_.Call("term_run", {{"session", "s"}, {"command", "echo fine"}});
  EXPECT_TRUE(Shows(run, "no command was typed"));
  EXPECT_TRUE(Refused(Send(&client_, Json::array({"<Enter>"}))));
}

TEST_F(Gate, HistoryAndCompletionAreReadFromTheScreen) {
  OpenShell();
  ASSERT_TRUE(Good(client_.Call(
      "term_run", {{"session", "s"}, {"command", kHarm}, {"confirm", true}})));
  ASSERT_TRUE(Good(Send(&client_, Json::array({"<Up>"}))));
  EXPECT_TRUE(Refused(Send(&client_, Json::array({"<Enter>"}))));
  ASSERT_TRUE(Good(Send(&client_, Json::array({"<C-c>"}))));
  Reply reply = Send(&client_, Json::array({"<Up>", "<Enter>"}));
  EXPECT_TRUE(Shows(reply, "typed 1 of 2 steps: refused"));
}

TEST_F(Gate, EditorsAndOtherProgramsAreNeverGated) {
  OpenShell();
  std::string path = dir_.Join("notes");
  ASSERT_TRUE(Good(Send(
      &client_, Json::array({"vim --clean -n notes<Enter>",
                             "irm --no-preserve-root /nonexistent/x<Enter>",
                             "rm -rf /<Esc>:wq<Enter>"}))));
  EXPECT_TRUE(SeesOnScreen(&client_, "s", "notes"));
  EXPECT_EQ(ReadWholeFile(path),
            "rm --no-preserve-root /nonexistent/x\nrm -rf /\n");
  ASSERT_TRUE(Good(
      Send(&client_, Json::array({"cat > notes<Enter>",
                                  "rm --no-preserve-root /nonexistent/x<Enter>",
                                  Json{{"eof", true}}}))));
  EXPECT_EQ(ReadWholeFile(path), "rm --no-preserve-root /nonexistent/x\n");
  ASSERT_TRUE(Good(Send(&client_, "read answer\n")));
  ASSERT_TRUE(Good(Send(&client_, "rm --no-preserve-root /nonexistent/x\n")));
  EXPECT_TRUE(Good(Send(&client_, "echo got $answer\n")));
  EXPECT_TRUE(
      SeesOnScreen(&client_, "s", "got rm --no-preserve-root /nonexistent/x"));
}

TEST_F(Gate, WhatIsTypedAheadOfAWorkingProgramReachesTheShell) {
  OpenShell();
  ASSERT_TRUE(Good(Send(&client_, "sleep 100\n", {{"timeout_s", 0.3}})));
  EXPECT_TRUE(
      Refused(Send(&client_, "rm --no-preserve-root /nonexistent/x\n")));
  ASSERT_TRUE(Good(Send(&client_, Json::array({"<C-c>"}))));
}

TEST_F(Gate, ClientsOfDatabasesAreJudgedByTheirStatements) {
  ASSERT_TRUE(Good(Open(&client_, "s", {"sqlite3", dir_.Join("a.db")})));
  ASSERT_TRUE(Good(Send(&client_, "create table t (a);\n")));
  EXPECT_TRUE(Refused(Send(&client_, "drop table t;\n")));
  // Likewise line by line.
  ASSERT_TRUE(Good(Send(&client_, "delete\n")));
  EXPECT_TRUE(Refused(Send(&client_, "from t;\n")));
  ASSERT_TRUE(Good(Send(&client_, "from t where a = 1;\n")));
  EXPECT_TRUE(
      Refused(Send(&client_, ".shell rm --no-preserve-root /nonexistent/x\n")));
  ASSERT_TRUE(Good(Send(&client_, ".tables\n")));
  EXPECT_TRUE(SeesOnScreen(&client_, "s", "t"));
}

TEST_F(Gate, OrdinaryWorkIsNotHindered) {
  OpenShell();
  for (const char* command :
       {"echo 'rm --no-preserve-root /nonexistent/x'",
        "printf 'rm --no-preserve-root /nonexistent/x\\n'",
        "cat <<EOF\nrm --no-preserve-root /nonexistent/x\nEOF",
        "git commit -m 'git push -f' || :"}) {
    Reply reply =
        client_.Call("term_run", {{"session", "s"}, {"command", command}});
    EXPECT_FALSE(reply.is_error) << reply.text;
    EXPECT_EQ(reply.header.find("gate:"), std::string::npos) << reply.text;
  }
}

// A client that can show its user a form, and the user's answer.
class GateAsking : public ::testing::Test {
 protected:
  explicit GateAsking(const ServerOptions& options = Options())
      : client_(options) {
    Json hello = {{"protocolVersion", "2025-06-18"},
                  {"capabilities", {{"elicitation", Json::object()}}},
                  {"clientInfo", {{"name", "forms"}, {"version", "1"}}}};
    client_.Request("initialize", hello);
    client_.Notify("notifications/initialized", Json::object());
  }

  static ServerOptions Options() {
    ServerOptions options;
    options.handshake = false;
    return options;
  }

  // Returns the reply to the call, once the question has been answered with
  // `answer`.
  Reply CallAndAnswer(const std::string& tool, const Json& arguments,
                      const Json& answer) {
    int id = client_.SendCall(tool, arguments);
    std::optional<Json> question = client_.NextMessage(Seconds(20));
    EXPECT_TRUE(question.has_value());
    if (!question) return Reply();
    EXPECT_EQ((*question)["method"], "elicitation/create")
        << DumpJson(*question);
    asked_ = DumpJson((*question)["params"]);
    Json response = {
        {"jsonrpc", "2.0"}, {"id", (*question)["id"]}, {"result", answer}};
    client_.SendRaw(DumpJson(response) + "\n");
    return client_.Await(id);
  }

  McpClient client_;
  std::string asked_;
};

const Json kYes = {{"action", "accept"}, {"content", {{"confirm", "yes"}}}};
const Json kNo = {{"action", "decline"}};

TEST_F(GateAsking, AYesOfTheUserLetsACommandPass) {
  Reply reply = CallAndAnswer("term_run", {{"command", kHarm}}, kYes);
  EXPECT_TRUE(Shows(reply, "exit=1"));
  EXPECT_NE(
      asked_.find(
          "`rm --no-preserve-root /nonexistent/x` switches off rm's own guard"),
      std::string::npos)
      << asked_;
  // Some clients show only the field, and preselect its first value.
  Json field = (*ParseJson(asked_))["requestedSchema"]["properties"]["confirm"];
  EXPECT_EQ(field["title"], "Run `rm --no-preserve-root /nonexistent/x`?");
  EXPECT_NE(field["description"].dump().find("switches off"),
            std::string::npos);
  EXPECT_EQ(DumpJson(field["enum"]), R"(["no","yes"])");
}

TEST_F(GateAsking, ANoOfTheUserIsToldToTheAgent) {
  Reply reply = CallAndAnswer("term_run", {{"command", kHarm}}, kNo);
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "The user said no"));
  EXPECT_TRUE(Good(Open(&client_, "s", {"bash", "--norc"})));
  reply = CallAndAnswer(
      "term_send",
      {{"session", "s"}, {"input", "rm --no-preserve-root /nonexistent/x\n"}},
      kNo);
  EXPECT_TRUE(Shows(reply, "nothing was typed"));
  EXPECT_TRUE(Shows(reply, "The user said no"));
}

TEST_F(GateAsking, TypingGoesOnAfterAYes) {
  EXPECT_TRUE(Good(Open(&client_, "s", {"bash", "--norc"})));
  Reply reply = CallAndAnswer(
      "term_send",
      {{"session", "s"},
       {"input", {"rm --no-preserve-root", " /nonexistent/x", "<Enter>"}}},
      kYes);
  EXPECT_TRUE(Good(reply));
  EXPECT_TRUE(SeesOnScreen(&client_, "s", "cannot remove"));
}

TEST(GateSettings, OffStrictAndPatternsOfTheUser) {
  TempDir dir;
  {
    ServerOptions options;
    options.extra_environment = {"GLASSTTY_GATE=off"};
    McpClient client(options);
    EXPECT_TRUE(Good(client.Call("term_run", {{"command", kHarm}})));
  }
  {
    ServerOptions options;
    options.extra_environment = {
        "GLASSTTY_GATE=strict", "GLASSTTY_GATE_PATTERNS=^frobnicate;\\bzap\\b"};
    McpClient client(options);
    EXPECT_TRUE(Refused(client.Call("term_run", {{"command", "$CMD -x"}})));
    EXPECT_TRUE(Refused(client.Call("term_run", {{"command", "a | zap it"}})));
    EXPECT_TRUE(Refused(client.Call("term_run", {{"argv", {"frobnicate"}}})));
    EXPECT_TRUE(Good(client.Call("term_run", {{"command", "echo ok"}})));
  }
  {
    McpClient client;
    Reply reply = client.Call("term_run", {{"command", "$NO_SUCH_CMD"}});
    EXPECT_TRUE(Shows(reply, "gate: could not tell what '$NO_SUCH_CMD' is"));
  }
}

// Users are also asked what to do with processes that a closed session leaves.
TEST_F(GateAsking, AYesOfTheUserEndsWhatAClosedSessionLeft) {
  Open(&client_, "s",
       {"sh", "-c", "setsid sh -c 'echo up; exec sleep 86388' & cat"},
       {{"until", {{"text", "up"}}}});
  Reply reply = CallAndAnswer("term_close", {{"session", "s"}}, kYes);
  EXPECT_NE(asked_.find("sleep 86388"), std::string::npos) << asked_;
  EXPECT_TRUE(Shows(reply, "closed; none of its processes is left"));
}

TEST_F(GateAsking, ANoLeavesItAndListsIt) {
  Open(&client_, "s",
       {"sh", "-c", "setsid sh -c 'echo up; exec sleep 86387' & cat"},
       {{"until", {{"text", "up"}}}});
  Reply reply = CallAndAnswer("term_close", {{"session", "s"}}, kNo);
  EXPECT_TRUE(Shows(reply, "sleep 86387"));
  client_.Call("term_close", {{"session", "s"}, {"survivors", "kill"}});
}

TEST_F(GateTest, BothCommandsOfAComparisonAreJudgedBeforeEitherRuns) {
  Reply reply = client_.Call("term_run", {{"command", "touch ran"},
                                          {"cwd", dir_.path()},
                                          {"compare_with", kHarm}});
  EXPECT_TRUE(Refused(reply));
  EXPECT_EQ(access(dir_.Join("ran").c_str(), F_OK), -1);
}

TEST_F(GateTest, BothCommandsOfAComparisonAreJudgedInTheirShellsDirectory) {
  client_.Call("term_run", {{"command", "cd /"}});
  Reply reply = client_.Call(
      "term_run",
      {{"command", "true"}, {"compare_with", "false && rm -rf usr"}});
  EXPECT_TRUE(Refused(reply));
}

// Programs that only change the environment stand for other machines.
class GatePlaces : public GateAsking {
 protected:
  GatePlaces() : GateAsking(Rules()) {}
  static ServerOptions Rules() {
    ServerOptions options = Options();
    options.extra_environment = {
        "GLASSTTY_GATE=off",
        "GLASSTTY_PLACES=env A=prod* ask; env A=never* deny"};
    return options;
  }
  Json On(const std::string& name) const {
    return {"env", "A=" + name, "HOME=" + client_.home()};
  }
};

TEST_F(GatePlaces, AreAskedAboutByNameOnceAndOpenedByAYes) {
  Json open = {{"on", On("prod")}, {"name", "p"}, {"argv", {"cat"}}};
  Reply reply = CallAndAnswer("term_open", open, kNo);
  EXPECT_TRUE(Shows(reply, "refused on env A=prod"));
  EXPECT_TRUE(Shows(reply, "The user said no"));
  EXPECT_NE(asked_.find("on env A=prod"), std::string::npos) << asked_;
  EXPECT_TRUE(Shows(client_.Call("term_list"), "no sessions"));
  EXPECT_TRUE(Good(CallAndAnswer("term_open", open, kYes)));

  Json run = {{"on", On("prod")}, {"command", "echo one"}};
  EXPECT_TRUE(Shows(CallAndAnswer("term_run", run, kYes), "one"));
  // The shell is open.
  EXPECT_TRUE(Shows(client_.Call("term_run", run), "one"));
  run["fresh"] = true;
  EXPECT_TRUE(CallAndAnswer("term_run", run, kNo).is_error);
  run["confirm"] = true;
  EXPECT_TRUE(Good(client_.Call("term_run", run)));
}

TEST_F(GatePlaces, ThatAreDeniedStayClosedWhateverIsConfirmed) {
  for (const char* tool : {"term_open", "term_run"}) {
    Reply reply = client_.Call(
        tool,
        {{"on", On("never")}, {"command", "echo one"}, {"confirm", true}});
    EXPECT_TRUE(reply.is_error);
    EXPECT_TRUE(Shows(reply, "nothing was started: the setting 'places'"));
  }
  EXPECT_TRUE(Shows(client_.Call("term_list"), "no sessions"));
  EXPECT_TRUE(Good(client_.Call(
      "term_run", {{"on", On("other")}, {"command", "echo one"}})));
}

}  // namespace
}  // namespace glasstty::testing
