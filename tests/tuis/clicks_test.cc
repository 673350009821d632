// Tests that clicks and drags do in programs what they do under a person's
// hand. Some programs read one event of each chunk, and some treat events that
// come at once as another gesture.
#include <gtest/gtest.h>

#include <string>

#include "e2e/steps.h"
#include "tuis/programs.h"

namespace glasstty::testing {
namespace {

TEST(Clicks, PressAButtonOfBlessed) {
  Program buttons = {"blessed", Script("wizard.cjs", {"blessed", "clicks"}),
                     "pressed 0 times"};
  if (FromNpm("blessed/package.json").empty()) GTEST_SKIP() << Missing("");
  AtWork it(buttons);
  ASSERT_TRUE(it.IsReady());
  ASSERT_TRUE(Good(it.Send({Json{{"click", "Press here"}}})));
  EXPECT_TRUE(it.Sees("pressed 1 times"));
  // This clicks twice in one call.
  it.Send({Json{{"click", "Press here"}}, Json{{"click", "Press here"}}});
  EXPECT_TRUE(it.Sees("pressed 3 times"));
  it.Send({Json{{"click", "Press here"}, {"count", 2}}});
  EXPECT_TRUE(it.Sees("pressed 5 times"));
}

class ClicksInEditors : public ::testing::Test {
 protected:
  static Program Nvim() {
    return {"nvim",
            {"nvim", "--clean", "-c", "set mouse=a mousemodel=extend", "lines"},
            "line 20"};
  }
  // Checks what the file begins with once the editor has written it.
  static ::testing::AssertionResult Begins(const AtWork& it,
                                           const std::string& text) {
    std::string content;
    bool good = Eventually(Seconds(10), [&] {
      content = ReadWholeFile(it.project() + "/lines");
      return content.starts_with(text);
    });
    if (good) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << content.substr(0, 60);
  }
};

TEST_F(ClicksInEditors, ADragSelectsInNvim) {
  AtWork it(Nvim());
  ASSERT_TRUE(it.IsReady());
  it.Send({Json::parse(R"({"drag": [[1, 1], [3, 6]]})")});
  EXPECT_TRUE(it.Sees("VISUAL"));
  it.Send({"d:w<Enter>"});
  EXPECT_TRUE(Begins(it, " of the file\nline 4"));
}

TEST_F(ClicksInEditors, ADoubleClickSelectsAWordInNvim) {
  AtWork it(Nvim());
  ASSERT_TRUE(it.IsReady());
  it.Send({Json::parse(R"({"click": [2, 2], "count": 2})")});
  EXPECT_TRUE(it.Sees("VISUAL"));
  it.Send({"d:w<Enter>"});
  EXPECT_TRUE(Begins(it, "line 1 of the file\n 2 of the file\n"));
}

TEST_F(ClicksInEditors, ARightClickExtendsTheSelectionInNvim) {
  AtWork it(Nvim());
  ASSERT_TRUE(it.IsReady());
  it.Send({Json::parse(R"({"click": [1, 1]})"),
           Json::parse(R"({"click": [1, 6], "button": "right"})")});
  EXPECT_TRUE(it.Sees("VISUAL"));
  it.Send({"d:w<Enter>"});
  EXPECT_TRUE(Begins(it, " of the file\n"));
}

// Two separate clicks must not become a double click.
TEST_F(ClicksInEditors, TwoClicksOnePlaceEachMoveTheCursorInNvim) {
  AtWork it(Nvim());
  ASSERT_TRUE(it.IsReady());
  it.Send({Json::parse(R"({"click": [1, 6]})"),
           Json::parse(R"({"click": [3, 6]})"), "x:w<Enter>"});
  EXPECT_TRUE(Begins(it, "line 1 of the file\nline 2 of the file\nline  of"));
}

TEST_F(ClicksInEditors, ADragSelectsInMicro) {
  // The lines have no numbers before them. micro does not see the button in the
  // cell at the top left, which it takes for a part of its bar of tabs.
  AtWork it({"micro", {"micro", "-ruler", "off", "lines"}, "line 20"});
  ASSERT_TRUE(it.IsReady());
  it.Send({Json::parse(R"({"drag": [[2, 1], [2, 7]]})"), "X<C-s>"});
  EXPECT_TRUE(Begins(it, "line 1 of the file\nX of the file\nline 3"));
}

}  // namespace
}  // namespace glasstty::testing
