// `glasstty ls` and `list` for people, on terminals of several widths.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "e2e/desk.h"
#include "e2e/steps.h"

namespace glasstty::testing {
namespace {

class Listing : public ::testing::Test {
 protected:
  // Returns the rows that a command prints on a terminal.
  std::vector<std::string> See(std::vector<std::string> arguments, int cols,
                               const std::vector<std::string>& more = {}) {
    Desk desk(client_.state_dir(), std::move(arguments), {25, cols}, more);
    EXPECT_EQ(desk.AwaitEnd(), 0);
    written_ = desk.written();
    std::vector<std::string> rows = desk.Rows();
    while (!rows.empty() && rows.back().empty()) rows.pop_back();
    return rows;
  }
  void OpenThree() {
    ASSERT_TRUE(Good(Open(&client_, "a-session-with-a-long-name", {"cat"})));
    ASSERT_TRUE(Good(client_.Call("term_open", {{"name", "line"},
                                                {"command", "sleep 1234; true"},
                                                {"timeout_s", 0.1}})));
    ASSERT_TRUE(
        Good(Open(&client_, "zsecret", {"bash", "-c", "read -sp 'Pass: ' x"})));
  }

  McpClient client_;
  std::string written_;
};

TEST_F(Listing, FitsTheWidthOfTheTerminal) {
  OpenThree();
  for (int cols : {40, 80, 200}) {
    std::vector<std::string> rows = See({"ls"}, cols);
    // A row that is too wide would have been continued in the next one.
    ASSERT_EQ(rows.size(), 4u) << Join(rows);
    EXPECT_TRUE(rows[0].starts_with("NAME ")) << Join(rows);
    EXPECT_NE(rows[0].find("STATE"), std::string::npos) << Join(rows);
    EXPECT_NE(rows[0].find("WHO"), std::string::npos) << Join(rows);
  }
}

TEST_F(Listing, ShowsTheProgramAndNotTheShellThatRunsIt) {
  OpenThree();
  std::string all = Join(See({"ls"}, 120));
  EXPECT_NE(all.find("sleep 1234"), std::string::npos) << all;
  EXPECT_EQ(all.find("-c"), std::string::npos) << all;
  EXPECT_EQ(all.find("/bin/"), std::string::npos) << all;
}

TEST_F(Listing, ShowsWhatAShellRunsAndWhere) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"bash", "--norc"})));
  ASSERT_TRUE(Good(Keys(&client_, "main", "cd /usr/lib && cat<Enter>")));
  std::string all = Join(See({"ls"}, 80));
  EXPECT_NE(all.find("  cat  "), std::string::npos) << all;
  EXPECT_NE(all.find("  /usr/lib  "), std::string::npos) << all;
}

TEST_F(Listing, WritesTheHomeDirectoryAsATilde) {
  ASSERT_TRUE(Good(Open(&client_, "main", {"cat"}, {{"cwd", "/usr/lib"}})));
  std::string all = Join(See({"ls"}, 80, {"HOME=/usr"}));
  EXPECT_NE(all.find("  ~/lib  "), std::string::npos) << all;
  all = Join(See({"ls"}, 80, {"HOME=/us"}));
  EXPECT_NE(all.find("  /usr/lib  "), std::string::npos) << all;
}

TEST_F(Listing, BeginsWithSessionsThatNeedAPerson) {
  OpenThree();
  std::vector<std::string> rows = See({"ls"}, 80);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_TRUE(rows[1].starts_with("zsecret")) << Join(rows);
  int wait = client_.SendCall("term_wait", {{"session", "line"},
                                            {"until", {{"person", "gone"}}},
                                            {"ask", "look at this"}});
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    rows = See({"ls"}, 80);
    return rows.size() == 5 && rows[1].starts_with("line") &&
           rows[2] == "  asks: look at this";
  })) << Join(rows);
  client_.Notify("notifications/cancelled", {{"requestId", wait}});
}

TEST_F(Listing, IsColouredOnlyOnATerminal) {
  OpenThree();
  See({"ls"}, 80);
  EXPECT_NE(written_.find("\x1b["), std::string::npos);
  See({"ls"}, 80, {"NO_COLOR=1"});
  EXPECT_EQ(written_.find("\x1b["), std::string::npos);
  CommandResult piped = RunCommand(
      {ServerPath(), "ls"}, {"GLASSTTY_STATE_DIR=" + client_.state_dir()});
  EXPECT_EQ(piped.output.find("\x1b["), std::string::npos);
  EXPECT_NE(piped.output.find("a-session-with-a-long-name"), std::string::npos);
}

TEST_F(Listing, ListIsTheSameCommand) {
  // A second may pass between the two.
  auto look_alike = [this](std::vector<std::string> more) {
    std::vector<std::string> list = {"list"}, ls = {"ls"};
    list.insert(list.end(), more.begin(), more.end());
    ls.insert(ls.end(), more.begin(), more.end());
    return Eventually(Seconds(20),
                      [&] { return See(list, 100) == See(ls, 100); });
  };
  OpenThree();
  EXPECT_TRUE(look_alike({}));
  ASSERT_TRUE(Good(client_.Call("term_close", {{"session", "zsecret"}})));
  EXPECT_TRUE(look_alike({"-a"}));
}

// The lists that `glasstty ls --json --follow` prints.
class Followed {
 public:
  explicit Followed(const std::string& state_dir) {
    std::string command = "exec env GLASSTTY_STATE_DIR=" + state_dir + " " +
                          ServerPath() + " ls --json --follow";
    lines_ = popen(command.c_str(), "r");
  }
  ~Followed() { Close(); }
  Followed(const Followed&) = delete;
  Followed& operator=(const Followed&) = delete;

  // Reads lists until one has a session `name` with this fact.
  ::testing::AssertionResult Shows(const std::string& name, const char* fact,
                                   const Json& value) {
    std::array<char, 1 << 16> line;
    std::string last;
    while (fgets(line.data(), line.size(), lines_) != nullptr) {
      last = line.data();
      for (const Json& session : Json::parse(last)) {
        if (session["name"] == name && session.value(fact, Json()) == value) {
          return ::testing::AssertionSuccess();
        }
      }
    }
    return ::testing::AssertionFailure() << "the last list was " << last;
  }
  // Returns the status of the command, which must end because nobody reads it.
  int Close() {
    if (lines_ == nullptr) return -1;
    FILE* lines = lines_;
    lines_ = nullptr;
    return pclose(lines);
  }

 private:
  FILE* lines_;
};

TEST_F(Listing, FollowsTheSessionsForPrograms) {
  Followed followed(client_.state_dir());
  OpenThree();
  EXPECT_TRUE(followed.Shows("zsecret", "state", "secret"));
  int wait = client_.SendCall("term_wait", {{"session", "line"},
                                            {"until", {{"person", "gone"}}},
                                            {"ask", "look at this"}});
  EXPECT_TRUE(followed.Shows("line", "asked", "look at this"));
  client_.Notify("notifications/cancelled", {{"requestId", wait}});
  EXPECT_TRUE(followed.Shows("line", "asked", Json()));
  EXPECT_EQ(followed.Close(), 0);
}

TEST_F(Listing, FollowsForProgramsOnly) {
  CommandResult result =
      RunCommand({ServerPath(), "ls", "--follow"},
                 {"GLASSTTY_STATE_DIR=" + client_.state_dir()});
  EXPECT_EQ(WEXITSTATUS(result.status), 2);
  EXPECT_NE(result.output.find("--follow needs --json"), std::string::npos);
}

}  // namespace
}  // namespace glasstty::testing
