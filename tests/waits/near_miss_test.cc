#include "waits/near_miss.h"

#include <gtest/gtest.h>

namespace glasstty::waits {
namespace {

std::vector<terminal::Line> Lines(std::vector<std::string> texts) {
  std::vector<terminal::Line> lines;
  lines.reserve(texts.size());
  for (std::string& text : texts) lines.push_back({.text = std::move(text)});
  return lines;
}

TEST(NearMiss, HasAnotherCaseOrOtherBlanks) {
  auto lines = Lines({"Server READY", "ready:  80", "done"});
  EXPECT_EQ(NearMissOfText(lines, "server ready"), "Server READY");
  EXPECT_EQ(NearMissOfText(lines, "Ready: 80"), "ready:  80");
  EXPECT_EQ(NearMissOfText(lines, "server\tready"), "Server READY");
  EXPECT_EQ(NearMissOfText(lines, "never"), "");
}

TEST(NearMiss, IsTheLastOfSeveral) {
  EXPECT_EQ(NearMissOfText(Lines({"Done 1", "Done 2"}), "done"), "Done 2");
}

TEST(NearMiss, OfAShortTextWouldBeChance) {
  EXPECT_EQ(NearMissOfText(Lines({"Ok"}), "ok"), "");
}

TEST(NearMiss, OfAPatternHasItsLongestLiteralPart) {
  auto lines = Lines({"12 Passed, 3 failed", "Listening on: 80"});
  EXPECT_EQ(NearMissOfPattern(lines, "^[0-9]+ passed$"), "12 Passed, 3 failed");
  EXPECT_EQ(NearMissOfPattern(lines, "listening on \\d+"), "Listening on: 80");
  EXPECT_EQ(NearMissOfPattern(lines, "(?i)x{2,3}listenings?"),
            "Listening on: 80");
  EXPECT_EQ(NearMissOfPattern(lines, "[]a-z]*\\.\\d"), "");
  EXPECT_EQ(NearMissOfPattern(lines, "\\"), "");
  EXPECT_EQ(NearMissOfPattern(lines, "["), "");
}

// Four letters are the minimum, so each of these has none to spare.
TEST(NearMiss, OfAPatternHasEveryLetterOfThatPart) {
  for (auto [line, pattern] :
       {std::pair{"ABCD", "abcd"}, std::pair{"7ABCD", "[0-9]abcd"},
        std::pair{"xxABCD", "x{2}abcd"}, std::pair{"A.B.", "a\\.b\\."},
        std::pair{"ABC.", "abc\\."}, std::pair{"]ABCD", "[]wxyz]abcd"},
        std::pair{"]ABCD", "[^]wxyz]abcd"}}) {
    EXPECT_EQ(NearMissOfPattern(Lines({line}), pattern), line) << pattern;
  }
}

TEST(NearMiss, IsTheLineWithMostOfTheWords) {
  std::vector<std::string> texts;
  for (int i = 0; i < 208; ++i) texts.push_back("tick " + std::to_string(i));
  texts.insert(texts.begin() + 100, "JOB submit red accepted");
  texts.insert(texts.begin() + 50, "JOB submit blue");
  auto lines = Lines(texts);
  EXPECT_EQ(NearMissOfText(lines, "JOB red accepted"),
            "JOB submit red accepted");
  EXPECT_EQ(NearMissOfPattern(lines, "JOB (red|green) was accepted"),
            "JOB submit red accepted");
  // The same number of words: the last.
  EXPECT_EQ(NearMissOfText(Lines({"a red job", "the red job"}), "red job done"),
            "the red job");
}

TEST(NearMiss, OfOneWordInManyIsChance) {
  EXPECT_EQ(
      NearMissOfText(Lines({"the job", "a line"}), "the best of all lines"),
      "");
}

TEST(NearMiss, IsTheOddLineAmongManyThatAreAlike) {
  std::vector<std::string> texts;
  for (int i = 0; i < 20; ++i) texts.push_back("tick " + std::to_string(i));
  EXPECT_EQ(NearMissOfText(Lines(texts), "ready"), "");
  texts.insert(texts.begin() + 7, "Server is up");
  EXPECT_EQ(NearMissOfText(Lines(texts), "ready"), "Server is up");
  EXPECT_EQ(NearMissOfText(Lines({"one", "two", "three"}), "ready"), "");
}

TEST(NearMiss, IsAmongTheLastLinesAndNearTheBeginningOfOne) {
  std::vector<std::string> texts(600);
  texts[50] = "Server READY";
  EXPECT_EQ(NearMissOfText(Lines(texts), "server ready"), "");
  texts[550] = std::string(4096, '-') + "Server READY";
  EXPECT_EQ(NearMissOfText(Lines(texts), "server ready"), "");
  texts[500] = "Server READY" + std::string(4096, '-');
  EXPECT_EQ(NearMissOfText(Lines(texts), "server ready"), texts[500]);
}

TEST(NearMiss, CountsAWordOfALineOnce) {
  auto lines = Lines({"red job job job", "a red one is done"});
  EXPECT_EQ(NearMissOfText(lines, "red job job is done"), "a red one is done");
}

}  // namespace
}  // namespace glasstty::waits
