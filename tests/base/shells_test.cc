// Tests the table of shells, their names and their differences.
#include "base/shells.h"

#include <gtest/gtest.h>

namespace glasstty {
namespace {

TEST(Shells, AreFoundByTheNameOfTheProgram) {
  ASSERT_NE(FindShell("bash"), nullptr);
  EXPECT_EQ(FindShell("bash")->name, "bash");
  EXPECT_EQ(FindShell("-zsh")->name, "zsh");
  EXPECT_EQ(FindShell("/usr/bin/fish")->name, "fish");
  EXPECT_EQ(FindShell("ksh93")->name, "ksh");
  EXPECT_EQ(FindShell("-lksh")->name, "mksh");
  EXPECT_EQ(FindShell("/bin/bash-static")->name, "bash");
  for (const char* other :
       {"", "-", "vim", "bash2", "echo /bin/bash -c", "bash "}) {
    EXPECT_EQ(FindShell(other), nullptr) << other;
  }
}

TEST(Shells, WithoutARowAreTakenForSh) {
  EXPECT_EQ(ShellOrSh("a-shell-of-ones-own").name, "sh");
  EXPECT_EQ(ShellOrSh("fish").status, "$status");
}

TEST(Shells, OnlySomeLeaveEditingToTheKernel) {
  for (const char* name : {"sh", "dash", "ash"}) {
    EXPECT_FALSE(FindShell(name)->edits_lines) << name;
  }
  for (const char* name : {"bash", "zsh", "fish", "ksh", "mksh", "tcsh"}) {
    EXPECT_TRUE(FindShell(name)->edits_lines) << name;
  }
}

// The behaviour of bash 5.2 and zsh 5.9 for such a line at their prompts. If a
// row claims more than the shells do, its comment says so.
struct Line {
  const char* text;
  bool bash;
  bool zsh;
};

TEST(Shells, RecallHistoryAtAnExclamationMark) {
  const Line lines[] = {
      {"echo hi!x", true, true},
      {"echo \"hi!x\"", true, true},
      {"echo 'hi!x'", false, false},
      {"echo \"it's!x\"", true, true},
      {"echo it\\'s!x", true, true},
      {"echo \\!x \"a\\!x\"", false, false},
      {"!!", true, true},
      {"!$ !-2 !?x?", true, true},
      {"(cd /; !ls)", true, true},
      {"[ ! -e x ]", false, false},
      {"a!=b", false, false},
      {"echo hi!", false, false},
      {"!(false) && echo yes", true, false},
      {"if !(false); then echo yes; fi", true, false},
      {"echo \"x!(y)\"", true, false},
      // A quote in a substitution is another level, which is not counted here.
      {"echo $(echo '!x')", true, true},
      {"echo `echo '!x'`", true, true},
      {"echo $'it\\'s !x'", true, true},
      // At the end of a line, bash before 5 forgets that a quote is open.
      {"echo 'a\n!x'", true, true},
      // Only a text that is quoted as a whole is known to be unchanged.
      {"echo 'hi!x' hi!x", true, true},
      {"echo 'open !x", false, false},
  };
  for (const Line& line : lines) {
    EXPECT_EQ(RecallsHistory(*FindShell("bash"), line.text), line.bash)
        << line.text;
    EXPECT_EQ(RecallsHistory(*FindShell("zsh"), line.text), line.zsh)
        << line.text;
    for (const char* without : {"fish", "dash", "ksh"}) {
      EXPECT_FALSE(RecallsHistory(*FindShell(without), line.text)) << without;
    }
  }
}

TEST(Shells, ReplaceWordsAtACaretThatBeginsALine) {
  for (const char* text : {"^foo^bar", " ^foo", "{\n^foo^bar\n}"}) {
    EXPECT_TRUE(RecallsHistory(*FindShell("bash"), text)) << text;
    EXPECT_TRUE(RecallsHistory(*FindShell("zsh"), text)) << text;
    EXPECT_FALSE(RecallsHistory(*FindShell("fish"), text)) << text;
  }
  EXPECT_FALSE(RecallsHistory(*FindShell("bash"), "grep ^foo x\ngrep '^a' y"));
}

}  // namespace
}  // namespace glasstty
