#include "attach/glass.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

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

}  // namespace
}  // namespace glasstty::attach
