// Strings that are too long: what came of them, and whether it counts.
#include <gtest/gtest.h>

#include <string>

#include "terminal/terminal.h"

namespace glasstty::terminal {
namespace {

// The beginning of a title is a title; half a path is another path, and half an
// answer or a mark is none.
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

}  // namespace
}  // namespace glasstty::terminal
