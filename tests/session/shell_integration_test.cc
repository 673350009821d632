#include "session/shell_integration.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/fd.h"

namespace glasstty::session {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

class ShellIntegration : public ::testing::Test {
 protected:
  ShellIntegration() {
    std::string path =
        (fs::temp_directory_path() / "integration-XXXXXX").string();
    base_ = mkdtemp(path.data());
    directory_ = UniqueFd(open(base_.c_str(), O_RDONLY | O_DIRECTORY));
  }
  ~ShellIntegration() override { fs::remove_all(base_); }

  bool Integrate(Words argv, Variables environment = {}) {
    launch_ = {std::move(argv), std::move(environment), ""};
    return IntegrateShell(around_, directory_.get(), "/s", "n0nce", &launch_);
  }
  // Nothing was changed, and nothing written.
  bool IsLeftAlone(const Words& argv, const Variables& environment = {}) {
    return !Integrate(argv, environment) && launch_.argv == argv &&
           launch_.environment == environment && fs::is_empty(base_);
  }

  std::string base_;
  UniqueFd directory_;
  Surroundings around_;
  ShellLaunch launch_;
};

TEST_F(ShellIntegration, GivesBashAnotherStartUpFile) {
  ASSERT_TRUE(Integrate({"/bin/bash", "-i"}, {{"A", "1"}}));
  EXPECT_EQ(launch_.argv,
            Words({"/bin/bash", "--rcfile", "/s/integration.bash", "-i"}));
  EXPECT_EQ(launch_.environment,
            Variables({{"A", "1"}, {"GLASSTTY_NONCE", "n0nce"}}));
  EXPECT_GT(fs::file_size(base_ + "/integration.bash"), 0u);
}

TEST_F(ShellIntegration, TellsBashWhichStartUpFilesItWouldHaveRead) {
  for (const char* login : {"-l", "--login"}) {
    ASSERT_TRUE(Integrate({"bash", login, "--noprofile"}));
    EXPECT_EQ(launch_.argv, Words({"bash", "--rcfile", "/s/integration.bash",
                                   "--noprofile"}));
    EXPECT_EQ(launch_.environment["GLASSTTY_LOGIN"], "1");
    EXPECT_FALSE(launch_.environment.contains("GLASSTTY_NORC"));
  }
  ASSERT_TRUE(Integrate({"bash", "--norc", "-i"}));
  EXPECT_EQ(launch_.argv, Words({"bash", "--posix", "-i"}));
  EXPECT_EQ(launch_.environment, Variables({{"GLASSTTY_NONCE", "n0nce"},
                                            {"GLASSTTY_NORC", "1"},
                                            {"ENV", "/s/integration.bash"}}));
}

TEST_F(ShellIntegration, KeepsAVariableThatItNeedsForTheScriptToRestore) {
  ASSERT_TRUE(Integrate({"zsh"}));
  EXPECT_EQ(launch_.environment["ZDOTDIR"], "/s");
  EXPECT_FALSE(launch_.environment.contains("GLASSTTY_ZDOTDIR"));
  around_.environment = {"ZDOTDIR=/own"};
  ASSERT_TRUE(Integrate({"zsh", "-l"}));
  EXPECT_EQ(launch_.argv, Words({"zsh", "-l"}));
  EXPECT_EQ(launch_.environment["ZDOTDIR"], "/s");
  EXPECT_EQ(launch_.environment["GLASSTTY_ZDOTDIR"], "/own");
  // The caller's value replaces the inherited one.
  ASSERT_TRUE(Integrate({"zsh"}, {{"ZDOTDIR", "/given"}}));
  EXPECT_EQ(launch_.environment["ZDOTDIR"], "/s");
  EXPECT_EQ(launch_.environment["GLASSTTY_ZDOTDIR"], "/given");
}

TEST_F(ShellIntegration, QuotesForFishThePathOfItsScript) {
  launch_ = {{"fish", "-i"}, {}, ""};
  ASSERT_TRUE(
      IntegrateShell(around_, directory_.get(), R"(/it's a\b)", "n", &launch_));
  EXPECT_EQ(launch_.argv,
            Words({"fish", "--init-command",
                   R"(source '/it\'s a\\b/integration.fish')", "-i"}));
}

TEST_F(ShellIntegration, LeavesWhatIsNoInteractiveShellThatItKnowsAlone) {
  EXPECT_TRUE(IsLeftAlone({"cat"}, {{"A", "1"}}));
  EXPECT_TRUE(IsLeftAlone({"dash", "-i"}));
  EXPECT_TRUE(IsLeftAlone({"bash", "-c", "ls"}));
  EXPECT_TRUE(IsLeftAlone({"bash", "-i", "script"}));
  EXPECT_TRUE(IsLeftAlone({"bash", "--interactive"}));
  EXPECT_TRUE(IsLeftAlone({"zsh", "--norc"}));
  EXPECT_TRUE(IsLeftAlone({"fish", "-"}));
}

TEST_F(ShellIntegration, ChangesNothingWhenItsScriptCannotBeWritten) {
  UniqueFd nowhere(open("/proc/self", O_RDONLY | O_DIRECTORY));
  launch_ = {{"bash"}, {}, ""};
  EXPECT_FALSE(IntegrateShell(around_, nowhere.get(), "/s", "n0nce", &launch_));
  EXPECT_EQ(launch_.argv, Words({"bash"}));
  EXPECT_TRUE(launch_.environment.empty());
}

TEST_F(ShellIntegration, TellsTheShellOfTheSessionsOwnHistory) {
  launch_ = {{"bash"}, {}, ""};
  KeepHistoryApart("/s", &launch_);
  EXPECT_EQ(launch_.environment,
            Variables({{"HISTFILE", "/s/history"}, {"fish_history", ""}}));
  ASSERT_TRUE(IntegrateShell(around_, directory_.get(), "/s", "n", &launch_));
  EXPECT_EQ(launch_.environment["GLASSTTY_HISTORY"], "/s/history");
}

TEST_F(ShellIntegration, LeavesAHistoryThatTheCallerHasNamed) {
  for (const Variables& given :
       {Variables{{"HISTFILE", ""}}, Variables{{"fish_history", "mine"}}}) {
    launch_ = {{"bash"}, given, ""};
    KeepHistoryApart("/s", &launch_);
    EXPECT_EQ(launch_.environment, given);
    ASSERT_TRUE(IntegrateShell(around_, directory_.get(), "/s", "n", &launch_));
    EXPECT_FALSE(launch_.environment.contains("GLASSTTY_HISTORY"));
  }
}

TEST_F(ShellIntegration, NamesTheFilesThatItMayHaveWritten) {
  for (const char* shell : {"bash", "zsh", "fish"}) Integrate({shell});
  Words written;
  for (const auto& entry : fs::directory_iterator(base_)) {
    written.push_back(entry.path().filename().string());
  }
  Words named = IntegrationFiles();
  std::sort(written.begin(), written.end());
  std::sort(named.begin(), named.end());
  EXPECT_EQ(written, named);
}

}  // namespace
}  // namespace glasstty::session
