// These tests follow the rules one by one, and show what must not be taken for
// the focus.
#include "view/focus.h"

#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "view/focus_screen.h"

namespace glasstty::view {
namespace {

std::string HiddenCursor() { return "\033[?25l"; }
std::string Bar(const std::string& text, size_t cols = 40) {
  return Reverse(Padded(text, cols));
}
// Draws a list of four in rows 3 to 6; `second` is its second entry.
std::string List(const std::string& second) {
  return At(3, 3, "one") + At(4, 3, second) + At(5, 3, "three") +
         At(6, 3, "four") + At(9, 1, "") + HiddenCursor();
}

TEST(Focus, NothingStandsOutOfPlainText) {
  EXPECT_EQ(Focus("plain \033[1;31mred\033[m text"), Texts{});
  EXPECT_EQ(Focus(List("two")), Texts{});
  EXPECT_EQ(Focus(List(Styled("31", "two"))), Texts{});
}

// ---- where the cursor is

TEST(Focus, TheButtonUnderTheCursorHasIt) {
  std::string buttons =
      At(5, 5, Styled("44", "< Yes >") + "   " + Styled("44", "< No >"));
  EXPECT_EQ(Focus(buttons + At(5, 7, "")), Texts{"< Yes >"});
  EXPECT_EQ(Focus(buttons + At(5, 17, "")), Texts{"< No >"});
  EXPECT_EQ(Focus(buttons + At(5, 17, "") + HiddenCursor()), Texts{"< No >"});
  EXPECT_EQ(Focus(buttons + At(9, 1, "")), Texts{});
}

// Draws rows 2 to 11 in reverse video, and `inside` over them.
std::string Dialog(const std::string& inside) {
  std::string bytes;
  for (int row = 2; row < 12; ++row) bytes += At(row, 3, Bar("", 36));
  return bytes + inside;
}

TEST(Focus, WithoutColoursTheButtonIsAHoleInTheDialog) {
  std::string buttons = At(10, 6, "< Yes >") + At(10, 18, "< No >");
  EXPECT_EQ(Focus(Dialog(buttons) + At(10, 20, "")), Texts{"< No >"});
  EXPECT_EQ(Focus(Dialog(buttons) + At(10, 8, "")), Texts{"< Yes >"});
}

TEST(Focus, AFieldIsNamedWithItsLabel) {
  std::string form = At(3, 2, "Name: " + Styled("46", Padded("alice", 12))) +
                     At(5, 2, "City: " + Styled("46", Padded("", 12)));
  EXPECT_EQ(Focus(form + At(3, 13, "")), Texts{"Name: alice"});
  EXPECT_EQ(Focus(form + At(5, 8, "")), Texts{"City:"});
}

TEST(Focus, OfAFieldThatOnlyItsCaretShowsTheFrameHasTheLabel) {
  std::string frame = "\u2502";
  std::string form = At(3, 1, frame + " Name: alice" + At(3, 40, frame));
  EXPECT_EQ(Focus(form + At(3, 14, "")), Texts{"Name: alice"});
  EXPECT_EQ(Focus(At(3, 1, "Name: alice")), Texts{}) << "a line of text";
}

TEST(Focus, AListInAFrameIsNamedBesideTheButtonThatActsOnIt) {
  std::string side = "\u2502";
  auto row = [&](int at, const std::string& text) {
    return At(at, 3,
              Styled("47",
                     side + " " + side + Padded("", 20) + side + " " + side)) +
           At(at, 8, text);
  };
  EXPECT_EQ(Focus(row(3, Styled("47", "Alpha")) + row(4, Styled("44", "Beta")) +
                  row(5, Styled("47", "Gamma")) +
                  At(7, 3, Styled("47", side + Padded("", 24) + side)) +
                  At(7, 8, Styled("44", "< OK >")) + At(7, 10, "")),
            (Texts{"< OK >", "Beta"}));
}

TEST(Focus, MarkedTextEndsOrBeginsAtTheCaret) {
  std::string text = At(3, 1, "some " + Reverse("marked") + " words");
  EXPECT_EQ(Focus(text + At(3, 12, "")), Texts{"marked"});
  EXPECT_EQ(Focus(text + At(3, 6, "")), Texts{"marked"});
  EXPECT_EQ(Focus(text + At(3, 15, "")), Texts{});
  EXPECT_EQ(Focus(text + At(8, 1, "")), Texts{});
}

TEST(Focus, MarkedRowsAreOneText) {
  EXPECT_EQ(Focus(At(3, 1, "aa " + Reverse("bbb")) + At(4, 1, Reverse("ccc")) +
                  At(4, 4, "")),
            Texts{"bbb / ccc"});
  EXPECT_EQ(
      Focus(At(3, 1, Reverse("line 1")) + At(4, 1, "line 2") + At(4, 1, "")),
      Texts{"line 1"});
}

TEST(Focus, ABarAboveTheCaretIsNoMarkedText) {
  EXPECT_EQ(Focus(At(3, 1, Bar("file  [+]       3,1  Top")) +
                  At(4, 1, "line one of it") + At(4, 1, "")),
            Texts{});
}

TEST(Focus, ACaretInAWindowLeavesNothingOutsideOfItToBeNamed) {
  auto row = [](int at, const std::string& text) {
    return At(at, 10, "\u2502" + Padded(text, 18) + "\u2502");
  };
  std::string window = List(Styled("44", "two"));
  for (int at = 2; at < 11; ++at) window += row(at, "");
  window = At(1, 2, Styled("44", "left")) + window;
  EXPECT_EQ(Focus(window + row(5, "text") + At(5, 15, "\033[?25h")), Texts{});
  std::string boxes = "[x] " + std::string("red   [ ] blue");
  EXPECT_EQ(Focus(window + row(5, "") + At(5, 12, Styled("46", boxes)) +
                  At(5, 13, "\033[?25h")),
            Texts{"[x] red"});
}

// ---- the odd one among similar things

TEST(Focus, TheEntryOnAnotherBackgroundHasIt) {
  EXPECT_EQ(Focus(List(Styled("44", "two"))), Texts{"two"});
  EXPECT_EQ(Focus(List(Reverse(Padded("two", 20)))), Texts{"two"});
}

TEST(Focus, PartsOfOneEntryAreJoined) {
  EXPECT_EQ(Focus(At(3, 3, "one    1 KB") +
                  At(4, 3, Reverse("two") + "    " + Reverse("2 KB")) +
                  At(5, 3, "three  3 KB") + At(9, 1, "") + HiddenCursor()),
            Texts{"two 2 KB"});
}

TEST(Focus, OfAPopupOverTextOnlyTheOddRowHasIt) {
  // vim's completions look like this: the chosen one is black, and the caret is
  // elsewhere.
  auto popup = [](const std::string& second) {
    return At(3, 3, Styled("45", "one  ")) + At(4, 3, Styled(second, "two  ")) +
           At(5, 3, Styled("45", "six  ")) + At(2, 6, "");
  };
  EXPECT_EQ(Focus(popup("100")), Texts{"two"});
  EXPECT_EQ(Focus(popup("40")), Texts{"two"});
  EXPECT_EQ(Focus(popup("45")), Texts{});
}

TEST(Focus, WhatIsHighlightedInTextThatIsEditedHasItNot) {
  // A search has found this word.
  std::string text = At(3, 3, "one") + At(4, 3, Reverse("two")) +
                     At(5, 3, "three") + At(6, 3, "four");
  EXPECT_EQ(Focus(text + At(12, 1, ":")), Texts{});
}

TEST(Focus, TwoThatStandOutAreNoChoice) {
  EXPECT_EQ(Focus(At(3, 3, Reverse("one")) + At(4, 3, "two") +
                  At(5, 3, Reverse("six")) + At(6, 3, "ten") + At(9, 1, "") +
                  HiddenCursor()),
            Texts{});
}

TEST(Focus, OfTwoEntriesTheOneThatIsNotAsAroundThemHasIt) {
  EXPECT_EQ(Focus(At(3, 3, "one") + At(4, 3, Reverse("two")) + At(9, 1, "") +
                  HiddenCursor()),
            Texts{"two"});
}

TEST(Focus, ABarOfStateOrATitleHasItNot) {
  EXPECT_EQ(
      Focus(At(1, 1, Bar("Title")) + At(2, 1, "text of it") +
            At(11, 1, Bar("file  3,1  Top")) + At(12, 1, "") + HiddenCursor()),
      Texts{});
  EXPECT_EQ(Focus(At(3, 1, "\u2500\u2500" + Reverse(" title ") + "\u2500") +
                  At(4, 3, " text ") + At(5, 3, " text ") + At(9, 1, "") +
                  HiddenCursor()),
            Texts{});
}

TEST(Focus, AHeadingOverFiguresHasItNot) {
  std::string table = At(3, 1, Bar("  PID USER   %CPU")) +
                      At(4, 1, "   17 root    1.0") +
                      At(5, 1, "   18 root    2.0");
  std::string hidden = At(9, 1, "") + HiddenCursor();
  EXPECT_EQ(Focus(table + hidden), Texts{});
  EXPECT_EQ(Focus(table + At(6, 1, Bar("   19 root    3.0")) +
                  At(7, 1, "   20 root    4.0") + hidden),
            Texts{"19 root 3.0"});
}

// htop draws this after a filter: the column by which it sorts has the colour
// of the selected entry.
TEST(Focus, UnderAHeadingTwoEntriesAreAListToo) {
  auto part = [](const char* colours, const std::string& text, size_t cols) {
    return Styled(colours, Padded(text, cols));
  };
  const std::string by_cpu =
      At(3, 1,
         part("30;42", "  PID USER", 11) + part("30;46", "CPU%", 5) +
             part("30;42", " Command", 24));
  const std::string by_pid =
      At(3, 1, part("30;46", "  PID", 6) + part("30;42", "USER CPU%", 34));
  const std::string first = "   17 root  1.0 sleep",
                    second = "   18 root  0.0 htop";
  auto selected = [](const std::string& entry) {
    return Styled("30;46", Padded(entry, 40));
  };
  for (const std::string& heading : {by_cpu, by_pid}) {
    auto focus = [&](const std::string& above, const std::string& below) {
      return Focus(absl::StrCat(heading, At(4, 1, above), At(5, 1, below),
                                At(9, 1, ""), HiddenCursor()));
    };
    EXPECT_EQ(focus(selected(first), second), Texts{"17 root 1.0 sleep"});
    EXPECT_EQ(focus(first, selected(second)), Texts{"18 root 0.0 htop"});
    EXPECT_EQ(focus(selected(first), ""), Texts{});
  }
}

TEST(Focus, AnEntryOfSeveralRowsIsNamedByItsFirst) {
  EXPECT_EQ(Focus(At(3, 1, "1. Ask") + At(4, 1, Bar("2. Approve", 30)) +
                  At(5, 1, Bar("    to me then", 30)) + At(6, 1, "3. All") +
                  At(9, 1, "") + HiddenCursor()),
            Texts{"2. Approve"});
}

TEST(Focus, AKindBelowCompletionsIsNoneOfThem) {
  // ptypython looks like this: two columns, and a line of help that is
  // narrower.
  auto row = [](int at, const std::string& a, const std::string& b) {
    return At(at, 3, a + b);
  };
  auto plain = [](const char* text) { return Styled("47", Padded(text, 8)); };
  EXPECT_EQ(Focus(row(3, plain("False"), plain("float")) +
                  row(4, Styled("44", Padded("File", 8)), plain("for")) +
                  row(5, plain("Found"), plain("from")) +
                  At(6, 3, Styled("100", "class")) + At(2, 3, "F")),
            Texts{"File"});
}

TEST(Focus, OneTabOfSeveralHasIt) {
  std::string hidden = At(9, 1, "") + HiddenCursor();
  EXPECT_EQ(Focus(At(3, 1, " One  " + Reverse(" Two ") + "  Six ") + hidden),
            Texts{"Two"});
  EXPECT_EQ(
      Focus(At(3, 1, Reverse(" One ") + " x " + Reverse(" Two ")) + hidden),
      Texts{});
}

TEST(Focus, KeysInARowHaveItNot) {
  EXPECT_EQ(Focus(At(11, 1,
                     "1" + Styled("46", "Help") + " 2" + Styled("46", "Save") +
                         " 3" + Styled("46", "Quit")) +
                  At(9, 1, "") + HiddenCursor()),
            Texts{});
}

TEST(Focus, ABlackBackgroundLooksLikeNone) {
  EXPECT_EQ(Focus(List(Styled("40", "two"))), Texts{});
}

// ---- the rest

TEST(Focus, ACheckBoxIsNamedWithItsLabel) {
  auto box = [](const std::string& mark) {
    return At(3, 3, "[ ] one") + At(4, 3, mark + " two") + At(5, 3, "[ ] six") +
           At(9, 1, "") + HiddenCursor();
  };
  EXPECT_EQ(Focus(box("[" + Reverse("*") + "]")), Texts{"[*] two"});
  EXPECT_EQ(Focus(box(Reverse("[ ]"))), Texts{"[ ] two"});
  EXPECT_EQ(Focus(At(3, 3, "[ ] one") + At(4, 3, "[x] " + Reverse("two")) +
                  At(5, 3, "[ ] six") + At(9, 1, "") + HiddenCursor()),
            Texts{"[x] two"});
}

TEST(Focus, TheBarWithTheCaretIsAQuestion) {
  EXPECT_EQ(
      Focus(At(10, 1, Bar("Save it?")) + At(11, 1, "Y Yes") + At(10, 10, "")),
      Texts{"Save it?"});
}

TEST(Focus, ACursorInTheLastCornerIsNoCaret) {
  std::string list =
      At(3, 3, "one") + At(4, 3, Reverse("two")) + At(5, 3, "three");
  EXPECT_EQ(Focus(list + At(12, 40, "")), Texts{"two"});
  EXPECT_EQ(Focus(list + At(12, 39, "")), Texts{});
}

TEST(Focus, TextsEndAtAFrameAndAfterSixtyCharacters) {
  EXPECT_EQ(Focus(At(2, 1, "aaa") + At(3, 1, Reverse("b\u2502b")) +
                  At(4, 1, "ccc") + At(9, 1, "") + HiddenCursor()),
            Texts{"b"});
  std::string text(80, 'x');
  Texts focus =
      FindFocus(ScreenAfter(At(3, 3, "one") + At(4, 3, Reverse(text)) +
                                At(5, 3, "six") + At(9, 1, "") + HiddenCursor(),
                            {12, 100}));
  ASSERT_EQ(focus.size(), 1u);
  EXPECT_EQ(focus[0].size(), 60u);
}

}  // namespace
}  // namespace glasstty::view
