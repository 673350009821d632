// Tests lost output: its note, its lines, and what it must not touch.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_format.h"
#include "terminal/terminal.h"

namespace glasstty::terminal {
namespace {

class HolesTest : public testing::Test {
 protected:
  std::string Lines() {
    std::string text;
    for (const Line& line : terminal_->Lines(0, terminal_->end_line())) {
      text += absl::StrFormat("%d:%s|", line.number, line.text);
    }
    return text;
  }

  std::unique_ptr<Terminal> terminal_ = *Terminal::Create({.size = {4, 20}});
};

TEST_F(HolesTest, LinesBehindAHoleAreNumberedAsIfTheOthersHadCome) {
  terminal_->Feed("a\r\nb\r\n");
  terminal_->Lose(100, 50, "[lost]");
  terminal_->Feed("c\r\n");
  EXPECT_EQ(Lines(), "0:a|1:b|2:[lost]|52:c|53:|");
  EXPECT_EQ(terminal_->offset(), 6u + 100 + 3);
  ASSERT_EQ(terminal_->holes().size(), 1u);
  EXPECT_EQ(terminal_->holes()[0].line, 2);
  EXPECT_EQ(terminal_->holes()[0].end, 52);
}

// The rest of the line is lost, and the number of the next one stays correct.
TEST_F(HolesTest, ALineThatWasBegunEndsInFrontOfIt) {
  terminal_->Feed("a\r\nbeg");
  terminal_->Lose(100, 50, "[lost]");
  terminal_->Feed("un\r\n");
  EXPECT_EQ(Lines(), "0:a|1:beg|2:[lost]|51:un|52:|");
}

TEST_F(HolesTest, WithoutACountItTakesOneLineAndLeavesTheScreen) {
  terminal_->Feed("a\r\nb");
  terminal_->Lose(100, 0, "[lost]");
  terminal_->Feed("c");
  EXPECT_EQ(Lines(), "0:a|1:b|2:[lost]|3:c|");
  EXPECT_EQ(terminal_->TakeSnapshot().rows[0].text, "a");
}

TEST_F(HolesTest, ASequenceThatItCutsIsNoSequence) {
  terminal_->Feed("\033]0;title");
  terminal_->Lose(100, 0, "[lost]");
  terminal_->Feed("31mtext");
  EXPECT_EQ(Lines(), "0:[lost]|1:31mtext|");
  EXPECT_EQ(terminal_->title(), "");
}

TEST_F(HolesTest, AFullScreenProgramKeepsItsScreen) {
  terminal_->Feed("a\r\n\033[?1049hpicture");
  terminal_->Lose(100, 50, "[lost]");
  EXPECT_EQ(terminal_->TakeSnapshot().rows[1].text, "picture");
  EXPECT_EQ(terminal_->holes()[0].bytes, 100u);
  terminal_->Feed("\033[?1049lb");
  EXPECT_EQ(Lines(), "0:a|1:b|");
}

TEST_F(HolesTest, MarginsAndColoursStayAsTheyWere) {
  terminal_->Feed("\033[2;3r\033[31;7m");
  terminal_->Lose(100, 0, "[lost]");
  EXPECT_TRUE(terminal_->TakeSnapshot().rows[0].styles.empty());
  terminal_->Feed("\033[2;1Hx\033[3;1Hy\n\rz");
  EXPECT_EQ(terminal_->TakeSnapshot().rows[0].text, "[lost]");
  EXPECT_EQ(terminal_->TakeSnapshot().rows[1].text, "y");
  EXPECT_EQ(terminal_->TakeSnapshot().rows[2].text, "z");
}

TEST_F(HolesTest, TheOutputOfAPipeContinuesInANewLine) {
  for (std::string begun : {"beg", "beg\xe2\x82", "x\rbeg\x1b[3", "beg\r"}) {
    terminal_ = *Terminal::Create({.size = {4, 20}, .newlines = true});
    terminal_->Feed("a\n" + begun);
    terminal_->Lose(100, 50, "[lost]");
    terminal_->Feed("1m\tun\n");
    EXPECT_EQ(Lines(), "0:a|1:beg|2:[lost]|51:1m\tun|52:|");
    EXPECT_EQ(terminal_->offset(), begun.size() + 2 + 100 + 6);
  }
}

TEST_F(HolesTest, AScreenThatGrowsTakesNoLineBackOverAHole) {
  terminal_->Feed("a\r\nb\r\nc\r\nd\r\n");
  terminal_->Lose(100, 50, "[lost]");
  terminal_->Feed("e");
  ASSERT_TRUE(terminal_->Resize({8, 20}).ok());
  EXPECT_EQ(Lines(), "0:a|1:b|2:c|3:d|4:[lost]|54:e|");
}

}  // namespace
}  // namespace glasstty::terminal
