// Tests calls that become tasks because they last longer than their clients
// wait.
#include "mcp/tasks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "mcp/ask.h"
#include "mcp/nap.h"
#include "mcp/toy.h"

namespace glasstty::testing {
namespace {

using std::chrono::seconds;

constexpr Duration kPatience = seconds(10);
constexpr Duration kWork = seconds(60);

struct TaskWorld {
  int runs = 0;
  int stopped = 0;
  int read = 0;
  size_t bytes = 6;  // of a result
};

// Works for kWork.
Task<mcp::ToolResult> WorkLong(TaskWorld* world, mcp::ToolCall* call,
                               NoArguments) {
  ++world->runs;
  Time until = call->loop()->Now() + kWork;
  if (co_await Nap(call->loop(), call, until)) ++world->stopped;
  call->Progress("done");
  mcp::ToolResult result(std::string(world->bytes, 'x'));
  result.on_sent = [world] { ++world->read; };
  co_return result;
}

// Works for 20 s, and asks then.
Task<mcp::ToolResult> WorkAndAsk(TaskWorld* world, mcp::ToolCall* call,
                                 NoArguments) {
  ++world->runs;
  co_await Nap(call->loop(), call, call->loop()->Now() + seconds(20));
  mcp::YesOrNo question{.message = "Go on?"};
  mcp::Consent consent = co_await mcp::Confirm(call, std::move(question));
  if (consent == mcp::Consent::kLater) co_return mcp::ToolResult();
  co_return consent == mcp::Consent::kYes ? "went on" : "stopped";
}

// Works for 20 s, and asks two different questions then.
Task<mcp::ToolResult> WorkAndAskTwice(TaskWorld* world, mcp::ToolCall* call,
                                      NoArguments) {
  ++world->runs;
  co_await Nap(call->loop(), call, call->loop()->Now() + seconds(20));
  for (const char* what : {"Go on?", "Further?"}) {
    mcp::YesOrNo question{.message = what};
    mcp::Consent consent = co_await mcp::Confirm(call, std::move(question));
    if (consent == mcp::Consent::kLater) co_return mcp::ToolResult();
    if (consent != mcp::Consent::kYes) co_return "stopped";
  }
  co_return "went further";
}

// Works for kWork, and the server itself fails then.
Task<mcp::ToolResult> Break(TaskWorld*, mcp::ToolCall* call, NoArguments) {
  co_await Nap(call->loop(), call, call->loop()->Now() + kWork);
  mcp::ToolResult result;
  result.failure = "broken";
  co_return result;
}

std::vector<mcp::Tool> TaskToolsOf(TaskWorld* world) {
  std::vector<mcp::Tool> tools;
  auto add = [&tools, world](const char* name, auto handler) {
    tools.push_back(mcp::MakeTool<NoArguments>(
        world, {.name = name, .patience = kPatience}, handler));
  };
  add("work", WorkLong);
  add("ask", WorkAndAsk);
  add("ask_twice", WorkAndAskTwice);
  add("break", Break);
  add("only_as_task", WorkLong);
  tools.back().needs = mcp::TasksCapability();
  return tools;
}

class TasksTest : public ::testing::Test {
 protected:
  TasksTest() {
    toy_.server.OnDisconnect([this](uint64_t id) { ended_.push_back(id); });
  }
  Json With(Json params, bool declares = true) {
    Json capabilities = {{"elicitation", Json::object()}};
    if (declares) capabilities.update(mcp::TasksCapability());
    params["_meta"] = Envelope("2026-07-28", std::move(capabilities));
    return params;
  }
  void Begin(const char* tool) {
    toy_.Request(1, "tools/call",
                 With({{"name", tool}, {"arguments", Json::object()}}));
  }
  // Lets the call of `tool` become a task, and returns its id.
  std::string BeginTask(const char* tool) {
    Begin(tool);
    toy_.Advance(kPatience);
    std::string id = toy_.ReplyTo(1)["result"].value("taskId", "");
    toy_.transport.sent.clear();
    return id;
  }
  // From here on the connection is one of those of a client that makes one for
  // each request.
  void Recur() {
    toy_.SendJson(mcp::MakeNotification("notifications/glasstty/client",
                                        {{"name", "agent"}}));
  }
  bool IsKnown(const std::string& id) {
    toy_.Request(++last_, "tasks/get", With({{"taskId", id}}));
    return toy_.ErrorOf(last_) != mcp::kInvalidParams;
  }
  Json About(const char* method, const std::string& id,
             Json more = Json::object()) {
    more["taskId"] = id;
    toy_.Request(++last_, method, With(std::move(more)));
    return toy_.ReplyTo(last_)["result"];
  }

  TaskWorld world_;
  std::vector<uint64_t> ended_;  // connections
  ToyServer toy_{TaskToolsOf(&world_)};
  int last_ = 100;
};

TEST_F(TasksTest, ACallThatOutlastsItsClientBecomesOneAndTellsItsResultThere) {
  Begin("work");
  toy_.Advance(kPatience - seconds(1));
  EXPECT_TRUE(toy_.ReplyTo(1).is_null());
  toy_.Advance(seconds(1));
  Json created = toy_.ReplyTo(1)["result"];
  EXPECT_EQ(created["resultType"], "task");
  EXPECT_EQ(created["status"], "working");
  EXPECT_EQ(created["ttlMs"], 3'600'000);
  std::string id = created["taskId"];
  EXPECT_EQ(About("tasks/get", id)["status"], "working");
  toy_.Advance(kWork);
  EXPECT_EQ(world_.read, 0) << "nobody has seen the result";
  EXPECT_FALSE(toy_.server.idle());
  Json done = About("tasks/get", id);
  EXPECT_EQ(done["status"], "completed");
  EXPECT_EQ(done["resultType"], "complete");
  EXPECT_EQ(done["result"]["content"][0]["text"], "xxxxxx");
  EXPECT_EQ(world_.read, 1);
  EXPECT_EQ(About("tasks/get", id)["status"], "completed");
  EXPECT_EQ(world_.read, 1);
  EXPECT_TRUE(toy_.server.idle());
}

TEST_F(TasksTest, AClientThatHasNotDeclaredThemWaits) {
  toy_.Request(1, "tools/call", With({{"name", "work"}}, false));
  toy_.Advance(kWork - seconds(1));
  EXPECT_TRUE(toy_.ReplyTo(1).is_null());
  toy_.Advance(seconds(1));
  EXPECT_EQ(toy_.TextOf(1), "xxxxxx");
  for (const char* method : {"tasks/get", "tasks/update", "tasks/cancel"}) {
    toy_.Request(2, method, With({{"taskId", "x"}}, false));
    EXPECT_EQ(toy_.ErrorOf(2), mcp::kMissingCapability) << method;
    toy_.transport.sent.clear();
  }
}

TEST_F(TasksTest, AToolMayNeedThem) {
  Json meta =
      Envelope("2026-07-28", {{"extensions", {{"another", Json::object()}}}});
  toy_.Request(1, "tools/call", {{"name", "only_as_task"}, {"_meta", meta}});
  EXPECT_EQ(toy_.ErrorOf(1), mcp::kMissingCapability);
  EXPECT_EQ(toy_.ReplyTo(1)["error"]["data"]["requiredCapabilities"],
            mcp::TasksCapability());
  toy_.transport.sent.clear();
  EXPECT_NE(BeginTask("only_as_task"), "");
}

TEST_F(TasksTest, AFailureOfTheServerIsAnErrorThere) {
  std::string id = BeginTask("break");
  toy_.Advance(kWork);
  Json failed = About("tasks/get", id);
  EXPECT_EQ(failed["status"], "failed");
  EXPECT_EQ(failed["error"]["code"], mcp::kInternalError);
  EXPECT_EQ(failed["error"]["message"], "broken");
  toy_.Call(1, "break");
  toy_.Advance(kWork);
  EXPECT_EQ(toy_.ErrorOf(1), mcp::kInternalError) << "and without a task, too";
}

TEST_F(TasksTest, AQuestionIsAskedAndAnsweredThere) {
  std::string id = BeginTask("ask");
  toy_.Advance(seconds(10));
  Json asks = About("tasks/get", id);
  EXPECT_EQ(asks["status"], "input_required");
  ASSERT_EQ(asks["inputRequests"].size(), 1u);
  auto question = asks["inputRequests"].begin();
  EXPECT_EQ((*question)["method"], "elicitation/create");
  Json answers;
  answers["inputResponses"]["another"] = Json::object();
  About("tasks/update", id, answers);
  EXPECT_EQ(About("tasks/get", id)["status"], "input_required");
  answers["inputResponses"][question.key()] = {
      {"action", "accept"}, {"content", {{"confirm", "no"}}}};
  About("tasks/update", id, answers);
  EXPECT_EQ(About("tasks/get", id)["status"], "working");
  toy_.Advance(seconds(20));
  EXPECT_EQ(About("tasks/get", id)["status"], "completed");
  EXPECT_EQ(world_.runs, 2) << "the handler is run again with the answer";
}

TEST_F(TasksTest, EachQuestionIsAnsweredByItsOwnAnswer) {
  std::string id = BeginTask("ask_twice");
  toy_.Advance(seconds(10));
  for (const char* key : {"ok: Go on?", "ok: Further?"}) {
    Json asks = About("tasks/get", id);
    EXPECT_EQ(asks["status"], "input_required");
    ASSERT_EQ(asks["inputRequests"].size(), 1u);
    EXPECT_EQ(asks["inputRequests"].begin().key(), key);
    Json answers;
    answers["inputResponses"][key] = {{"action", "accept"},
                                      {"content", {{"confirm", "yes"}}}};
    About("tasks/update", id, answers);
    toy_.Advance(seconds(20));
  }
  Json done = About("tasks/get", id);
  EXPECT_EQ(done["status"], "completed");
  EXPECT_EQ(done["result"]["content"][0]["text"], "went further");
  EXPECT_EQ(world_.runs, 3);
}

TEST_F(TasksTest, ThatIsCancelledTellsItsHandlerToStop) {
  std::string id = BeginTask("work");
  EXPECT_FALSE(About("tasks/cancel", id).contains("status"));
  EXPECT_EQ(world_.stopped, 1);
  EXPECT_EQ(About("tasks/get", id)["status"], "cancelled");
  EXPECT_TRUE(About("tasks/cancel", id).is_object()) << "it is over already";
  EXPECT_EQ(world_.read, 0);
}

TEST_F(TasksTest, ThatWaitsForAnAnswerCanBeCancelled) {
  std::string id = BeginTask("ask");
  toy_.Advance(seconds(10));
  About("tasks/cancel", id);
  EXPECT_EQ(About("tasks/get", id)["status"], "cancelled");
  EXPECT_TRUE(toy_.server.idle());
}

TEST_F(TasksTest, BelongsToItsPrincipal) {
  std::string id = BeginTask("work");
  ToyTransport other;
  uint64_t stranger = toy_.server.Connect(&other, "somebody else");
  Json ask = {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tasks/get"}};
  ask["params"] = With({{"taskId", id}});
  toy_.server.Receive(stranger, DumpJson(ask));
  EXPECT_EQ(other.sent.back()["error"]["code"], mcp::kInvalidParams);
  toy_.server.Disconnect(stranger);
}

TEST_F(TasksTest, EndsWithTheConnectionOfAClientThatDoesNotComeBack) {
  std::string id = BeginTask("work");
  toy_.server.Disconnect(toy_.connection);
  EXPECT_EQ(ended_, std::vector<uint64_t>(1, toy_.connection));
  toy_.loop.RunReady();
  EXPECT_EQ(world_.stopped, 1);
  EXPECT_TRUE(toy_.server.idle());
}

TEST_F(TasksTest, OutlivesOneConnectionOfAClientThatMakesMany) {
  Recur();
  std::string id = BeginTask("work");
  uint64_t first = toy_.connection;
  toy_.server.Disconnect(first);
  toy_.connection = toy_.server.Connect(&toy_.transport);
  toy_.Advance(kWork);
  EXPECT_EQ(ended_.size(), 0u) << "the result will be read for that connection";
  EXPECT_EQ(About("tasks/get", id)["status"], "completed");
  EXPECT_EQ(world_.read, 1);
  EXPECT_EQ(ended_, std::vector<uint64_t>(1, first));
  EXPECT_EQ(About("tasks/get", id)["status"], "completed");
  EXPECT_EQ(ended_.size(), 1u);
}

TEST_F(TasksTest, OfAConnectionThatHasEndedCanBeCancelled) {
  Recur();
  std::string id = BeginTask("work");
  uint64_t first = toy_.connection;
  toy_.server.Disconnect(first);
  toy_.connection = toy_.server.Connect(&toy_.transport);
  About("tasks/cancel", id);
  EXPECT_EQ(ended_, std::vector<uint64_t>(1, first));
  EXPECT_EQ(About("tasks/get", id)["status"], "cancelled");
  EXPECT_TRUE(toy_.server.idle());
}

TEST_F(TasksTest, IsKeptForAnHourAfterItWasLastAskedFor) {
  std::string id = BeginTask("work");
  toy_.Advance(kWork);
  for (int hour = 0; hour < 3; ++hour) {
    EXPECT_EQ(About("tasks/get", id)["status"], "completed");
    toy_.Advance(mcp::Tasks::kKept - seconds(1));
  }
  EXPECT_GT(About("tasks/get", id)["ttlMs"], 3 * 3'599'000);
  toy_.Advance(mcp::Tasks::kKept);
  EXPECT_FALSE(IsKnown(id));
}

TEST_F(TasksTest, ThatNobodyAsksForIsCancelledAfterAnHour) {
  std::string id = BeginTask("ask");
  toy_.Advance(seconds(10));
  EXPECT_FALSE(toy_.server.idle()) << "it waits for an answer";
  toy_.Advance(mcp::Tasks::kKept);
  EXPECT_TRUE(toy_.server.idle());
  EXPECT_FALSE(IsKnown(id));
}

TEST_F(TasksTest, MakesRoomForAnotherOnceItIsOver) {
  std::vector<std::string> ids;
  for (size_t i = 0; i < mcp::Tasks::kMost; ++i) {
    toy_.Request(1000 + i, "tools/call", With({{"name", "work"}}));
  }
  toy_.Advance(kPatience);
  for (size_t i = 0; i < mcp::Tasks::kMost; ++i) {
    ids.push_back(toy_.ReplyTo(1000 + i)["result"].value("taskId", ""));
  }
  Begin("work");
  toy_.Advance(kPatience);
  EXPECT_TRUE(toy_.ReplyTo(1).is_null()) << "there is no room, so it goes on";
  toy_.Advance(kWork - kPatience);
  EXPECT_EQ(toy_.TextOf(1), "xxxxxx");
  toy_.transport.sent.clear();
  EXPECT_NE(BeginTask("work"), "");
  EXPECT_EQ(std::count_if(ids.begin(), ids.end(),
                          [this](const auto& id) { return IsKnown(id); }),
            static_cast<int64_t>(mcp::Tasks::kMost) - 1);
}

TEST_F(TasksTest, AreForgottenWhenTheirResultsAreLarge) {
  world_.bytes = 8'000'000;
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) {
    ids.push_back(BeginTask("work"));
    toy_.Advance(kWork);
  }
  EXPECT_FALSE(IsKnown(ids.front()));
  EXPECT_TRUE(IsKnown(ids[1]));
  EXPECT_TRUE(IsKnown(ids.back()));
}

TEST_F(TasksTest, ItsRequestIsAnsweredOnceAndItsIdIsFree) {
  Begin("work");
  toy_.Advance(kPatience);
  EXPECT_EQ(toy_.CountOf(1), 1u);
  toy_.Cancel(1);
  toy_.Advance(kWork);
  EXPECT_EQ(world_.stopped, 0) << "only tasks/cancel cancels a task";
  EXPECT_EQ(toy_.CountOf(1), 1u);
  toy_.transport.sent.clear();
  Begin("work");
  toy_.Advance(kPatience);
  EXPECT_EQ(toy_.ReplyTo(1)["result"]["resultType"], "task");
}

TEST_F(TasksTest, SendsNoProgress) {
  Json params = With({{"name", "work"}});
  params["_meta"]["progressToken"] = 7;
  toy_.Request(1, "tools/call", params);
  toy_.Advance(kPatience);
  toy_.Advance(kWork);
  EXPECT_TRUE(toy_.Notifications("notifications/progress").empty());
}

TEST_F(TasksTest, ACallThatIsCancelledBeforeBecomesNone) {
  Begin("work");
  toy_.Advance(seconds(1));
  toy_.Cancel(1);
  toy_.Advance(kPatience);
  EXPECT_EQ(toy_.CountOf(1), 0u);
  EXPECT_TRUE(toy_.server.idle());
}

TEST_F(TasksTest, EndWithTheServer) {
  BeginTask("work");
  BeginTask("ask");
  toy_.Advance(seconds(10));
  toy_.server.Shutdown();
  toy_.loop.RunReady();
  EXPECT_TRUE(toy_.server.idle());
  EXPECT_EQ(world_.stopped, 1);
}

TEST_F(TasksTest, AreOfferedToClientsOfTheirRevisionAlone) {
  toy_.Request(1, "server/discover", With(Json::object(), false));
  Json offered = toy_.ReplyTo(1)["result"]["capabilities"]["extensions"];
  EXPECT_TRUE(offered.contains(mcp::kTasksExtension)) << offered;
  toy_.Request(2, "initialize",
               {{"protocolVersion", "2025-11-25"},
                {"capabilities", mcp::TasksCapability()}});
  Json legacy = toy_.ReplyTo(2)["result"]["capabilities"];
  EXPECT_FALSE(legacy.contains("extensions")) << legacy;
  toy_.Request(3, "tools/call", {{"name", "work"}});
  toy_.Advance(kPatience);
  EXPECT_TRUE(toy_.ReplyTo(3).is_null());
}

}  // namespace
}  // namespace glasstty::testing
