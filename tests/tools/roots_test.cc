// Tests where the sessions of a client with roots start.
#include "tools/roots.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

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

Json RootsAt(const std::vector<std::string>& uris) {
  Json list = Json::array();
  for (const std::string& uri : uris) list.push_back({{"uri", uri}});
  return {{"roots", list}};
}

TEST(Roots, AreDirectoriesOfThisMachine) {
  Folder dir;
  std::string path = dir.path() + "/a b";
  std::filesystem::create_directory(path);
  std::string encoded = "file://" + dir.path() + "/a%20b";
  EXPECT_EQ(DirectoriesOf(RootsAt({encoded})), std::vector{path});
  EXPECT_EQ(DirectoriesOf(RootsAt({encoded + "/"})), std::vector{path});
  EXPECT_EQ(
      DirectoriesOf(RootsAt({"file://localhost" + dir.path() + "/a%20b"})),
      std::vector{path});
  EXPECT_EQ(DirectoriesOf(RootsAt({"https://example.org/", "file://host/tmp",
                                   "file://" + dir.path() + "/none",
                                   "file:///dev/null", "file:///tmp%00/x", "",
                                   "vscode-remote://ssh/tmp", encoded})),
            std::vector{path});
}

TEST(Roots, ThatAreMalformedAreNone) {
  const Json answers[] = {Json(),
                          Json::array(),
                          {{"roots", 1}},
                          {{"roots", {1, "file:///tmp"}}},
                          {{"roots", {{{"uri", 1}}, {{"name", "x"}}}}}};
  for (const Json& answer : answers) {
    EXPECT_TRUE(DirectoriesOf(answer).empty()) << answer;
  }
}

TEST(Roots, TheFirstIsTheStartUnlessTheClientIsInOneOfThem) {
  const std::vector<std::string> two = {"/home/me/app", "/srv/data"};
  struct Row {
    const char* handed_over;
    const char* start;
  };
  const Row rows[] = {{"/home/me", "/home/me/app"},
                      {"", "/home/me/app"},
                      {"/", "/home/me/app"},
                      {"/home/me/app", "/home/me/app"},
                      {"/home/me/app/src", "/home/me/app/src"},
                      {"/home/me/application", "/home/me/app"},
                      {"/srv/data/x", "/srv/data/x"}};
  for (const Row& row : rows) {
    EXPECT_EQ(ChooseStart(row.handed_over, two), row.start) << row.handed_over;
  }
  EXPECT_EQ(ChooseStart("/home/me", {}), "/home/me");
  EXPECT_EQ(ChooseStart("/anywhere", {"/"}), "/anywhere");
}

}  // namespace
}  // namespace glasstty
