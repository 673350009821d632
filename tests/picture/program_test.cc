// Tests running the program that draws: what it makes, and what is reported if
// it fails.
#include "picture/program.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "jobs.h"

namespace glasstty::picture {
namespace {

// Replaces the program.
class Stub {
 public:
  explicit Stub(const std::string& commands) {
    char folder[] = "/tmp/glasstty-stub-XXXXXX";
    folder_ = mkdtemp(folder);
    std::string path = folder_ + "/program";
    std::ofstream(path) << "#!/bin/sh\n" << commands << "\n";
    chmod(path.c_str(), 0700);
    setenv("GLASSTTY_PICTURE", path.c_str(), 1);
  }
  ~Stub() {
    unsetenv("GLASSTTY_PICTURE");
    std::filesystem::remove_all(folder_);
  }

 private:
  std::string folder_;
};

std::string ErrorOf(const Job& job) {
  auto drawn = DrawPng(job);
  return drawn.ok() ? "none" : std::string(drawn.status().message());
}

TEST(Program, MissingIsSaidWithWhatToInstall) {
  setenv("GLASSTTY_PICTURE", "/nowhere/glasstty-picture", 1);
  std::string error = ErrorOf(JobAfter({2, 20}, "text"));
  unsetenv("GLASSTTY_PICTURE");
  EXPECT_NE(error.find("/nowhere/glasstty-picture does not exist"), error.npos)
      << error;
  EXPECT_NE(error.find("libfreetype-dev"), error.npos);
  EXPECT_NE(error.find("--svg"), error.npos);
}

TEST(Program, ThatCannotBeStartedIsNamed) {
  setenv("GLASSTTY_PICTURE", "/etc/passwd", 1);
  std::string error = ErrorOf(JobAfter({2, 20}, "text"));
  unsetenv("GLASSTTY_PICTURE");
  EXPECT_NE(error.find("/etc/passwd: Permission denied"), error.npos) << error;
}

TEST(Program, KilledInTheMiddleIsSaid) {
  Stub stub("kill -KILL $$");
  EXPECT_EQ(ErrorOf(JobAfter({2, 20}, "text")),
            "glasstty-picture was ended by signal 9 (Killed): nothing was "
            "drawn");
}

TEST(Program, SaysItsOwnErrors) {
  // A library may warn at length first.
  Stub stub(
      "yes 'Fontconfig warning: line 1' | head -c 9000 >&2; echo >&2; "
      "echo 'no font of that name' >&2; exit 1");
  EXPECT_EQ(ErrorOf(JobAfter({2, 20}, "text")),
            "no picture: no font of that name");
}

TEST(Program, ThatSaysNothingMadeNothing) {
  Stub stub("echo PNG");
  EXPECT_NE(ErrorOf(JobAfter({2, 20}, "text")).find("did not describe"),
            std::string::npos);
}

TEST(Program, GetsTheJobAndFewVariables) {
  setenv("GLASSTTY_SECRET_OF_THE_SERVER", "1", 1);
  Stub stub("head -n 1; env | grep -c SECRET; echo '8 17 14 1 2 3' >&2");
  auto drawn = DrawPng(JobAfter({2, 20}, "text"));
  unsetenv("GLASSTTY_SECRET_OF_THE_SERVER");
  ASSERT_TRUE(drawn.ok()) << drawn.status();
  EXPECT_EQ(drawn->png, "glasstty-picture 1\n0\n");
  EXPECT_EQ(drawn->width, 8);
  EXPECT_EQ(drawn->height, 17);
  EXPECT_EQ(drawn->px, 14);
  EXPECT_EQ(drawn->shown, (terminal::Size{1, 2}));
  EXPECT_EQ(drawn->missing, 3);
}

TEST(Program, IsGoneWithItsRun) {
  Stub stub("exec sleep 1000");
  {
    auto run = PictureRun::Start(JobAfter({2, 20}, "text"));
    ASSERT_TRUE(run.ok()) << run.status();
    EXPECT_FALSE(run->Look());
  }
  // It was reaped as well: there is no child left.
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

}  // namespace
}  // namespace glasstty::picture
