#include "observe/screen_json.h"

#include <gtest/gtest.h>

#include <memory>
#include <string_view>

#include "terminal/terminal.h"

namespace glasstty::observe {
namespace {

class ScreenJsonTest : public ::testing::Test {
 protected:
  ScreenJsonTest() {
    terminal_ = *terminal::Terminal::Create({.size = {3, 10}});
  }
  Frame After(std::string_view bytes) {
    terminal_->Feed(bytes);
    return TakeFrame(*terminal_);
  }
  std::unique_ptr<terminal::Terminal> terminal_;
};

TEST_F(ScreenJsonTest, ARunHasItsTextItsColumnsAndItsStyle) {
  Frame frame = After("ab\x1b[1;31mcd\x1b[48;2;1;2;255m e\x1b[m\r\n日本!");
  Json json = ScreenJson(nullptr, frame);
  EXPECT_EQ(json["size"], Json({3, 10}));
  EXPECT_EQ(json["whole"], true);
  EXPECT_EQ(json["rows"].size(), 3u);
  EXPECT_EQ(json["rows"]["0"],
            Json::parse(R"([["ab", 2], ["cd", 2, [1, null, 1]],
                            [" e", 2, [1, "#0102ff", 1]]])"));
  EXPECT_EQ(json["rows"]["1"], Json::parse(R"([["日本!", 5]])"));
  EXPECT_EQ(json["rows"]["2"], Json::array());
  EXPECT_EQ(json["cursor"], Json::parse("[1, 5, true, 0]"));
}

TEST_F(ScreenJsonTest, OnlyRowsThatDifferAreTold) {
  Frame before = After("one\r\ntwo\r\nthree");
  Frame after = After("\x1b[2;1HTWO\x1b[3;6H");
  Json json = ScreenJson(&before, after);
  EXPECT_EQ(json["whole"], false);
  EXPECT_EQ(json["rows"], Json::parse(R"({"1": [["TWO", 3]]})"));
  EXPECT_EQ(ScreenJson(&after, after), Json::object());
}

TEST_F(ScreenJsonTest, RowsThatContinueTheOneAboveAreNamed) {
  Json json = ScreenJson(nullptr, After("0123456789abc\r\nend"));
  EXPECT_EQ(json["wrapped"], Json::parse("[1]"));
  EXPECT_FALSE(ScreenJson(nullptr, After("\x1b[2J")).contains("wrapped"));
}

TEST_F(ScreenJsonTest, AStyleAloneIsAChange) {
  Frame before = After("one");
  Frame after = After("\r\x1b[7mone\x1b[m");
  EXPECT_EQ(ScreenJson(&before, after)["rows"],
            Json::parse(R"({"0": [["one", 3, [null, null, 64]]]})"));
}

TEST_F(ScreenJsonTest, ACursorThatMovesOrHidesIsAChange) {
  Frame before = After("one");
  Frame moved = After("\r");
  EXPECT_EQ(ScreenJson(&before, moved)["cursor"],
            Json::parse("[0, 0, true, 0]"));
  Frame hidden = After("\x1b[?25l");
  EXPECT_EQ(ScreenJson(&moved, hidden)["cursor"],
            Json::parse("[0, 0, false, 0]"));
}

TEST_F(ScreenJsonTest, AnotherSizeIsAnotherScreen) {
  Frame before = After("one");
  ASSERT_TRUE(terminal_->Resize({4, 12}).ok());
  Json json = ScreenJson(&before, After(""));
  EXPECT_EQ(json["whole"], true);
  EXPECT_EQ(json["rows"].size(), 4u);
}

}  // namespace
}  // namespace glasstty::observe
