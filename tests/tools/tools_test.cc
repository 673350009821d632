// The tool list as clients get it.
#include <gtest/gtest.h>

#include "mcp/eras.h"
#include "tools/all_tools.h"

namespace glasstty {
namespace {

class ToolListTest : public testing::Test {
 protected:
  ManualClock clock_;
  Loop loop_{&clock_};
  session::SessionManager manager_{&loop_, {}};
  Workbench bench_{&loop_, &manager_};
  std::vector<mcp::Tool> tools_ = AllTools(&bench_);
};

TEST_F(ToolListTest, StaysSmallOnTheWire) {
  Json list = Json::array();
  for (const mcp::Tool& tool : tools_) {
    list.push_back(mcp::DescribeTool(tool, *mcp::NewestLegacyRevision()));
  }
  size_t bytes = DumpJson(list).size();
  RecordProperty("bytes", static_cast<int>(bytes));
  EXPECT_LE(bytes, 9'000u)
      << "every conversation pays for this list: shorten a "
         "description, or make an argument Unlisted";
  std::printf("tools/list: %zu bytes; instructions: %zu bytes\n", bytes,
              Instructions().size());
}

// Some check arguments against it, and would send none that a progress token
// allows.
TEST_F(ToolListTest, ForbidsNoClientALongWait) {
  int waiting = 0;
  for (const mcp::Tool& tool : tools_) {
    const Json& properties = tool.input_schema["properties"];
    if (!properties.contains("timeout_s")) continue;
    ++waiting;
    EXPECT_FALSE(properties["timeout_s"].contains("maximum")) << tool.name;
  }
  EXPECT_EQ(waiting, 5) << "all that types, runs or waits";
}

// A call that has a time-out may last longer than its client waits.
TEST_F(ToolListTest, WhatMayLastLongCanBecomeATask) {
  for (const mcp::Tool& tool : tools_) {
    bool may_last = tool.input_schema["properties"].contains("timeout_s");
    EXPECT_EQ(tool.patience.has_value(), may_last) << tool.name;
  }
}

TEST_F(ToolListTest, InstructionsFitWhatClientsShow) {
  EXPECT_LE(Instructions().size(), 1800u);
}

TEST_F(ToolListTest, EveryToolHasATitleAndSaysWhatItIsFor) {
  for (const mcp::Tool& tool : tools_) {
    EXPECT_FALSE(tool.title.empty()) << tool.name;
    EXPECT_GE(tool.description.size(), 40u) << tool.name;
  }
}

TEST_F(ToolListTest, WhatChangesTheWorldIsNotMarkedReadOnly) {
  for (const mcp::Tool& tool : tools_) {
    bool changes = tool.name == "term_open" || tool.name == "term_send" ||
                   tool.name == "term_run" || tool.name == "term_close" ||
                   tool.name == "term_write_file";
    EXPECT_EQ(tool.annotations.read_only, !changes) << tool.name;
    EXPECT_EQ(tool.annotations.destructive, changes) << tool.name;
  }
}

}  // namespace
}  // namespace glasstty
