// Tests running calls: concurrency, cancellation, progress, ends.
#include "mcp/server.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mcp/toy.h"

namespace glasstty::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Calls, AnswerWithTextForTheModel) {
  ToyServer toy;
  toy.Call(1, "echo", {{"text", "hi"}});
  EXPECT_EQ(DumpJson(toy.ReplyTo(1)["result"]),
            R"({"content":[{"type":"text","text":"hi"}]})");
}

TEST(Calls, AMisuseIsAResultThatSaysTheWayOut) {
  ToyServer toy;
  toy.Call(1, "fail");
  toy.Call(2, "wait", {{"seconds", "soon"}});
  EXPECT_EQ(toy.ReplyTo(1)["result"]["isError"], true);
  EXPECT_EQ(toy.TextOf(1), "no session 'x'; open: main");
  EXPECT_EQ(toy.ReplyTo(2)["result"]["isError"], true);
  EXPECT_EQ(toy.TextOf(2),
            "wait: 'seconds' must be a number from 0 to 3600, got \"soon\"");
}

TEST(Calls, OfUnknownToolsOrWithoutAnObjectAreProtocolErrors) {
  ToyServer toy;
  toy.Call(1, "ehco");
  toy.Request(2, "tools/call", {{"name", "echo"}, {"arguments", "text"}});
  toy.Request(3, "tools/call", {{"name", 7}});
  toy.Request(4, "tools/call", {{"name", "echo"}});
  EXPECT_EQ(toy.ErrorOf(1), mcp::kInvalidParams);
  EXPECT_EQ(toy.ReplyTo(1)["error"]["message"],
            "unknown tool 'ehco'; did you mean echo?");
  EXPECT_EQ(toy.ErrorOf(2), mcp::kInvalidParams);
  EXPECT_EQ(toy.ErrorOf(3), mcp::kInvalidParams);
  EXPECT_EQ(toy.TextOf(4), "nothing");
}

TEST(Calls, AWaitingCallDelaysNoOther) {
  ToyServer toy;
  toy.Call(1, "wait", {{"seconds", 2}});
  toy.Call(2, "wait", {{"seconds", 1}});
  toy.Call(3, "echo", {{"text", "quick"}});
  EXPECT_EQ(toy.TextOf(3), "quick");
  toy.Advance(seconds(1));
  EXPECT_EQ(toy.TextOf(2), "done");
  EXPECT_EQ(toy.TextOf(1), "");
  toy.Advance(seconds(1));
  EXPECT_EQ(toy.TextOf(1), "done");
  EXPECT_TRUE(toy.server.idle());
}

TEST(Calls, AQuickOneGetsThroughBeside128ThatWait) {
  ToyServer toy;
  for (int i = 0; i < 128; ++i) toy.Call(i, "wait", {{"seconds", 60}});
  toy.Call("quick", "echo", {{"text", "through"}});
  EXPECT_EQ(toy.TextOf("quick"), "through");
  toy.Call("129th", "wait", {{"seconds", 60}});
  toy.Call("refused", "wait", {{"seconds", 60}});
  EXPECT_EQ(toy.ReplyTo("refused")["result"]["isError"], true);
  EXPECT_EQ(toy.TextOf("refused"),
            "wait was not started: 129 calls of this client are still waiting; "
            "let some end or cancel them");
  EXPECT_EQ(toy.world.started, 129);
  toy.Cancel(0);
  toy.Call("one went", "wait", {{"seconds", 60}});
  EXPECT_EQ(toy.world.started, 130);
  toy.Advance(seconds(60));
  EXPECT_EQ(toy.world.marks_read, 129);
  EXPECT_TRUE(toy.server.idle());
}

TEST(Cancellation, EndsTheWaitAndSendsNothingMore) {
  ToyServer toy;
  toy.Call(1, "wait", {{"seconds", 60}}, {{"progressToken", "t"}});
  EXPECT_EQ(toy.world.waiting, 1);
  toy.Cancel(1);
  EXPECT_EQ(toy.world.waiting, 0);
  toy.Advance(seconds(120));
  EXPECT_TRUE(toy.transport.sent.empty());
  EXPECT_EQ(toy.world.marks_read, 0);
  EXPECT_TRUE(toy.server.idle());
}

TEST(Cancellation, OfAnEndedOrForeignCallIsIgnored) {
  ToyServer toy;
  toy.Call(1, "echo");
  toy.Cancel(1);
  toy.Call(2, "wait", {{"seconds", 5}});
  toy.Cancel("2");
  ToyTransport other;
  uint64_t second = toy.server.Connect(&other);
  toy.server.Receive(second,
                     DumpJson(mcp::MakeNotification("notifications/cancelled",
                                                    {{"requestId", 2}})));
  toy.Advance(seconds(5));
  EXPECT_EQ(toy.TextOf(2), "done");
  toy.server.Disconnect(second);
}

TEST(Cancellation, AtRandomTimesSendsNothingAfterwardsAndLeaksNothing) {
  std::mt19937 random(20261121);
  ToyServer toy;
  for (int round = 0; round < 500; ++round) {
    toy.transport.sent.clear();
    int length_ms = static_cast<int>(random() % 1500);
    int cancel_ms = static_cast<int>(random() % 1500);
    Json meta = round % 2 == 0 ? Json{{"progressToken", round}} : Json();
    toy.Call(round, "wait", {{"seconds", length_ms / 1000.0}}, meta);
    toy.Advance(milliseconds(cancel_ms));
    bool answered = toy.CountOf(round) == 1;
    EXPECT_EQ(answered, cancel_ms >= length_ms);
    size_t sent = toy.transport.sent.size();
    toy.Cancel(round);
    toy.Advance(seconds(2));
    EXPECT_EQ(toy.transport.sent.size(), sent) << round;
    EXPECT_TRUE(toy.server.idle());
    EXPECT_EQ(toy.world.waiting, 0);
  }
}

// Collects what was sent about each call, by its id or progress token.
class SentLog {
 public:
  explicit SentLog(ToyServer* toy) : toy_(toy) {}

  // Adds what was sent since the last call.
  void Update() {
    for (const Json& message : std::exchange(toy_->transport.sent, {})) {
      const Json* params = FindMember(message, "params");
      const Json* id = params == nullptr ? FindMember(message, "id")
                                         : FindMember(*params, "progressToken");
      auto number = id == nullptr ? std::nullopt : AsInteger(*id);
      if (!number) continue;
      ++messages_[*number];
      answers_[*number] += params == nullptr;
    }
  }
  int messages(int id) { return messages_[id]; }
  int answers(int id) { return answers_[id]; }

 private:
  ToyServer* const toy_;
  std::map<int64_t, int> messages_, answers_;
};

TEST(Cancellation, At500RandomMomentsAmong128CallsTouchesNoOther) {
  constexpr size_t kInFlight = 128;
  std::mt19937 random(20261122);
  ToyServer toy;
  SentLog log(&toy);
  std::vector<int> alive;       // perhaps answered by now
  std::map<int, int> messages;  // by id, when it was cancelled
  int last_id = 0;
  for (int moment = 0; moment < 500; ++moment) {
    log.Update();
    std::erase_if(alive, [&log](int id) { return log.answers(id) > 0; });
    while (alive.size() < kInFlight) {
      int id = ++last_id;
      Json meta = id % 2 == 0 ? Json{{"progressToken", id}} : Json();
      toy.Call(id, "wait",
               {{"seconds", static_cast<double>(random() % 2000) / 1000}},
               meta);
      alive.push_back(id);
    }
    toy.Advance(milliseconds(random() % 20));
    log.Update();
    size_t victim = random() % alive.size();
    messages[alive[victim]] = log.messages(alive[victim]);
    toy.Cancel(alive[victim]);
    alive.erase(alive.begin() + static_cast<ptrdiff_t>(victim));
  }
  toy.Advance(seconds(3));
  log.Update();
  EXPECT_TRUE(toy.server.idle());
  EXPECT_EQ(toy.world.waiting, 0);
  for (int id = 1; id <= last_id; ++id) {
    auto cancelled = messages.find(id);
    if (cancelled == messages.end()) {
      EXPECT_EQ(log.answers(id), 1) << id;
    } else {
      EXPECT_EQ(log.messages(id), cancelled->second) << id;
    }
  }
}

TEST(Cancellation, FreesTheIdAtOnce) {
  ToyServer toy;
  toy.Call(1, "wait", {{"seconds", 60}});
  // In one turn: the first handler has not ended when its id is used again.
  toy.server.Receive(toy.connection,
                     DumpJson(mcp::MakeNotification("notifications/cancelled",
                                                    {{"requestId", 1}})));
  toy.Call(1, "echo", {{"text", "second"}});
  EXPECT_EQ(toy.TextOf(1), "second");
}

TEST(Cancellation, LeavesTheIdToTheCallThatHasTakenItMeanwhile) {
  ToyServer toy;
  toy.Call(1, "wait", {{"seconds", 60}});
  toy.server.Receive(toy.connection,
                     DumpJson(mcp::MakeNotification("notifications/cancelled",
                                                    {{"requestId", 1}})));
  toy.Call(1, "wait", {{"seconds", 60}});  // and the first handler ends
  toy.Call(1, "echo");
  EXPECT_EQ(toy.ErrorOf(1), mcp::kInvalidRequest);
  toy.Cancel(1);
  EXPECT_TRUE(toy.server.idle());
}

TEST(Progress, RisesAtMostOnceASecondAndOnlyWithAToken) {
  ToyServer toy;
  toy.Call(1, "wait", {{"seconds", 5}}, {{"progressToken", "abc"}});
  toy.Call(2, "wait", {{"seconds", 5}});
  for (int i = 0; i < 50; ++i) toy.Advance(milliseconds(100));
  auto reports = toy.Notifications("notifications/progress");
  EXPECT_GE(reports.size(), 4u);
  EXPECT_LE(reports.size(), 6u);
  double last = -1;
  for (const Json& report : reports) {
    EXPECT_EQ(report["progressToken"], "abc");
    EXPECT_EQ(report["message"], "waiting");
    EXPECT_GT(report["progress"].get<double>(), last);
    last = report["progress"].get<double>();
  }
}

Task<mcp::ToolResult> ReportHalf(ToyServer*, mcp::ToolCall* call, NoArguments) {
  call->ReportProgress(1, 2);
  co_return "done";
}

Task<mcp::ToolResult> SayControls(ToyServer*, mcp::ToolCall*, NoArguments) {
  co_return "a\x1b]52;c;eA==\a\tb\nc\u009b";
}

TEST(Calls, NoControlLeavesWhateverAToolSays) {
  ToyServer toy({mcp::MakeTool<NoArguments, ToyServer>(
      nullptr, {"rude", "Rude", "Says controls."}, SayControls)});
  toy.Call(1, "rude");
  EXPECT_EQ(toy.TextOf(1), "a\\e]52;c;eA==\\a\tb\nc\\u{9b}");
}

TEST(Progress, MayBeCountedByTheToolForThoseWhoAsked) {
  ToyServer toy({mcp::MakeTool<NoArguments, ToyServer>(
      nullptr, {"half", "Half", "Counts."}, ReportHalf)});
  toy.Call(1, "half");
  EXPECT_EQ(toy.Notifications("notifications/progress").size(), 0u);
  toy.Call(2, "half", Json::object(), {{"progressToken", "abc"}});
  auto reports = toy.Notifications("notifications/progress");
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(DumpJson(reports[0]),
            R"({"progressToken":"abc","progress":1.0,"total":2.0})");
}

TEST(Progress, KeepsTheTypeOfTheToken) {
  ToyServer toy;
  toy.Call(1, "wait", {{"seconds", 2}}, {{"progressToken", 0}});
  toy.Advance(seconds(1));
  auto reports = toy.Notifications("notifications/progress");
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_TRUE(reports[0]["progressToken"].is_number_integer());
}

TEST(Progress, CarriesNoMessageBeforeTheRevisionThatHasIt) {
  ToyServer toy;
  toy.Initialize("2024-11-05");
  toy.Call(1, "wait", {{"seconds", 2}}, {{"progressToken", 1}});
  toy.Advance(seconds(1));
  auto reports = toy.Notifications("notifications/progress");
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_FALSE(reports[0].contains("message"));
}

TEST(Progress, IsDroppedWhileTheClientReadsTooSlowly) {
  ToyServer toy;
  toy.transport.congested_value = true;
  toy.Call(1, "wait", {{"seconds", 3}}, {{"progressToken", 1}});
  for (int i = 0; i < 3; ++i) toy.Advance(seconds(1));
  EXPECT_TRUE(toy.Notifications("notifications/progress").empty());
  EXPECT_EQ(toy.TextOf(1), "done");
}

TEST(LogMessages, AreDroppedWhileTheClientReadsTooSlowly) {
  ToyServer toy;
  toy.Initialize("2025-06-18");
  toy.Request(1, "logging/setLevel", {{"level", "info"}});
  auto told = [&] { return toy.Notifications("notifications/message").size(); };
  toy.server.Log(1, "info", "toy", "heard");
  EXPECT_EQ(told(), 1u);
  toy.transport.congested_value = true;
  EXPECT_TRUE(toy.server.IsCongested(1));
  toy.server.Log(1, "info", "toy", "dropped");
  EXPECT_EQ(told(), 1u);
}

TEST(LogMessages, ReachClientsFromTheLevelOnThatTheyHaveSet) {
  ToyServer toy;
  toy.Initialize("2025-06-18");
  auto told = [&] {
    std::string texts;
    for (const Json& params : toy.Notifications("notifications/message")) {
      texts += AsString(params["data"]).value_or("?") + " ";
    }
    return texts;
  };
  toy.server.Log(1, "emergency", "toy", "unasked");
  EXPECT_EQ(told(), "");
  toy.Request(1, "logging/setLevel", {{"level", "warning"}});
  for (const char* level : {"debug", "notice", "warning", "error", "loud"}) {
    toy.server.Log(1, level, "toy", level);
  }
  EXPECT_EQ(told(), "warning error ");
  toy.server.Log(2, "error", "toy", "to nobody");
  EXPECT_EQ(told(), "warning error ");
}

TEST(Marks, MoveOnlyWhenTheReplyIsQueued) {
  ToyServer toy;
  toy.Call(1, "wait", {{"seconds", 1}});
  toy.Advance(seconds(1));
  EXPECT_EQ(toy.world.marks_read, 1);
  toy.transport.broken = true;
  toy.Call(2, "wait", {{"seconds", 1}});
  toy.Advance(seconds(1));
  EXPECT_EQ(toy.world.marks_read, 1);
}

TEST(Context, CarriesWhatTheEnvelopeSays) {
  ManualClock clock;
  Loop loop(&clock);
  mcp::RequestContext context, legacy;
  mcp::RpcError error;
  Json meta = Envelope();
  meta["progressToken"] = "p";
  ASSERT_TRUE(mcp::ReadContext({{"_meta", meta}}, legacy, &context, &error));
  mcp::ToolCall call(&loop, context, 7, nullptr);
  EXPECT_EQ(call.context().era(), mcp::Era::kModern);
  EXPECT_EQ(call.context().version(), "2026-07-28");
  EXPECT_EQ(call.context().client_info, "toy-client 9");
  EXPECT_TRUE(call.wants_progress());
  EXPECT_EQ(call.connection(), 7u);
}

TEST(Context, NamesAClientByWhatItSaysOfItself) {
  struct Case {
    Json info;
    const char* name;
  };
  const Case cases[] = {
      {{{"name", "agent"}, {"version", "2.1"}}, "agent 2.1"},
      {{{"name", "agent"}}, "agent"},
      {{{"version", "2.1"}}, "2.1"},
      {{{"name", 7}, {"version", "2.1"}}, "2.1"},
      {{{"name", "agent"}, {"version", Json::array()}}, "agent"},
      {Json::object(), ""},
  };
  for (const Case& c : cases) EXPECT_EQ(mcp::ClientName(c.info), c.name);
}

Task<mcp::ToolResult> SayForWhom(ToyServer*, mcp::ToolCall* call, NoArguments) {
  co_return "[" + call->context().recurring + "][" + call->context().directory +
      "]";
}

TEST(Context, SaysForWhomARelaySpeaks) {
  const std::string longest(4096, 'x');
  struct Case {
    Json said;
    std::string known;
  };
  const Case cases[] = {
      {{{"name", "agent"}, {"directory", "/work"}}, "[agent][/work]"},
      {{{"directory", "/work"}}, "[][/work]"},
      {{{"name", "agent"}}, "[agent][]"},
      {{{"name", 7}, {"directory", Json::array()}}, "[][]"},
      {{{"name", longest}}, "[" + longest + "][]"},
      // This is too long for a name.
      {{{"name", longest + "x"}, {"directory", "/work"}}, "[][/work]"},
  };
  for (const Case& c : cases) {
    ToyServer toy({mcp::MakeTool<NoArguments, ToyServer>(
        nullptr, {"whom", "Whom", "Tells."}, SayForWhom)});
    toy.SendJson(
        mcp::MakeNotification("notifications/glasstty/client", c.said));
    toy.Call(1, "whom");
    EXPECT_EQ(toy.TextOf(1), c.known);
  }
}

TEST(Ends, DisconnectCancelsWithoutAnAnswerAndTellsTheOwner) {
  ToyServer toy;
  uint64_t ended = 0;
  toy.server.OnDisconnect([&](uint64_t id) { ended = id; });
  toy.Call(1, "wait", {{"seconds", 60}});
  toy.server.Disconnect(toy.connection);
  EXPECT_EQ(ended, toy.connection);
  toy.loop.RunReady();
  EXPECT_EQ(toy.world.waiting, 0);
  EXPECT_TRUE(toy.transport.sent.empty());
  EXPECT_TRUE(toy.server.idle());
  toy.Send(R"({"jsonrpc":"2.0","id":2,"method":"ping"})");
  EXPECT_TRUE(toy.transport.sent.empty());
}

TEST(Ends, AConnectionIdIsNeverUsedAgain) {
  ToyServer toy;
  ToyTransport other;
  uint64_t first = toy.server.Connect(&other);
  toy.server.Disconnect(first);
  uint64_t second = toy.server.Connect(&other);
  EXPECT_NE(first, second);
  toy.server.Disconnect(second);
}

TEST(Ends, OneConnectionsEndLeavesTheOthersCallsRunning) {
  ToyServer toy;
  ToyTransport other;
  uint64_t second = toy.server.Connect(&other);
  toy.Call(1, "wait", {{"seconds", 1}});
  toy.server.Disconnect(second);
  toy.Advance(seconds(1));
  EXPECT_EQ(toy.TextOf(1), "done");
}

TEST(Ends, ShutdownDuring100WaitsIsIdleAfterOneTurn) {
  ToyServer toy;
  int idle_calls = 0;
  toy.server.OnIdle([&] { ++idle_calls; });
  for (int i = 0; i < 100; ++i) toy.Call(i, "wait", {{"seconds", 60}});
  EXPECT_EQ(toy.server.pending(), 100u);
  toy.server.Shutdown();
  toy.loop.RunReady();
  EXPECT_TRUE(toy.server.idle());
  EXPECT_EQ(idle_calls, 1);
  toy.Call("late", "echo");
  EXPECT_TRUE(toy.transport.sent.empty());
}

TEST(Replies, LargerThanClientsTakeBecomeAnError) {
  ToyServer toy;
  toy.Call(1, "flood", {{"bytes", 0}});
  size_t most = mcp::Server::kMaxReply - DumpJson(toy.ReplyTo(1)).size();
  toy.Call(2, "flood", {{"bytes", most}});
  EXPECT_EQ(toy.TextOf(2).size(), most);
  toy.Call(3, "flood", {{"bytes", most + 1}});
  EXPECT_EQ(toy.ErrorOf(3), mcp::kInternalError);
  // Only what was sent counts as read.
  EXPECT_EQ(toy.world.marks_read, 2);
  // A command line reads longer lines.
  toy.Call(4, "flood", {{"bytes", most + 1}}, {{"glasstty/shell", true}});
  EXPECT_EQ(toy.TextOf(4).size(), most + 1);
}

}  // namespace
}  // namespace glasstty::testing
