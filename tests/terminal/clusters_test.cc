#include "terminal/clusters.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "terminal/row_cells.h"

namespace glasstty::terminal {
namespace {

std::string TextOf(const ClusterTable& table, uint32_t text) {
  std::string out;
  table.AppendText(text, &out);
  return out;
}

TEST(Clusters, ASweepKeepsWhatIsUsed) {
  ClusterTable table;
  std::vector<std::string> texts;
  for (char32_t i = 0; i < 100; ++i) {
    texts.push_back(TextOf(table, table.WithMark('a', 0x300 + i)));
  }
  ASSERT_EQ(table.size(), 100u);
  table.Sweep(std::vector<bool>(100, true));
  ASSERT_EQ(table.size(), 100u);
  std::vector<bool> used(100);
  for (size_t i = 0; i < 100; i += 2) used[i] = true;
  std::vector<uint32_t> moved = table.Sweep(used);
  EXPECT_EQ(table.size(), 50u);
  for (size_t i = 0; i < 100; i += 2) {
    EXPECT_EQ(TextOf(table, moved[i]), texts[i]);
  }
}

TEST(Clusters, EqualTextsShareAnIndexAlsoAfterASweep) {
  ClusterTable table;
  uint32_t first = table.WithMark('e', 0x301);
  EXPECT_EQ(table.WithMark('e', 0x301), first);
  EXPECT_NE(table.WithMark('e', 0x300), first);
  std::vector<uint32_t> moved = table.Sweep({false, true});
  EXPECT_EQ(table.WithMark('e', 0x300), moved[1]);
  EXPECT_EQ(table.size(), 1u);
}

TEST(Clusters, ACellThatIsFullStaysAsItIs) {
  ClusterTable table;
  uint32_t text = 'e';
  for (size_t i = 0; i < ClusterTable::kMaxAccents; ++i) {
    text = table.WithMark(text, 0x301);
  }
  EXPECT_EQ(table.WithMark(text, 0x301), text);
  EXPECT_EQ(TextOf(table, text).size(), 1 + 2 * ClusterTable::kMaxAccents);
}

TEST(RowCells, AreOneAColumn) {
  EXPECT_EQ(CutIntoCells("a \u5b57e\u0301"),
            (RowCells{"a", " ", "\u5b57", "", "e\u0301"}));
  EXPECT_EQ(CutIntoCells(""), RowCells());
  EXPECT_EQ(CellsText(CutIntoCells("ab  c"), 1, 4), "b");
  EXPECT_EQ(CellsText(CutIntoCells("ab"), 1, 9), "b");
}

}  // namespace
}  // namespace glasstty::terminal
