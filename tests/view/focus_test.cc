#include "view/focus.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "testing/fake_holder.h"

namespace glasstty::view {
namespace {

using Texts = std::vector<std::string>;

// What stands out on a screen of 12x40 after `bytes`.
Texts Focus(std::string_view bytes) {
  FakeHolder holder;
  session::SessionRef session = holder.Open({12, 40});
  holder.Print(std::string(bytes));
  return FindFocus(session->terminal().TakeSnapshot());
}

TEST(Focus, NothingStandsOutOfPlainText) {
  EXPECT_EQ(Focus("plain \033[1;31mred\033[m text"), Texts{});
}

TEST(Focus, ReverseVideoAndABackgroundStandOut) {
  EXPECT_EQ(Focus("aaa\r\n\033[7mone\033[m\r\nbbb\r\n\033[44mtwo\033[m"),
            (Texts{"one", "two"}));
}

TEST(Focus, ATitleInTheTopOfAFrameDoesNotStandOut) {
  for (const char* frame : {"\u2500", "\u2501", "\u2550"}) {
    EXPECT_EQ(Focus(absl::StrCat("\r\n", frame, frame, "\033[7m title\033[m")),
              Texts{});
    EXPECT_EQ(Focus(absl::StrCat("\r\n\033[7mtitle \033[m", frame, frame)),
              Texts{});
  }
}

TEST(Focus, WhatBeginsBelowTheEndOfAnotherIsNotPartOfIt) {
  EXPECT_EQ(Focus("\033[7mabcde\033[m\r\n\r\n\r\n     \033[7mfghij\033[m"),
            (Texts{"abcde", "fghij"}));
}

TEST(Focus, AMarkThatIsInNoBoxStandsOutAlone) {
  EXPECT_EQ(Focus("aaa\r\n  \033[7m*\033[m item"), Texts{"*"});
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

TEST(Focus, AHeadingIsNoPartOfTheEntryThatTouchesIt) {
  auto row = [](std::string text) {
    text.resize(40, ' ');
    return "\033[7m" + text + "\033[m";
  };
  EXPECT_EQ(
      Focus("\033[3;1H" + row(" PID USER    CPU%") + row("  17 root     1.0") +
            "  18 root     2.0\r\n  19 root     3.0"),
      Texts{"17 root 1.0"});
}

TEST(Focus, AMessageInTheLastRowDoesNotStandOut) {
  EXPECT_EQ(Focus("one\r\n\033[7mtwo\033[m\033[12;1H\033[7mSaved.\033[m"),
            Texts{"two"});
}

TEST(Focus, PartsOfAnEntryInTheColourOfTheDesktopAreOne) {
  EXPECT_EQ(Focus("\033[44m\033[2J\033[3;3H\033[47m                "
                  "\033[4;3H [ ] a one      "
                  "\033[5;3H \033[44m[*]\033[47m \033[44mb\033[47m "
                  "\033[44mtwo\033[47m      "
                  "\033[6;3H                \033[7;3H                "
                  "\033[8;3H                \033[9;3H                \033[m"),
            Texts{"[*] b two"});
}

TEST(Focus, PartsOfAnEntryMayStandThreeColumnsApart) {
  EXPECT_EQ(Focus("one\r\n\033[7mnew\033[m   \033[7mone\033[m\r\nsix"),
            Texts{"new one"});
}

TEST(Focus, LabelsInARowDoNotStandOut) {
  EXPECT_EQ(Focus("\033[9;1H1\033[46mHelp\033[m2\033[46mSave\033[m"
                  "3\033[46mView\033[m4\033[46mEdit\033[m\033[2;1H"
                  "\033[46mfile.txt        \033[m"),
            Texts{"file.txt"});
}

TEST(Focus, AMarkedTextOfSeveralRowsIsOne) {
  EXPECT_EQ(Focus("aaa \033[7mbbb\033[m\r\n\033[7mccc\033[m ddd\r\n"),
            Texts{"bbb / ccc"});
}

TEST(Focus, AMarkedBlockInTheMiddleOfSeveralRowsIsOne) {
  EXPECT_EQ(Focus("aa \033[7mbbb\033[m cc\r\ndd \033[7meee\033[m ff\r\n"),
            Texts{"bbb / eee"});
}

TEST(Focus, WhatIsCommonDoesNotStandOut) {
  EXPECT_EQ(
      Focus("\033[44m\033[3;1H\033[K\033[4;1H\033[Ka\033[5;1H\033[K\033[m"),
      Texts{});
}

TEST(Focus, ThreeAreShownAndEachIsCut) {
  // It wraps: the rows are joined.
  Texts focus = Focus("\033[2;1H\033[7m" + std::string(65, 'x') + "\033[m");
  ASSERT_EQ(focus.size(), 1u);
  EXPECT_EQ(focus[0].size(), 60u);
  EXPECT_EQ(Focus("\033[41m\033[3;1Hone\033[42m\033[5;1Htwo\033[43m\033[7;1H"
                  "six\033[45m\033[9;1Hten\033[m"),
            (Texts{"one", "two", "six"}));
}

TEST(Focus, AHeadingInReverseVideoIsNotTheCursorBar) {
  auto bar = [](const std::string& text) {
    return "\033[7m" + text + std::string(40 - text.size(), ' ') + "\033[m";
  };
  std::string list = "\033[3;1H 17 root  sh\033[4;1H 18 root  vi\033[5;1H";
  EXPECT_EQ(Focus("\033[2;1H" + bar(" PID USER  COMMAND") + list +
                  bar(" 19 root  sh") + "\033[6;1H 20 root  cat"),
            Texts{"19 root sh"});
}

TEST(Focus, AHeadingBesideAPanelIsNone) {
  EXPECT_EQ(
      Focus("\033[2;2H\033[42m[Main]\033[m\033[3;1H\033[42mSignal: \033[m "
            "\033[42mPID USER \033[46mCPU\033[42m TIME COMMAND      \033[m"
            "\033[4;1H14 ALRM  17 root\033[5;1H\033[46m15 TERM \033[m "
            "\033[47m18 root                       \033[m"
            "\033[6;1H16 STKF  19 root"),
      (Texts{"15 TERM", "18 root"}));
}

TEST(Focus, AMarkIsShownWithItsEntry) {
  EXPECT_EQ(Focus("\033[3;3H[ ] one \033[4;3H[\033[7m*\033[m] two "
                  "\033[5;3H[ ] six "),
            Texts{"[*] two"});
}

TEST(Focus, AMarkBesideTheRestOfItsEntryRepeatsNothing) {
  EXPECT_EQ(Focus("one\r\n\033[7m[*]\033[m \033[7mtwo\033[m\r\nsix"),
            Texts{"[*] two"});
}

TEST(Focus, OfCompletionsOnlyTheChosenOneStandsOut) {
  EXPECT_EQ(Focus("\033[3;3H\033[45mone  \033[4;3H\033[100mtwo  \033[5;3H"
                  "\033[45msix  \033[m"),
            Texts{"two"});
}

// A box of `rows` in reverse video, with blanks around each.
std::string ReverseBox(const Texts& rows) {
  std::string bytes;
  for (size_t i = 0; i < 9; ++i) {
    std::string row = i >= 2 && i - 2 < rows.size() ? rows[i - 2] : "";
    bytes += "\033[" + std::to_string(i + 2) + ";3H\033[7m" +
             std::string(30, ' ') + "\033[" + std::to_string(i + 2) + ";6H" +
             row + "\033[m";
  }
  return bytes;
}

TEST(Focus, WithoutColoursADialogLeavesOutWhatItPointsAt) {
  EXPECT_EQ(
      Focus(ReverseBox({"\033[ma\033[7m  Alpha", "\033[mb\033[7m  \033[mBeta",
                        "\033[mc\033[7m  Gamma"})),
      Texts{"b Beta"});
}

TEST(Focus, OfTheButtonsInARowTheCursorsIsTheOne) {
  EXPECT_EQ(Focus(ReverseBox({"\033[m< Yes >\033[7m     \033[m< No >"}) +
                  "\033[4;20H"),
            Texts{"< No >"});
}

TEST(Focus, AButtonInTheColourOfTheDesktopStandsOutOfItsWindow) {
  std::string bytes = "\033[44m\033[2J";
  for (int row = 3; row < 10; ++row) {
    bytes +=
        "\033[" + std::to_string(row) + ";4H\033[47m" + std::string(30, ' ');
  }
  EXPECT_EQ(Focus(bytes + "\033[8;6H< Yes >   \033[44m< No >\033[m"),
            Texts{"< No >"});
}

// As fzf without backgrounds.
TEST(Focus, ASignInFrontPointsAtItsEntry) {
  EXPECT_EQ(Focus("  one\r\n\033[1m>\033[m two\r\n  three\r\n\r\n> "),
            Texts{"> two"});
}

TEST(Focus, ASignWithoutStyleOrBesideOthersPointsAtNothing) {
  EXPECT_EQ(Focus("  one\r\n> two\r\n  three\r\n"), Texts{});
  EXPECT_EQ(Focus("\033[1m>\033[m one\r\n\033[1m>\033[m two\r\n  three\r\n"),
            Texts{});
  EXPECT_EQ(Focus("one\r\n\033[1m>\033[m two\r\nthree\r\n"), Texts{});
  // Where the cursor is, it is a prompt.
  EXPECT_EQ(Focus("  one\r\n\033[1m>\033[m two"), Texts{});
}

}  // namespace
}  // namespace glasstty::view
