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

TEST(Environment, KeepsOurTokensAndTheClientsMarksFromTheChild) {
  Strings child = ChildEnvironment(
      {"GLASSTTY_HTTP_TOKEN=s", "GLASSTTY_STATE_DIR=/x", "CLAUDECODE=1",
       "CLAUDE_CODE_SSE_PORT=1", "GITHUB_TOKEN=t"},
      {});
  EXPECT_FALSE(HasName(child, "GLASSTTY_HTTP_TOKEN"));
  EXPECT_FALSE(HasName(child, "CLAUDECODE"));
  EXPECT_FALSE(HasName(child, "CLAUDE_CODE_SSE_PORT"));
  // The user's own are the user's business.
  EXPECT_TRUE(Has(child, "GITHUB_TOKEN=t"));
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
  std::string shell = folder.Write("dash", "#!/bin/sh\n");
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
