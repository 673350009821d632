// Tests strings that are too long: what becomes of them, and whether that is
// counted.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "terminal/terminal.h"

namespace glasstty::terminal {
namespace {

// The beginning of a title is a title; but half a path is another path, and
// half an answer or mark is none.
TEST(Strings, ThatAreCutCountWhereTheirBeginningSaysEnough) {
  struct Case {
    std::string start;
    bool taken;
  };
  for (const auto& [start, taken] : {
           Case{"0;", true},
           Case{"1;", true},
           Case{"2;", true},
           Case{"4;1;?;", false},
           Case{"7;file:///", false},
           Case{"8;;http://", false},
           Case{"9;4;1;50;", false},
           Case{"10;?;", false},
           Case{"11;?;", false},
           Case{"12;?;", false},
           Case{"52;c;", true},
           Case{"133;A;", false},
           Case{"633;A;", false},
           Case{"1337;CurrentDir=/", false},
       }) {
    auto terminal = *Terminal::Create({.size = {2, 20}});
    terminal->Feed("\033]" + start + std::string(9000, 'x') + "\a");
    EXPECT_EQ(terminal->drops().strings, taken ? 0u : 1u) << start;
    EXPECT_EQ(terminal->TakeReplies(), "") << start;
    bool is_event = taken && start != "1;";
    EXPECT_EQ(terminal->TakeEvents().size(), is_event ? 1u : 0u) << start;
    bool is_title = start == "0;" || start == "2;";
    EXPECT_EQ(terminal->title(), is_title ? std::string(256, 'x') : "");
  }
}

TEST(Strings, LinksMayBeLongerThanPaths) {
  for (const auto& [start, drops] :
       {std::pair{"8;;http://", 0u}, {"7;file:///", 1u}}) {
    auto terminal = *Terminal::Create({.size = {2, 20}});
    terminal->Feed(std::string("\033]") + start + std::string(5000, 'x') +
                   "\a");
    EXPECT_EQ(terminal->drops().strings, drops) << start;
  }
}

// After one byte more, the rest is text.
TEST(Strings, AreGivenUpBeyondAMebibyte) {
  for (size_t surplus : {0, 1, 3}) {
    auto terminal = *Terminal::Create({.size = {2, 20}});
    std::string title = std::string((1 << 20) - 2 + surplus, 'x');
    terminal->Feed("\033]2;" + title + "\a");
    EXPECT_EQ(terminal->title(), surplus == 0 ? title.substr(0, 256) : "");
    EXPECT_EQ(terminal->drops().strings, surplus == 0 ? 0u : 1u);
    EXPECT_EQ(terminal->TakeSnapshot().rows[0].text, surplus == 3 ? "xx" : "");
  }
}

}  // namespace
}  // namespace glasstty::terminal
