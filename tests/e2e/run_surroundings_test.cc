// Tests the surroundings of a command in term_run: its variables, its
// directory, and the shell's line editor, which must not change a byte of it.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

constexpr char kSecret[] = "Qx7surround94";

struct ShellRow {
  std::string name;
  std::vector<std::string> argv;
  // Typed when the session is open: replaces the shell at the prompt.
  std::string then;
};

void PrintTo(const ShellRow& shell, std::ostream* out) { *out << shell.name; }

// Makes a directory with an empty file in it.
void MakeDirectory(const TempDir& parent, const std::string& name) {
  std::filesystem::create_directories(parent.Join(name));
  parent.Write(name + "/file", "");
}

// Returns a client whose programs find `home` as their home, with history
// files.
ServerOptions At(const TempDir& home, const TempDir& state) {
  ServerOptions options;
  options.environment = DefaultEnvironment(home.path());
  options.state_dir = state.path();
  home.Write(".zshrc",
             "HISTFILE=~/.zsh_history SAVEHIST=100 HISTSIZE=100\n"
             "setopt inc_append_history\n");
  home.Write(".bashrc", "PROMPT_COMMAND='history -a'\n");
  return options;
}

class RunIn : public ::testing::TestWithParam<ShellRow> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(Good(Open(&client_, "s", GetParam().argv)));
    if (GetParam().then.empty()) return;
    Run(GetParam().then);
  }

  Reply Run(const std::string& command, Json more = Json::object()) {
    more["session"] = "s";
    more["command"] = command;
    Reply reply = client_.Call("term_run", more);
    replies_ += reply.text + reply.message.dump();
    return reply;
  }

  TempDir home_;
  TempDir state_;
  McpClient client_{At(home_, state_)};
  std::string replies_;
};

const ShellRow kShells[] = {
    {"Bash", {"bash"}, ""},
    {"Dash", {"dash"}, ""},
    {"Zsh", {"zsh"}, ""},
    {"Ksh", {"ksh"}, ""},
    {"Fish", {"fish"}, ""},
    {"Mksh", {"mksh"}, ""},
    {"BashInBash", {"bash"}, "bash --norc"},
    {"Busybox", {"busybox", "sh"}, ""},
    {"ZshInBash", {"bash"}, "zsh -f"},
    {"FishInBash", {"bash"}, "fish --no-config"},
};
std::vector<ShellRow> PosixShells() {
  std::vector<ShellRow> shells;
  for (const ShellRow& shell : kShells) {
    if (shell.name.find("Fish") == std::string::npos) shells.push_back(shell);
  }
  return Sample(std::move(shells), 2);
}

class RunForm : public RunIn {};

TEST_P(RunForm, KeepsEveryByteOfTheCommand) {
  // ETX, EOT, BS, VT, FF, CR, DC1, DC3, NAK, SYN, SUB, ESC, FS and DEL mean
  // something to a terminal or a line editor.
  std::string texts, expected;
  for (char c : {'\t', '\x01', '\x03', '\x04', '\b', '\v', '\f', '\r', '\x11',
                 '\x13', '\x15', '\x16', '\x1a', '\x1b', '\x1c', '\x7f'}) {
    texts += std::string(" 'a") + c + "b'";
    expected += absl::StrFormat(" 61 %02x 62", c);
  }
  Reply reply = Run("printf %s" + texts + " | od -v -An -w48 -tx1");
  EXPECT_EQ(reply.body, expected) << reply.text;
  reply = Run("printf %s 'x\n'" + texts + " \\\n  y | od -v -An -w51 -tx1");
  EXPECT_EQ(reply.body, " 78 0a" + expected + " 79") << reply.text;
}

TEST_P(RunForm, KeepsQuotesBackslashesAndPercentSigns) {
  Reply reply = Run("printf '%s\\n' 'a\\\\\\\\b%d' \"it's 100%\" \\\\");
  std::string backslashes =
      GetParam().name.find("Fish") == std::string::npos ? "\\\\\\\\" : "\\\\";
  EXPECT_EQ(reply.body, "a" + backslashes + "b%d\nit's 100%\n\\") << reply.text;
  reply = Run("printf '%s\\t%s\\n' 'a\\b\tc' '!x' | tr '\\t' '+'");
  EXPECT_EQ(reply.body, "a\\b+c+!x") << reply.text;
}
INSTANTIATE_TEST_SUITE_P(All, RunForm, ::testing::ValuesIn(kShells),
                         [](const auto& row) { return row.param.name; });

class RunHistory : public RunIn {};

TEST_P(RunHistory, IsNotRecalledByACommand) {
  const std::vector<std::pair<std::string, std::string>> commands = {
      {"!(false) && echo yes", "yes"},
      {"if !(false); then echo yes; fi", "yes"},
      {"echo \"x!(y)\" 'hi!x' \"hi!x\"", "x!(y) hi!x hi!x"},
      {"! false\necho $?; echo !$", "0\n!$"},
      {"cat <<'EOF'\nhi!x\n^a^b\n!!\nEOF", "hi!x\n^a^b\n!!"},
      {"grep -c x <<EOF\n\n^x\nEOF\necho '\n^x^y\n'", "1\n\n^x^y\n"},
  };
  Run("echo before");
  for (const auto& [command, output] : commands) {
    // Other shells treat it as a glob.
    bool is_glob = command.find("!(f") != std::string::npos;
    bool is_bash = GetParam().name == "Bash" || GetParam().name == "BashInBash";
    if (is_glob && !is_bash) continue;
    Reply reply = Run(command);
    EXPECT_EQ(reply.body, output) << reply.text;
  }
}
INSTANTIATE_TEST_SUITE_P(All, RunHistory, ::testing::ValuesIn(PosixShells()),
                         [](const auto& row) { return row.param.name; });

class RunEnvironment : public RunIn {
 protected:
  // Fails if the value is anywhere but where it belongs.
  void ExpectToldNowhere() {
    Reply screen = client_.Call(
        "term_read",
        {{"session", "s"}, {"mode", "history"}, {"max_lines", 1000}});
    EXPECT_EQ(screen.text.find(kSecret), std::string::npos) << screen.text;
    EXPECT_EQ(replies_.find(kSecret), std::string::npos) << replies_;
    EXPECT_EQ(FilesWith(state_.path(), kSecret), std::vector<std::string>());
    EXPECT_EQ(FilesWith(home_.path(), kSecret), std::vector<std::string>());
  }
};

TEST_P(RunEnvironment, ReachesTheCommandAndNothingElse) {
  const Json env = {{"TOKEN", kSecret}, {"LINES_OF", "a'b\nc!d\t\\"}};
  Run("cd");
  Reply reply =
      Run("[ \"$TOKEN\" = Qx7surroun\"\"d94 ] && printenv LINES_OF | tr '\\t' "
          "+ && sh -c 'echo "
          "${#TOKEN}'",
          {{"env", env}});
  EXPECT_EQ(reply.body, "a'b\nc!d+\\\n13") << reply.text;
  EXPECT_EQ(Run("echo ${TOKEN-unset}").body, "unset");
  reply = Run("echo one\nsh -c 'echo ${#TOKEN}'; (exit 3)",
              {{"env", env}, {"cwd", "/usr"}});
  EXPECT_EQ(reply.body, "one\n13") << reply.text;
  EXPECT_TRUE(Shows(reply, "exit=3"));
  Run("echo over", {{"env", env}, {"timeout_s", 0}});
  client_.Call("term_wait",
               {{"session", "s"}, {"until", {{"state", "prompt"}}}});
  EXPECT_EQ(Run("pwd").body, home_.path());
  ExpectToldNowhere();
  client_.Call("term_close", {{"session", "s"}});
  ExpectToldNowhere();
}

TEST_P(RunEnvironment, IsNotShownByAShellThatShowsWhatItDoes) {
  const Json env = {{"TOKEN", kSecret}};
  for (const char* show :
       {"set -x", "set -v", "trap 'echo \"<$BASH_COMMAND>\"' DEBUG; set -T",
        "trap 'echo \"<$ZSH_DEBUG_CMD>\"' DEBUG"}) {
    // Most shells have no DEBUG.
    Run(std::string(show) + " 2>/dev/null");
    Reply reply = Run("sh -c 'echo ${#TOKEN}'", {{"env", env}});
    EXPECT_TRUE(Shows(reply, "13"));
    EXPECT_TRUE(Shows(Run("echo \"flags $-\""), "flags "));
  }
  ExpectToldNowhere();
}

TEST_P(RunEnvironment, OfANameThatTheShellKeepsIsRefusedWithoutItsValue) {
  Run("readonly TOKEN=1");
  Reply reply = Run("echo ran", {{"env", {{"TOKEN", kSecret}}}});
  EXPECT_EQ(reply.body.find("ran"), std::string::npos) << reply.text;
  EXPECT_EQ(reply.header.find("exit=0"), std::string::npos) << reply.text;
  ExpectToldNowhere();
}
INSTANTIATE_TEST_SUITE_P(All, RunEnvironment,
                         ::testing::ValuesIn(PosixShells()),
                         [](const auto& row) { return row.param.name; });

TEST(RunEnvironment, IsToldNowhereInOtherKindsOfRuns) {
  TempDir home;
  TempDir state;
  McpClient client(At(home, state));
  const Json env = {{"TOKEN", kSecret}};
  for (const Json& arguments :
       std::vector<Json>{{{"argv", {"sh", "-c", "echo ${#TOKEN}; exit 3"}}},
                         {{"command", "echo ${#TOKEN}"}, {"fresh", true}},
                         {{"command", "echo ${#TOKEN}"},
                          {"compare_with", "echo ${#TOKEN}; echo x"}},
                         {{"command", "echo ${#TOKEN}; false"},
                          {"retry", {{"times", 1}, {"delay_s", 0.01}}}},
                         {{"command", "echo ${#TOKEN}"}, {"format", "json"}}}) {
    Json call = arguments;
    call["env"] = env;
    Reply reply = client.Call("term_run", call);
    EXPECT_TRUE(Shows(reply, "13")) << arguments.dump();
    EXPECT_EQ(reply.message.dump().find(kSecret), std::string::npos);
  }
  for (const char* tool : {"term_list", "term_read"}) {
    Reply reply = client.Call(tool);
    EXPECT_EQ(reply.text.find(kSecret), std::string::npos) << reply.text;
  }
  EXPECT_EQ(FilesWith(state.path(), kSecret), std::vector<std::string>());
  EXPECT_EQ(FilesWith(home.path(), kSecret), std::vector<std::string>());
}

// The line has been typed, and the shell wants more before it reads the file.
TEST(RunEnvironment, IsDeletedWhenTheShellNeverReadsIt) {
  TempDir home;
  TempDir state;
  McpClient client(At(home, state));
  const Json env = {{"TOKEN", kSecret}};
  for (const char* way : {"interrupted", "exited"}) {
    ASSERT_TRUE(Good(Open(&client, way, {"bash"})));
    Reply reply = client.Call(
        "term_run", {{"session", way}, {"command", "echo '"}, {"env", env}});
    EXPECT_TRUE(Shows(reply, "the shell wants the rest"));
    ASSERT_EQ(FilesWith(state.path(), kSecret).size(), 1u);
    if (way == std::string("exited")) {
      client.Call("term_close", {{"session", way}});
    } else {
      Keys(&client, way, "<C-c>");
      client.Call("term_run", {{"session", way}, {"command", "true"}});
    }
    EXPECT_EQ(FilesWith(state.path(), kSecret), std::vector<std::string>());
  }
}

TEST(RunEnvironment, IsDeletedAfterACrashOfTheServer) {
  TempDir home;
  TempDir state;
  {
    McpClient client(At(home, state));
    ASSERT_TRUE(Good(Open(&client, "s", {"bash"}, {{"keep", true}})));
    client.Call("term_run", {{"session", "s"},
                             {"command", "echo '"},
                             {"env", {{"TOKEN", kSecret}}}});
    ASSERT_EQ(FilesWith(state.path(), kSecret).size(), 1u);
    client.Signal(SIGKILL);
  }
  McpClient client(At(home, state));
  EXPECT_TRUE(Shows(client.Call("term_list"), "s "));
  EXPECT_EQ(FilesWith(state.path(), kSecret), std::vector<std::string>());
  client.Call("term_close", {{"session", "s"}});
}

class RunDirectory : public RunIn {};

TEST_P(RunDirectory, MayBeginWithATilde) {
  TempDir elsewhere;
  MakeDirectory(home_, "a b");
  MakeDirectory(home_, "-");
  Run("cd " + elsewhere.path());
  EXPECT_EQ(Run("pwd", {{"cwd", "~"}}).body, home_.path());
  EXPECT_EQ(Run("pwd", {{"cwd", "~/"}}).body, home_.path());
  EXPECT_EQ(Run("pwd", {{"cwd", "~/a b"}}).body, home_.Join("a b"));
  EXPECT_EQ(Run("pwd", {{"cwd", "~root"}}).body, "/root");
  EXPECT_EQ(Run("pwd").body, elsewhere.path());
}

TEST_P(RunDirectory, IsTheOneThatWasNamed) {
  MakeDirectory(home_, "sub");
  MakeDirectory(home_, "-");
  MakeDirectory(home_, "~x y");
  MakeDirectory(home_, "other/sub");
  Run("cd; CDPATH=" + home_.Join("other"));
  EXPECT_EQ(Run("pwd", {{"cwd", "sub"}}).body, home_.Join("sub"));
  EXPECT_EQ(Run("pwd", {{"cwd", "-"}}).body, home_.Join("-"));
  EXPECT_EQ(Run("pwd", {{"cwd", "~x y"}}).body, home_.Join("~x y"));
}
INSTANTIATE_TEST_SUITE_P(All, RunDirectory, ::testing::ValuesIn(PosixShells()),
                         [](const auto& row) { return row.param.name; });

TEST(RunDirectory, MayBeginWithATildeWhereverOneIsNamed) {
  TempDir home;
  TempDir state;
  McpClient client(At(home, state));
  MakeDirectory(home, "sub");
  home.Write("sub/file", "text\n");
  for (const Json& arguments :
       std::vector<Json>{{{"argv", {"pwd"}}},
                         {{"command", "pwd"}, {"fresh", true}},
                         {{"command", "pwd"}}}) {
    Json call = arguments;
    call["cwd"] = "~/sub";
    Reply reply = client.Call("term_run", call);
    EXPECT_EQ(reply.body, home.Join("sub")) << reply.text;
    call["cwd"] = "~";
    EXPECT_EQ(client.Call("term_run", call).body, home.path());
  }
  Reply root = client.Call("term_run", {{"argv", {"pwd"}}, {"cwd", "~root"}});
  EXPECT_EQ(root.body, "/root") << root.text;
  Reply nobody =
      client.Call("term_run", {{"argv", {"pwd"}}, {"cwd", "~no-such-user/x"}});
  EXPECT_TRUE(nobody.is_error);
  EXPECT_TRUE(Shows(nobody,
                    "'~no-such-user/x': there is no user "
                    "'no-such-user'; a directory of that name is "
                    "./~no-such-user"));
  Reply opened =
      client.Call("term_open", {{"argv", {"pwd"}}, {"cwd", "~/sub"}});
  EXPECT_TRUE(Shows(opened, home.Join("sub")));
  Reply success = client.Call(
      "term_run",
      {{"command", "true"},
       {"success", {{"file", "~/sub/file"}, {"file_regex", "text"}}}});
  EXPECT_TRUE(Shows(success, "| success"));
  Reply written =
      client.Call("term_write_file", {{"path", "~/sub/new"}, {"content", "x"}});
  EXPECT_TRUE(Good(written));
  EXPECT_EQ(ReadWholeFile(home.Join("sub/new")), "x");
}

TEST(RunDirectory, OfHomeIsSeenByTheGate) {
  TempDir home;
  TempDir state;
  TempDir programs;
  programs.Write("rm", "#!/bin/sh\nexit 0\n");
  RunCommand({"chmod", "+x", programs.Join("rm")});
  ServerOptions options = At(home, state);
  options.environment[0] = "PATH=" + programs.path() + ":/usr/bin:/bin";
  McpClient client(options);
  for (bool fresh : {true, false}) {
    Reply reply = client.Call(
        "term_run", {{"command", "rm -rf *"}, {"cwd", "~"}, {"fresh", fresh}});
    EXPECT_TRUE(reply.is_error);
    EXPECT_TRUE(Shows(reply, "nothing was started"));
  }
}

}  // namespace
}  // namespace glasstty::testing
