// Tests that a program of tests leaves no process behind.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "testing/system.h"

namespace glasstty::testing {
namespace {

constexpr char kPidFile[] = "GLASSTTY_TEST_PID_FILE";

// Only the test below runs it, in a program of tests of its own. The orphan
// holds that program's output open, as a server holds the pipe of its client.
TEST(TestProgram, DISABLED_LeavesAnOrphanInASessionOfItsOwn) {
  const char* path = std::getenv(kPidFile);
  ASSERT_NE(path, nullptr) << "for the test below only";
  if (fork() == 0) {
    setsid();
    if (fork() == 0) {
      std::ofstream(path) << getpid() << std::endl;
      for (;;) pause();
    }
    _exit(0);
  }
  EXPECT_TRUE(Eventually(
      Seconds(20), [path] { return ReadWholeFile(path).ends_with("\n"); }));
}

TEST(TestProgram, EndsWhatItsTestsHaveLeftBehind) {
  TempDir folder;
  std::string path = folder.Join("pid");
  CommandResult result =
      RunCommand({"/proc/self/exe", "--gtest_filter=*LeavesAnOrphan*",
                  "--gtest_also_run_disabled_tests"},
                 {std::string(kPidFile) + "=" + path});
  EXPECT_EQ(result.status, 0) << result.output;
  pid_t orphan = std::atoi(ReadWholeFile(path).c_str());
  ASSERT_GT(orphan, 0) << result.output;
  EXPECT_EQ(kill(orphan, 0), -1);
}

}  // namespace
}  // namespace glasstty::testing
