// Hooks of agents' clients: the hidden tool, and `glasstty hook`.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "wire/shared_server.h"

namespace glasstty::testing {
namespace {

class Hooks : public ::testing::Test {
 protected:
  ~Hooks() override {
    agent_.reset();
    if (pid_t pid = wire::ServerOwner(state_.path()).pid; pid > 0)
      kill(pid, SIGKILL);
  }

  McpClient* Agent(std::vector<std::string> variables = {}) {
    ServerOptions options;
    options.arguments = {"mcp"};
    options.state_dir = state_.path();
    options.extra_environment = std::move(variables);
    agent_ = std::make_unique<McpClient>(options);
    return agent_.get();
  }
  // Opens a program that goes on once there is a file. The reply says "busy".
  Reply OpenBusy(const std::string& name, const std::string& then) {
    std::string wait = "until [ -e " + go_.Join("go") + " ]; do sleep 0.05; ";
    return Open(agent_.get(), name, {"sh", "-c", wait + "done; " + then},
                {{"timeout_s", 0.1}, {"until", {{"text", "never"}}}});
  }
  void Go() { go_.Write("go", ""); }

  std::string Hook(Json arguments) {
    return agent_->Call("term_hook", arguments).text;
  }
  std::string Stop() { return Hook({{"event", "Stop"}}); }
  // Runs `glasstty hook` as a client does, with its JSON on stdin.
  CommandResult Command(const std::string& words, const Json& input,
                        std::vector<std::string> variables = {}) {
    variables.push_back("GLASSTTY_STATE_DIR=" + state_.path());
    variables.push_back("INPUT=" + DumpJson(input));
    // The hook need not read it, which would be an error of a program in front.
    return RunCommand(
        {"sh", "-c", ServerPath() + " hook " + words + " <<END\n$INPUT\nEND"},
        variables);
  }
  // After this reply, as the hook of a client that is used interactively.
  std::future<CommandResult> WakeAfter(const Reply& reply) {
    Json block = {{"type", "text"}, {"text", reply.text}};
    Json input = {{"hook_event_name", "PostToolUse"},
                  {"tool_response", Json::array({block})}};
    return std::async(std::launch::async, [this, input] {
      return Command("wake", input, {"CLAUDE_CODE_ENTRYPOINT=cli"});
    });
  }

  TempDir state_;
  TempDir go_;
  std::unique_ptr<McpClient> agent_;
};

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Hooks, TheToolIsInNoList) {
  Agent();
  std::string tools = DumpJson(agent_->Request("tools/list"));
  EXPECT_FALSE(Has(tools, "term_hook")) << tools;
  Json unknown = agent_->Request("tools/call", {{"name", "term_hok"}});
  EXPECT_FALSE(Has(DumpJson(unknown), "term_hook")) << unknown;
}

TEST_F(Hooks, StopSaysOnceWhatAsks) {
  Agent();
  ASSERT_TRUE(Shows(Open(agent_.get(), "job",
                         {"sh", "-c", "printf 'Overwrite? [y/N] '; read x"}),
                    "input"));
  EXPECT_EQ(Hook({{"event", "Stop"}, {"stop_hook_active", "true"}}), "{}");
  EXPECT_EQ(Hook({{"event", "Stop"}, {"stop_hook_active", true}}), "{}");
  std::string said = Stop();
  EXPECT_TRUE(Has(said, "session job asks: \\\"Overwrite? [y/N]\\\"")) << said;
  EXPECT_TRUE(Has(said, "additionalContext")) << said;
  EXPECT_EQ(Stop(), "{}");
}

TEST_F(Hooks, AdviceComesBeforeTheTextsOfPrograms) {
  Agent();
  for (const char* name : {"one", "two"}) {
    ASSERT_TRUE(Shows(
        Open(
            agent_.get(), name,
            {"sh", "-c", "printf 'Password for QUOTED: '; stty -echo; read x"}),
        "secret"));
  }
  std::string said = Stop();
  size_t quoted = said.find("QUOTED");
  ASSERT_NE(quoted, std::string::npos) << said;
  for (const char* advice : {"term_", "glasstty attach", "secret_env"}) {
    EXPECT_TRUE(Has(said, advice)) << said;
    EXPECT_EQ(said.find(advice, quoted), std::string::npos) << said;
  }
  std::string started = Command("start", {}, {}).output;
  EXPECT_LT(started.rfind("term_list"), started.find("one ("))
      << "programs are named last: " << started;
}

TEST_F(Hooks, StopSaysTheNextQuestionToo) {
  Agent();
  ASSERT_TRUE(Shows(
      Open(agent_.get(), "job",
           {"sh", "-c", "printf 'One? '; read x; printf 'Two? '; read x"}),
      "input"));
  EXPECT_TRUE(Has(Stop(), "One?"));
  ASSERT_TRUE(Good(Keys(agent_.get(), "job", "a<Enter>")));
  EXPECT_TRUE(Has(Stop(), "Two?"));
}

TEST_F(Hooks, StopIsSilentAboutWhatOnlyWaits) {
  Agent();
  ASSERT_TRUE(Good(Open(agent_.get(), "ed", {"vim", "--clean", "-n"})));
  ASSERT_TRUE(Good(RunIn(agent_.get(), "main", "false")));
  EXPECT_EQ(Stop(), "{}");
}

TEST_F(Hooks, StopTakesThePromptOfAnInterpreterForNoQuestion) {
  Agent();
  for (const char* prompt : {">>> ", "sqlite> ", "(gdb) ", "  DB<1> ", "% ",
                             "shop=# ", "In [1]: "}) {
    std::string script = "printf '%s' \"$0\"; read x";
    ASSERT_TRUE(Good(Open(agent_.get(), "repl", {"sh", "-c", script, prompt},
                          {{"until", {{"state", "input"}}}})));
    EXPECT_EQ(Stop(), "{}") << prompt;
    agent_->Call("term_close", {{"session", "repl"}, {"forget", true}});
  }
  ASSERT_TRUE(Good(Open(agent_.get(), "ask",
                        {"sh", "-c", "printf 'Your choice > '; read x"},
                        {{"until", {{"state", "input"}}}})));
  EXPECT_TRUE(Has(Stop(), "Your choice >"));
}

TEST_F(Hooks, StopSaysAFailureThatTheAgentHasNotSeen) {
  Agent();
  ASSERT_TRUE(Shows(OpenBusy("bad", "exit 3"), "busy"));
  ASSERT_TRUE(Shows(OpenBusy("good", "exit 0"), "busy"));
  EXPECT_EQ(Stop(), "{}");
  Go();
  std::string said;
  ASSERT_TRUE(Eventually(Seconds(20), [&] { return (said = Stop()) != "{}"; }));
  EXPECT_TRUE(Has(said, "session bad has ended: exited=3")) << said;
  EXPECT_FALSE(Has(said, "good")) << said;
  EXPECT_EQ(Stop(), "{}");
}

TEST_F(Hooks, StopHasTheFormOfCodexOnRequest) {
  Agent();
  ASSERT_TRUE(
      Good(Open(agent_.get(), "job", {"sh", "-c", "printf 'Sure? '; read x"})));
  auto answer = ParseJson(Hook({{"event", "Stop"}, {"client", "codex"}}));
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ((*answer)["decision"], "block");
  EXPECT_TRUE(Has((*answer)["reason"].get<std::string>(), "Sure?"));
}

TEST_F(Hooks, AHintIsGivenOnce) {
  Agent();
  Json harmless = {{"event", "PreToolUse"}, {"command", "git status"}};
  EXPECT_EQ(Hook(harmless), "{}");
  Json editor = {{"event", "PreToolUse"}, {"command", "cd /tmp && vim a.txt"}};
  std::string hint = Hook(editor);
  EXPECT_TRUE(Has(hint, "vim wants a terminal")) << hint;
  EXPECT_EQ(Hook(editor), "{}");
}

TEST_F(Hooks, TheSettingSilencesThem) {
  Agent({"GLASSTTY_HOOKS=off"});
  ASSERT_TRUE(
      Good(Open(agent_.get(), "job", {"sh", "-c", "printf 'Sure? '; read x"})));
  EXPECT_EQ(Stop(), "{}");
  CommandResult started = Command("start", {}, {"GLASSTTY_HOOKS=off"});
  EXPECT_EQ(started.output, "");
}

TEST_F(Hooks, TheAgentIsWokenWhenAProgramAsks) {
  Agent();
  Reply busy = OpenBusy("job", "printf 'Overwrite? [y/N] '; read x");
  ASSERT_TRUE(Shows(busy, "[job] busy"));
  auto woken = WakeAfter(busy);
  Go();
  CommandResult result = woken.get();
  EXPECT_EQ(WEXITSTATUS(result.status), 2) << result.output;
  EXPECT_TRUE(Has(result.output, "session job asks: \"Overwrite? [y/N]\""))
      << result.output;
  // The agent has heard it, so it is not told again.
  EXPECT_EQ(Stop(), "{}");
}

TEST_F(Hooks, TheAgentIsWokenWhenACommandEnds) {
  Agent();
  Reply busy = agent_->Call("term_run",
                            {{"command", "until [ -e " + go_.Join("go") +
                                             " ]; do sleep 0.05; done; false"},
                             {"timeout_s", 0.5}});
  ASSERT_TRUE(Shows(busy, "[main] busy"));
  auto woken = WakeAfter(busy);
  Go();
  CommandResult result = woken.get();
  EXPECT_EQ(WEXITSTATUS(result.status), 2) << result.output;
  EXPECT_TRUE(Has(result.output, "session main is at its prompt: the command"))
      << result.output;
  EXPECT_TRUE(Has(result.output, "has ended, exit=1")) << result.output;
}

TEST_F(Hooks, TheAgentIsNotWokenForWhatItHasSeen) {
  Agent();
  Reply busy = OpenBusy("job", "exit 4");
  auto woken = WakeAfter(busy);
  int wait = agent_->SendCall(
      "term_wait", {{"session", "job"}, {"until", {{"state", "exited"}}}});
  Go();
  ASSERT_TRUE(Shows(agent_->Await(wait), "exited=4"));
  CommandResult result = woken.get();
  EXPECT_EQ(WEXITSTATUS(result.status), 0) << result.output;
  EXPECT_EQ(result.output, "");
}

TEST_F(Hooks, TheAgentIsNotWokenForWhatItHasClosed) {
  Agent();
  Reply busy = OpenBusy("job", "exit 4");
  auto woken = WakeAfter(busy);
  ASSERT_TRUE(
      Good(agent_->Call("term_close", {{"session", "job"}, {"force", true}})));
  EXPECT_EQ(WEXITSTATUS(woken.get().status), 0);
}

TEST_F(Hooks, OnlyTheLastReplyWakes) {
  Agent();
  Reply busy = OpenBusy("job", "exit 4");
  auto first = WakeAfter(busy);
  // Others begin to watch until it has noticed.
  ASSERT_TRUE(Eventually(Seconds(20), [&] {
    EXPECT_TRUE(Has(Hook({{"event", "Watch"}, {"session", "job"}}), "again"));
    return first.wait_for(Seconds(0)) == std::future_status::ready;
  }));
  EXPECT_EQ(WEXITSTATUS(first.get().status), 0);
}

TEST_F(Hooks, AQuestionThatAPersonAnswersLeadsToTheNextNews) {
  Agent();
  Reply asks = Open(agent_.get(), "job",
                    {"sh", "-c", "printf 'Sure? '; read x; exit 5"});
  ASSERT_TRUE(Shows(asks, "[job] input"));
  auto woken = WakeAfter(asks);
  CommandResult typed = RunCommand({ServerPath(), "send", "job", "y<Enter>"},
                                   {"GLASSTTY_STATE_DIR=" + state_.path()});
  ASSERT_EQ(WEXITSTATUS(typed.status), 0) << typed.output;
  CommandResult result = woken.get();
  EXPECT_EQ(WEXITSTATUS(result.status), 2) << result.output;
  EXPECT_TRUE(Has(result.output, "has ended: exited=5")) << result.output;
}

TEST_F(Hooks, OneShotRunsAreNotHeldUp) {
  Agent();
  Reply busy = OpenBusy("job", "exit 4");
  Json block = {{"type", "text"}, {"text", busy.text}};
  CommandResult result =
      Command("wake", {{"tool_response", Json::array({block})}},
              {"CLAUDE_CODE_ENTRYPOINT=sdk-cli"});
  EXPECT_EQ(WEXITSTATUS(result.status), 0) << result.output;
}

TEST_F(Hooks, WatchingAdoptsNothing) {
  Agent({"GLASSTTY_AWAY_S=0"});
  Reply busy = OpenBusy("job", "read x");
  auto woken = WakeAfter(busy);
  Go();
  woken.get();
  Reply list = agent_->Call("term_list", Json::object());
  EXPECT_FALSE(Has(list.text, "opened by")) << list.text;
  agent_->CloseStdin();
  ASSERT_TRUE(agent_->WaitForExit(Seconds(10)));
  EXPECT_TRUE(Eventually(
      Seconds(20), [this] { return LiveHolders(state_.path()).empty(); }));
}

TEST_F(Hooks, CommandsSpeakForTheAgentThatStartedThem) {
  Agent();
  ASSERT_TRUE(
      Good(Open(agent_.get(), "job", {"sh", "-c", "printf 'Sure? '; read x"})));
  CommandResult result =
      Command("stop --client codex", {{"stop_hook_active", false}});
  EXPECT_TRUE(Has(result.output, "\"decision\":\"block\"")) << result.output;
  EXPECT_TRUE(Has(result.output, "Sure?")) << result.output;
  result = Command("pretool", {{"tool_input", {{"command", "ssh host"}}}});
  EXPECT_TRUE(Has(result.output, "ssh wants a terminal")) << result.output;
}

TEST_F(Hooks, TheStartNamesTerminalsThatAreOpen) {
  CommandResult nothing = Command("start", {});
  EXPECT_EQ(nothing.output, "");
  EXPECT_EQ(WEXITSTATUS(nothing.status), 0);
  Agent();
  ASSERT_TRUE(Good(Open(agent_.get(), "db", {"cat"})));
  CommandResult result = Command("start", {});
  auto said = ParseJson(result.output);
  ASSERT_TRUE(said.ok()) << result.output;
  const Json& output = (*said)["hookSpecificOutput"];
  EXPECT_EQ(output["hookEventName"], "SessionStart");
  EXPECT_TRUE(Has(output["additionalContext"].get<std::string>(),
                  "db (input: \"cat\")"))
      << result.output;
}

TEST_F(Hooks, CommandsStartNoServer) {
  Json input = {{"stop_hook_active", false},
                {"tool_input", {{"command", "vim"}}},
                {"tool_response", "[job] busy"}};
  for (const char* words : {"start", "stop", "pretool", "wake"}) {
    CommandResult result =
        Command(words, input, {"CLAUDE_CODE_ENTRYPOINT=cli"});
    EXPECT_EQ(WEXITSTATUS(result.status), 0) << words;
    EXPECT_EQ(result.output, "") << words;
  }
  EXPECT_FALSE(wire::ConnectServer(state_.path()).valid());
}

TEST_F(Hooks, AMistakeInTheCommandIsExplained) {
  CommandResult result = Command("stpo", {});
  EXPECT_EQ(WEXITSTATUS(result.status), 2);
  EXPECT_TRUE(Has(result.output, "start, wake, pretool, permit, stop"))
      << result.output;
  result = Command("stop --client emacs", {});
  EXPECT_TRUE(Has(result.output, "no client 'emacs' with hooks"))
      << result.output;
}

}  // namespace
}  // namespace glasstty::testing
