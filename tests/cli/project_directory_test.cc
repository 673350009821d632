// Tests where a client works that has started the server elsewhere.
#include "cli/project_directory.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace glasstty {
namespace {

// A folder that is removed at the end.
class Folder {
 public:
  Folder() {
    std::string name = ::testing::TempDir() + "glasstty-XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class Project : public ::testing::Test {
 protected:
  Project() {
    for (const char* name : {"home", "app", "other", "plugin/.claude-plugin",
                             "plugin/bin", "theirs"}) {
      std::filesystem::create_directories(In(name));
    }
    Write("plugin/.claude-plugin/plugin.json", R"({"name": "glasstty"})");
    Write("theirs/plugin.json", R"({"name": "another"})");
  }
  std::string In(const std::string& name) const {
    return dir_.path() + "/" + name;
  }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(In(name)) << text;
  }
  // Returns the name of the chosen folder.
  std::string Chosen(const std::string& directory,
                     Surroundings around = {}) const {
    around.directory = In(directory);
    around.home = In("home");
    std::string chosen = ProjectDirectory(around);
    return chosen.starts_with(dir_.path()) ? chosen.substr(In("").size())
                                           : chosen;
  }

  Folder dir_;
};

TEST_F(Project, IsTheWorkingDirectory) {
  Surroundings around;
  around.projects = {In("other")};
  around.ancestors = {In("other")};
  EXPECT_EQ(Chosen("app", around), "app");
  // Somebody works on that plugin.
  EXPECT_EQ(Chosen("theirs", around), "theirs");
}

TEST_F(Project, IsWhatTheClientNamesIfTheServerIsInAPluginOrAtHome) {
  Surroundings around;
  around.projects = {In("missing"), In("app")};
  around.ancestors = {In("other")};
  EXPECT_EQ(Chosen("plugin", around), "app");
  EXPECT_EQ(Chosen("plugin/bin", around), "app");
  EXPECT_EQ(Chosen("home", around), "app");
  around.projects = {In("app") + "," + In("other")};
  EXPECT_EQ(Chosen("home", around), "app");
  around.projects = {};
  around.plugins = {In("theirs")};
  EXPECT_EQ(Chosen("theirs", around), "other");
}

TEST_F(Project, IsThatOfTheProcessThatHasStartedAPluginsLauncher) {
  Surroundings around;
  around.ancestors = {In("plugin"), In("plugin"), In("app"), In("other")};
  EXPECT_EQ(Chosen("plugin", around), "app");
  around.ancestors = {In("plugin"), In("home")};
  EXPECT_EQ(Chosen("plugin", around), "home");
  around.ancestors = {In("plugin"), "/", In("other")};
  EXPECT_EQ(Chosen("plugin", around), "home");
  around.ancestors = {};
  EXPECT_EQ(Chosen("plugin", around), "home");
}

TEST_F(Project, IsTheHomeDirectoryIfTheClientHasChosenIt) {
  Surroundings around;
  around.ancestors = {In("app")};
  EXPECT_EQ(Chosen("home", around), "home");
}

TEST_F(Project, IsThatOfTheParentOnlyIfTheServerIsInTheRoot) {
  Surroundings around;
  around.directory = "/";
  around.home = In("home");
  around.ancestors = {In("app")};
  EXPECT_EQ(ProjectDirectory(around), In("app"));
  // A terminal multiplexer was started there, long ago.
  around.ancestors = {"/", In("other")};
  EXPECT_EQ(ProjectDirectory(around), In("home"));
}

TEST_F(Project, TheFactsAreThoseOfThisProcess) {
  Surroundings around = OwnSurroundings();
  EXPECT_EQ(around.directory, std::filesystem::current_path().string());
  EXPECT_FALSE(around.ancestors.empty());
}

}  // namespace
}  // namespace glasstty
