// Of what stands out, what is an entry among others like it, and what is a
// heading or a message.
#include <gtest/gtest.h>

#include <string>

#include "view/focus_screen.h"

namespace glasstty::view {
namespace {

std::string Bar(const std::string& text, size_t cols = 40) {
  return Reverse(Padded(text, cols));
}

// Whether this stands out with the row below it, beside an entry of one
// character that is wholly like the next one.
bool StandsOutToo(const std::string& text, const std::string& below) {
  Texts focus = Focus(At(3, 1, Reverse("x")) + At(4, 1, "x") +
                      At(8, 1, Reverse(text)) + At(9, 1, below));
  EXPECT_FALSE(focus.empty());
  return focus.size() == 2;
}

TEST(FocusLikeness, AnEntryIsAboutAsLikeItsNeighboursAsTheBestIs) {
  EXPECT_TRUE(StandsOutToo("abcd", "efgh"));
  EXPECT_TRUE(StandsOutToo("abcd", "ef1h")) << "three of four";
  EXPECT_FALSE(StandsOutToo("abcdefg", "ab1d2fg")) << "five of seven";
  EXPECT_FALSE(StandsOutToo("abc", "a12"));
  EXPECT_FALSE(StandsOutToo("ab", "a")) << "a blank is like no letter";
  EXPECT_TRUE(StandsOutToo("a c", "b d")) << "two blanks say nothing";
  EXPECT_FALSE(StandsOutToo("ab", "\u2502b")) << "nor is a frame";
}

TEST(FocusLikeness, AnEntryMayBeLikeTheRowAboveOrBelow) {
  std::string other = At(7, 1, Reverse("abc")) + At(8, 1, "123");
  EXPECT_EQ(Focus(At(2, 1, "one") + At(3, 1, Reverse("two")) + other),
            Texts{"two"});
  EXPECT_EQ(Focus(At(3, 1, Reverse("two")) + At(4, 1, "six") + other),
            Texts{"two"});
}

TEST(FocusLikeness, NothingInTheFirstOrTheLastRowIsAnEntry) {
  std::string list = At(5, 1, Reverse("one")) + At(6, 1, "two");
  EXPECT_EQ(Focus(list + At(1, 1, Reverse("File")) + At(2, 1, "text")),
            Texts{"one"});
  EXPECT_EQ(Focus(list + At(11, 1, "text") + At(12, 1, Reverse("Help"))),
            Texts{"one"});
}

TEST(FocusLikeness, AMessageInTheLastRowIsUnlikeTheRowAbove) {
  EXPECT_EQ(Focus(At(12, 1, Reverse("Saved"))), Texts{});
  EXPECT_EQ(Focus(At(11, 1, "1234") + At(12, 1, Reverse("abcd"))), Texts{});
  // A list that reaches down to it; half is enough.
  EXPECT_EQ(Focus(At(11, 1, "ab12") + At(12, 1, Reverse("abcd"))),
            Texts{"abcd"});
}

TEST(FocusLikeness, ATouchingHeadingIsWiderThanHalfOfTheScreen) {
  for (size_t cols : {20u, 21u}) {
    std::string bytes = At(3, 2, Bar("Size", cols)) +
                        At(4, 2, Bar("1024", cols)) + At(5, 2, "2048");
    EXPECT_EQ(Focus(bytes), Texts{cols == 20 ? "Size / 1024" : "1024"});
  }
}

TEST(FocusLikeness, ARowThatIsHalfLikeTheOneAboveHasNoHeadingThere) {
  EXPECT_EQ(Focus(At(3, 1, Bar("ab")) + At(4, 1, Bar("a1"))), Texts{"ab / a1"});
}

TEST(FocusLikeness, AHeadingIsUnlikeATableWhoseRowsAreAlike) {
  struct {
    const char* above;
    const char* heading;
    const char* first;
    const char* second;
    bool is_heading;
  } cases[] = {
      {"", "abcd", "1234", "5678", true},
      {"", "abcd", "1234", "", false},
      // At half they are alike.
      {"", "abcd", "1234", "56ab", true},
      {"", "abcd", "1234", "5abc", false},
      {"", "abcd", "ab12", "1b12", false},
      {"", "abcd", "a123", "1123", true},
      {"ab12", "abcd", "1234", "5678", false},
      {"a123", "abcd", "1234", "5678", true},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Focus(At(3, 1, c.above) + At(4, 1, Bar(c.heading)) +
                    At(5, 1, c.first) + At(6, 1, c.second) + At(9, 1, "")),
              c.is_heading ? Texts{} : Texts{c.heading})
        << c.above << "\n"
        << c.heading << "\n"
        << c.first << "\n"
        << c.second;
  }
}

TEST(FocusLikeness, AHeadingMayStandAboveTheLastTwoRows) {
  EXPECT_EQ(Focus(At(10, 1, Bar("abcd")) + At(11, 1, "1234") +
                  At(12, 1, "5678") + At(2, 1, "")),
            Texts{});
}

TEST(FocusLikeness, AHeadingTakesNineTenthsOfTheWidth) {
  std::string table = At(5, 1, "1234") + At(6, 1, "5678") + At(9, 1, "");
  EXPECT_EQ(Focus(At(4, 1, Bar("abcd", 36)) + table), Texts{});
  EXPECT_EQ(Focus(At(4, 1, Bar("abcd", 35)) + table), Texts{"abcd"});
}

TEST(FocusLikeness, WhereTheCursorIsThereIsNoHeading) {
  std::string screen =
      At(4, 1, Bar("abcd")) + At(5, 1, "1234") + At(6, 1, "5678");
  EXPECT_EQ(Focus(screen + At(4, 1, "")), Texts{"abcd"});
  EXPECT_EQ(Focus(screen + At(4, 1, "\033[?25l")), Texts{});
  EXPECT_EQ(Focus(screen + At(5, 1, "")), Texts{});
}

}  // namespace
}  // namespace glasstty::view
