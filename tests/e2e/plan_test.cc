// Tests one call that carries a plan: steps for a program that was just
// started, looks between them, and answers to its questions.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

class Plan : public ::testing::Test {
 protected:
  Reply Run(const std::string& command, const Json& more) {
    Json arguments = {{"command", command}};
    arguments.update(more);
    return client_.Call("term_run", arguments);
  }
  // Ends the command and waits for the prompt.
  void Interrupt() {
    Keys(&client_, "main", "<C-c>");
    EXPECT_TRUE(Good(client_.Call(
        "term_wait", {{"session", "main"}, {"until", {{"state", "prompt"}}}})));
  }
  void SetUp() override {
    Reply opened = Open(&client_, "main", {"bash", "--norc"},
                        {{"cwd", folder_.path()}, {"env", {{"PS1", "$ "}}}});
    ASSERT_TRUE(Good(opened));
  }

  TempDir folder_;
  McpClient client_;
};

TEST_F(Plan, AnswersAreGivenToTheQuestionsTheyAreFor) {
  Reply reply = Run("read -p 'Name? ' n; read -p 'Sure (y/n)? ' y; echo $n-$y",
                    {{"answers",
                      {{{"when", "Sure"}, {"input", "y\n"}},
                       {{"when", "^Name"}, {"input", "bob\n"}}}}});
  EXPECT_TRUE(Shows(reply, "prompt exit=0"));
  EXPECT_TRUE(Shows(reply, "answered \"Name?\", \"Sure (y/n)?\""));
  EXPECT_TRUE(Shows(reply, "bob-y"));
}

TEST_F(Plan, AQuestionWithoutAnAnswerComesBackAsInput) {
  Reply reply = Run("read -p 'Name? ' n; read -p 'Sure? ' y; echo $n-$y",
                    {{"answers", {{{"when", "Name"}, {"input", "bob\n"}}}}});
  // The only answer has been given, so nothing is left that could match.
  EXPECT_TRUE(Shows(reply, "[main] input"));
  EXPECT_EQ(reply.text.find("none of the answers"), std::string::npos);
  reply = Keys(&client_, "main", "y<Enter>");
  EXPECT_TRUE(Shows(reply, "bob-y"));
  reply = Run("read -p 'Age? ' n",
              {{"answers", {{{"when", "Name"}, {"input", "bob\n"}}}}});
  EXPECT_TRUE(Shows(reply, "none of the answers matched"));
  Interrupt();
  // The state tells what comes after an answer.
  reply = Run("read -p 'Age? ' n; read -p 'Name? ' n",
              {{"answers",
                {{{"when", "Age"}, {"input", "7\n"}},
                 {{"when", "City"}, {"input", "Rome\n"}}}}});
  EXPECT_TRUE(Shows(reply, "[main] input"));
  EXPECT_EQ(reply.text.find("none of the answers"), std::string::npos);
}

TEST_F(Plan, AnAnswerThatAFailedProgramNeverAskedForIsNamed) {
  const Json answers = {{{"when", "Sure"}, {"input", "yes\n"}},
                        {{"when", "Token"}, {"input", "t\n"}}};
  const std::string script =
      "read -p 'Sure? ' y; [ $y = y ] || exit 4; read -p 'Token? ' t";
  Reply reply = Run("(" + script + ")", {{"answers", answers}});
  EXPECT_TRUE(Shows(reply, "exit=4"));
  EXPECT_TRUE(Shows(reply, "never asked for: answers[1]"));
  reply = Open(&client_, "job", {"bash", "-c", script},
               {{"answers", answers}, {"until", {{"state", "exited"}}}});
  EXPECT_TRUE(Shows(reply, "exited=4"));
  EXPECT_TRUE(Shows(reply, "never asked for: answers[1]"));
  // A question that may come need not come.
  reply = Run("read -p 'Sure? ' y", {{"answers", answers}});
  EXPECT_TRUE(Shows(reply, "exit=0"));
  EXPECT_EQ(reply.text.find("never asked"), std::string::npos) << reply.text;
}

TEST_F(Plan, AnAnswerIsGivenOnceUnlessItSaysHowOften) {
  std::string twice =
      "for i in 1 2; do read -p 'Again? ' x; echo got$i$x; done";
  Reply once =
      Run(twice, {{"answers", {{{"when", "Again"}, {"input", "y\n"}}}}});
  EXPECT_TRUE(Shows(once, "[main] input"));
  Interrupt();
  Reply reply =
      Run(twice,
          {{"answers", {{{"when", "Again"}, {"input", "y\n"}, {"times", 2}}}}});
  EXPECT_TRUE(Shows(reply, "got2y"));
}

TEST_F(Plan, TheEchoOfAnAnswerIsNoMatchAndNoLine) {
  for (const Json& until : {Json{{"text", "production"}}, Json{{"lines", 2}}}) {
    Reply reply =
        Open(&client_, "job",
             {"sh", "-c", "printf 'Where? '; read -r x; echo thanks"},
             {{"answers", {{{"when", "Where"}, {"input", "production\n"}}}},
              {"until", until}});
    EXPECT_TRUE(Shows(reply, "Where? production"));
    EXPECT_TRUE(Shows(reply, "exited=0"));
    EXPECT_EQ(reply.header.find("matched"), std::string::npos) << reply.header;
  }
}

// A question between two steps is answered, and the plan goes on behind it.
TEST_F(Plan, AQuestionBetweenTwoStepsIsAnsweredAndThePlanGoesOn) {
  Reply reply =
      Run("read -p 'cmd> ' a; read -p 'Start it again? (y or n) ' q; read -p "
          "'cmd> ' "
          "b; sleep 0.2; read -p 'Sure? ' r; read -p 'cmd> ' c; echo "
          "$a-$q-$b-$r-$c",
          {{"input", {"run<Enter>", "next<Enter>", "quit<Enter>"}},
           {"answers",
            {{{"when", "y or n"}, {"input", {"y<Enter>"}}},
             {{"when", "Sure"}, {"input", {"n<Enter>"}}}}}});
  EXPECT_TRUE(Shows(reply, "run-y-next-n-quit"));
  EXPECT_TRUE(Shows(reply, "answered \"Start it again? (y or n)\""));
}

TEST_F(Plan, AStepWaitsForAnotherSession) {
  ASSERT_TRUE(Good(
      Open(&client_, "broker", {"sh", "-c", "read x; echo ready $x; cat"})));
  int plan = client_.SendCall(
      "term_send",
      {{"session", "main"},
       {"input",
        {"echo a<Enter>",
         {{"until", {{"text", "ready now"}, {"session", "broker"}}}},
         "echo b-$?<Enter>"}}});
  Keys(&client_, "broker", "now<Enter>");
  Reply reply = client_.Await(plan);
  EXPECT_TRUE(Shows(reply, "\nb-0"));
}

TEST_F(Plan, EndsIfTheSessionThatItWaitsForEndsWithoutTheText) {
  Json until = {{"text", "SUCCESS"}, {"session", "job"}};
  Json stopped = {
      {"text", "SUCCESS"}, {"stop", "FAILED"}, {"session", "second"}};
  for (const Json& condition : {until, stopped}) {
    ASSERT_TRUE(Good(Open(&client_, condition["session"],
                          {"sh", "-c", "read x; echo FAILED; exit 1"},
                          {{"timeout_s", 0}})));
    int plan = client_.SendCall(
        "term_send",
        {{"session", "main"},
         {"input",
          {"echo a<Enter>", {{"until", condition}}, "echo de''ployed<Enter>"}},
         {"timeout_s", 40}});
    Keys(&client_, condition["session"], "<Enter>");
    Reply reply = client_.Await(plan);
    EXPECT_TRUE(Shows(reply, condition.contains("stop")
                                 ? "its 'until' ended at 'stop': \"FAILED\""
                                 : "session 'job' has ended before its"));
    EXPECT_EQ(reply.text.find("deployed"), std::string::npos) << reply.text;
  }
}

TEST_F(Plan, AnAnswerWithoutEnterIsEnteredWhereAProgramTakesLines) {
  Reply reply = Run("read -p 'Sure? ' a; read -p 'cmd> ' b; echo $a-$b",
                    {{"input", {"next<Enter>"}},
                     {"answers", {{{"when", "Sure"}, {"input", "y"}}}}});
  EXPECT_TRUE(Shows(reply, "y-next"));
  reply = Run("read -n1 -p 'Sure? ' a; read -p 'cmd> ' b; echo $a-$b",
              {{"input", {"next<Enter>"}},
               {"answers", {{{"when", "Sure"}, {"input", "y"}}}}});
  EXPECT_TRUE(Shows(reply, "y-next"));
}

// A program that reads nothing never asks for the first step.
TEST_F(Plan, ThatBeginsWithAWaitNeedsNoQuestion) {
  Json input = Json::array();
  input.push_back({{"until", {{"quiet_s", 1}}}});
  input.push_back("<C-c>");
  Reply reply = Run("sleep 100", {{"input", input}});
  EXPECT_TRUE(Shows(reply, "[main] prompt exit=130"));
  reply = Run("sleep 100", {{"input", input}, {"fresh", true}});
  EXPECT_TRUE(Shows(reply, "exited signal=INT"));
}

TEST_F(Plan, AStepThatWaitsForASessionThatIsNotThereTypesNothing) {
  Reply reply = client_.Call(
      "term_send", {{"session", "main"},
                    {"input",
                     {"touch ran<Enter>",
                      {{"until", {{"text", "x"}, {"session", "nobody"}}}}}}});
  EXPECT_TRUE(Shows(reply, "no session 'nobody'"));
  EXPECT_NE(access(folder_.Join("ran").c_str(), F_OK), 0);
}

TEST_F(Plan, ASecretIsAnAnswerThatNobodySees) {
  ServerOptions options;
  options.extra_environment = {"GLASSTTY_TEST_SECRET=hunter2"};
  McpClient client(options);
  Reply reply = client.Call(
      "term_run",
      {{"command", "read -sp 'Password: ' p; echo; echo length ${#p}"},
       {"answers",
        {{{"when", "Password"},
          {"input", {{{"secret_env", "GLASSTTY_TEST_SECRET"}}}}}}}});
  EXPECT_TRUE(Shows(reply, "length 7"));
  EXPECT_TRUE(Shows(reply, "answered \"Password:\""));
  EXPECT_EQ(reply.text.find("hunter2"), std::string::npos);
}

TEST_F(Plan, WhatARunningCommandPrintsIsNoQuestion) {
  Reply reply = Run("echo Name; sleep 0.3; echo done",
                    {{"answers", {{{"when", "Name"}, {"input", "bob\n"}}}}});
  EXPECT_TRUE(Shows(reply, "done"));
  EXPECT_EQ(reply.text.find("answered"), std::string::npos);
}

TEST_F(Plan, AnEditorIsOpenedUsedAndLeftInOneCall) {
  Reply reply = Run("vim --clean -n a.txt; cat a.txt",
                    {{"input", {"ihello<Esc>", "yyp", ":wq<Enter>"}}});
  EXPECT_TRUE(Shows(reply, "prompt exit=0"));
  EXPECT_TRUE(Shows(reply, "hello\nhello"));
}

// tmux's client waits for its server, so the kernel does not show what it waits
// for.
TEST_F(Plan, AFullScreenProgramThatCanOnlyBeGuessedAtIsTypedToOnceItIsStill) {
  Reply reply =
      Run("tmux -L plan -f /dev/null new 'sh -i'; echo left $((40+2))",
          {{"input", {"exit\n"}}});
  EXPECT_TRUE(Shows(reply, "prompt exit=0"));
  EXPECT_TRUE(Shows(reply, "left 42"));
}

TEST_F(Plan, TermOpenTypesOnceTheProgramIsReady) {
  Reply reply = client_.Call(
      "term_open",
      {{"name", "py"}, {"argv", {"python3", "-q"}}, {"input", {"6*7\n"}}});
  EXPECT_TRUE(Shows(reply, "[py] input"));
  EXPECT_TRUE(Shows(reply, "42"));
}

TEST_F(Plan, ASessionIsNamedAsTheOtherToolsNameIt) {
  Reply reply = client_.Call("term_open", {{"session", "it"}});
  EXPECT_TRUE(Shows(reply, "[it] "));
}

TEST_F(Plan, AStepShowsWhatIsThereBetweenTwoOthers) {
  Reply reply = client_.Call(
      "term_open", {{"name", "py"},
                    {"argv", {"python3", "-q"}},
                    {"input", {"6*7\n", {{"show", true}}, "40+4\n"}}});
  size_t step = reply.text.find("[step 2]");
  size_t end = reply.text.find("[end]");
  ASSERT_NE(step, std::string::npos) << reply.text;
  ASSERT_NE(end, std::string::npos) << reply.text;
  std::string shown = reply.text.substr(step, end - step);
  EXPECT_NE(shown.find("42"), std::string::npos) << reply.text;
  // Each line occurs once.
  EXPECT_EQ(reply.text.find("42", end), std::string::npos) << reply.text;
  EXPECT_NE(reply.text.find("44", end), std::string::npos) << reply.text;
}

TEST_F(Plan, AStepShowsOnlyTheRowsThatItNames) {
  Reply reply =
      client_.Call("term_open", {{"name", "ed"},
                                 {"argv", {"vim", "--clean", "-n"}},
                                 {"input",
                                  {"i1<Enter>2<Enter>3<Enter>4<Enter>5<Esc>",
                                   {{"show", {2, 3}}},
                                   "gg",
                                   {{"show", "cursor"}}}}});
  size_t rows = reply.text.find("[step 2]");
  size_t cursor = reply.text.find("[step 4]");
  size_t end = reply.text.find("[end]");
  ASSERT_NE(end, std::string::npos) << reply.text;
  std::string named = reply.text.substr(rows, cursor - rows);
  EXPECT_NE(named.find(" rows 2-3\n2\n3\n"), std::string::npos) << named;
  std::string near = reply.text.substr(cursor, end - cursor);
  EXPECT_NE(near.find(" rows 1-4\n1\n2\n3\n4\n"), std::string::npos) << near;
  // All of the screen counts as shown, so the end has nothing to add.
  EXPECT_EQ(reply.text.substr(end), "[end]");
}

TEST_F(Plan, InputIsNotTypedToAShellWhoseCommandHasEnded) {
  Reply reply = Run("true", {{"input", {"touch wrong<Enter>"}}});
  EXPECT_TRUE(Shows(reply, "'input' was not typed: the command never asked"));
  EXPECT_TRUE(Shows(Run("ls", Json::object()), "exit=0"));
  EXPECT_EQ(Join(Screen(&client_, "main")).find("wrong"), std::string::npos);
}

TEST_F(Plan, APromptThatWasSeenCanStillBeAnswered) {
  Run("read -p 'Go on? ' x; echo it is $x", Json::object());
  Reply reply = client_.Call(
      "term_send", {{"session", "main"},
                    {"input", Json::array()},
                    {"answers", {{{"when", "Go on"}, {"input", "yes\n"}}}}});
  EXPECT_TRUE(Shows(reply, "it is yes"));
}

TEST_F(Plan, MistakesAreFoundBeforeAnythingIsStarted) {
  struct Row {
    Json more;
    const char* says;
  } rows[] = {
      {{{"answers", {{{"when", "("}, {"input", "x"}}}}},
       "term_run: answers[0].when: "},
      {{{"answers", {{{"when", "x"}, {"input", {"<Nokey>"}}}}}},
       "term_run: answers[0].input[0]: "},
      {{{"input", {"<Nokey>"}}}, "term_run: input[0]: unknown key <Nokey>"},
      {{{"input", {{{"show", {4, 2}}}}}},
       "term_run: input[0]: \"show\" must be true, [first row, last row] or "
       "\"cursor\""},
      {{{"input", "x"}, {"retry", Json::object()}}, "leave out 'retry'"},
      {{{"input", "x"}, {"compare_with", "true"}}, "leave out 'compare_with'"},
  };
  for (const Row& row : rows) {
    Reply reply = Run("touch started", row.more);
    EXPECT_TRUE(reply.is_error) << row.says;
    EXPECT_TRUE(Shows(reply, row.says));
  }
  Reply reply = client_.Call("term_run", {{"argv", {"true"}}, {"input", "x"}});
  EXPECT_TRUE(Shows(reply, "need a terminal"));
  EXPECT_FALSE(Shows(Run("ls", Json::object()), "started"));
}

}  // namespace
}  // namespace glasstty::testing
