// Tests term_run: exactly the command's output, its status, and its end, in
// every shell; and the reply if these cannot be known.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <regex>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

// A command and its expected result.
struct Command {
  std::string text;
  std::string output;
  int status = 0;
  std::string state = "prompt";
};

// Returns a client whose programs find `home` as their home.
ServerOptions At(const TempDir& home) {
  ServerOptions options;
  options.environment = DefaultEnvironment(home.path());
  return options;
}

::testing::AssertionResult Gives(McpClient* client, const std::string& session,
                                 const Command& command) {
  Reply reply = client->Call("term_run",
                             {{"session", session}, {"command", command.text}});
  std::string header = "[" + session + "] " + command.state +
                       " exit=" + std::to_string(command.status) + " ";
  if (!reply.is_error && reply.body == command.output &&
      reply.header.starts_with(header)) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure()
         << command.text << "\nwanted " << header << "...\n"
         << command.output << "\ngot " << reply.text;
}

struct Shell {
  std::string name;
  std::vector<std::string> argv;
  // Shows the present directory, sets x, shows x.
  bool is_posix = true;
  std::string state = "prompt";
  Json more = Json::object();  // arguments of term_open
};

class RunShells : public ::testing::TestWithParam<Shell> {};

TEST_P(RunShells, GiveExactlyTheOutputAndTheStatus) {
  const Shell& shell = GetParam();
  TempDir home;
  home.Write(".zshrc", "");
  McpClient client(At(home));
  ASSERT_TRUE(Good(Open(&client, "s", shell.argv, shell.more)));
  std::vector<Command> commands = {
      {"echo hi", "hi"},
      {"printf 'no newline'", "no newline"},
      {"echo; echo below", "\nbelow"},
      {"true", ""},
      {"false", "", 1},
      {"sh -c 'exit 42'", "", 42},
      {"sh -c 'kill -KILL $$'", "", 137},
      {"cd /usr", ""},
      {"pwd", "/usr"},
      {"echo \"a  b\"; echo 'it''s'", "a  b\nits"},
      {"echo 'wow!x' \"y!\"", "wow!x y!"},
      {"printf 'a\\tb\\n' | cut -f2", "b"},
      {"echo ünï漢 👍", "ünï漢 👍"},
      {"seq 3\necho second", "1\n2\n3\nsecond"},
      {"echo out; echo err >&2", "out\nerr"},
      {"printf '\\033[31mred\\033[0m\\n'", "red"},
      {"echo gone; clear; echo left", ""},
      {"command-that-is-not-there 2>/dev/null", "", 127},
  };
  for (Command command : commands) {
    command.state = shell.state;
    if (command.text.find("clear") != std::string::npos) {
      // Text that was cleared away was printed nevertheless.
      Reply reply = client.Call("term_run",
                                {{"session", "s"}, {"command", command.text}});
      EXPECT_TRUE(reply.body.ends_with("left")) << reply.text;
      continue;
    }
    // A shell reports the death of its child in words of its own.
    if (command.status == 137) {
      Reply reply = client.Call("term_run",
                                {{"session", "s"}, {"command", command.text}});
      EXPECT_NE(reply.header.find("exit=137"), std::string::npos) << reply.text;
      continue;
    }
    // fish reports it whatever stderr is.
    if (command.status == 127 && shell.name == "Fish") continue;
    EXPECT_TRUE(Gives(&client, "s", command));
  }
}

TEST_P(RunShells, KeepTheEffectOfWhatWasRun) {
  const Shell& shell = GetParam();
  TempDir home;
  home.Write(".zshrc", "");
  McpClient client(At(home));
  ASSERT_TRUE(Good(Open(&client, "s", shell.argv, shell.more)));
  const std::vector<Command> posix = {
      {"alias greet='echo hello'", ""},
      {"greet", "hello"},
      {"f() {\n  echo \"f of $1\"\n}", ""},
      {"f 1", "f of 1"},
      {"export X=7; y=8", ""},
      {"echo $X $y; sh -c 'echo $X'", "7 8\n7"},
      {"cat <<EOF\nhere $X\n\n  two\nEOF", "here 7\n\n  two"},
      {"for i in 1 2; do\n\techo \"$i\"\ndone", "1\n2"},
      {"PS1='new> '", ""},
      {"echo still", "still"},
      {"(exit 3)", "", 3}};
  const std::vector<Command> fish = {
      {"alias greet='echo hello'", ""},
      {"greet", "hello"},
      {"function f\n  echo \"f of $argv\"\nend", ""},
      {"f 1", "f of 1"},
      {"set -gx X 7; set y 8", ""},
      {"echo $X $y; sh -c 'echo $X'", "7 8\n7"},
      {"for i in 1 2\n\techo \"$i\"\nend", "1\n2"},
      {"function fish_prompt; echo 'new> '; end", ""},
      {"echo still", "still"}};
  for (Command command : shell.is_posix ? posix : fish) {
    command.state = shell.state;
    EXPECT_TRUE(Gives(&client, "s", command));
  }
  if (!shell.is_posix) return;
  Reply own = client.Call("term_run", {{"session", "s"},
                                       {"command", "pwd; echo \"$V\""},
                                       {"cwd", "/usr"},
                                       {"env", {{"V", "it's"}}}});
  EXPECT_EQ(own.body, "/usr\nit's") << own.text;
  Reply after = client.Call(
      "term_run", {{"session", "s"}, {"command", "pwd; echo \"[$V]\""}});
  EXPECT_NE(after.body.substr(0, 4), "/usr") << after.text;
  EXPECT_TRUE(after.body.ends_with("[]")) << after.text;
}

INSTANTIATE_TEST_SUITE_P(
    All, RunShells,
    ::testing::Values(Shell{"Bash", {"bash"}},
                      Shell{"BashLogin", {"bash", "-l"}},
                      Shell{"BashNorc", {"bash", "--norc"}},
                      Shell{"Zsh", {"zsh"}}, Shell{"Fish", {"fish"}, false},
                      Shell{"Dash", {"dash"}, true, "prompt(kernel)"},
                      Shell{"Sh", {"sh"}, true, "prompt(kernel)"},
                      Shell{"BashWithout",
                            {"bash", "--norc"},
                            true,
                            "prompt(kernel)",
                            {{"integration", "off"}}}),
    [](const auto& shell) { return shell.param.name; });

// Start-up files as people have them.
struct Rc {
  std::string name;
  std::string shell;
  std::string file;
  std::string text;
  // A regular expression for the screen after a command with status 1: the
  // user's own prompt still works.
  std::string prompt;
};

class RunRc : public ::testing::TestWithParam<Rc> {};

TEST_P(RunRc, OfTheUserKeepsWorkingAndCommandsAreKnown) {
  const Rc& rc = GetParam();
  TempDir home;
  std::string folder = home.Join(".config/fish");
  RunCommand({"mkdir", "-p", folder});
  home.Write(rc.file, rc.text);
  McpClient client(At(home));
  ASSERT_TRUE(Good(Open(&client, "s", {rc.shell})));
  // A prompt that a hook makes may be known only from the second one on.
  client.Call("term_run", {{"session", "s"}, {"command", "true"}});
  EXPECT_TRUE(Gives(&client, "s", {"echo hi", "hi"}));
  EXPECT_TRUE(Gives(&client, "s", {"printf x", "x"}));
  EXPECT_TRUE(Gives(&client, "s", {"sh -c 'exit 1'", "", 1}));
  std::string screen = Join(Screen(&client, "s"));
  EXPECT_TRUE(std::regex_search(screen, std::regex(rc.prompt))) << screen;
}

INSTANTIATE_TEST_SUITE_P(
    All, RunRc,
    ::testing::Values(
        Rc{"BashTheme", "bash", ".bashrc",
           "theme() { PS1=\"theme[$?] \"; }; PROMPT_COMMAND=theme\n",
           R"(theme\[1\])"},
        Rc{"BashArray", "bash", ".bashrc",
           "a() { s=$?; echo; }; b() { PS1=\"b[$s] \"; }\n"
           "PROMPT_COMMAND=(a b)\n",
           R"(b\[1\])"},
        Rc{"BashTimer", "bash", ".bashrc",
           "trap 'T=${T:-$SECONDS}' DEBUG\n"
           "stop() { S=$?; E=$((SECONDS - T)); unset T; }\n"
           "PROMPT_COMMAND=stop; PS1='took ${E}s [$S] '\n",
           R"(took \d+s \[1\])"},
        Rc{"BashUnset", "bash", ".bashrc", "set -u\nPS1='[$?] '\n", R"(\[1\])"},
        Rc{"BashReturns", "bash", ".bashrc",
           "PS1='[$?] '\ncase $- in *i*) return ;; esac\nPS1=wrong\n",
           R"(\[1\])"},
        Rc{"BashNoPromptVars", "bash", ".bashrc",
           "shopt -u promptvars\nPS1='\\w plain> '\n", "plain>"},
        Rc{"BashExports", "bash", ".bashrc",
           "export PS1='[$?] ' PROMPT_COMMAND=true HISTCONTROL=ignoreboth\n",
           R"(\[1\])"},
        Rc{"BashPs0", "bash", ".bashrc", "PS0='started\\n'\nPS1='[$?] '\n",
           "started"},
        Rc{"BashTwoLines", "bash", ".bashrc",
           "PS1='\\n\\[\\e[32m\\]\\w\\[\\e[0m\\]\\n[$?] '\n", R"(\[1\])"},
        Rc{"BashTalks", "bash", ".bashrc",
           "echo welcome; printf 'no newline'\nPS1='[$?] '\n", R"(\[1\])"},
        Rc{"ZshTheme", "zsh", ".zshrc", "precmd() { PS1=\"theme[$?] \" }\n",
           R"(theme\[1\])"},
        Rc{"ZshRightPrompt", "zsh", ".zshrc",
           "setopt prompt_subst\nPS1='[%?] '; RPS1='right'\n", R"(\[1\])"},
        Rc{"ZshInstantPrompt", "zsh", ".zshrc",
           "print -n 'instant> '\nautoload -Uz add-zsh-hook\n"
           "first() { print -n '\\r\\e[J'; add-zsh-hook -d precmd first }\n"
           "add-zsh-hook precmd first\nPS1='[%?] '\n",
           R"(\[1\])"},
        Rc{"ZshStrict", "zsh", ".zshrc",
           "setopt no_unset warn_create_global ksh_arrays\nPS1='[%?] '\n",
           R"(\[1\])"},
        Rc{"FishPrompt", "fish", ".config/fish/config.fish",
           "function fish_prompt; echo -n \"f[$status] \"; end\n"
           "function fish_right_prompt; echo right; end\n",
           R"(f\[1\])"}),
    [](const auto& rc) { return rc.param.name; });

TEST(Run, OpensMainAtTheFirstCommand) {
  McpClient client;
  Reply reply = client.Call("term_run", {{"command", "echo $((6 * 7))"}});
  EXPECT_EQ(reply.body, "42") << reply.text;
  EXPECT_TRUE(reply.header.starts_with("[main] prompt exit=0 ")) << reply.text;
  EXPECT_EQ(reply.meta["glasstty/exit"], 0);
}

TEST(Run, ReturnsEarlyWhenTheCommandAsks) {
  McpClient client;
  Reply asked = client.Call(
      "term_run",
      {{"command", "read -p 'name? ' x; echo \"got $x\"; (exit 4)"}});
  EXPECT_TRUE(asked.header.starts_with("[main] input ")) << asked.text;
  EXPECT_EQ(asked.body, "name? ") << asked.text;
  Reply answered = client.Call(
      "term_send", {{"session", "main"}, {"input", "bob"}, {"enter", true}});
  EXPECT_NE(answered.header.find("prompt exit=4"), std::string::npos)
      << answered.text;
  EXPECT_NE(answered.body.find("got bob"), std::string::npos) << answered.text;
  Reply again = client.Call("term_read", {{"mode", "command"}});
  EXPECT_NE(again.body.find("got bob"), std::string::npos) << again.text;
  Reply secret =
      client.Call("term_run", {{"command", "read -s -p 'password: ' x"}});
  EXPECT_TRUE(secret.header.starts_with("[main] secret ")) << secret.text;
}

TEST(Run, ATimeOutIsAnAnswerAndTheCommandGoesOn) {
  McpClient client;
  Reply late = client.Call(
      "term_run",
      {{"command", "echo early; read -t 1 x < /dev/zero; sleep 0.5; (exit 9)"},
       {"timeout_s", 0.5}});
  EXPECT_NE(late.header.find("reason=timeout"), std::string::npos) << late.text;
  EXPECT_EQ(late.body, "early") << late.text;
  Reply refused = client.Call("term_run", {{"command", "echo no"}});
  EXPECT_TRUE(refused.is_error);
  EXPECT_NE(refused.text.find("nothing was typed"), std::string::npos)
      << refused.text;
  Reply end = client.Call("term_wait", {{"session", "main"},
                                        {"until", {{"state", "prompt"}}},
                                        {"timeout_s", 20}});
  EXPECT_NE(end.header.find("prompt exit=9"), std::string::npos) << end.text;
  EXPECT_EQ(end.body.find("no"), std::string::npos) << end.text;
}

// The duration excludes the time until the server saw that it had ended.
TEST(Run, ADurationIsTheCommands) {
  McpClient client;
  TempDir folder;
  client.Call("term_run", {{"command", "cd " + folder.path()}});
  Reply reply = client.Call(
      "term_run", {{"command", "sleep 1; : > over"}, {"timeout_s", 0.1}});
  EXPECT_TRUE(Shows(reply, "[main] busy(kernel)"));
  client.Signal(SIGSTOP);
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    return access(folder.Join("over").c_str(), F_OK) == 0;
  }));
  // This test is about time itself.
  EXPECT_FALSE(Eventually(Seconds(2), [] { return false; }));
  client.Signal(SIGCONT);
  reply = client.Call("term_wait", {{"until", {{"state", "prompt"}}}});
  double seconds = 0;
  ASSERT_EQ(
      std::sscanf(reply.header.c_str(), "[main] prompt exit=0 %lfs", &seconds),
      1)
      << reply.text;
  EXPECT_GE(seconds, 0.9);
  EXPECT_LT(seconds, 2.5 * Slowness());
  EXPECT_EQ(reply.body, "");
}

TEST(Run, TypesNothingAtAnythingButAPrompt) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "py", {"python3", "-q"})));
  Reply reply =
      client.Call("term_run", {{"session", "py"}, {"command", "echo no"}});
  EXPECT_TRUE(reply.is_error);
  EXPECT_NE(reply.text.find("input in python3"), std::string::npos)
      << reply.text;
  EXPECT_EQ(Join(Screen(&client, "py")).find("echo no"), std::string::npos);
}

TEST(Run, CallsAtOnceRunOneAfterAnother) {
  McpClient client;
  client.Call("term_run", {{"command", "true"}});
  std::vector<int> ids;
  for (const char* name : {"a", "b", "c"}) {
    ids.push_back(client.SendCall(
        "term_run", {{"command", std::string("sleep 0.1; echo ") + name}}));
  }
  for (size_t i = 0; i < ids.size(); ++i) {
    Reply reply = client.Await(ids[i]);
    EXPECT_EQ(reply.body, std::string(1, static_cast<char>('a' + i)))
        << reply.text;
  }
}

TEST(Run, OutputOfABackgroundJobIsNotTakenForTyping) {
  McpClient client;
  client.Call("term_run", {{"command", "(sleep 0.2; echo late) &"}});
  client.Call("term_wait",
              {{"session", "main"}, {"until", {{"text", "late"}}}});
  Reply reply = client.Call("term_run", {{"command", "echo on"}});
  EXPECT_EQ(reply.body, "on") << reply.text;
}

TEST(Run, APromptThatLostItsHookIsStillThere) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "z", {"zsh"})));
  client.Call("term_run",
              {{"session", "z"}, {"command", "precmd_functions=()"}});
  Reply reply =
      client.Call("term_run", {{"session", "z"}, {"command", "echo on"}});
  EXPECT_EQ(reply.body, "on") << reply.text;
}

TEST(Run, AProgramWithoutATerminalFindsTheEndOfItsInput) {
  McpClient client;
  Reply reply = client.Call("term_run", {{"argv", {"cat"}}});
  EXPECT_TRUE(reply.header.starts_with("[run-1] exited=0")) << reply.text;
}

TEST(Run, SaysThatACommandIsNotFinished) {
  McpClient client;
  Reply open = client.Call("term_run", {{"command", "echo \"open"}});
  EXPECT_TRUE(open.header.starts_with("[main] input ")) << open.text;
  EXPECT_NE(open.header.find("<C-c>"), std::string::npos) << open.text;
  client.Call("term_send",
              {{"session", "main"}, {"input", Json::array({"<C-c>"})}});
  EXPECT_EQ(client.Call("term_run", {{"command", "echo on"}}).body, "on");
}

// This goes from shell to shell and back, each time in another way.
TEST(Run, GoesOnInAShellInTheShell) {
  McpClient client;
  for (const auto& [command, output] :
       std::vector<std::pair<std::string, std::string>>{
           {"bash --norc", ""},
           {"echo nested", "nested"},
           {"dash", ""},
           {"echo a\necho b", "a\nb"},
           {"exit", ""},
           {"echo back", "back"}}) {
    Reply reply = client.Call("term_run", {{"command", command}});
    ASSERT_FALSE(reply.is_error) << reply.text;
    if (output.empty()) continue;
    EXPECT_EQ(reply.body, output) << reply.text;
  }
  Reply out = client.Call("term_run", {{"command", "exit"}});
  EXPECT_TRUE(out.header.starts_with("[main] prompt ")) << out.text;
  Reply replaced = client.Call("term_run", {{"command", "exec bash --norc"}});
  EXPECT_TRUE(replaced.header.starts_with("[main] prompt(kernel) "))
      << replaced.text;
  EXPECT_EQ(client.Call("term_run", {{"command", "echo new"}}).body, "new");
  Reply gone = client.Call("term_run", {{"command", "exit 3"}});
  EXPECT_TRUE(gone.header.starts_with("[main] exited=3")) << gone.text;
}

// The kernel shows a program that copies bytes here; its name gives nothing
// away.
TEST(Run, WorksOnTheFarSideOfSsh) {
  TempDir folder;
  std::string path = folder.Join("socket");
  // ssh would transmit the size.
  folder.Write("far", "stty rows 40 cols 120; exec bash --norc\n");
  RunCommand({"cp", "/usr/bin/socat", folder.Join("ssh")});
  McpClient far;
  ASSERT_TRUE(Good(
      Open(&far, "far",
           {"socat", "UNIX-LISTEN:" + path,
            "EXEC:sh " + folder.Join("far") + ",pty,setsid,ctty,stderr,sane"},
           {{"env", {{"PS1", "far$ "}}}, {"until", {{"quiet_s", 0.01}}}})));
  ASSERT_TRUE(Eventually(Seconds(10),
                         [&path] { return access(path.c_str(), F_OK) == 0; }));
  McpClient client;
  Reply in = client.Call(
      "term_run",
      {{"command", folder.Join("ssh") + " -,rawer UNIX-CONNECT:" + path}});
  ASSERT_TRUE(in.header.starts_with("[main] prompt(guess) ")) << in.text;
  for (const Command& command :
       std::vector<Command>{{"echo far away", "far away"},
                            {"echo a\nfalse", "a", 1},
                            {"echo \"it's\" '!x'", "it's !x"},
                            {"printf 'no newline'", "no newline"},
                            {"cd /usr; pwd", "/usr"}}) {
    Reply reply = client.Call("term_run", {{"command", command.text}});
    EXPECT_EQ(reply.body, command.output) << reply.text;
    EXPECT_TRUE(reply.header.starts_with(
        "[main] prompt(guess) exit=" + std::to_string(command.status) + " "))
        << reply.text;
  }
  Reply asks = client.Call("term_run", {{"command", "read -p 'really? ' x"}});
  EXPECT_TRUE(asks.header.starts_with("[main] input(guess) ")) << asks.text;
  client.Call("term_send",
              {{"session", "main"}, {"input", "yes"}, {"enter", true}});
  Reply out = client.Call("term_run", {{"command", "exit"}});
  EXPECT_TRUE(out.header.starts_with("[main] prompt ")) << out.text;
}

TEST(Run, WithoutAShellKeepsStderrApart) {
  McpClient client;
  Reply reply = client.Call(
      "term_run",
      {{"argv", {"sh", "-c", "echo out; echo err >&2; test -t 1; exit 5"}}});
  EXPECT_TRUE(reply.header.starts_with("[run-1] exited=5")) << reply.text;
  EXPECT_EQ(reply.body, "out\nerr| err") << reply.text;
  EXPECT_EQ(reply.meta["glasstty/exit"], 5);
  Reply lines = client.Call("term_run", {{"argv", {"seq", "3"}}, {"cwd", "/"}});
  EXPECT_EQ(lines.body, "1\n2\n3") << lines.text;
  Reply again =
      client.Call("term_read", {{"session", "run-1"}, {"mode", "history"}});
  EXPECT_EQ(again.body, "out\nerr| err") << again.text;
}

TEST(Run, FreshTakesATerminalOfItsOwn) {
  McpClient client;
  Reply reply = client.Call("term_run", {{"command", "stty size; exit 4"},
                                         {"fresh", true},
                                         {"rows", 7},
                                         {"cols", 33}});
  EXPECT_TRUE(reply.header.starts_with("[run-1] exited=4")) << reply.text;
  EXPECT_EQ(reply.body, "7 33") << reply.text;
}

// Prints as a build does: many lines, of which the last few matter.
const char kBuild[] =
    "for i in $(seq 1 500); do echo compiling $i; done; echo 'a.c:1: error: "
    "x'; "
    "echo '  int y'; for i in $(seq 1 300); do echo \"b.c:$i: warning: z\"; "
    "done; "
    "echo 'ld: error: last'; false";

TEST(Run, GrepShowsMatchingLinesOfBothEndsAndCountsAll) {
  McpClient client;
  Reply run = client.Call(
      "term_run",
      {{"command", kBuild}, {"grep", "error|warning"}, {"max_lines", 4}});
  EXPECT_TRUE(Shows(run, "exit=1"));
  EXPECT_TRUE(Shows(run, "302 of 803 lines match, 4 shown"));
  EXPECT_EQ(run.body,
            "502: a.c:1: error: x\n"
            "504: b.c:1: warning: z\n"
            "[298 matches left out: from_line=505 to_line=802]\n"
            "803: b.c:300: warning: z\n"
            "804: ld: error: last")
      << run.text;
  // The call that the line names returns the lines that were left out.
  Reply search = client.Call("term_search", {{"session", "main"},
                                             {"regex", "error|warning"},
                                             {"from_line", 505},
                                             {"to_line", 802},
                                             {"max", 2}});
  EXPECT_TRUE(Shows(search, "298 matches"));
}

TEST(Run, GrepShowsLinesAroundAMatch) {
  McpClient client;
  Reply run = client.Call(
      "term_run", {{"command", kBuild}, {"grep", " error:"}, {"context", 1}});
  EXPECT_EQ(run.body,
            "501- compiling 500\n"
            "502: a.c:1: error: x\n"
            "503-   int y\n"
            "--\n"
            "803- b.c:300: warning: z\n"
            "804: ld: error: last")
      << run.text;
}

TEST(Run, GrepKeepsTheFirstOrTheLastMatches) {
  auto run = [](const char* end, int context) {
    McpClient client;
    Json call = {{"command", kBuild},
                 {"grep", "error|warning"},
                 {"max_lines", 2},
                 {"truncate", end},
                 {"context", context}};
    return client.Call("term_run", call).body;
  };
  EXPECT_EQ(run("head", 0),
            "502: a.c:1: error: x\n"
            "504: b.c:1: warning: z\n"
            "[300 matches left out: from_line=505]");
  EXPECT_EQ(run("tail", 0),
            "[300 matches left out: from_line=1 to_line=802]\n"
            "803: b.c:300: warning: z\n"
            "804: ld: error: last");
  EXPECT_EQ(run("tail", 1),
            "[300 matches left out: from_line=1 to_line=801]\n"
            "802- b.c:299: warning: z\n"
            "803: b.c:300: warning: z\n"
            "804: ld: error: last");
}

TEST(Run, GrepWithoutAMatchSaysSo) {
  McpClient client;
  Reply run = client.Call("term_run", {{"command", "seq 5"}, {"grep", "x"}});
  EXPECT_EQ(run.body, "");
  EXPECT_TRUE(Shows(run, "exit=0"));
  EXPECT_TRUE(Shows(run, "0 of 5 lines match"));
  // The prompt behind the output is no line of it.
  run = client.Call("term_run", {{"command", "PS1='x> '"}, {"grep", "x"}});
  EXPECT_TRUE(Shows(run, "0 of 0 lines match"));
}

TEST(Run, GrepLooksAtStderrToo) {
  McpClient client;
  Reply run = client.Call(
      "term_run",
      {{"argv", {"sh", "-c", "echo one; echo two; echo one more >&2"}},
       {"grep", "one"}});
  EXPECT_EQ(run.body, "1: one\nstderr:\n1: one more") << run.text;
  EXPECT_TRUE(Shows(run, "2 of 3 lines match"));
}

TEST(Run, GrepDoesNotHideAQuestion) {
  McpClient client;
  Reply run = client.Call(
      "term_run", {{"command", "read -p 'Really? ' x"}, {"grep", "nothing"}});
  EXPECT_TRUE(Shows(run, "Really?"));
  EXPECT_TRUE(Shows(run, "not filtered by grep: it has not ended"));
}

TEST(Run, GrepIsCheckedBeforeAnythingRuns) {
  McpClient client;
  Reply run =
      client.Call("term_run", {{"command", "touch ran"}, {"grep", "("}});
  EXPECT_TRUE(run.is_error);
  EXPECT_TRUE(Shows(run, "missing )"));
  run = client.Call(
      "term_run",
      {{"command", "true"}, {"grep", "x"}, {"compare_with", "false"}});
  EXPECT_TRUE(Shows(run, "exclude each other"));
}

TEST(Run, LongOutputSaysHowToFetchTheRest) {
  McpClient client;
  Reply reply = client.Call("term_run", {{"command", "seq 1000"}});
  size_t way = reply.header.find("left out: term_read from_line=");
  ASSERT_NE(way, std::string::npos) << reply.header;
  EXPECT_TRUE(reply.header.ends_with(" lines=900")) << reply.header;
  EXPECT_TRUE(reply.body.starts_with("1\n2\n")) << reply.text;
  EXPECT_TRUE(reply.body.ends_with("\n999\n1000")) << reply.text;
  int from =
      std::stoi(reply.header.substr(reply.header.find("from_line=", way) + 10));
  Reply rest = client.Call("term_read", {{"from_line", from}, {"lines", 900}});
  EXPECT_TRUE(rest.body.starts_with("51\n52\n")) << rest.text;
  EXPECT_TRUE(rest.body.ends_with("\n949\n950")) << rest.text;
  // The last of them is the prompt.
  Reply last = client.Call("term_read", {{"lines", 3}});
  EXPECT_TRUE(last.body.starts_with("999\n1000")) << last.text;
}

// ---- success, retry, compare_with

struct SuccessRow {
  const char* name;
  Json arguments;
  // The header has "success", or why it was none.
  const char* verdict;
};
const SuccessRow kSuccess[] = {
    {"ZeroIsASuccess",
     {{"command", "true"}, {"success", Json::object()}},
     "| success"},
    {"AnotherCodeIsNone",
     {{"command", "false"}, {"success", Json::object()}},
     "no success: exit=1, wanted 0"},
    {"CodesThatAreNamed",
     {{"command", "(exit 3)"}, {"success", {{"exit_codes", {0, 3}}}}},
     "| success"},
    {"AnyCode",
     {{"command", "false"}, {"success", {{"exit_codes", "any"}}}},
     "| success"},
    {"TextInTheOutput",
     {{"command", "seq 1 5000"}, {"success", {{"regex", "^4321$"}}}},
     "success"},
    {"TextThatIsNotThere",
     {{"command", "echo 0 errors"}, {"success", {{"regex", "1 error"}}}},
     "no success: no match of '1 error' in its output"},
    {"ThePromptIsNoOutput",
     {{"command", "PS1='ok> '; echo no"}, {"success", {{"regex", "ok"}}}},
     "no success: no match of 'ok' in its output"},
    {"ThePromptOnTheSameLineIsNoOutput",
     {{"command", "PS1='ok> '; printf no"}, {"success", {{"regex", "ok"}}}},
     "no success: no match of 'ok' in its output"},
    {"TextAtTheEndWithoutANewline",
     {{"command", "PS1='ok> '; printf no"}, {"success", {{"regex", "no$"}}}},
     "| success"},
    {"TextOnStderrOfAProgram",
     {{"argv", {"sh", "-c", "echo bad >&2"}}, {"success", {{"regex", "bad"}}}},
     "| success"},
    {"AFileThatMustBeThere",
     {{"command", "true"}, {"success", {{"file", "/nowhere/log"}}}},
     "no success: file: open /nowhere/log: No such file"},
    {"TextInAFile",
     {{"command", "echo '0 errors' > log"},
      {"success", {{"file", "log"}, {"file_regex", "^0 err"}}}},
     "| success"},
    {"AProgramKilledByASignal",
     {{"argv", {"sh", "-c", "kill -9 $$"}}, {"success", Json::object()}},
     "no success: exit=137, wanted 0"},
};

class RunSuccess : public ::testing::TestWithParam<SuccessRow> {};

TEST_P(RunSuccess, IsToldInTheHeader) {
  TempDir folder;
  McpClient client;
  client.Call("term_run", {{"command", "cd " + folder.path()}});
  Reply reply = client.Call("term_run", GetParam().arguments);
  EXPECT_NE(reply.header.find(GetParam().verdict), std::string::npos)
      << reply.text;
}
INSTANTIATE_TEST_SUITE_P(All, RunSuccess, ::testing::ValuesIn(kSuccess),
                         [](const auto& row) { return row.param.name; });

TEST(Run, TheHintAboutAnUnfinishedCommandIsNoMatch) {
  McpClient client;
  Reply reply =
      client.Call("term_run", {{"command", "echo \"a"}, {"format", "json"}});
  Json facts = reply.message["result"]["structuredContent"];
  EXPECT_EQ(facts["reason"], "input") << reply.text;
  EXPECT_FALSE(facts.contains("match")) << reply.text;
}

TEST(Run, RetriesUntilItSucceedsAndTellsEveryAttempt) {
  TempDir folder;
  McpClient client;
  Reply reply = client.Call(
      "term_run",
      {{"command",
        "echo x >> tries; echo try $(wc -l < tries); "
        "test $(wc -l < tries) -ge 3"},
       {"cwd", folder.path()},
       {"retry", {{"times", 4}, {"delay_s", 0.05}, {"backoff", "linear"}}}});
  EXPECT_TRUE(Shows(reply, "exit=0"));
  EXPECT_TRUE(Shows(reply,
                    "success; attempt 3 of 5; failed: 1: exit=1, wanted "
                    "0, 2: exit=1, wanted 0"));
  EXPECT_EQ(reply.body, "try 3");
}

TEST(Run, RetriesEndWithTheLastFailure) {
  McpClient client;
  Reply reply =
      client.Call("term_run", {{"argv", {"sh", "-c", "echo no; exit 4"}},
                               {"retry", {{"times", 1}, {"delay_s", 0.01}}}});
  EXPECT_TRUE(Shows(reply, "no success: exit=4, wanted 0; attempt 2 of 2"));
  EXPECT_EQ(reply.body, "no");
}

TEST(Run, DoesNotRetryWhatHasNotEnded) {
  McpClient client;
  // The shell may take longer to start than the command may take.
  client.Call("term_run", {{"command", "true"}});
  Reply reply = client.Call("term_run", {{"command", "sleep 86397"},
                                         {"timeout_s", 0.2},
                                         {"retry", {{"times", 3}}}});
  EXPECT_TRUE(Shows(reply, "attempt 1 of 4"));
  EXPECT_TRUE(Shows(reply, "reason=timeout"));
}

TEST(Run, ComparesTheOutputsOfTwoCommands) {
  McpClient client;
  Reply reply =
      client.Call("term_run", {{"command", "seq 1 9"},
                               {"compare_with", "seq 1 9 | sed s/5/five/"},
                               {"context", 1}});
  EXPECT_TRUE(Shows(reply, "they differ; first exit=0; second exit=0"));
  EXPECT_EQ(reply.body,
            "--- seq 1 9\n+++ seq 1 9 | sed s/5/five/\n@@ -4,3 +4,3 @@\n"
            " 4\n-5\n+five\n 6");
  reply = client.Call(
      "term_run", {{"command", "echo same"}, {"compare_with", "echo same"}});
  EXPECT_TRUE(Shows(reply, "identical"));
  EXPECT_EQ(reply.body, "");
  EXPECT_EQ(Lines(client.Call("term_list").text).size(), 1u);
}

TEST(Run, ComparesWholeOutputsHoweverLong) {
  McpClient client;
  Reply reply =
      client.Call("term_run", {{"command", "seq 1 50000"},
                               {"compare_with", "seq 1 50000 | sed s/^77$/x/"},
                               {"context", 0}});
  EXPECT_TRUE(Shows(reply, "@@ -77 +77 @@\n-77\n+x"));
}

TEST(Run, ShowsNoMoreBytesThanWereAskedFor) {
  McpClient client;
  Reply reply =
      client.Call("term_run", {{"command", "seq 1 10000"}, {"max_bytes", 100}});
  EXPECT_LT(reply.body.size(), 150u) << reply.text;
  EXPECT_TRUE(Shows(reply, "lines left out"));
}

}  // namespace
}  // namespace glasstty::testing
