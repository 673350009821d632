#include "session/environment.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/shells.h"
#include "session/program.h"
#include "support/signals.h"
#include "support/status.h"
#include "testing/system.h"

namespace glasstty::session {
namespace {

using Strings = std::vector<std::string>;

bool Has(const Strings& environment, const std::string& entry) {
  return std::find(environment.begin(), environment.end(), entry) !=
         environment.end();
}
bool HasName(const Strings& environment, const std::string& name) {
  return std::any_of(environment.begin(), environment.end(),
                     [&](const std::string& entry) {
                       return entry.substr(0, name.size() + 1) == name + "=";
                     });
}

// Gives $SHELL back when it goes.
class ShellVariable {
 public:
  ShellVariable() {
    if (const char* value = getenv("SHELL")) before_ = value;
  }
  ~ShellVariable() {
    before_ ? setenv("SHELL", before_->c_str(), 1) : unsetenv("SHELL");
  }

 private:
  std::optional<std::string> before_;
};

// In a process of that user's; also where we cannot become one, as in a
// container that has no such user.
bool HoldsFor(uid_t user, const std::function<bool()>& condition) {
  pid_t child = fork();
  if (child == 0) _exit(setuid(user) != 0 || condition() ? 0 : 1);
  int status = -1;
  return waitpid(child, &status, 0) == child && status == 0;
}

TEST(Environment, DescribesOurTerminalWhateverTheServersIs) {
  Strings child = ChildEnvironment(
      {"TERM=dumb", "COLUMNS=10", "LINES=3", "TMUX=x", "HOME=/h"}, {});
  EXPECT_TRUE(Has(child, "TERM=xterm-256color"));
  EXPECT_TRUE(Has(child, "COLORTERM=truecolor"));
  EXPECT_TRUE(Has(child, "HOME=/h"));
  EXPECT_FALSE(HasName(child, "COLUMNS"));
  EXPECT_FALSE(HasName(child, "LINES"));
  EXPECT_FALSE(HasName(child, "TMUX"));
}

TEST(Environment, EnsuresUtf8ButKeepsAUtf8Locale) {
  EXPECT_TRUE(Has(ChildEnvironment({}, {}), "LC_CTYPE=C.UTF-8"));
  EXPECT_TRUE(Has(ChildEnvironment({"LANG=C"}, {}), "LC_CTYPE=C.UTF-8"));
  Strings posix = ChildEnvironment({"LC_ALL=POSIX", "LANG=de_DE.UTF-8"}, {});
  EXPECT_FALSE(HasName(posix, "LC_ALL"));
  EXPECT_TRUE(Has(posix, "LC_CTYPE=C.UTF-8"));
  EXPECT_TRUE(Has(posix, "LANG=de_DE.UTF-8"));
  Strings german = ChildEnvironment({"LANG=de_DE.utf8"}, {});
  EXPECT_TRUE(Has(german, "LANG=de_DE.utf8"));
  EXPECT_FALSE(HasName(german, "LC_CTYPE"));
}

TEST(Environment, KeepsOurTokensFromTheChild) {
  Strings child = ChildEnvironment(
      {"GLASSTTY_HTTP_TOKEN=s", "GITHUB_TOKEN=t", "GLASSTTY_STATE_DIR=/x"}, {});
  EXPECT_FALSE(HasName(child, "GLASSTTY_HTTP_TOKEN"));
  EXPECT_TRUE(Has(child, "GLASSTTY_STATE_DIR=/x"));
  // The user's own are the user's business.
  EXPECT_TRUE(Has(child, "GITHUB_TOKEN=t"));
}

// Lists what clients hand to their servers, and what users set for the same
// programs.
struct ClientRow {
  const char* name;
  Strings marks;
  Strings settings;
};
void PrintTo(const ClientRow& row, std::ostream* out) { *out << row.name; }
const ClientRow kClients[] = {
    {"ClaudeCode",
     {"CLAUDECODE", "AI_AGENT", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_ENTRYPOINT",
      "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_NOTES_DIR",
      "CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS", "CLAUDE_CODE_MESSAGING_SOCKET",
      "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_SSE_PORT",
      "COREPACK_ENABLE_AUTO_PIN", "NoDefaultCurrentDirectoryInExePath"},
     {"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX",
      "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
      "CLAUDE_CODE_PROXY_RESOLVES_HOSTS", "CLAUDE_CODE_CLIENT_CERT",
      "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "CLAUDE_CONFIG_DIR",
      "ANTHROPIC_API_KEY", "HTTPS_PROXY"}},
    {"GeminiCli",
     {"GEMINI_CLI", "GEMINI_CLI_NO_RELAUNCH", "GEMINI_CLI_IDE_SERVER_PORT"},
     {"GEMINI_API_KEY", "GEMINI_MODEL", "GEMINI_CLI_SYSTEM_SETTINGS_PATH"}},
    {"QwenCode",
     {"QWEN_CODE_NO_RELAUNCH", "QWEN_CODE_SESSION_ID",
      "QWEN_CODE_MESSAGING_SOCKET", "QWEN_CODE_MESSAGING_TOKEN",
      "QWEN_CODE_LAUNCHER_PID", "QWEN_CODE_MODEL"},
     {"QWEN_CODE_MAX_OUTPUT_TOKENS", "OPENAI_API_KEY"}},
    {"Opencode",
     {"AGENT", "OPENCODE", "OPENCODE_PID"},
     {"OPENCODE_CONFIG", "OPENCODE_DISABLE_AUTOUPDATE"}},
    {"Kilo",
     {"AGENT", "OPENCODE", "KILO", "KILO_PID", "KILO_RUN_ID",
      "KILO_PROCESS_ROLE"},
     {"KILO_CONFIG"}},
    {"CopilotCli",
     {"COPILOT_AGENT", "COPILOT_CLI", "COPILOT_CLI_BINARY_VERSION",
      "COPILOT_AGENT_SESSION_ID"},
     {"COPILOT_MODEL", "COPILOT_GITHUB_TOKEN", "COPILOT_HOME",
      "PYTHONUNBUFFERED"}},
    {"Codex",
     {"CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED",
      "CODEX_CI", "CODEX_MANAGED_BY_NPM"},
     {"CODEX_HOME", "CODEX_API_KEY"}},
    {"Cursor", {"CURSOR_AGENT", "CURSOR_TRACE_ID"}, {"CURSOR_API_KEY"}},
    {"Pi", {"PI_CODING_AGENT"}, {"PI_CODING_AGENT_DIR", "PI_PROGRAM_STATUS"}},
    {"Terminals",
     {"TERM_PROGRAM",
      "TERM_PROGRAM_VERSION",
      "VTE_VERSION",
      "WT_SESSION",
      "KITTY_WINDOW_ID",
      "KITTY_PID",
      "WEZTERM_PANE",
      "WEZTERM_EXECUTABLE",
      "KONSOLE_VERSION",
      "KONSOLE_DBUS_SESSION",
      "ITERM_SESSION_ID",
      "LC_TERMINAL",
      "LC_TERMINAL_VERSION",
      "TERMINAL_EMULATOR",
      "ZELLIJ",
      "ALACRITTY_WINDOW_ID",
      "GHOSTTY_RESOURCES_DIR",
      "ZED_TERM",
      "TILIX_ID",
      "WINDOWID",
      "TMUX",
      "STY",
      "LINES",
      "COLUMNS"},
     {"KITTY_CONFIG_DIRECTORY", "ZELLIJ_CONFIG_DIR", "NO_COLOR", "DISPLAY",
      "EDITOR", "LC_TIME"}},
};

class ForeignMarks : public ::testing::TestWithParam<ClientRow> {};

TEST_P(ForeignMarks, GoAndTheUsersSettingsStay) {
  Strings inherited;
  for (const Strings& names : {GetParam().marks, GetParam().settings}) {
    for (const std::string& name : names) inherited.push_back(name + "=1");
  }
  Strings child = ChildEnvironment(inherited, {});
  for (const std::string& name : GetParam().marks) {
    EXPECT_FALSE(HasName(child, name)) << name;
  }
  for (const std::string& name : GetParam().settings) {
    EXPECT_TRUE(Has(child, name + "=1")) << name;
  }
}

TEST_P(ForeignMarks, StayIfTheUserSetsThemForTheSession) {
  EnvironmentOptions options;
  for (const std::string& name : GetParam().marks) options.extra[name] = "2";
  Strings child = ChildEnvironment({}, options);
  for (const std::string& name : GetParam().marks) {
    EXPECT_TRUE(Has(child, name + "=2")) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ForeignMarks, ::testing::ValuesIn(kClients),
                         [](const auto& row) { return row.param.name; });

TEST(Environment, OfTheSettingsOfGitOnlyTheOneOfCopilotGoes) {
  Strings users = {
      "GIT_CONFIG_COUNT=3",          "GIT_CONFIG_KEY_0=user.name",
      "GIT_CONFIG_VALUE_0=Me",       "GIT_CONFIG_KEY_1=safe.bareRepository",
      "GIT_CONFIG_VALUE_1=explicit", "GIT_CONFIG_KEY_2=core.pager",
      "GIT_CONFIG_VALUE_2=less"};
  Strings child = ChildEnvironment(users, {});
  for (const std::string& entry : users) EXPECT_TRUE(Has(child, entry));
  users.emplace_back("COPILOT_CLI=1");
  child = ChildEnvironment(users, {});
  for (const char* entry :
       {"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=user.name",
        "GIT_CONFIG_VALUE_0=Me", "GIT_CONFIG_KEY_1=core.pager",
        "GIT_CONFIG_VALUE_1=less"}) {
    EXPECT_TRUE(Has(child, entry)) << entry;
  }
  EXPECT_FALSE(HasName(child, "GIT_CONFIG_KEY_2"));
  EXPECT_FALSE(HasName(child, "GIT_CONFIG_VALUE_2"));
}

TEST(Environment, HasNoSettingsOfGitIfCopilotWasTheOnlyOneToSetAny) {
  Strings child = ChildEnvironment(
      {"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.bareRepository",
       "GIT_CONFIG_VALUE_0=explicit", "COPILOT_AGENT=1"},
      {});
  for (const char* name :
       {"GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_0", "GIT_CONFIG_VALUE_0"}) {
    EXPECT_FALSE(HasName(child, name)) << name;
  }
}

TEST(Environment, ANumberOfSettingsThatGitRefusesIsLeftToGit) {
  for (const char* count : {"", "x", "-1", "99999999999", "1x"}) {
    std::string entry = std::string("GIT_CONFIG_COUNT=") + count;
    EXPECT_TRUE(Has(ChildEnvironment({entry, "COPILOT_CLI=1"}, {}), entry));
  }
}

TEST(Environment, AVariableIsFoundByItsWholeName) {
  Surroundings around;
  around.environment = {"AB=1", "A", "A=2"};
  EXPECT_EQ(VariableOf(around, "A"), "2");
  EXPECT_EQ(VariableOf(around, "B"), "");
}

TEST(Environment, TamesPagersUnlessToldNotTo) {
  EXPECT_TRUE(Has(ChildEnvironment({"PAGER=less"}, {}), "PAGER=cat"));
  EXPECT_TRUE(Has(ChildEnvironment({"PAGER=less"}, {.tame_pagers = false}),
                  "PAGER=less"));
}

TEST(Environment, WhatTheCallerAsksForWins) {
  Strings child =
      ChildEnvironment({"A=1"}, {.extra = {{"A", "2"}, {"TERM", "vt100"}}});
  EXPECT_TRUE(Has(child, "A=2"));
  EXPECT_TRUE(Has(child, "TERM=vt100"));
  EXPECT_EQ(std::count_if(child.begin(), child.end(),
                          [](const std::string& entry) {
                            return entry.substr(0, 5) == "TERM=";
                          }),
            1);
}

TEST(Environment, HasAPathEvenWhenTheServerHasNone) {
  EXPECT_TRUE(HasName(ChildEnvironment({}, {}), "PATH"));
}

TEST(Environment, PassesOnNothingWithoutANameOrAValue) {
  auto made = ChildEnvironment({"HALF", "=C:=x", "A=1=2", "EMPTY="}, {});
  for (const char* there : {"A=1=2", "EMPTY="}) {
    EXPECT_NE(std::find(made.begin(), made.end(), there), made.end()) << there;
  }
  for (const std::string& entry : made) {
    EXPECT_NE(entry[0], '=') << entry;
    EXPECT_FALSE(entry.starts_with("HALF")) << entry;
  }
}

TEST(Environment, OfTheServerIsPassedOnAsItIs) {
  setenv("GLASSTTY_ONLY_HERE", "a=b", 1);
  EXPECT_TRUE(Has(BaseEnvironment(), "GLASSTTY_ONLY_HERE=a=b"));
  unsetenv("GLASSTTY_ONLY_HERE");
  EXPECT_FALSE(HasName(BaseEnvironment(), "GLASSTTY_ONLY_HERE"));
}

TEST(Environment, OfTheOpenerComesBeforeTheServers) {
  record::Inheritance inherited;
  inherited.environment = {"A=b", "SHELL=/bin/sh", "TOKEN=x"};
  inherited.secrets = {"TOK*"};
  inherited.umask = 077;
  inherited.limits = {{1, 2}};
  Surroundings around = LocalSurroundings(&inherited, "");
  EXPECT_EQ(around.environment,
            (std::vector<std::string>{"A=b", "SHELL=/bin/sh"}));
  EXPECT_EQ(around.shell, "/bin/sh");
  EXPECT_EQ(around.umask, 077u);
  EXPECT_EQ(around.limits.size(), 1u);
  inherited.environment[1] = "SHELL=/bin/false";
  around = LocalSurroundings(&inherited, "");
  EXPECT_EQ(around.environment[1], "SHELL=" + around.shell);
  EXPECT_NE(around.shell, "/bin/false");
}

TEST(UserShell, IsTheOneThatIsSetIfItCanBeRun) {
  ShellVariable keeper;
  unsetenv("SHELL");
  const std::string usual = UserShell();
  EXPECT_EQ(access(usual.c_str(), X_OK), 0) << usual;
  testing::TempDir folder;
  std::string plain = folder.Write("plain", "text");
  std::string shell = folder.Write("shell", "#!/bin/sh\n");
  std::filesystem::permissions(shell, std::filesystem::perms::owner_all);
  setenv("SHELL", shell.c_str(), 1);
  EXPECT_EQ(UserShell(), shell);
  for (const std::string& useless :
       {std::string(), plain, folder.Join("missing"),
        std::filesystem::relative(shell).string()}) {
    setenv("SHELL", useless.c_str(), 1);
    EXPECT_EQ(UserShell(), usual) << useless;
  }
}

TEST(UserShell, IsNoneThatOnlyKeepsAnAccountOut) {
  ShellVariable keeper;
  testing::TempDir folder;
  for (const char* name : {"nologin", "false", "git-shell", "true"}) {
    std::string path = folder.Write(name, "#!/bin/sh\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    setenv("SHELL", path.c_str(), 1);
    EXPECT_NE(UserShell(), path);
    EXPECT_EQ(UserShellNote(), "SHELL is \"" + path +
                                   "\", which is not a shell: " + UserShell() +
                                   " is used instead");
    EXPECT_TRUE(Has(BaseEnvironment(), "SHELL=" + UserShell()));
  }
  std::string link = folder.Join("sh");
  std::filesystem::create_symlink("/bin/false", link);
  EXPECT_EQ(WhyNoShell(link), "is not a shell");
}

TEST(UserShell, IsNoDirectoryAndIsNotNotedWhereItIsNotSet) {
  ShellVariable keeper;
  setenv("SHELL", "/tmp", 1);
  EXPECT_NE(UserShell(), "/tmp");
  EXPECT_NE(UserShellNote(), "");
  for (const char* usual : {"", "/bin/sh"}) {
    setenv("SHELL", usual, 1);
    EXPECT_EQ(UserShellNote(), "") << usual;
  }
  unsetenv("SHELL");
  EXPECT_EQ(UserShellNote(), "");
}

TEST(UserShell, CanBeRunByAUserWhoMayNotLogInOrHasNoAccount) {
  constexpr uid_t kNobody = 65'534, kNoAccount = 54'321;
  for (uid_t user : {kNobody, kNoAccount}) {
    EXPECT_TRUE(HoldsFor(user, [] {
      unsetenv("SHELL");
      std::string shell = UserShell();
      return shell.find("nologin") == std::string::npos &&
             access(shell.c_str(), X_OK) == 0;
    })) << user;
  }
}

TEST(Signals, AreFoundByNameInAnySpelling) {
  EXPECT_EQ(*ParseSignal("INT"), 2);
  EXPECT_EQ(*ParseSignal("SIGINT"), 2);
  EXPECT_EQ(*ParseSignal("sigkill"), 9);
  EXPECT_EQ(*ParseSignal("15"), 15);
  EXPECT_EQ(
      Message(ParseSignal("TREM").status()),
      "no signal 'TREM'; did you mean TERM or TRAP? (a name such as INT, TERM, "
      "HUP, KILL, USR1)");
}

TEST(Signals, AllButTheRealTimeOnesHaveTheirNamesInTheCLibrary) {
  for (int signal = 1; signal < 32; ++signal) {
    EXPECT_EQ(SignalName(signal), sigabbrev_np(signal));
    EXPECT_EQ(*ParseSignal(SignalName(signal)), signal);
  }
  EXPECT_EQ(SignalName(40), "40");
}

}  // namespace
}  // namespace glasstty::session
