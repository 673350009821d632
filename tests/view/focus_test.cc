#include "view/focus.h"

#include <gtest/gtest.h>

#include "testing/fake_holder.h"

namespace glasstty {
namespace {

using Texts = std::vector<std::string>;

// What stands out on a screen of 12x40 after `bytes`.
Texts Focus(std::string_view bytes) {
  FakeHolder holder;
  SessionRef session = holder.Open({12, 40});
  holder.Print(std::string(bytes));
  return FindFocus(session->terminal().TakeSnapshot());
}

TEST(Focus, NothingStandsOutOfPlainText) {
  EXPECT_EQ(Focus("plain \033[1;31mred\033[m text"), Texts{});
}

TEST(Focus, ReverseVideoAndABackgroundStandOut) {
  EXPECT_EQ(Focus("a\r\n \033[7m one \033[m\r\nb\r\n\033[44mtwo\033[m"),
            (Texts{"one", "two"}));
}

TEST(Focus, AMenuHasItsEntryAndNotItsWindow) {
  // A grey window on blue; the entry is red.
  EXPECT_EQ(Focus("\033[44m\033[2J\033[3;3H\033[47m          "
                  "\033[4;3H one      \033[5;3H \033[41m two    \033[47m "
                  "\033[6;3H three    \033[m"),
            Texts{"two"});
}

TEST(Focus, AnEntryInTheColourOfTheDesktopStandsOutOfItsWindow) {
  EXPECT_EQ(Focus("\033[44m\033[2J\033[3;3H\033[47m          "
                  "\033[4;3H one      \033[5;3H \033[44m two    \033[47m "
                  "\033[6;3H three    \033[m"),
            Texts{"two"});
}

TEST(Focus, ABarAtTheEdgeDoesNotStandOut) {
  std::string bar = "\033[7mtitle" + std::string(35, ' ') + "\033[m";
  EXPECT_EQ(Focus(bar + "\033[12;1H" + bar), Texts{});
  EXPECT_EQ(Focus("\033[2;1H" + bar), Texts{"title"});
}

TEST(Focus, HeadingsOfSeveralBackgroundsDoNotStandOut) {
  EXPECT_EQ(Focus("\033[3;1H\033[42mPID USER  \033[46mCPU%      "
                  "\033[42mProgram             "
                  "\033[4;1H"
                  "\033[46m17 root             \033[m"),
            Texts{"17 root"});
}

TEST(Focus, LabelsInARowDoNotStandOut) {
  EXPECT_EQ(Focus("\033[9;1H1\033[46mHelp\033[m2\033[46mSave\033[m"
                  "3\033[46mView\033[m4\033[46mEdit\033[m\033[2;1H"
                  "\033[46mfile.txt        \033[m"),
            Texts{"file.txt"});
}

TEST(Focus, AMarkedTextOfSeveralRowsIsOne) {
  EXPECT_EQ(Focus("aaa \033[7mbbb\033[m\r\n\033[7mccc\033[m ddd\r\n"
                  "\033[7mx\033[m"),
            (Texts{"bbb", "ccc / x"}));
}

TEST(Focus, WhatIsCommonDoesNotStandOut) {
  EXPECT_EQ(Focus("\033[44m\033[3;1H\033[K\033[4;1H\033[Ka\033[m"), Texts{});
}

TEST(Focus, ThreeAreShownAndEachIsCut) {
  std::string bytes = "\033[2;1H\033[7m" + std::string(65, 'x') +
                      "\033[0;41m\033[4;1Hone\033[42m\033[5;1Htwo"
                      "\033[43m\033[6;1Hthree\033[m";
  Texts focus = Focus(bytes);
  ASSERT_EQ(focus.size(), 3u);
  // It wraps: the rows are joined.
  EXPECT_EQ(focus[0].size(), 60u);
  EXPECT_EQ(focus[2], "two");
}

}  // namespace
}  // namespace glasstty
