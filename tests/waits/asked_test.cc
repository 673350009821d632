#include "waits/asked.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace glasstty::waits {
namespace {

// Returns what is asked on a screen of these bytes: "" for nothing, with "?? "
// before it if it is not certain.
std::string AskedBy(const std::string& program, std::string_view bytes,
                    bool draws_screens = false) {
  auto terminal =
      *terminal::Terminal::Create({.size = {10, 60}, .scrollback_rows = 10});
  terminal->Feed(bytes);
  auto asked = FindAsked(*terminal, program, draws_screens);
  if (!asked) return "";
  return (asked->is_certain ? "" : "?? ") + asked->text;
}

TEST(Asked, ALineThatEndsAsQuestionsDoIsCertain) {
  EXPECT_EQ(AskedBy("rm", "rm: remove 'a'? "), "rm: remove 'a'?");
  EXPECT_EQ(AskedBy("apt", "Do it? [Y/n] "), "Do it? [Y/n]");
  EXPECT_EQ(AskedBy("login", "hello\r\nlogin: "), "login:");
}

TEST(Asked, TheAnswersMayHaveALineOfTheirOwn) {
  EXPECT_EQ(AskedBy("sh", "Overwrite a.txt?\r\n(y/n) "),
            "?? Overwrite a.txt? (y/n)");
  EXPECT_EQ(AskedBy("sh", "Overwrite a.txt?\r\n(yes/no)> "),
            "?? Overwrite a.txt? (yes/no)>");
}

TEST(Asked, WhatWasPrintedBeforeTheProgramWaitsMayBeAQuestion) {
  EXPECT_EQ(AskedBy("cat", "some text\r\n"), "?? some text");
  EXPECT_EQ(AskedBy("sh", "Press Enter to go on"), "?? Press Enter to go on");
  EXPECT_EQ(AskedBy("cat", ""), "");
}

TEST(Asked, NeitherAReplNorAPagerAsks) {
  EXPECT_EQ(AskedBy("python3", "hello?\r\n>>> "), "");
  EXPECT_EQ(AskedBy("gdb", "(gdb) "), "");
  EXPECT_EQ(AskedBy("ipython", "In [12]: "), "");
  EXPECT_EQ(AskedBy("less", "Is it so?\r\n:"), "");
}

TEST(Asked, OfADrawnScreenOnlyDialogsChoicesAndQuestionsCount) {
  EXPECT_EQ(AskedBy("whiptail",
                    "\x1b[2;1H+--------------+\x1b[3;1H| Go on now?   |"
                    "\x1b[4;1H|              |\x1b[5;1H| <Yes>  <No>  |"
                    "\x1b[6;1H+--------------+",
                    true),
            "Go on now?");
  EXPECT_EQ(AskedBy("fzf", "\x1b[1;1H  one\x1b[2;1H> ", true),
            "the choice of an entry in fzf");
  EXPECT_EQ(
      AskedBy("htop", "\x1b[?1049h\x1b[1;1HCPU 3 %\x1b[10;1HF10Quit", true),
      "");
}

TEST(Asked, AQuestionMayContinueInTheNextRow) {
  std::string question = "Do you really want to overwrite ";
  question += std::string(60, 'x') + " with what you have? [y/N]";
  EXPECT_EQ(AskedBy("tool", "\x1b[?1049h\x1b[3;1H" + question + " ", true),
            question);
}

TEST(Asked, TextBeforeAnEditorsCursorIsNoCertainQuestion) {
  EXPECT_EQ(AskedBy("vim",
                    "\x1b[?1049h\x1b[1;1Hif a:\x1b[9;1H~\x1b[10;1H-- INSERT --"
                    "\x1b[1;6H",
                    true),
            "?? if a:");
}

}  // namespace
}  // namespace glasstty::waits
