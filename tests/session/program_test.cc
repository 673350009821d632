// Which program is started for what was asked for.
#include "session/program.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace glasstty {
namespace {

using Words = std::vector<std::string>;

Words ProgramOf(const std::string& command) {
  ProgramSpec program;
  program.command = command;
  ResolveProgram(&program);
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

}  // namespace
}  // namespace glasstty
