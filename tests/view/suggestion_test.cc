#include "view/suggestion.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "terminal/terminal.h"

namespace glasstty::view {
namespace {

using Texts = std::vector<std::string>;

struct Row {
  const char* name;
  const char* bytes;
  Texts suggestions;
};

// These programs have drawn their line after its first letters were typed.
const Row kRows[] = {
    {"Fish",
     "> \033[34mgit\033[m\033[90m push origin\033[m\033[12D",
     {"push origin"}},
    {"FishWithItsOlderColour",
     "> git\033[38;2;85;85;85m push\033[m\033[5D",
     {"push"}},
    {"ZshAutosuggestions", "% ls\033[38;5;8m -la\033[39m\033[4D", {"-la"}},
    {"IPython", "In [1]: pri\033[0;38;5;244mnt(1)\033[0m\033[5D", {"nt(1)"}},
    {"RedisCli", "r> get\033[0;90;49m key\033[0m\033[4D", {"key"}},
    {"Faint", "> gi\033[2;3mt status\033[m\033[8D", {"t status"}},
    {"NodePreview", "> 1+1\r\n\033[90m2\033[39m\033[A\033[4C", {"2"}},
    {"NodeNameAndPreview",
     "> Math.m\033[90max\033[39m\r\n\033[90m[Function: max]\033[39m\033[A\033["
     "7D",
     {"ax", "[Function: max]"}},
    {"InARowThatContinues",
     "> 567890123456789\033[90m01234\033[m\033[A\033[18G",
     {"01234"}},
    {"TypedTextHasNone", "> git push\033[4D", {}},
    {"AnotherColourIsHighlighting", "> ls \033[36m-la\033[m\033[3D", {}},
    {"TextThatIsPaleAsAWhole", "> \033[90m# a comment\033[m\033[4D", {}},
    {"APromptAtTheOtherSide", "> ls\033[90m\033[19G12\033[m\033[5G", {}},
    {"RowsOfHelpBelow",
     "> \r\n\033[90mesc quits\r\nq too\033[m\033[2A\033[3G",
     {}},
    {"ACursorThatIsHidden", "> \033[90mAsk me\033[m\033[6D\033[?25l", {}},
};

class Suggestion : public testing::TestWithParam<Row> {};

TEST_P(Suggestion, IsPaleTextBehindTheCursorOrBelow) {
  auto terminal = terminal::Terminal::Create({.size = {6, 20}});
  ASSERT_TRUE(terminal.ok());
  (*terminal)->Feed(GetParam().bytes);
  EXPECT_EQ(FindSuggestions((*terminal)->TakeSnapshot()),
            GetParam().suggestions);
}

INSTANTIATE_TEST_SUITE_P(Programs, Suggestion, testing::ValuesIn(kRows),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace glasstty::view
