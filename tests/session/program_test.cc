// Which program is started for what was asked for.
#include "session/program.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "base/fd.h"
#include "support/status.h"
#include "testing/system.h"
#include "wire/packets.h"

namespace glasstty::session {

using record::ProgramSpec;

namespace {

using Words = std::vector<std::string>;

Words ProgramOf(const std::string& command) {
  ProgramSpec program;
  program.command = command;
  ResolveProgram(LocalSurroundings(nullptr, ""), &program);
  EXPECT_EQ(program.command, "");
  return program.argv;
}

TEST(Program, ACommandThatIsTheNameOfAShellIsThatShell) {
  EXPECT_EQ(ProgramOf("zsh"), Words({"zsh"}));
  EXPECT_EQ(ProgramOf("/bin/dash"), Words({"/bin/dash"}));
}

TEST(Program, ACommandThatEndsInTheNameOfAShellIsRunByAShell) {
  for (const char* command : {"echo /bin/bash", "ls -l /usr/bin/zsh",
                              "cd /bin;\n./sh", "cat\t/etc/fish"}) {
    Words argv = ProgramOf(command);
    ASSERT_EQ(argv.size(), 3u) << command;
    EXPECT_EQ(argv[1], "-c");
    EXPECT_EQ(argv[2], command);
  }
}

TEST(Program, RunsWhereTheServerDoesUnlessToldOtherwise) {
  Surroundings around = LocalSurroundings(nullptr, "");
  EXPECT_EQ(around.directory, std::filesystem::current_path().string());
  around.environment = {"HOME=/home/me"};
  const struct {
    const char* asked;
    std::string resolved;
  } kRows[] = {{"", around.directory},    {"~", "/home/me"},
               {"~/src", "/home/me/src"}, {"~you", "~you"},
               {"/tmp/~", "/tmp/~"},      {"sub", "sub"}};
  for (const auto& row : kRows) {
    ProgramSpec program;
    program.cwd = row.asked;
    ResolveProgram(around, &program);
    EXPECT_EQ(program.cwd, row.resolved);
  }
}

TEST(Program, AShellMarksItsPromptsOnATerminalUnlessToldNotTo) {
  testing::TempDir folder;
  UniqueFd directory(open(folder.path().c_str(), O_RDONLY | O_DIRECTORY));
  Surroundings around;
  around.sessions = "/s";
  for (bool integrate : {false, true}) {
    for (bool pipe : {false, true}) {
      record::SessionOrigin origin;
      origin.id = "id";
      origin.nonce = "n0nce";
      origin.program.argv = {"bash"};
      origin.program.integrate = integrate;
      origin.program.pipe = pipe;
      wire::LaunchSpec spec = LaunchSpecOf(origin, around, directory.get());
      bool marks = std::find(spec.environment.begin(), spec.environment.end(),
                             "GLASSTTY_NONCE=n0nce") != spec.environment.end();
      EXPECT_EQ(marks, integrate && !pipe) << integrate << pipe;
      EXPECT_EQ(spec.argv.size(), marks ? 3u : 1u);
    }
  }
}

TEST(Program, AHistoryIsTheSessionsUnlessItIsToBeTheUsers) {
  testing::TempDir folder;
  UniqueFd directory(open(folder.path().c_str(), O_RDONLY | O_DIRECTORY));
  for (bool shares : {false, true}) {
    Surroundings around;
    around.sessions = "/s";
    around.shares_history = shares;
    record::SessionOrigin origin;
    origin.id = "id";
    origin.program.argv = {"mksh"};
    wire::LaunchSpec spec = LaunchSpecOf(origin, around, directory.get());
    bool own = std::find(spec.environment.begin(), spec.environment.end(),
                         "HISTFILE=/s/id/history") != spec.environment.end();
    EXPECT_EQ(own, !shares);
  }
}

// Holders may be newer than their server.
TEST(Program, AFailureOfAnUnknownKindNamesTheProgram) {
  record::SessionOrigin origin;
  origin.program.argv = {"make", "all"};
  EXPECT_EQ(Message(StartFailure(
                {.stage = wire::StartStage{99}, .error = ENOENT}, origin)),
            "cannot start 'make': No such file or directory");
}

TEST(Program, ASessionNameIsAWord) {
  for (const char* good : {"a", "Main-2", "x.y_z", "9", "AZ", "az", "09"}) {
    EXPECT_TRUE(CheckSessionName(good).ok()) << good;
  }
  EXPECT_TRUE(CheckSessionName(std::string(64, 'n')).ok());
  for (const std::string& bad :
       {std::string(), std::string("-a"), std::string(".a"), std::string("a b"),
        std::string("a/b"), std::string("a\0b", 3), std::string("é"),
        std::string(65, 'n')}) {
    EXPECT_FALSE(CheckSessionName(bad).ok()) << bad;
  }
}

TEST(Program, AVariableIsWhatEnvironHolds) {
  auto check = [](std::string name, std::string value) {
    ProgramSpec program;
    program.environment = {{std::move(name), std::move(value)}};
    return CheckProgram(program).ok();
  };
  EXPECT_TRUE(check("A", "1"));
  EXPECT_TRUE(check("A", ""));
  EXPECT_TRUE(check("A", "\1=2\n"));
  EXPECT_FALSE(check("", "1"));
  EXPECT_FALSE(check("A=B", "1"));
  EXPECT_FALSE(check(std::string("A\0B", 3), "1"));
  EXPECT_FALSE(check("A", std::string("1\0", 2)));
}

TEST(Program, ASessionIsCalledAsItsProgram) {
  auto of_command = [](std::string command) {
    ProgramSpec program;
    program.command = std::move(command);
    return ProgramName(program);
  };
  auto of_words = [](Words argv) {
    ProgramSpec program;
    program.argv = std::move(argv);
    return ProgramName(program);
  };
  EXPECT_EQ(of_command(""), "shell");
  EXPECT_EQ(of_command("vim a.txt"), "vim");
  EXPECT_EQ(of_command("  A=1 B=2 /usr/bin/make all"), "make");
  EXPECT_EQ(of_command("A=1"), "shell");
  EXPECT_EQ(of_words({"/opt/my tool"}), "mytool");
  EXPECT_EQ(of_words({"-bash"}), "bash");
  EXPECT_EQ(of_words({"..."}), "session");
  EXPECT_EQ(of_words({std::string(80, 'x')}), std::string(60, 'x'));
}

}  // namespace
}  // namespace glasstty::session
