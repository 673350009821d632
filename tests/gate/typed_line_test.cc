#include "gate/typed_line.h"

#include <gtest/gtest.h>

namespace glasstty {
namespace {

// The line that was entered last; "-" when none was.
std::string Entered(std::initializer_list<std::string_view> typed,
                    bool* uncertain = nullptr) {
  TypedLine line;
  std::string text = "-";
  for (std::string_view bytes : typed) {
    for (const TypedLine::Entered& entered : line.Type(bytes)) {
      text = entered.text;
      if (uncertain != nullptr) *uncertain = entered.uncertain;
    }
  }
  return text;
}

TEST(TypedLine, TextInPiecesIsOneLineWhenEnterComes) {
  EXPECT_EQ(Entered({"rm -r", "f ", "/"}), "-");
  EXPECT_EQ(Entered({"rm -r", "f ", "/", "\r"}), "rm -rf /");
  TypedLine line;
  auto entered = line.Type("one\rtwo\nthree");
  ASSERT_EQ(entered.size(), 2u);
  EXPECT_EQ(entered[1].text, "two");
  EXPECT_EQ(line.text(), "three");
}

TEST(TypedLine, KeysThatDeleteAtTheEndDelete) {
  const struct {
    std::string_view typed;
    std::string_view line;
  } kRows[] = {
      {"ab\x7F\r", "a"},
      {"ab\b\r", "a"},
      {"aü\x7F\r", "a"},
      {"\x7Flsx\x7F\r", "ls"},
      {"rm -rf /\x15ls\r", "ls"},
      {"rm -rf /\x17"
       "build\r",
       "rm -rf build"},
      {"rm -rf /  \x17"
       "build\r",
       "rm -rf build"},
      {"rm\x17ls\r", "ls"},
      {"ls\x0C -l\r", "ls -l"},
      {"rm -rf /\x03ls\r", "ls"},
      {"ls\x0F", "ls"},
  };
  for (const auto& row : kRows) {
    bool uncertain = true;
    EXPECT_EQ(Entered({row.typed}, &uncertain), row.line) << row.typed;
    EXPECT_FALSE(uncertain) << row.typed;
  }
}

TEST(TypedLine, OtherKeysMakeItUncertainAndAreNotText) {
  for (std::string_view key :
       {"\x1B[D", "\x1BOD", "\x1B[1;5C", "\x1B[3~", "\x01", "\x05"}) {
    bool uncertain = false;
    EXPECT_EQ(Entered({"ab", key, "c\r"}, &uncertain), "abc");
    EXPECT_TRUE(uncertain);
  }
  // Escape alone, and what vi takes for a command.
  bool uncertain = false;
  Entered({"ab", "\x1B", "dd", "\r"}, &uncertain);
  EXPECT_TRUE(uncertain);
}

TEST(TypedLine, KeysThatBringTextFromElsewhereMakeItUncertain) {
  for (std::string_view typed :
       {"\x1B[A\r", "\x12rm\r", "r\t\r", "\x19\r", "\x10\r", "\x1B.\r"}) {
    bool uncertain = false;
    Entered({typed}, &uncertain);
    EXPECT_TRUE(uncertain);
  }
  bool uncertain = true;
  Entered({"\x1B[A\x03ls\r"}, &uncertain);
  EXPECT_FALSE(uncertain);
}

TEST(TypedLine, ABracketedPasteEntersNothingByItself) {
  EXPECT_EQ(Entered({"\x1B[200~a\rb\x15\x1B[201~"}), "-");
  EXPECT_EQ(Entered({"\x1B[200~a\rb\x1B[201~", "\r"}), "a\nb");
}

TEST(TypedLine, WhatIsUnfinishedComesBackWithTheNextLine) {
  TypedLine line;
  line.Type("rm \\\r");
  line.Keep("rm \\\n");
  auto entered = line.Type("-rf /\r");
  ASSERT_EQ(entered.size(), 1u);
  EXPECT_EQ(entered[0].text, "rm \\\n-rf /");
  EXPECT_EQ(line.text(), "");
}

TEST(TypedLine, AnEndOfFileGivesACanonicalLineAway) {
  EXPECT_EQ(Entered({"rm -rf /\x04"}), "rm -rf /");
  EXPECT_EQ(Entered({"\x04"}), "-");
}

}  // namespace
}  // namespace glasstty
