#include "attach/glass.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "support/pattern.h"
#include "terminal/terminal.h"

namespace glasstty::attach {
namespace {

std::unique_ptr<terminal::Terminal> Screen(terminal::Size size) {
  return *terminal::Terminal::Create({.size = size, .scrollback_rows = 0});
}

std::string LastRow(const terminal::Terminal& outer) {
  return outer.TakeSnapshot().rows.back().text;
}

TEST(Glass, KeepsTheStatusLineWhenTheSessionIsResized) {
  auto session = Screen({10, 40}), outer = Screen({8, 30});
  Glass glass;
  glass.SetSize(outer->size());
  auto show = [&] {
    outer->Feed(glass.ShowLive(*session, true, {.text = "you type"}, Time()));
    return LastRow(*outer);
  };
  session->Feed("text");
  EXPECT_EQ(show(), "you type");
  for (terminal::Size size :
       {terminal::Size{4, 20}, terminal::Size{7, 30}, terminal::Size{20, 60}}) {
    ASSERT_TRUE(session->Resize(size).ok());
    EXPECT_EQ(show(), "you type") << size.rows << "x" << size.cols;
  }
}

// The lines are wider than the window.
TEST(Glass, APageOfThePastShowsItsFirstLinesFromTheirBeginning) {
  auto session = Screen({6, 60}), outer = Screen({4, 10});
  Glass glass;
  glass.SetSize(outer->size());
  session->Feed("one\r\ntwo\r\n" + std::string(10, 'a') + std::string(10, 'b') +
                std::string(10, 'c') + std::string(10, 'd') + "\r\nfive");
  auto rows = [&](int64_t first) {
    StatusLine status = {.text = "past"};
    outer->Feed(glass.ShowPast(*session, first, std::nullopt, status));
    std::vector<std::string> texts;
    for (const auto& row : outer->TakeSnapshot().rows) {
      texts.push_back(row.text);
    }
    return texts;
  };
  using Rows = std::vector<std::string>;
  EXPECT_EQ(rows(0), (Rows{"one", "two", "aaaaaaaaaa", "past"}));
  EXPECT_EQ(rows(2), (Rows{"aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "past"}));
  EXPECT_EQ(rows(3), (Rows{"five", "", "", "past"}));
}

TEST(Glass, MatchesBehindAnEmptyOneAreHighlighted) {
  auto session = Screen({4, 20});
  session->Feed("ab xx c x");
  auto show = [&](const std::optional<Pattern>& found) {
    Glass glass;
    glass.SetSize({4, 20});
    return glass.ShowPast(*session, 0, found, {});
  };
  auto any = Pattern::Compile("x*"), some = Pattern::Compile("x+");
  ASSERT_TRUE(any.ok() && some.ok());
  EXPECT_EQ(show(*any), show(*some));
  EXPECT_NE(show(*some), show(std::nullopt));
}

}  // namespace
}  // namespace glasstty::attach
