// Windows, and what stands out of them.
#include <gtest/gtest.h>

#include <string>

#include "view/focus_screen.h"

namespace glasstty::view {
namespace {

// The ground of what is common: blue in whole rows.
std::string Blue(int first_row, int last_row) {
  std::string bytes = "\033[44m";
  for (int row = first_row; row <= last_row; ++row) {
    bytes += At(row, 1, "\033[K");
  }
  return bytes + "\033[m";
}

TEST(FocusWindow, WhatIsInsideAnotherIsShownInItsPlace) {
  std::string red = Styled("41", "todo");
  // A marked text of three rows, and in the second of them another background.
  std::string upper =
      At(2, 6, "not marked") + At(3, 6, Reverse("marked text")) + At(4, 1, "");
  std::string inside = upper + Reverse("goes on to ") + red;
  std::string lower = At(5, 1, Reverse("here and on"));
  EXPECT_EQ(Focus(inside + lower), Texts{"todo"});
  // In the last row of the other it is beside it.
  EXPECT_EQ(Focus(inside), (Texts{"marked text / goes on to", "todo"}));
}

TEST(FocusWindow, WhatIsInsideMayEndOrBeginWhereTheOtherDoes) {
  std::string right = At(2, 6, "not mark") + At(3, 6, Reverse("marked t")) +
                      At(4, 1, Reverse("goes on t") + Styled("41", "todo")) +
                      At(5, 1, Reverse("here and "));
  EXPECT_EQ(Focus(right), Texts{"todo"});
  std::string left = At(2, 5, "not so") + At(3, 5, Reverse("marked")) +
                     At(4, 1, Styled("41", "todo") + Reverse("abcdef")) +
                     At(5, 1, Reverse("on and on"));
  EXPECT_EQ(Focus(left), Texts{"todo"});
}

TEST(FocusWindow, ACommonBackgroundInsideAnotherIsWhatIsPointedAt) {
  std::string desktop = Blue(7, 12);
  std::string middle = At(4, 1, Reverse("goes on to ") + Styled("44", "abc"));
  std::string lower = At(5, 1, Reverse("here and on"));
  EXPECT_EQ(Focus(desktop + At(3, 6, Reverse("marked text")) + middle + lower),
            Texts{"abc"});
  // As wide as the other it is none of its entries.
  EXPECT_EQ(Focus(desktop + At(3, 6, Reverse("marked te")) + middle + lower),
            Texts{"marked te / goes on to / here and on"});
}

TEST(FocusWindow, TheDesktopBetweenThePartsOfAnEntryIsNoWindowsEntry) {
  EXPECT_EQ(Focus(Blue(1, 12) +
                  At(5, 3, Reverse("ab") + "\033[44m  " + Reverse("cdef")) +
                  At(6, 3, Reverse("gh") + "\033[44m  " + Reverse("ijkl"))),
            Texts{"ab cdef / gh ijkl"});
}

TEST(FocusWindow, OnlyWhatOneColourSurroundsInARowIsLeftOut) {
  std::string desktop = Blue(6, 12);
  // The word stands behind a blue stretch, and another begins a row below.
  EXPECT_EQ(Focus(desktop + At(3, 1, Styled("44", Padded("", 20)) + "word") +
                  At(4, 30, Styled("44", Padded("", 8)))),
            Texts{});
  // Between two of different colours.
  std::string green;
  for (int row = 1; row < 4; ++row) {
    green += At(row, 1, Styled("42", Padded("", 40)));
  }
  EXPECT_EQ(
      Focus(desktop + green +
            At(5, 2, Styled("44", "    ") + "word" + Styled("42", "    "))),
      Texts{});
  EXPECT_EQ(
      Focus(desktop + green +
            At(5, 2, Styled("44", "    ") + "word" + Styled("44", "    "))),
      Texts{"word"});
}

// A dialog in reverse video, in rows 2 to 10, with these rows in the middle.
std::string Dialog(const Texts& rows) {
  std::string bytes;
  for (size_t i = 0; i < 9; ++i) {
    std::string row = i >= 2 && i - 2 < rows.size() ? rows[i - 2] : "";
    int line = static_cast<int>(i) + 2;
    bytes +=
        At(line, 3, "\033[7m" + Padded("", 30)) + At(line, 6, row) + "\033[m";
  }
  return bytes;
}

// In a dialog, what it leaves out.
std::string Out(const std::string& text) { return "\033[m" + text + "\033[7m"; }

TEST(FocusWindow, WhatADialogLeavesOutEndsWhereTheDialogGoesOn) {
  EXPECT_EQ(Focus(Dialog({"one", "." + Out("two") + "."})), Texts{"two"});
}

TEST(FocusWindow, PartsLeftOutUpToThreeColumnsApartAreOne) {
  EXPECT_EQ(Focus(Dialog({Out("bb") + " - " + Out("Beta")})),
            Texts{"bb - Beta"});
  EXPECT_EQ(Focus(Dialog({Out("bb") + " -- " + Out("Beta")})),
            (Texts{"bb", "Beta"}));
}

TEST(FocusWindow, ALetterLeftOutIsAShortcutWhereSomethingWideIs) {
  std::string letter = Out("x");
  EXPECT_EQ(Focus(Dialog({Out("abc"), "", "         " + letter})),
            (Texts{"abc", "x"}));
  EXPECT_EQ(Focus(Dialog({Out("abcd"), "", "         " + letter})),
            Texts{"abcd"});
}

TEST(FocusWindow, AnEntryInItsLastRowStandsOut) {
  std::string bytes = Blue(1, 5);
  for (int row = 7; row <= 11; ++row) {
    bytes += At(row, 3, Styled("47", Padded("", 30)));
  }
  EXPECT_EQ(Focus(bytes + At(11, 9, Styled("44", "< No >"))), Texts{"< No >"});
}

TEST(FocusWindow, AWindowBesideAFrameIsNotItsOwnEntry) {
  std::string bytes = Blue(1, 12);
  for (int row = 1; row <= 12; ++row) bytes += At(row, 1, "\u2502");
  for (int row = 3; row <= 10; ++row) {
    bytes += At(row, 7, Styled("47", Padded("", 15)));
  }
  // The window is seen as two, left and right of the entry.
  EXPECT_EQ(Focus(bytes + At(6, 7, Styled("47", " Pick: ")) +
                  Styled("44", "two ") + Styled("47", " ok ")),
            Texts{"two"});
}

TEST(FocusWindow, OfTheButtonsInARowTheOneUnderTheCursorIsFromEndToEnd) {
  std::string bytes = Dialog({Out("< Yes >") + "     " + Out("< No >")});
  for (int col : {18, 23}) {
    EXPECT_EQ(Focus(bytes + At(4, col, "")), Texts{"< No >"}) << col;
  }
  for (int col : {17, 24}) {
    EXPECT_EQ(Focus(bytes + At(4, col, "")), (Texts{"< Yes >", "< No >"}))
        << col;
  }
}

}  // namespace
}  // namespace glasstty::view
