// Tests shells as people have them: themes, plugins, hooks and histories. Their
// effects on the prompt may change neither a command's output nor its status,
// and nothing that is run is written into a history of the user's.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

// A start-up file that affects a shell as `name` does.
struct RcFile {
  const char* name;
  const char* shell;
  const char* file;  // in the home directory
  const char* text;
  // A part of the prompt.
  const char* prompt;
  // Lists the session's history.
  const char* history = "fc -l 1";
};

void PrintTo(const RcFile& rc, std::ostream* out) { *out << rc.name; }

// zsh has the worst of all histories: each line is written at once.
#define ZSH_HISTORY                                     \
  "HISTFILE=~/.zsh_history HISTSIZE=500 SAVEHIST=500\n" \
  "setopt share_history extended_history\n"

const std::vector<RcFile> kRcs = {
    // powerlevel10k keeps its hook last and makes the prompt there.
    {"Powerlevel10k", "zsh", ".zshrc",
     ZSH_HISTORY "theme() {\n"
                 "  PROMPT=$'%F{blue}%~%f\\n> '\n"
                 "  precmd_functions=(${precmd_functions:#theme} theme)\n"
                 "}\n"
                 "precmd_functions+=(theme)\n",
     "> "},
    {"HooksSetAnew", "zsh", ".zshrc",
     "theme() { PROMPT='anew> ' }\nprecmd_functions=(theme)\n", "anew> "},
    {"OhMyZsh", "zsh", ".zshrc",
     ZSH_HISTORY "autoload -Uz add-zsh-hook\n"
                 "setopt prompt_subst\n"
                 "title() { print -n '\\e]2;title\\a' }\n"
                 "add-zsh-hook precmd title; add-zsh-hook preexec title\n"
                 "branch() { print -n main }\n"
                 "PROMPT='➜  %c $(branch) '\n",
     "➜  "},
    // pure prints a line, uses hooks of the editor and has no sign for an
    // unfinished line.
    {"Pure", "zsh", ".zshrc",
     "PROMPT_EOL_MARK=''\n"
     "autoload -Uz add-zsh-hook add-zle-hook-widget\n"
     "finish() { : }\nadd-zle-hook-widget line-finish finish\n"
     "render() { print; PROMPT=$'%~\\n❯ ' }\n"
     "add-zsh-hook precmd render\n",
     "❯ "},
    {"OtherEndOfLineMark", "zsh", ".zshrc", "PROMPT_EOL_MARK='⏎'\nPS1='m> '\n",
     "m> "},
    {"NoEndOfLineMark", "zsh", ".zshrc",
     "unsetopt prompt_sp prompt_cr\nPS1='u> '\n", "u> "},
    // zsh-vi-mode takes the editor's hooks once the first prompt is there.
    {"ViMode", "zsh", ".zshrc",
     "bindkey -v\n"
     "init() { print -n '\\e[6 q' }\n"
     "late() { zle -N zle-line-init init; zle -N zle-keymap-select init }\n"
     "precmd_functions+=(late)\nPS1='vi> '\n",
     "vi> "},
    {"Autosuggestions", "zsh", ".zshrc",
     ZSH_HISTORY
     "source /usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh\n"
     "PS1='as> '\n",
     "as> "},
    {"SyntaxHighlighting", "zsh", ".zshrc",
     "source "
     "/usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh\n"
     "PS1='sh> '\n",
     "sh> "},
    {"Direnv", "zsh", ".zshrc", "eval \"$(direnv hook zsh)\"\nPS1='de> '\n",
     "de> "},
    {"BashDirenv", "bash", ".bashrc",
     "eval \"$(direnv hook bash)\"\nPS1='de> '\n", "de> "},
    {"FishDirenv", "fish", ".config/fish/config.fish",
     "direnv hook fish | source\n"
     "function fish_prompt; echo -n 'fd> '; end\n",
     "fd> ", "history"},
    // bash-preexec finds the beginning of a command by a DEBUG trap, and wraps
    // the other hooks at the first prompt.
    {"BashPreexec", "bash", ".bashrc",
     "begin() { :; }\nkeep() { return $?; }\n"
     "around() { PROMPT_COMMAND=\"keep; ${PROMPT_COMMAND[0]}; keep\"; }\n"
     "trap begin DEBUG\nPROMPT_COMMAND=around\nPS1='bp> '\n",
     "bp> "},
    {"Starship", "bash", ".bashrc",
     "star() { local s=$?; PS1=\"$(printf 'star %s' $s)> \"; }\n"
     "PROMPT_COMMAND=star\nPS0='$(printf \"\")'\n",
     "star "},
    // All terminals share one history.
    {"SharedHistory", "bash", ".bashrc",
     "HISTFILE=~/.bash_history HISTCONTROL=\nshopt -s histappend\n"
     "PROMPT_COMMAND='history -a; history -c; history -r'\nPS1='hi> '\n",
     "hi> "},
    {"LateHistory", "bash", ".bashrc",
     "late() { HISTFILE=~/.bash_history; }\nPROMPT_COMMAND=late\nPS1='lh> '\n",
     "lh> "},
    // ble.sh keeps a pasted text of several lines, and says so by a variable.
    {"Ble", "bash", ".bashrc",
     "BLE_ATTACHED=1\nbleopt() { :; }\n"
     "blehook() {\n"
     "  case $1 in *+=*) PROMPT_COMMAND=${1#*+=} ;;\n"
     "  *) unset PROMPT_COMMAND ;; esac\n"
     "}\n"
     "PS1='ble> '\n",
     "ble> "},
};

class ShellsAsPeopleHaveThem : public ::testing::TestWithParam<RcFile> {
 protected:
  ShellsAsPeopleHaveThem() {
    RunCommand({"mkdir", "-p", home_.Join(".config/fish"), home_.Join("sub")});
    home_.Write(GetParam().file, GetParam().text);
    home_.Write("sub/.envrc", "export A=1\n");
    ServerOptions options;
    options.environment = DefaultEnvironment(home_.path());
    client_ = std::make_unique<McpClient>(options);
  }
  Reply Run(const std::string& command) {
    return client_->Call("term_run", {{"session", "s"}, {"command", command}});
  }
  void ExpectRun(const std::string& command, const std::string& output,
                 int status = 0) {
    Reply reply = Run(command);
    EXPECT_TRUE(Shows(reply, absl::StrFormat("] prompt exit=%d ", status)))
        << command;
    EXPECT_EQ(reply.body, output) << command << "\n" << reply.text;
  }

  TempDir home_;
  std::unique_ptr<McpClient> client_;
};

TEST_P(ShellsAsPeopleHaveThem, RunCommandsExactlyAndKeepThemForThemselves) {
  const RcFile& rc = GetParam();
  ASSERT_TRUE(
      Good(Open(client_.get(), "s", {rc.shell}, {{"cwd", home_.path()}})));
  Run("true");
  ExpectRun("printf x", "x");
  ExpectRun("sh -c 'exit 3'", "", 3);
  ExpectRun("echo one\necho 'ünï ✓'", "one\nünï ✓");
  ExpectRun("# don't", "");
  ExpectRun("echo a # not b", "a");
  // A tab and "!" cannot be typed in all of them.
  ExpectRun("echo 'a\tb!c'", "a\tb!c");
  ExpectRun("cd /usr", "");
  ExpectRun("printf 'y\\n'", "y");
  EXPECT_NE(Join(Screen(client_.get(), "s")).find(rc.prompt), std::string::npos)
      << Join(Screen(client_.get(), "s"));
  Reply history = Run(rc.history);
  EXPECT_TRUE(Shows(history, "printf x"));
  EXPECT_EQ(history.text.find("/command'"), std::string::npos) << history.text;
  EXPECT_EQ(history.text.find("133;"), std::string::npos) << history.text;
  Run("exit");
  EXPECT_TRUE(FilesWith(home_.path(), "printf x").empty());
}
INSTANTIATE_TEST_SUITE_P(All, ShellsAsPeopleHaveThem,
                         ::testing::ValuesIn(Sample(kRcs, 2)),
                         [](const auto& row) { return row.param.name; });

// ble.sh runs hooks while the terminal has the settings that its editor needs.
TEST(ShellsEditor, KeepsItsSettingsOfTheTerminal) {
  TempDir home;
  home.Write(".bashrc",
             "BLE_ATTACHED=1\nbleopt() { :; }\n"
             "blehook() {\n"
             "  case $1 in *+=*) PROMPT_COMMAND=${1#*+=} ;;\n"
             "  *) unset PROMPT_COMMAND ;; esac\n"
             "}\n");
  ServerOptions options;
  options.environment = DefaultEnvironment(home.path());
  McpClient client(options);
  ASSERT_TRUE(Good(Open(&client, "s", {"bash"})));
  for (const char* command :
       {"true", "stty -onlcr; sh -c 'exit 130'", "true"}) {
    Reply reply =
        client.Call("term_run", {{"session", "s"}, {"command", command}});
    EXPECT_EQ(reply.header.find("tty modes"), std::string::npos) << reply.text;
  }
}

// ---- What the history recalls

class ShellsRecall : public ::testing::TestWithParam<const char*> {};

TEST_P(ShellsRecall, GivesTheTextOfACommandThatCouldNotBeTyped) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "s", {GetParam()})));
  RunIn(&client, "s", "echo 'größe\tb!c'");
  RunIn(&client, "s", "true 'weiß' " + std::string(5'000, 'x') + " end");
  auto count = [&client](const std::string& regex) {
    return RunIn(&client, "s", "fc -ln 1 | grep -c '" + regex + "'").body;
  };
  // A bracket keeps the search from finding itself.
  EXPECT_EQ(count("^[[:blank:]]*echo .[g]röße"), "1");
  EXPECT_EQ(count("^[[:blank:]]*true .weiß. x*[x] end$"), "1");
  EXPECT_EQ(count("[_]glasstty\\|[/]command"), "0");
}
INSTANTIATE_TEST_SUITE_P(All, ShellsRecall, ::testing::Values("bash", "zsh"),
                         [](const auto& row) { return row.param; });

// ---- Comments

struct Commenting {
  const char* name;
  std::vector<std::string> argv;
};

void PrintTo(const Commenting& row, std::ostream* out) { *out << row.name; }

class ShellsComments : public ::testing::TestWithParam<Commenting> {};

TEST_P(ShellsComments, AreNeverRun) {
  const Commenting& row = GetParam();
  if (!IsInstalled(row.argv[0]))
    GTEST_SKIP() << row.argv[0] << " is not installed";
  TempDir home;
  home.Write(".bashrc", "shopt -u interactive_comments\n");
  home.Write(".zshrc", "unsetopt interactive_comments\n");
  ServerOptions options;
  options.environment = DefaultEnvironment(home.path());
  McpClient client(options);
  ASSERT_TRUE(Good(Open(&client, "s", row.argv, {{"cwd", home.path()}})));
  RunIn(&client, "s", "touch a.o b.o");
  EXPECT_TRUE(Shows(RunIn(&client, "s", "rm -f a.o # keep b.o"), "exit=0"));
  EXPECT_EQ(RunIn(&client, "s", "ls | cat").body, "b.o");
  RunIn(&client, "s", "# don't");
  EXPECT_EQ(RunIn(&client, "s", "echo 'a # b' # c").body, "a # b");
}

TEST_P(ShellsComments, OrLinesAreNeverRunInPieces) {
  const Commenting& row = GetParam();
  if (!IsInstalled(row.argv[0]))
    GTEST_SKIP() << row.argv[0] << " is not installed";
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "s", row.argv)));
  RunIn(&client, "s", "cd /");
  Reply reply = RunIn(&client, "s", "echo 'one'\necho two\nsh -c 'exit 3'");
  EXPECT_EQ(reply.body, "one\ntwo") << reply.text;
  EXPECT_TRUE(Shows(reply, "exit=3"));
  EXPECT_EQ(RunIn(&client, "s", "echo 'a\tb'").body, "a\tb");
}

INSTANTIATE_TEST_SUITE_P(
    All, ShellsComments,
    ::testing::Values(Commenting{"Bash", {"bash"}}, Commenting{"Zsh", {"zsh"}},
                      Commenting{"BashInDash", {"dash", "-c", "bash; true"}},
                      Commenting{"Tcsh", {"tcsh"}},
                      Commenting{"Mksh", {"mksh"}},
                      Commenting{"Yash", {"yash"}}),
    [](const auto& row) { return row.param.name; });

// ---- What hooks print

class ShellsHooks : public ShellsAsPeopleHaveThem {};

TEST_P(ShellsHooks, AreToldOfOnceAndAreNoOutput) {
  ASSERT_TRUE(Good(
      Open(client_.get(), "s", {GetParam().shell}, {{"cwd", home_.path()}})));
  Run("true");
  Reply reply = Run("cd sub");
  EXPECT_TRUE(Shows(reply, "printed before the prompt: \""));
  EXPECT_TRUE(Shows(reply, GetParam().prompt));
  EXPECT_EQ(reply.body, "") << reply.text;
  reply = Run("printf x");
  EXPECT_EQ(reply.body, "x");
  EXPECT_EQ(reply.header.find("before the prompt"), std::string::npos)
      << reply.text;
}
// `prompt` is what the hook prints in the directory "sub".
INSTANTIATE_TEST_SUITE_P(
    All, ShellsHooks,
    ::testing::Values(
        RcFile{"BashDirenv", "bash", ".bashrc",
               "eval \"$(direnv hook bash)\"\n", "is blocked"},
        // Without it, `cd` itself prints.
        RcFile{"ZshDirenv", "zsh", ".zshrc",
               "eval \"$(direnv hook zsh)\"; chpwd_functions=()\n",
               "is blocked"},
        RcFile{"FishDirenv", "fish", ".config/fish/config.fish",
               "direnv hook fish | source\n", "is blocked"},
        RcFile{"BashPrints", "bash", ".bashrc",
               "PROMPT_COMMAND='echo; echo \"in \\\"${PWD##*/}\\\"\"'\n",
               "\"in \\\"sub\\\"\""},
        RcFile{"ZshPrints", "zsh", ".zshrc",
               "precmd() { print \"in ${PWD:t}\" }\n", "\"in sub\""},
        RcFile{"FishPrints", "fish", ".config/fish/config.fish",
               "function say --on-event fish_prompt\n"
               "  echo in (basename $PWD)\nend\n",
               "\"in sub\""},
        RcFile{"FishPrintsAtTheEnd", "fish", ".config/fish/config.fish",
               "function say --on-event fish_postexec\n"
               "  echo in (basename $PWD)\nend\n",
               "\"in sub\""}),
    [](const auto& row) { return row.param.name; });

// ---- What hooks draw

class ShellsHooksDrawing : public ShellsAsPeopleHaveThem {};

// Beside or over an output, it does not change it.
TEST_P(ShellsHooksDrawing, DoesNotChangeTheOutput) {
  ASSERT_TRUE(Good(
      Open(client_.get(), "s", {GetParam().shell}, {{"cwd", home_.path()}})));
  Run("true");
  EXPECT_EQ(Run("echo out").body, "out");
  EXPECT_EQ(Run("printf nonl").body, "nonl");
  // A step of a progress bar is the last one, and blanks are kept.
  EXPECT_EQ(Run("printf '10%%\\r100%%\\r'").body, "100%");
  EXPECT_EQ(Run("printf 'zz  '").body, "zz  ");
  EXPECT_EQ(Run("printf 'q\\n  '").body, "q\n  ");
  Reply reply = client_->Call(
      "term_read", {{"session", "s"}, {"mode", "command"}, {"command", -1}});
  EXPECT_EQ(reply.body, "q\n  ") << reply.text;
}
INSTANTIATE_TEST_SUITE_P(
    All, ShellsHooksDrawing,
    ::testing::Values(
        RcFile{"Bash", "bash", ".bashrc", "", ""},
        RcFile{"Zsh", "zsh", ".zshrc", "", ""},
        RcFile{"Fish", "fish", ".config/fish/config.fish", "", ""},
        RcFile{"FishPrints", "fish", ".config/fish/config.fish",
               "function say --on-event fish_postexec; echo over; end\n", ""},
        RcFile{"BashDraws", "bash", ".bashrc",
               "PROMPT_COMMAND='printf \"\\e[1A\\e[9C0.1s\\e[1B\\r\"'\n", ""},
        // oh-my-zsh's plugin "timer" draws at the right of the last line.
        RcFile{"ZshDraws", "zsh", ".zshrc",
               "precmd() { print -n '\\e[1A\\e[9C0.1s\\e[1B\\r' }\n", ""}),
    [](const auto& row) { return row.param.name; });

// ---- Marks that a command prints

struct Printing {
  const char* name;
  const char* shell;
  const char* command;
};

void PrintTo(const Printing& row, std::ostream* out) { *out << row.name; }

// A log that is printed while it is kept would have no end.
constexpr char kOwnLog[] = "cp LOG/out.* ~/log; cat ~/log";

class ShellsMarks : public ::testing::TestWithParam<Printing> {};

TEST_P(ShellsMarks, ThatACommandPrintsDoNotEndIt) {
  TempDir home;
  home.Write(".zshrc", "");
  ServerOptions options;
  options.environment = DefaultEnvironment(home.path());
  McpClient client(options);
  const Printing& row = GetParam();
  ASSERT_TRUE(Good(Open(&client, "s", {row.shell})));
  auto run = [&client](const std::string& command) {
    return client.Call("term_run", {{"session", "s"}, {"command", command}});
  };
  run("true");
  std::string log = SessionDirectory(client.state_dir(), "s");
  std::string command = absl::StrReplaceAll(row.command, {{"LOG", log}});
  for (int i = 0; i < 2; ++i) {
    Reply reply = run(command + "; echo; echo the end; sh -c 'exit 3'");
    EXPECT_TRUE(Shows(reply, "] prompt exit=3 "));
    EXPECT_TRUE(reply.body.ends_with("\nthe end")) << reply.text;
    EXPECT_EQ(run("echo next").body, "next");
  }
}
INSTANTIATE_TEST_SUITE_P(
    All, ShellsMarks,
    ::testing::Values(
        Printing{"BashPrompt", "bash", "echo \"${PS1@P}\""},
        Printing{"BashEscapes", "bash", "echo -e \"$PS1\"; printf %b \"$PS0\""},
        Printing{"BashStart", "bash", "echo \"${PS0@P}\""},
        Printing{"BashAll", "bash", "echo \"${PS1@P}${PS0@P}${PS2@P}\""},
        Printing{"BashVariables", "bash", "set; declare -p PS1 PROMPT_COMMAND"},
        Printing{"ZshPrompt", "zsh", "echo $PS1"},
        Printing{"ZshExpanded", "zsh", "print -P $PROMPT; print -P $PS2"},
        Printing{"ZshEndOfLine", "zsh", "print -P x$PROMPT_EOL_MARK"},
        Printing{"ZshVariables", "zsh", "set; typeset -p PS1; typeset"},
        Printing{"FishPrompt", "fish", "fish_prompt"},
        Printing{"BashHooks", "bash", "eval \"$PROMPT_COMMAND\""},
        Printing{"BashHook", "bash", "__glasstty_prompt; __glasstty_prompt"},
        Printing{"ZshHooks", "zsh", "for f in $precmd_functions; do $f; done"},
        Printing{"FishHooks", "fish", "emit fish_prompt"},
        Printing{"FishEnd", "fish", "emit fish_postexec x"},
        Printing{"BashOwnLog", "bash", kOwnLog},
        Printing{"ZshOwnLog", "zsh", kOwnLog},
        Printing{"FishOwnLog", "fish", kOwnLog}),
    [](const auto& row) { return row.param.name; });

// ---- Histories

struct HistoryOf {
  const char* shell;
  const char* argument;
  const char* file;
};

class ShellsHistory : public ::testing::TestWithParam<HistoryOf> {};

TEST_P(ShellsHistory, IsTheUsersOnlyWhereASettingSaysSo) {
  for (bool is_users : {false, true}) {
    TempDir home;
    home.Write(".zshrc", "HISTFILE=~/.zsh_history HISTSIZE=100 SAVEHIST=100\n");
    ServerOptions options;
    options.environment = DefaultEnvironment(home.path());
    if (is_users)
      options.arguments = {"mcp", "--alone", "--shell-history=user"};
    McpClient client(options);
    std::vector<std::string> argv = {GetParam().shell};
    if (*GetParam().argument != '\0') argv.push_back(GetParam().argument);
    ASSERT_TRUE(Good(Open(&client, "s", argv, {{"cwd", home.path()}})));
    for (const char* command : {"echo first", "echo second", "exit"}) {
      client.Call("term_run", {{"session", "s"}, {"command", command}});
    }
    client.Call("term_wait",
                {{"session", "s"}, {"until", {{"state", "exited"}}}});
    // fish writes when it has nothing else to do, ksh before that.
    std::string kept = ReadWholeFile(home.Join(GetParam().file));
    EXPECT_EQ(kept.find("echo second") != std::string::npos, is_users) << kept;
    EXPECT_EQ(FilesWith(home.path(), "echo second").empty(), !is_users);
  }
}
INSTANTIATE_TEST_SUITE_P(
    All, ShellsHistory,
    ::testing::Values(HistoryOf{"bash", "", ".bash_history"},
                      HistoryOf{"bash", "--norc", ".bash_history"},
                      HistoryOf{"zsh", "", ".zsh_history"},
                      HistoryOf{"fish", "", ".local/share/fish/fish_history"}),
    [](const auto& row) {
      return std::string(row.param.shell) +
             (*row.param.argument == '\0' ? "" : "Plain");
    });

TEST(ShellsHistoryFile, ThatIsReadOnlyIsNotWritten) {
  TempDir home;
  home.Write(".bashrc", "readonly HISTFILE=~/.bash_history\n");
  home.Write(".zshrc", "SAVEHIST=100; readonly HISTFILE=~/.zsh_history\n");
  ServerOptions options;
  options.environment = DefaultEnvironment(home.path());
  McpClient client(options);
  for (const char* shell : {"bash", "zsh"}) {
    ASSERT_TRUE(Good(Open(&client, shell, {shell}, {{"cwd", home.path()}})));
    for (const char* command : {"echo kept", "exit"}) {
      Reply reply =
          client.Call("term_run", {{"session", shell}, {"command", command}});
      EXPECT_EQ(reply.text.find("read"), std::string::npos) << reply.text;
    }
  }
  EXPECT_TRUE(FilesWith(home.path(), "echo kept").empty());
}

TEST(ShellsHistoryFile, IsTheCallersIfItNamesOne) {
  TempDir home;
  ServerOptions options;
  options.environment = DefaultEnvironment(home.path());
  McpClient client(options);
  ASSERT_TRUE(Good(Open(&client, "s", {"bash"},
                        {{"env", {{"HISTFILE", home.Join("mine")}}}})));
  for (const char* command : {"echo kept", "exit"}) {
    client.Call("term_run", {{"session", "s"}, {"command", command}});
  }
  EXPECT_NE(ReadWholeFile(home.Join("mine")).find("echo kept"),
            std::string::npos);
}

TEST(ShellsHistoryFile, IsNotTheUsersInAShellWithinTheShell) {
  TempDir home;
  ServerOptions options;
  options.environment = DefaultEnvironment(home.path());
  McpClient client(options);
  for (const char* command :
       {"bash --norc", "echo within", "exit", "mksh", "echo within", "exit",
        "fish", "echo within", "exit", "exit"}) {
    client.Call("term_run", {{"command", command}});
  }
  EXPECT_TRUE(FilesWith(home.path(), "echo within").empty());
}

}  // namespace
}  // namespace glasstty::testing
