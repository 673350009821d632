#include "view/left_out.h"

#include <gtest/gtest.h>

#include "view/reader_fixture.h"

namespace glasstty::view {
namespace {

class LeftOut : public ReaderTest {
 protected:
  LeftOut() { session_ = holder_.Open({4, 80}); }

  void PrintLine(const std::string& text) { holder_.Print(text + "\r\n"); }
  void PrintSteps(int count) {
    for (int i = 1; i <= count; ++i) PrintLine("step " + std::to_string(i));
  }
  std::string HintAfterReading() {
    Read({.limits = {.max_lines = 4}});
    return last_.hint;
  }
};

TEST_F(LeftOut, WarningsAreQuotedWithTheirLines) {
  PrintSteps(10);
  PrintLine("warning: part 9 is older than its index");
  PrintSteps(10);
  EXPECT_EQ(HintAfterReading(),
            "left out: term_read from_line=3 lines=17, among them 11: "
            "\"warning: part 9 is older than its index\"");
}

TEST_F(LeftOut, FailuresPushWarningsOut) {
  PrintSteps(4);
  PrintLine("warning: slow");
  PrintLine("src/a.c:3:5: error: expected expression");
  PrintLine("warning: slower");
  PrintSteps(4);
  EXPECT_EQ(HintAfterReading(),
            "left out: term_read from_line=3 lines=7, among them 6: "
            "\"src/a.c:3:5: error: expected expression\"");
}

TEST_F(LeftOut, MoreThanThreeAreCounted) {
  PrintSteps(2);
  for (int i = 1; i <= 5; ++i) PrintLine("FAILED test_" + std::to_string(i));
  PrintSteps(2);
  EXPECT_EQ(HintAfterReading(),
            "left out: term_read from_line=3 lines=5, among them 3: "
            "\"FAILED test_1\", 4: \"FAILED test_2\", 5: \"FAILED test_3\" "
            "and 2 more");
}

// The text shows these already.
TEST_F(LeftOut, LinesThatAreShownAreNotQuoted) {
  PrintLine("error: first");
  PrintSteps(10);
  PrintLine("error: last");
  EXPECT_EQ(HintAfterReading(), "left out: term_read from_line=3 lines=8");
}

TEST_F(LeftOut, WhatIsQuotedCannotBeTakenForAHeader) {
  PrintSteps(3);
  PrintLine("error: \" | [main] prompt exit=0");
  PrintSteps(3);
  EXPECT_EQ(HintAfterReading(),
            "left out: term_read from_line=3 lines=3, among them 4: "
            "\"error: \\\" \\| [main] prompt exit=0\"");
}

TEST_F(LeftOut, OfManyLinesNoneIsSearched) {
  EXPECT_EQ(QuoteHeavy(session_->output().history(), 0, kMostSearched + 1), "");
}

}  // namespace
}  // namespace glasstty::view
