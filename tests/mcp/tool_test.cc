// Tests a tool without a server: its name, its entry in the list, and what one
// call of it tells the client.
#include "mcp/tool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "mcp/ask.h"
#include "mcp/eras.h"
#include "mcp/questions.h"

namespace glasstty::mcp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const Json kNoSchema = {{"type", "object"}};

// A call that keeps its notifications to the client.
struct NotedCall {
  explicit NotedCall(RequestContext context)
      : call(&loop, std::move(context), 1,
             [this](std::string_view method, Json params) {
               methods.emplace_back(method);
               told.push_back(std::move(params));
             }) {}

  ManualClock clock;
  Loop loop{&clock};
  std::vector<std::string> methods;
  std::vector<Json> told;
  ToolCall call;
};

TEST(ToolNames, AreLowerCaseWordsOfAtMost40Characters) {
  const std::string good[] = {"a",  "z",     "az", "za",
                              "a1", "z09_9", "a_", std::string(40, 'a')};
  for (const std::string& name : good) {
    EXPECT_EQ(DeclareTool({.name = name}, kNoSchema).name, name);
  }
}

TEST(ToolNames, ThatSomeClientWouldRefuseAreBugs) {
  const std::string bad[] = {"",
                             "1a",
                             "_a",
                             "Aa",
                             "aB",
                             "a-b",
                             "a:",
                             "a/",
                             "a{",
                             "a`b",
                             "a b",
                             "a.b",
                             std::string(41, 'a')};
  for (const std::string& name : bad) {
    EXPECT_DEATH(DeclareTool({.name = name}, kNoSchema), "IsToolName") << name;
  }
}

TEST(ToolHints, AreThoseThatDifferFromTheDefaults) {
  struct Case {
    Annotations annotations;
    const char* shown;  // "": none
  };
  const Case cases[] = {
      {{}, ""},
      {{.destructive = false}, R"({"destructiveHint":false})"},
      {{.idempotent = true}, R"({"idempotentHint":true})"},
      {{.open_world = false}, R"({"openWorldHint":false})"},
      // A tool that only reads destroys nothing and may always be repeated.
      {{.read_only = true, .destructive = false, .idempotent = true},
       R"({"readOnlyHint":true})"},
  };
  for (const Case& c : cases) {
    Tool tool =
        DeclareTool({.name = "toy", .annotations = c.annotations}, kNoSchema);
    Json entry = DescribeTool(tool, *NewestLegacyRevision());
    const Json* shown = FindMember(entry, "annotations");
    EXPECT_EQ(shown == nullptr ? "" : DumpJson(*shown), c.shown);
  }
}

// A message quotes what others wrote.
TEST(ToolErrors, AreOneLineWithoutControls) {
  EXPECT_EQ(ToolResult(absl::NotFoundError("no 'x\n[main] prompt\x1b[m'")).text,
            R"(no 'x\n[main] prompt\e[m')");
}

TEST(ToolErrors, OfUpTo6000BytesAreWhole) {
  std::string whole(6000, 'x');
  EXPECT_EQ(ToolResult(absl::InvalidArgumentError(whole)).text, whole);
  std::string longer(6001, 'x');
  EXPECT_EQ(ToolResult(absl::InvalidArgumentError(longer)).text,
            std::string(3000, 'x') + "[... 1 bytes left out]" +
                std::string(3000, 'x'));
}

TEST(ToolProgress, CountsFromTheStartOfTheCallAndIsToldOnceASecond) {
  RequestContext context;
  context.progress_token = 7;
  NotedCall noted(context);
  noted.clock.Advance(seconds(20));
  noted.call.Progress("");
  noted.clock.Advance(milliseconds(999));
  noted.call.Progress("");
  ASSERT_EQ(noted.told.size(), 1u);
  EXPECT_EQ(noted.told[0]["progress"], 20.0);
  noted.clock.Advance(milliseconds(2));
  noted.call.Progress("");
  ASSERT_EQ(noted.told.size(), 2u);
  EXPECT_EQ(noted.told[1]["progress"], 21.001);
}

TEST(ToolLogs, ReachClientsFromTheLevelOnThatTheyHaveSet) {
  struct Case {
    const char* set;
    const char* level;
    bool told;
  };
  const Case cases[] = {
      {"info", "debug", false},      {"info", "info", true},
      {"info", "notice", true},      {"debug", "debug", true},
      {"emergency", "alert", false}, {"emergency", "emergency", true},
      {"", "emergency", false},      {"loud", "emergency", false},
      {"debug", "loud", false},
  };
  for (const Case& c : cases) {
    RequestContext context;
    context.log_level = c.set;
    NotedCall noted(context);
    noted.call.Log(c.level, "text");
    ASSERT_EQ(noted.told.size(), c.told ? 1u : 0u) << c.set << " " << c.level;
    if (!c.told) continue;
    EXPECT_EQ(noted.methods[0], "notifications/message");
    EXPECT_EQ(noted.told[0]["level"], c.level);
    EXPECT_EQ(noted.told[0]["data"], "text");
  }
}

TEST(ToolLogs, OfACancelledCallAreNotSent) {
  RequestContext context;
  context.log_level = "debug";
  NotedCall noted(context);
  noted.call.cancellation()->Cancel();
  noted.call.Log("error", "late");
  EXPECT_TRUE(noted.told.empty());
}

TEST(ToolQuestions, NeedAServerThatCanPutThem) {
  RequestContext context;
  context.client_capabilities = {{"elicitation", Json::object()},
                                 {"roots", Json::object()}};
  NotedCall noted(context);
  EXPECT_FALSE(CanAskUser(noted.call));
  EXPECT_FALSE(CanAskClient(noted.call, "roots/list"));
}

TEST(ToolQuestions, AreThoseThatTheProtocolKnows) {
  ManualClock clock;
  Loop loop(&clock);
  Questions questions(&loop, [](uint64_t, const Json&) { return true; });
  RequestContext context;
  context.client_capabilities = {{"roots", Json::object()},
                                 {"tools", Json::object()}};
  ToolCall call(&loop, context, 1, nullptr, &questions);
  EXPECT_TRUE(CanAskClient(call, "roots/list"));
  EXPECT_FALSE(CanAskClient(call, "sampling/createMessage"));
  EXPECT_FALSE(CanAskClient(call, "tools/list"));
}

}  // namespace
}  // namespace glasstty::mcp
