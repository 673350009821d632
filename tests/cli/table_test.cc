// Tables that fit a terminal.
#include "cli/table.h"

#include <gtest/gtest.h>

#include "support/text.h"

namespace glasstty {
namespace {

constexpr Column kColumns[] = {
    {.least = 4, .rank = 0},
    {.least = 6, .rank = 2, .cut = Column::Cut::kBeginning},
    {.least = 3, .rank = 1},
};

std::vector<std::string> Fit(const Table& rows, int width) {
  std::vector<std::string> lines;
  for (const auto& cells : FitTable(kColumns, rows, width)) {
    lines.push_back(Join(cells, ""));
  }
  return lines;
}

TEST(Table, TextsThatFitStayWhole) {
  EXPECT_EQ(
      Fit({{"NAME", "DIRECTORY", "AGE"}, {"main", "/usr/lib", "12m"}}, 80),
      (std::vector<std::string>{"NAME  DIRECTORY  AGE",  //
                                "main  /usr/lib   12m"}));
}

TEST(Table, TheWidestTextsAreCutFirst) {
  EXPECT_EQ(Fit({{"a", "/a/long/directory", "12m"}}, 16),
            std::vector<std::string>{"a  …rectory  12m"});
  EXPECT_EQ(Fit({{"a-long-name", "/usr/lib", "12m"}}, 20),
            std::vector<std::string>{"a-lon…  …sr/lib  12m"});
}

TEST(Table, ColumnsAreLeftOutByTheirRank) {
  EXPECT_EQ(Fit({{"name", "directory", "12m"}}, 12),
            std::vector<std::string>{"name  12m"});
  EXPECT_EQ(Fit({{"name", "directory", "12m"}}, 5),
            std::vector<std::string>{"name"});
}

TEST(Table, WideGlyphsCountAsTwoColumns) {
  EXPECT_EQ(CutToWidth("日本語", 6, Column::Cut::kEnd), "日本語");
  EXPECT_EQ(CutToWidth("日本語", 5, Column::Cut::kEnd), "日本…");
  EXPECT_EQ(CutToWidth("日本語", 4, Column::Cut::kEnd), "日 …");
  EXPECT_EQ(CutToWidth("日本語", 5, Column::Cut::kBeginning), "…本語");
  EXPECT_EQ(CutToWidth("日本語", 4, Column::Cut::kBeginning), "… 語");
}

TEST(Table, ControlsOfOthersAreShown) {
  EXPECT_EQ(Fit({{"a\x1b[31m", "b\nc", "d"}}, 80),
            std::vector<std::string>{"a\\e[31m  b\\nc  d"});
}

}  // namespace
}  // namespace glasstty
