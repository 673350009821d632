#include "view/focus.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "view/focus_screen.h"

namespace glasstty::view {
namespace {

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

TEST(Focus, ABlackBackgroundLooksLikeNone) {
  EXPECT_EQ(Focus("aaa\r\n" + Styled("40", "bbb") + "\r\nccc"), Texts{});
  EXPECT_EQ(Focus("aaa\r\n" + Styled("7;40", "bbb") + "\r\nccc"), Texts{"bbb"});
}

TEST(Focus, FramesAreLeftOutAndOtherCharactersOfThreeBytesAreText) {
  EXPECT_EQ(Focus("aaa\r\n" + Reverse("\u2502two\u2588")), Texts{"two"});
  EXPECT_EQ(Focus("aaa\r\n" + Reverse("\u2026\u20AC5")),
            Texts{"\u2026\u20AC5"});
  EXPECT_EQ(Focus("aaa\r\n" + Reverse("\u554F")), Texts{"\u554F"});
  EXPECT_EQ(Focus("aaa\r\n" + Reverse("\u65E5\u672C \u8A9E")),
            Texts{"\u65E5\u672C \u8A9E"});
}

TEST(Focus, ATitleBesideTheCornerOfAFrameDoesNotStandOut) {
  EXPECT_EQ(Focus("\r\n" + Reverse("title") + "\u2500"), Texts{});
  EXPECT_EQ(Focus("\r\n" + Reverse("title") + " \u2500"), Texts{"title"});
}

TEST(Focus, RowsThatNeitherFlowNorMakeABlockAreApart) {
  struct {
    std::string upper, lower;
    Texts focus;
  } cases[] = {
      {"x " + Reverse("aaa") + " yy",
       "x " + Reverse("bbbb") + " y",
       {"aaa", "bbbb"}},
      {"x " + Reverse("aaaa") + " yy",
       "xx " + Reverse("bbb") + " yy",
       {"aaaa", "bbb"}},
      // Only one of: up to the end, and from the beginning.
      {"xx " + Reverse("aaa"), " " + Reverse("bb") + " x", {"aaa", "bb"}},
      {" " + Reverse("aaa") + " xx", Reverse("bb") + " xx", {"aaa", "bb"}},
      {"xx " + Reverse("aaa") + ".", Reverse("bbb") + " xx", {"aaa", "bbb"}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Focus(At(3, 1, c.upper) + At(4, 1, c.lower)), c.focus)
        << c.upper << "\n"
        << c.lower;
  }
}

TEST(Focus, AMarkedBlockMayReachTheLastRow) {
  EXPECT_EQ(Focus(At(11, 4, Reverse("bbb")) + At(12, 4, Reverse("eee"))),
            Texts{"bbb / eee"});
}

TEST(Focus, PartsOfAnEntryHaveOnlyBlanksBetweenThem) {
  std::string a = Reverse("new"), b = Reverse("one"), c = Reverse("six");
  EXPECT_EQ(Focus("aaa\r\n" + a + " " + b + "  " + c), Texts{"new one six"});
  EXPECT_EQ(Focus("aaaaaaa\r\n" + a + "x" + b), (Texts{"new", "one"}));
  EXPECT_EQ(Focus("aaa    aaa\r\n" + a + "    " + b), (Texts{"new", "one"}));
}

TEST(Focus, AFifthOfTheScreenMayStandOut) {
  std::string bytes;
  for (int row = 3; row < 6; ++row) {
    std::string text = row == 4 ? "two" : "";
    bytes += At(row, 3, Styled("44", Padded(text, 32)));
  }
  EXPECT_EQ(Focus(bytes), Texts{"two"});
  EXPECT_EQ(Focus(bytes + At(8, 3, Styled("44", "x"))), Texts{});
}

TEST(Focus, AnEntryOfSixtyCharactersIsShownWhole) {
  // 40 in the first row, and " / " before the second.
  std::string whole = "A" + std::string(38, 'x') + "BC" + std::string(15, 'y');
  std::string shown = whole.substr(0, 40) + " / " + whole.substr(40);
  EXPECT_EQ(Focus(At(2, 1, Reverse(whole + "Z"))), Texts{shown + "Z"});
  EXPECT_EQ(Focus(At(2, 1, Reverse(whole + "ZZ"))),
            Texts{shown.substr(0, 57) + "..."});
}

TEST(Focus, OfAMarkInBracketsTheEntryIsShown) {
  struct {
    std::string row;
    std::string focus;
  } cases[] = {
      {"[" + Reverse("*") + "] two", "[*] two"},
      {Reverse("[*]") + " two", "[*] two"},
      {"(" + Reverse("*") + ") two\u2502 six", "(*) two"},
      {"[" + Reverse("\u2588") + "] two", "[ ] two"},
      // No mark but a word, or more than a mark.
      {"[" + Reverse("on") + "] two", "on"},
      {"[" + Reverse("*x") + "] two", "*x"},
      {"[" + Reverse("****") + "] two", "****"},
      // No box.
      {"[" + Reverse("*") + " two", "*"},
      {Reverse("*") + "] two", "*"},
      {Reverse("[*") + " two", "[*"},
      {Reverse("*]") + " two", "*]"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Focus(At(3, 3, c.row)), Texts{c.focus}) << c.row;
  }
}

TEST(Focus, TwoRowsAreNoListOfWhichOneIsOdd) {
  EXPECT_EQ(
      Focus(At(3, 3, Styled("45", "one  ")) + At(4, 3, Styled("100", "two  "))),
      (Texts{"one", "two"}));
}

// A list of four rows in magenta, of which the second has no background.
std::string ListWithAGap(const std::string& second) {
  return At(3, 3, Styled("45", "one  ")) + At(4, 3, second) +
         At(5, 3, Styled("45", "six  ")) + At(6, 3, Styled("45", "ten  "));
}

TEST(Focus, TheRowThatAListLeavesOutStandsOut) {
  EXPECT_EQ(Focus(ListWithAGap("two")), Texts{"two"});
}

TEST(Focus, WhatIsColouredInTheRowThatAListLeavesOutIsPartOfIt) {
  EXPECT_EQ(Focus(ListWithAGap(Styled("41", "tw") + "o")), Texts{"two"});
  EXPECT_EQ(Focus(ListWithAGap("tw" + Styled("41", "o  "))), Texts{"two"});
}

TEST(Focus, WhatStandsBesideAListOrBelowItIsKept) {
  EXPECT_EQ(Focus(ListWithAGap("two") + At(3, 20, "else") +
                  At(4, 20, Styled("41", "word")) + At(8, 4, "abc") +
                  At(9, 4, Styled("41", "def"))),
            (Texts{"two", "word", "def"}));
}

}  // namespace
}  // namespace glasstty::view
