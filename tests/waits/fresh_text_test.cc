#include "waits/fresh_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "waits/until_fixture.h"

namespace glasstty::waits {
namespace {

using record::MarkNow;
using record::ReadMark;

// Tests which text is searched, through waits for it.
class FreshTextTest : public UntilTest {
 protected:
  // Returns the detail of a wait that has matched, or "no match".
  std::string Detail() {
    return Look() == "matched" ? UntilTest::Detail() : "no match";
  }
};

TEST_F(FreshTextTest, AMatchIsToldWithTheWholeLinesItTouches) {
  ReadMark before = MarkNow(session_->output().terminal());
  holder_.Print("zero\r\none two\r\nthree\r\nfour");
  for (auto [regex, detail] :
       {std::pair{"^z", "zero"}, std::pair{"ro$", "zero"},
        std::pair{"e t", "one two"}, std::pair{"o$", "zero"},
        std::pair{"two$", "one two"}, std::pair{"wo\\nthr", "one two\nthree"},
        std::pair{"\\nthree", "one two\nthree"}, std::pair{"four", "four"},
        std::pair{"two\\n", "one two"}, std::pair{"\\n", "zero"}}) {
    BeginAt(Until{.regex = regex}, before);
    EXPECT_EQ(Detail(), detail) << regex;
  }
}

TEST_F(FreshTextTest, AMatchAtALinesEndIsToldWithThatLine) {
  ReadMark before = MarkNow(session_->output().terminal());
  holder_.Print("one\r\ntwo\r\n");
  BeginAt(Until{.regex = "$"}, before);
  EXPECT_EQ(Detail(), "one");
}

// The next wait must find the line after it.
TEST_F(FreshTextTest, TheNewlineThatAMatchTakesInBelongsToTheLineBefore) {
  ReadMark before = MarkNow(session_->output().terminal());
  holder_.Print("one\r\ntwo\r\nthree\r\n");
  BeginAt(Until{.regex = "one\\n"}, before);
  ASSERT_EQ(Look(), "matched");
  before = *waiting_->matched();
  BeginAt(Until{.regex = "^t"}, before);
  EXPECT_EQ(Detail(), "two");
}

TEST_F(FreshTextTest, APatternOfNoTextAtAllFitsOnlyWhereNothingIsPrinted) {
  Begin(Until{.regex = "\\A\\z"});
  EXPECT_EQ(Detail(), "");
  Begin(Until{.regex = "\\A\\z"});
  holder_.Print("one\r\n");
  EXPECT_EQ(Detail(), "no match");
}

TEST_F(FreshTextTest, ThreeLinesThatCameEarlierMayBeginAMatch) {
  Begin(Until{.regex = "^a\\nb\\nc\\nd$"});
  holder_.Print("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\na\r\nb\r\nc\r\n");
  EXPECT_EQ(Detail(), "no match");
  holder_.Print("d\r\n");
  EXPECT_EQ(Detail(), "a\nb\nc\nd");
}

TEST_F(FreshTextTest, TextThatScrolledAwayInOnePieceIsSeen) {
  Begin(Text("needle"));
  std::string flood = "needle\r\n";
  for (int i = 0; i < 100; ++i) flood += "hay\r\n";
  holder_.Print(flood);
  EXPECT_EQ(Look(), "matched");
}

// A piece of 4 KiB may be 4,096 lines, more than some sessions keep.
TEST_F(FreshTextTest, TextThatWasPushedOutOfAShortScrollbackInOnePieceIsSeen) {
  for (int kept : {0, 1, 100}) {
    FakeHolder holder;
    session_ = holder.Open({6, 40}, kept);
    Begin(Text("needle"));
    holder.Print("before\r\nneedle\r\n" + std::string(3'500, '\n') + "end");
    EXPECT_EQ(Look(), "matched") << kept;
    // Lines that had left before a wait began are not fresh.
    Begin(Text("needle"));
    holder.Print("more\r\n");
    EXPECT_EQ(Look(), "") << kept;
    waiting_.reset();
    session_.reset();
  }
}

TEST_F(FreshTextTest, ALineThatHasLeftInPartIsLookedAtWhole) {
  for (auto [regex, word] :
       {std::pair{"^tail", ""}, std::pair{"^x+tail", "matched"}}) {
    FakeHolder holder;
    session_ = holder.Open({6, 40}, 0);
    Begin({.regex = regex});
    // The second row of the line is the first of the screen.
    holder.Print(std::string(40, 'x') + "tail\r\n1\r\n2\r\n3\r\n4\r\n5");
    EXPECT_EQ(Look(), word) << regex;
    waiting_.reset();
    session_.reset();
  }
}

// The reply tells the searched part of the line.
TEST_F(FreshTextTest, OfALongLineOnlyWhatIsNewAndSomeContextIsSearchedAgain) {
  for (const char* rest : {"done", "ä done", "\r\ndone"}) {
    FakeHolder holder;
    session_ = holder.Open({6, 40}, 10'000);
    Begin({.regex = "(^.*ä )?(\\n)?done"});
    for (int i = 0; i < 50; ++i) {
      std::string piece;
      for (int k = 0; k < 2'000; ++k) piece += "ä";
      holder.Print(piece);
      EXPECT_EQ(Look(), "");
    }
    holder.Print(rest);
    std::string detail = Detail();
    EXPECT_TRUE(detail.starts_with("…ä")) << detail.substr(0, 20);
    EXPECT_TRUE(detail.ends_with("done")) << detail.size();
    EXPECT_LT(detail.size(), 80'000);
    waiting_.reset();
    session_.reset();
  }
}

TEST_F(FreshTextTest, ALineHasNoBeginningWhereItIsCut) {
  session_ = holder_.Open({6, 40}, 10'000);
  Begin({.regex = "^x"});
  // The line does not begin with an x, but all that is searched again does.
  holder_.Print("y" + std::string(150'000, 'x'));
  EXPECT_EQ(Look(), "");
  holder_.Print("x");
  EXPECT_EQ(Look(), "");
  holder_.Print("\r\nx");
  EXPECT_EQ(Look(), "matched");
}

TEST_F(FreshTextTest, LinesThatLeaveAreLookedAtWithTheirContext) {
  session_ = holder_.Open({6, 40}, 0);
  Begin({.regex = "^begin\\nend$"});
  holder_.Print("xbegin\r\nend\r\n" + std::string(100, '\n'));
  EXPECT_EQ(Look(), "");
  holder_.Print("begin\r\nend\r\n" + std::string(100, '\n'));
  EXPECT_EQ(Look(), "matched");
}

TEST_F(FreshTextTest, TheShownPartOfALineThatLeavesDoesNotCount) {
  for (auto [text, detail] :
       {std::pair{"done", "no match"}, std::pair{"almost", "almost there"}}) {
    FakeHolder holder;
    session_ = holder.Open({6, 40}, 0);
    holder.Print("done: ");
    Begin(Text(text));
    holder.Print("almost there\r\n" + std::string(100, '\n'));
    EXPECT_EQ(Detail(), detail);
    waiting_.reset();
    session_.reset();
  }
}

// A list of downloads does this: its rows grow while others are added below.
TEST_F(FreshTextTest, TheShownPartOfALineThatGoesOnLaterDoesNotCount) {
  session_ = holder_.Open({12, 40});
  for (int below = 1; below <= 8; ++below) {
    holder_.Print("\033cdone: ");
    Begin(Text("done"));
    std::string more;
    for (int i = 0; i < below; ++i) more += "a\r\n";
    holder_.Print(more);
    EXPECT_EQ(Detail(), "no match");
    holder_.Print("\033[" + std::to_string(below) + "A\033[8Cx");
    EXPECT_EQ(Detail(), "no match") << below;
    holder_.Print(" done");
    EXPECT_EQ(Detail(), "a x done") << below;
  }
}

TEST_F(FreshTextTest, EveryLineIsFoundWhenSomeOfThemHaveLeft) {
  for (int line = 0; line < 9; ++line) {
    FakeHolder holder;
    session_ = holder.Open({6, 40}, 0);
    Begin(Text("needle"));
    std::string lines;
    for (int i = 0; i < 9; ++i) lines += i == line ? "needle\r\n" : "hay\r\n";
    holder.Print(lines);
    EXPECT_EQ(Detail(), "needle") << line;
    waiting_.reset();
    session_.reset();
  }
}

// If a program has no terminal, its stderr is searched, too.
class ErrorTextTest : public FreshTextTest {
 protected:
  ErrorTextTest() {
    pipes_.UsePipes();
    session_ = pipes_.Open({6, 40});
  }
  ~ErrorTextTest() override {
    waiting_.reset();
    session_.reset();
  }
  void PrintBoth(std::string_view output, std::string_view errors) {
    pipes_.PrintSilently(output);
    pipes_.PrintErrorSilently(errors);
    pipes_.Ring();
  }

  FakeHolder pipes_;
};

TEST_F(ErrorTextTest, IsFoundAndEachLineOfItByOneWait) {
  ReadMark before = MarkNow(session_->output().terminal());
  PrintBoth("well\n", "it failed\nit failed again\n");
  BeginAt(Text("failed"), before);
  ASSERT_EQ(Detail(), "it failed");
  before = *waiting_->matched();
  BeginAt(Text("failed"), before);
  ASSERT_EQ(Detail(), "it failed again");
  before = *waiting_->matched();
  BeginAt(Text("failed"), before);
  EXPECT_EQ(Detail(), "no match");
}

TEST_F(ErrorTextTest, IsStillFreshAfterAMatchOfTheOutput) {
  ReadMark before = MarkNow(session_->output().terminal());
  PrintBoth("one\ntwo\nthree\n", "it failed\n");
  BeginAt(Text("three"), before);
  ASSERT_EQ(Detail(), "three");
  before = *waiting_->matched();
  BeginAt(Text("failed"), before);
  EXPECT_EQ(Detail(), "it failed");
}

TEST_F(ErrorTextTest, IsFoundHoweverMuchOutputComesAlong) {
  std::string output;
  for (int more = 0; more < 6; ++more) {
    output += "out\n";
    std::string hay;
    for (int lines = 0; lines < 12; ++lines) {
      std::string needle = "needle " + std::to_string(more * 12 + lines) + ".";
      Begin(Text(needle));
      PrintBoth("out\n", "err\n");
      ASSERT_EQ(Detail(), "no match");
      PrintBoth(output, hay + needle + "\n");
      EXPECT_EQ(Detail(), needle);
      hay += "hay\n";
    }
  }
}

}  // namespace
}  // namespace glasstty::waits
