#include "gate/typed_line.h"

#include <gtest/gtest.h>

namespace glasstty::gate {
namespace {

// Returns the line that was entered last; "-" if none was.
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

TEST(TypedLine, EditingKeysEdit) {
  const struct {
    std::string_view typed;
    std::string_view line;
  } kRows[] = {
      {"ab\x7F\r", "a"},
      {"aü\x7F\r", "a"},
      {"rm -rf /\x15ls\r", "ls"},
      {"rm -rf src\x17"
       "build\r",
       "rm -rf build"},
      {"xrm -rf ~\x01\x04\r", "rm -rf ~"},
      {"\x04rm\x04 x\r", "rm x"},
      {"-rf /\x01rm \r", "rm -rf /"},
      {"rm /\x1B[D-rf \r", "rm -rf /"},
      {"rm /\x1BOD\x1BOD\x1BOC-rf \r", "rm -rf /"},
      {"xrm\x01\x1B[3~\r", "rm"},
      {"echo rm\x01\x1B"
       "d\x1B[3~\r",
       "rm"},
      {"ls /\x02\x02\x0B\r", "ls"},
      {"a b\x1B[H\x1B[F!\r", "a b!"},
      {"a b\x1BOH!\x1BOF?\r", "!a b?"},
      {"a b\x1B[1~!\x1B[4~?\r", "!a b?"},
      {"a b\x1B[7~!\x1B[8~?\r", "!a b?"},
      {"rm -rf /\x03ls\r", "ls"},
      {"a b\x1B\x7F"
       "c\r",
       "a c"},
      {"a b\x1B"
       "b!\r",
       "a !b"},
      // The last byte of this letter is the lowest one above ASCII.
      {"- a\xC3\x80"
       "b\x1B\x7F"
       "c\r",
       "- c"},
      {"a AZaz09\xC3\xBC\x1B\x7F"
       "c\r",
       "a c"},
  };
  for (const auto& row : kRows) {
    bool uncertain = true;
    EXPECT_EQ(Entered({row.typed}, &uncertain), row.line) << row.typed;
    EXPECT_FALSE(uncertain) << row.typed;
  }
}

// zle kills the whole line at Ctrl-U, and has a setting for the characters of a
// word. The lines are those of readline, where "_" counts as a letter.
TEST(TypedLine, KeysThatEditorsUnderstandDifferentlyMakeItUncertain) {
  const struct {
    std::string_view typed;
    std::string_view line;
  } kRows[] = {
      {"rm -rf ~x\x02\x15"
       "y\r",
       "yx"},
      {"rm -rf /\x17"
       "build\r",
       "rm -rf build"},
      {"rm -rf /,x\x17"
       "build\r",
       "rm -rf build"},
      {"a-b\x1B\x7F"
       "c\r",
       "a-c"},
      {"a-Az_0\x1B\x7F"
       "c\r",
       "a-c"},
      {"-rm x\x01\x1B"
       "d\r",
       " x"},
      {"rm-x\x01\x1B"
       "d\r",
       "-x"},
      {"a-b\x1B"
       "b!\r",
       "a-!b"},
      {"a b\x01\x1B"
       "f!\r",
       "a! b"},
  };
  for (const auto& row : kRows) {
    bool uncertain = false;
    EXPECT_EQ(Entered({row.typed}, &uncertain), row.line) << row.typed;
    EXPECT_TRUE(uncertain) << row.typed;
  }
}

TEST(TypedLine, AKeyMayBeTheLastOfItsPiece) {
  for (std::string_view key : {"\x1B\x7F", "\x1B[D", "\x1BOD"}) {
    bool uncertain = true;
    Entered({"ab", key, "\r"}, &uncertain);
    EXPECT_FALSE(uncertain);
  }
  // A lone Escape may be the beginning of a key.
  bool uncertain = false;
  Entered({"ab", "\x1B", "\r"}, &uncertain);
  EXPECT_TRUE(uncertain);
}

// In ECMA-48, 5.4, bytes up to "?" may precede the final one.
TEST(TypedLine, AKeyThatIsNotKnownLeavesNothingInTheLine) {
  for (std::string_view key :
       {"\x1B[2@", "\x1B[2~", "\x1B[2 D", "\x1B[?2z", "\x1BOP"}) {
    bool uncertain = false;
    EXPECT_EQ(Entered({"ab", key, "c\r"}, &uncertain), "abc");
    EXPECT_TRUE(uncertain);
  }
  EXPECT_EQ(Entered({"ab\x1B[2@c\r"}), "abc");
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
}  // namespace glasstty::gate
