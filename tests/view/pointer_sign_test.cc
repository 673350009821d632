#include "view/pointer_sign.h"

#include <gtest/gtest.h>

#include <string>

#include "view/choice_marks.h"
#include "view/focus_screen.h"

namespace glasstty::view {
namespace {

std::string PointedAt(const std::string& bytes, int caret = -1) {
  terminal::Snapshot screen = ScreenAfter(bytes);
  return FindPointedAt(CellGrid(screen), caret);
}
std::string Chosen(const std::string& bytes) {
  terminal::Snapshot screen = ScreenAfter(bytes);
  return FindMarked(CellGrid(screen));
}
std::string Bold(const std::string& text) { return Styled("1", text); }

TEST(PointerSign, PointsAtItsEntryBesideOthers) {
  EXPECT_EQ(PointedAt(At(3, 3, "one") + At(4, 1, "❯ two") + At(5, 3, "six")),
            "❯ two");
  EXPECT_EQ(PointedAt(At(3, 3, "one") + At(4, 1, "❯ two")), "❯ two");
  EXPECT_EQ(PointedAt(At(4, 1, Bold("❯") + " two") + At(5, 3, "six")), "❯ two");
  EXPECT_EQ(PointedAt(At(4, 1, "❯◉ two") + At(3, 2, "◯ one")), "❯◉ two");
  EXPECT_EQ(PointedAt(At(4, 1, "› two") + At(3, 5, "of one") + At(2, 3, "one")),
            "› two")
      << "over a description";
}

TEST(PointerSign, AloneItIsAPrompt) {
  EXPECT_EQ(PointedAt(At(4, 1, Bold("❯") + " two")), "");
  EXPECT_EQ(PointedAt(At(4, 1, Bold("❯") + " two") + At(5, 1, "six")), "");
  EXPECT_EQ(PointedAt(At(4, 1, "❯ two") + At(5, 3, "goes on")), "");
  EXPECT_EQ(PointedAt(At(3, 3, "one") + At(4, 1, "❯ two"), 3), "")
      << "where the caret is";
}

TEST(PointerSign, AnUnderlinedEntryIsPointedAtAlone) {
  EXPECT_EQ(PointedAt(At(4, 1, "❯ " + Styled("4", "two"))), "❯ two");
}

TEST(PointerSign, AnAngleInPlainTextIsAQuotation) {
  EXPECT_EQ(PointedAt(At(3, 3, "one") + At(4, 1, "> two")), "");
  EXPECT_EQ(PointedAt(At(3, 3, "one") + At(4, 1, Bold(">") + " two")), "> two");
  EXPECT_EQ(PointedAt(At(3, 2, "one") + At(4, 1, Bold(">") + "two")), "");
}

TEST(PointerSign, OfSeveralNoneIsBelieved) {
  EXPECT_EQ(PointedAt(At(2, 3, "zero") + At(3, 1, Bold("❯") + " one") +
                      At(4, 1, Bold("❯") + " two") + At(5, 3, "six")),
            "");
}

TEST(ChoiceMarks, TheOneWithAnotherLabelIsChosen) {
  auto list = [](const std::string& second) {
    return At(3, 3, "◻ one") + At(4, 3, second) + At(5, 3, "◻ six");
  };
  EXPECT_EQ(Chosen(list("◼ " + Styled("36", "two"))), "◼ two");
  EXPECT_EQ(Chosen(list("◻ " + Styled("36", "two"))), "◻ two");
  EXPECT_EQ(Chosen(list("◼ two")), "") << "checked is not chosen";
}

TEST(ChoiceMarks, AFilledRadioButtonIsChosenWhereNothingElseTells) {
  EXPECT_EQ(Chosen(At(3, 3, "○ one") + At(4, 3, "● two")), "● two");
  EXPECT_EQ(Chosen(At(3, 3, "● one") + At(4, 3, "● two")), "");
  EXPECT_EQ(Chosen(At(4, 3, "● a message")), "");
}

TEST(ChoiceMarks, AFaintCheckMarkIsAnEmptyBox) {
  auto list = [](const std::string& parameters) {
    std::string off = Styled("2;90", "✔");
    return At(3, 1, off + " one") +
           At(4, 1, Styled(parameters, "✔") + " " + Styled("36", "two")) +
           At(5, 1, off + " six");
  };
  EXPECT_EQ(Chosen(list("32")), "[x] two");
  EXPECT_EQ(Chosen(list("2;90")), "[ ] two");
}

TEST(ChoiceMarks, OfTwoInARowTheUnderlinedOrFilledOneIsChosen) {
  EXPECT_EQ(Chosen(At(3, 1, "? Go on? ○ Yes / ● No")), "● No");
  EXPECT_EQ(Chosen(At(3, 1, "? Go on? ● Yes / ○ No")), "● Yes");
  EXPECT_EQ(Chosen(At(3, 1, "? Go on? No / " + Styled("4;36", "Yes"))), "Yes");
  EXPECT_EQ(Chosen(At(3, 1, "? Go on? " + Styled("4;36", "No") + " / Yes")),
            "No");
  EXPECT_EQ(Chosen(At(3, 1, "this / that")), "");
}

TEST(ChoiceMarks, TheOnlyUnderlinedOneOfAListIsChosen) {
  std::string two = At(4, 3, Styled("4;36", "two"));
  EXPECT_EQ(Chosen(At(3, 3, "one") + two + At(5, 3, "six")), "two");
  EXPECT_EQ(Chosen(At(3, 3, "one") + At(4, 3, Styled("4", "two"))), "")
      << "a heading has no colour";
  EXPECT_EQ(Chosen(two), "");
}

}  // namespace
}  // namespace glasstty::view
