// Tests what a valid message is, and how invalid ones are answered: ids, JSON,
// batches.
#include <gtest/gtest.h>

#include <string>

#include "mcp/server.h"
#include "mcp/toy.h"

namespace glasstty::testing {
namespace {

std::string Ping(const std::string& id) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"ping"})";
}

TEST(Messages, EchoEveryLegalIdWithItsType) {
  const char* ids[] = {"0",
                       "1",
                       "-7",
                       "9223372036854775807",
                       "\"\"",
                       "\"listen:0\"",
                       "\"1\"",
                       "18446744073709551615",
                       "-9223372036854775808"};
  for (const char* id : ids) {
    ToyServer toy;
    toy.Send(Ping(id));
    ASSERT_EQ(toy.transport.sent.size(), 1u);
    EXPECT_EQ(
        DumpJson(toy.transport.sent[0]),
        std::string(R"({"jsonrpc":"2.0","id":)") + id + R"(,"result":{}})");
  }
}

TEST(Messages, RefuseIllegalIdsWithoutAnId) {
  const char* ids[] = {"null", "1.5",  "1.0", "true", "18446744073709551616",
                       "[]",   "1e400"};
  for (const char* id : ids) {
    ToyServer toy;
    toy.Send(Ping(id));
    ASSERT_EQ(toy.transport.sent.size(), 1u) << id;
    int code =
        std::string(id) == "1e400" ? mcp::kParseError : mcp::kInvalidRequest;
    EXPECT_EQ(toy.ErrorOf(Json()), code) << id;
    EXPECT_FALSE(toy.transport.sent[0].contains("id")) << id;
  }
}

TEST(Messages, AnIdInFlightIsRefusedAndFreeAgainAfterTheAnswer) {
  ToyServer toy;
  toy.Call(1, "wait", {{"seconds", 5}});
  toy.Call("1", "echo", {{"text", "a string is another id"}});
  EXPECT_EQ(toy.TextOf("1"), "a string is another id");
  toy.Call(1, "echo");
  EXPECT_EQ(toy.ErrorOf(1), mcp::kInvalidRequest);
  toy.transport.sent.clear();
  toy.Advance(std::chrono::seconds(5));
  EXPECT_EQ(toy.TextOf(1), "done");
  toy.transport.sent.clear();
  toy.Call(1, "echo", {{"text", "again"}});
  EXPECT_EQ(toy.TextOf(1), "again");
}

TEST(Messages, WhatIsNoMessageGetsTheRightCode) {
  struct Case {
    const char* line;
    int code;
    bool has_id;
  };
  const Case cases[] = {
      {"{", mcp::kParseError, false},
      {"nonsense", mcp::kParseError, false},
      {"{}{}", mcp::kParseError, false},
      {"[]", mcp::kInvalidRequest, false},
      {"\"text\"", mcp::kInvalidRequest, false},
      {"7", mcp::kInvalidRequest, false},
      {"null", mcp::kInvalidRequest, false},
      {"{}", mcp::kInvalidRequest, false},
      {R"({"jsonrpc":"2.0","id":1})", mcp::kInvalidRequest, true},
      {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", mcp::kInvalidRequest,
       true},
      {R"({"id":1,"method":"ping"})", mcp::kInvalidRequest, true},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", mcp::kInvalidRequest, true},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[]})",
       mcp::kInvalidParams, true},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":null})",
       mcp::kInvalidParams, true},
      {R"({"jsonrpc":"2.0","id":1,"method":"no/such"})", mcp::kMethodNotFound,
       true},
      {R"({"jsonrpc":"2.0","id":1,"method":""})", mcp::kMethodNotFound, true},
      {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", mcp::kInvalidRequest,
       false},
  };
  for (const Case& c : cases) {
    ToyServer toy;
    toy.Send(c.line);
    ASSERT_EQ(toy.transport.sent.size(), 1u) << c.line;
    EXPECT_EQ(toy.ErrorOf(c.has_id ? Json(1) : Json()), c.code) << c.line;
  }
}

TEST(Messages, NotificationsAndResponsesAreNeverAnswered) {
  const char* lines[] = {
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
      R"({"jsonrpc":"2.0","method":"notifications/roots/list_changed"})",
      R"({"jsonrpc":"2.0","method":"no/such","params":[1]})",
      R"({"jsonrpc":"2.0","method":"tools/call","params":{}})",
      R"({"jsonrpc":"2.0","method":"notifications/cancelled"})",
      R"({"jsonrpc":"2.0","method":"notifications/cancelled",
          "params":{"requestId":{}}})",
      R"({"jsonrpc":"2.0","method":"notifications/cancelled",
          "params":{"requestId":99}})",
      R"({"jsonrpc":"2.0","id":5,"result":{}})",
      R"({"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}})"};
  ToyServer toy;
  for (const char* line : lines) toy.Send(line);
  EXPECT_TRUE(toy.transport.sent.empty());
}

TEST(Messages, LoneSurrogatesAndBadUtf8AreMendedNotLost) {
  ToyServer toy;
  toy.Send(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)"
           R"({"name":"echo","arguments":{"text":"cut \ud83d"}}})");
  EXPECT_EQ(toy.TextOf(1), "cut \xEF\xBF\xBD");
  toy.Send(
      "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":"
      "{\"name\":\"echo\",\"arguments\":{\"text\":\"bad \xff\"}}}");
  EXPECT_EQ(toy.TextOf(2), "bad \xEF\xBF\xBD");
  toy.Send("\xEF\xBB\xBF" + Ping("3") + "\r");
  EXPECT_EQ(toy.CountOf(3), 1u);
}

TEST(Messages, DeepJsonIsAnErrorNotACrash) {
  ToyServer toy;
  toy.Send(std::string(1'000'000, '['));
  EXPECT_EQ(toy.ErrorOf(Json()), mcp::kParseError);
  std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  toy.Send(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":)" + deep +
           "}}");
  EXPECT_EQ(toy.transport.sent.size(), 2u);
  toy.Send(Ping("2"));
  EXPECT_EQ(toy.CountOf(2), 1u);
}

TEST(Messages, ALineThatIsTooLongIsAnsweredWithItsId) {
  for (const char* id : {"\"abc\"", "7", "-1"}) {
    ToyServer toy;
    toy.server.ReceiveTooLong(toy.connection, id);
    EXPECT_EQ(toy.ErrorOf(*ParseJson(id)), mcp::kInvalidRequest) << id;
  }
  for (const char* none : {"", "nul", "1.5", "{}", "\"cut"}) {
    ToyServer toy;
    toy.server.ReceiveTooLong(toy.connection, none);
    EXPECT_EQ(toy.ErrorOf(Json()), mcp::kInvalidRequest) << none;
  }
}

TEST(Batches, ExistInOneRevisionOnly) {
  const std::string batch = "[" + Ping("1") + "," + Ping("2") + "]";
  for (const char* version :
       {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    ToyServer toy;
    toy.Initialize(version);
    toy.transport.sent.clear();
    toy.Send(batch);
    ASSERT_EQ(toy.transport.sent.size(), 1u);
    EXPECT_EQ(toy.transport.sent[0].is_array(),
              std::string(version) == "2025-03-26");
  }
}

TEST(Batches, AreAnsweredTogetherWhenTheLastCallHasEnded) {
  ToyServer toy;
  toy.Initialize("2025-03-26");
  toy.transport.sent.clear();
  toy.Send(
      R"([{"jsonrpc":"2.0","id":1,"method":"tools/call","params":
          {"name":"wait","arguments":{"seconds":3}}},
          {"jsonrpc":"2.0","method":"notifications/initialized"},
          {"jsonrpc":"2.0","id":2,"method":"ping"}, 7,
          {"jsonrpc":"2.0","id":3,"method":"tools/call","params":
          {"name":"wait","arguments":{"seconds":9}}}])");
  toy.Cancel(3);
  EXPECT_TRUE(toy.transport.sent.empty());
  toy.Advance(std::chrono::seconds(3));
  ASSERT_EQ(toy.transport.sent.size(), 1u);
  const Json& replies = toy.transport.sent[0];
  ASSERT_EQ(replies.size(), 3u);
  EXPECT_EQ(replies[0]["id"], 2);
  EXPECT_EQ(replies[1]["error"]["code"], mcp::kInvalidRequest);
  EXPECT_EQ(replies[2]["id"], 1);
  EXPECT_EQ(toy.world.marks_read, 1);
}

TEST(Batches, MayNotBeEmptyOrInitialize) {
  ToyServer toy;
  toy.Initialize("2025-03-26");
  toy.transport.sent.clear();
  toy.Send("[]");
  EXPECT_EQ(toy.ErrorOf(Json()), mcp::kInvalidRequest);
  toy.Send(R"([{"jsonrpc":"2.0","id":1,"method":"initialize","params":
               {"protocolVersion":"2024-11-05"}}])");
  ASSERT_EQ(toy.transport.sent.size(), 2u);
  EXPECT_EQ(toy.transport.sent[1][0]["error"]["code"], mcp::kInvalidRequest);
}

TEST(Batches, HoldUpToAThousandMessages) {
  std::string thousand = Ping("1");
  for (int i = 2; i <= 1000; ++i) thousand += "," + Ping(std::to_string(i));
  ToyServer toy;
  toy.Initialize("2025-03-26");
  toy.transport.sent.clear();
  toy.Send("[" + thousand + "]");
  ASSERT_EQ(toy.transport.sent.size(), 1u);
  EXPECT_EQ(toy.transport.sent[0].size(), 1000u);
  toy.Send("[" + thousand + "," + Ping("1001") + "]");
  EXPECT_EQ(toy.transport.sent.size(), 2u);
  EXPECT_EQ(toy.ErrorOf(Json()), mcp::kInvalidRequest);
}

TEST(Batches, OfNotificationsAreNotAnswered) {
  ToyServer toy;
  toy.Initialize("2025-03-26");
  toy.transport.sent.clear();
  toy.Send(R"([{"jsonrpc":"2.0","method":"notifications/initialized"}])");
  EXPECT_TRUE(toy.transport.sent.empty());
}

TEST(Redaction, HidesWhatIsTypedIntoPasswordPromptsAndEnvironments) {
  auto message = ParseJson(
      R"({"params":{"input":["a",{"secret":"hunter2"}],"env":{"K":"v"}}})");
  EXPECT_EQ(mcp::Redacted(*message),
            R"({"params":{"input":["a",{"secret":"<redacted>"}],)"
            R"("env":"<redacted>"}})");
}

}  // namespace
}  // namespace glasstty::testing
