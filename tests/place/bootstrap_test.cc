// Tests the command that brings our program to a place, in the shells that may
// run it, and how its answers are read.
#include "place/bootstrap.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "testing/system.h"

namespace glasstty::place {
namespace {

using testing::CommandResult;
using testing::RunCommand;
using testing::TempDir;

const BootstrapOptions kOptions = {
    .token = "T0ken", .hash = "cafe-9", .near_id = "0123", .directory = ""};

// Replaces our program, and reports how it was started.
constexpr char kProgram[] =
    "#!/bin/sh\n"
    "case $1 in --version) exit 0;; --check) [ $2 = $(wc -c <$0) ];; "
    "--far) echo ran $2 $3 $4;; esac\n";

class Bootstrap : public ::testing::Test {
 protected:
  // Sends the size of `upload` on stdin, and then `upload` itself.
  CommandResult Run(const std::vector<std::string>& shell,
                    const std::string& upload,
                    std::vector<std::string> environment = {},
                    const BootstrapOptions& options = kOptions) {
    std::string input =
        home_.Write("input", std::to_string(upload.size()) + " 0\n" + upload);
    std::string script = home_.Write("script", BootstrapLine(options));
    std::string command = "exec \"$@\" -c \"$(cat " + script + ")\" <" + input;
    std::vector<std::string> argv = {"sh", "-c", command, "x"};
    argv.insert(argv.end(), shell.begin(), shell.end());
    environment.push_back("HOME=" + home_.Join("home"));
    environment.push_back("XDG_CACHE_HOME=");
    environment.push_back("XDG_RUNTIME_DIR=");
    environment.push_back("TMPDIR=" + home_.Join("tmp"));
    return RunCommand(argv, environment);
  }
  std::string Ran(const std::string& directory) {
    return "ran " + directory + "/glasstty/sessions T0ken 0123\n";
  }

  TempDir home_;
};

TEST_F(Bootstrap, TheLineGoesThroughAnyShellInSingleQuotes) {
  std::string line = BootstrapLine(kOptions);
  EXPECT_EQ(line.find_first_of("'!\\\n"), std::string::npos);
  BootstrapOptions hostile = kOptions;
  hostile.directory = "/tmp/'; rm -rf $HOME; `x`\n";
  EXPECT_NE(BootstrapLine(hostile).find("X=/tmp/rm-rfHOMEx; "),
            std::string::npos);
}

TEST_F(Bootstrap, AsksForTheProgramOnceAndFindsItAgainInAnyShell) {
  const std::vector<std::vector<std::string>> kShells = {
      {"sh"}, {"bash"}, {"zsh"}, {"busybox", "sh"}, {"dash"}};
  for (const auto& shell : kShells) {
    std::string cache = home_.Join("home/.cache");
    CommandResult first = Run(shell, kProgram);
    EXPECT_EQ(first.output, "\nT0ken need x86_64\n" + Ran(cache)) << shell[0];
    CommandResult again = Run(shell, "");
    EXPECT_EQ(again.output, "\n" + Ran(cache)) << shell[0];
    RunCommand({"rm", "-rf", home_.Join("home")});
  }
}

// ssh runs it by the shell with which the user logs in.
TEST_F(Bootstrap, AnyLoginShellPassesItOn) {
  std::string input = home_.Write(
      "input", std::to_string(sizeof kProgram - 1) + " 0\n" + kProgram);
  std::string script =
      home_.Write("script", "exec sh -c '" + BootstrapLine(kOptions) + "'");
  for (const std::string shell :
       {"sh", "bash", "zsh", "dash", "fish", "mksh", "busybox sh"}) {
    std::string command = "exec " + shell;
    command.append(" -c \"$(cat ").append(script).append(")\" <").append(input);
    CommandResult result = RunCommand(
        {"sh", "-c", command},
        {"HOME=" + home_.Join("home"),
         "XDG_CACHE_HOME=", "XDG_RUNTIME_DIR=", "TMPDIR=" + home_.Join("tmp")});
    EXPECT_TRUE(result.output.ends_with(Ran(home_.Join("home/.cache"))))
        << shell << ": " << result.output;
    RunCommand({"rm", "-rf", home_.Join("home")});
  }
}

TEST_F(Bootstrap, APreferredDirectoryIsTakenFirst) {
  BootstrapOptions options = kOptions;
  options.directory = home_.Join("mine");
  EXPECT_EQ(Run({"sh"}, kProgram, {}, options).output,
            "\nT0ken need x86_64\n" + Ran(home_.Join("mine")));
}

TEST_F(Bootstrap, AnUploadThatIsCutIsSaidAndLeavesNothing) {
  std::string cut(kProgram);
  std::string input = std::to_string(cut.size() + 5) + " 0\n" + cut;
  std::string script = home_.Write("script", BootstrapLine(kOptions));
  std::string file = home_.Write("input", input);
  CommandResult result = RunCommand(
      {"sh", "-c", "exec sh -c \"$(cat " + script + ")\" <" + file},
      {"HOME=" + home_.Join("home"),
       "XDG_CACHE_HOME=", "XDG_RUNTIME_DIR=", "TMPDIR=" + home_.Join("tmp")});
  EXPECT_NE(result.output.find("T0ken damaged " + std::to_string(cut.size())),
            std::string::npos)
      << result.output;
  EXPECT_EQ(RunCommand({"find", home_.Join("home"), "-type", "f"}).output, "");
}

TEST_F(Bootstrap, AFileOfSomebodyElseOrALinkIsNotRun) {
  if (geteuid() != 0) GTEST_SKIP() << "takes root to make files of others";
  ASSERT_EQ(Run({"sh"}, kProgram).status, 0);
  std::string file = home_.Join("home/.cache/glasstty/holder-cafe-9-x86_64");
  ASSERT_EQ(chown(file.c_str(), 65534, 65534), 0);
  EXPECT_NE(Run({"sh"}, kProgram).output.find("need x86_64"),
            std::string::npos);
  ASSERT_EQ(rename(file.c_str(), home_.Join("elsewhere").c_str()), 0);
  ASSERT_EQ(symlink(home_.Join("elsewhere").c_str(), file.c_str()), 0);
  EXPECT_NE(Run({"sh"}, kProgram).output.find("need x86_64"),
            std::string::npos);
}

// Between the look at the file and its start, whoever may write to its
// directory could replace it.
TEST_F(Bootstrap, AFileInADirectoryThatOthersMayChangeIsNotRun) {
  struct Case {
    const char* directory;
    uid_t owner;
    mode_t mode;
    gid_t group;
  };
  for (const Case& row :
       {Case{"home/.cache/glasstty", 65534, 0755, 65534},
        Case{"home/.cache", 65534, 0755, 65534},
        Case{"home/.cache/glasstty", geteuid(), 0757, getegid()},
        Case{"home/.cache", geteuid(), 0777, getegid()},
        Case{"home/.cache/glasstty", geteuid(), 0775, 65534},
        Case{"home/.cache", geteuid(), 0770, 65534}}) {
    SCOPED_TRACE(row.directory);
    bool may_give = row.owner == geteuid() && row.group == getegid();
    if (!may_give && geteuid() != 0) continue;
    RunCommand({"rm", "-rf", home_.Join("home"), home_.Join("tmp")});
    ASSERT_EQ(Run({"sh"}, kProgram).output,
              "\nT0ken need x86_64\n" + Ran(home_.Join("home/.cache")));
    std::string directory = home_.Join(row.directory);
    ASSERT_EQ(chown(directory.c_str(), row.owner, row.group), 0);
    ASSERT_EQ(chmod(directory.c_str(), row.mode), 0);
    EXPECT_NE(Run({"sh"}, kProgram).output,
              "\n" + Ran(home_.Join("home/.cache")));
  }
}

// Many systems give each user a group of the same name, and a umask that lets
// it write.
TEST_F(Bootstrap, TheGroupOfThisUserAloneMayChangeADirectory) {
  std::string names =
      RunCommand({"sh", "-c", "[ \"$(id -un)\" = \"$(id -gn)\" ]; echo $?"})
          .output;
  if (names != "0\n") GTEST_SKIP() << "this user has no such group";
  Run({"sh"}, kProgram);
  ASSERT_EQ(chmod(home_.Join("home/.cache").c_str(), 0775), 0);
  ASSERT_EQ(chmod(home_.Join("home/.cache/glasstty").c_str(), 0770), 0);
  for (const char* shell : {"sh", "bash", "zsh", "dash"}) {
    EXPECT_EQ(Run({shell}, kProgram).output,
              "\n" + Ran(home_.Join("home/.cache")));
  }
}

// Any of our programs there can clean up.
TEST_F(Bootstrap, CleaningAsksAProgramOfOursInEveryDirectoryInAnyShell) {
  constexpr char kCleaner[] = "#!/bin/sh\necho $3 removed $1 $2\n";
  std::string line = CleaningLine("T0ken", home_.Join("mine"));
  EXPECT_EQ(line.find_first_of("'!\\\n"), std::string::npos);
  std::string script = home_.Write("script", line);
  std::string expected = "\n";
  for (const char* place : {"mine", "home/.cache", "tmp/glasstty-0"}) {
    std::string directory = home_.Join(std::string(place) + "/glasstty");
    RunCommand({"mkdir", "-p", directory});
    for (const char* name : {"/holder-a", "/holder-b"}) {
      home_.Write(place + std::string("/glasstty") + name, kCleaner);
      chmod((directory + name).c_str(), 0700);
    }
    expected += "T0ken removed --clean " + directory + "\n";
  }
  for (const char* shell : {"sh", "bash", "zsh", "dash"}) {
    CommandResult result = RunCommand(
        {"sh", "-c",
         "U=$(id -u); exec " + std::string(shell) + " -c \"$(cat " + script +
             ")\""},
        {"HOME=" + home_.Join("home"),
         "XDG_CACHE_HOME=", "XDG_RUNTIME_DIR=", "TMPDIR=" + home_.Join("tmp")});
    EXPECT_EQ(result.output, expected + "T0ken done\n") << shell;
  }
}

TEST(BootstrapNews, AreReadInWhateverPiecesTheyComeAndPastNoise) {
  using Kind = BootstrapNews::Kind;
  const std::string all =
      "Welcome to db!\n+ T=T0ken; echo T0ken need\nT0ken need aarch64\r\n"
      "noise T0ken\nT0ken\nFRAMES";
  for (size_t cut = 0; cut <= all.size(); ++cut) {
    std::string said;
    std::vector<BootstrapNews> news;
    for (const std::string& piece : {all.substr(0, cut), all.substr(cut)}) {
      said += piece;
      BootstrapNews one = TakeBootstrapNews("T0ken", &said);
      while (one.kind != Kind::kNothing) {
        news.push_back(one);
        if (one.kind == Kind::kReady) break;
        one = TakeBootstrapNews("T0ken", &said);
      }
    }
    ASSERT_EQ(news.size(), 2u) << cut;
    EXPECT_EQ(news[0].kind, Kind::kNeeds);
    EXPECT_EQ(news[0].detail, "aarch64");
    EXPECT_EQ(news[1].kind, Kind::kReady);
    EXPECT_EQ(said, "FRAMES");
  }
}

TEST(BootstrapNews, EachFailureHasItsSentence) {
  auto failure = [](std::string said) {
    BootstrapNews news = TakeBootstrapNews("T", &said);
    EXPECT_EQ(news.kind, BootstrapNews::Kind::kFailed);
    return news.detail;
  };
  EXPECT_EQ(
      failure("T os Darwin arm64\n"),
      "Linux on x86_64 or aarch64 is needed there, it is \"Darwin arm64\"");
  EXPECT_NE(failure("T nowhere\n").find("GLASSTTY_FAR_DIR"), std::string::npos);
  EXPECT_NE(failure("T full\n").find("no room"), std::string::npos);
  EXPECT_NE(failure("T damaged 17\n").find("17"), std::string::npos);
  EXPECT_NE(failure("T noproc\n").find("no /proc"), std::string::npos);
  EXPECT_NE(failure("T norun\n").find("does not run"), std::string::npos);
}

TEST(BootstrapNews, NoiseWithoutEndIsNotKept) {
  std::string said(1 << 20, 'x');
  TakeBootstrapNews("T0ken", &said);
  EXPECT_LT(said.size(), 100u);
}

}  // namespace
}  // namespace glasstty::place
