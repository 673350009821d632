// Tests the question whether the user opens a link, in both eras.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "mcp/ask.h"
#include "mcp/nap.h"
#include "mcp/toy.h"

namespace glasstty::testing {
namespace {

const Json kLinks = {{"elicitation", {{"url", Json::object()}}}};
constexpr char kComplete[] = "notifications/elicitation/complete";

// Asks the user to open a page, and waits for ten seconds.
Task<mcp::ToolResult> OpenPage(ToyServer* toy, mcp::ToolCall* call,
                               NoArguments) {
  if (!mcp::CanOpenLinks(*call)) co_return "cannot ask";
  bool is_answered = false;
  mcp::LinkQuestion question(call, "page", [&] { is_answered = true; });
  if (question.answer() == mcp::LinkAnswer::kNone) {
    question.Ask({.key = "page",
                  .message = "Open it?",
                  .url = "http://127.0.0.1:1/#x",
                  .id = "page-1"});
  }
  Time end = toy->loop.Now() + std::chrono::seconds(10);
  while (!is_answered && !call->is_cancelled() && toy->loop.Now() < end &&
         question.answer() == mcp::LinkAnswer::kNone) {
    co_await Nap(&toy->loop, call, toy->loop.Now() + std::chrono::seconds(1));
  }
  switch (question.answer()) {
    case mcp::LinkAnswer::kNone:
      co_return "no answer";
    case mcp::LinkAnswer::kOpened: {
      std::function<void()> complete = mcp::LinkCompletion(*call, "page-1");
      complete();
      co_return "opened";
    }
    case mcp::LinkAnswer::kDeclined:
      co_return "declined";
    case mcp::LinkAnswer::kDismissed:
      co_return "dismissed";
    case mcp::LinkAnswer::kLater:
      break;
  }
  co_return "dropped";
}

class Asking {
 public:
  explicit Asking(const std::string& version, Json capabilities = kLinks)
      : toy({mcp::MakeTool<NoArguments, ToyServer>(
            &toy, {"open", "Open", "Asks."}, OpenPage)}) {
    toy.Initialize(version, std::move(capabilities));
  }
  Json Question() {
    for (const Json& message : toy.transport.sent) {
      const Json* method = FindMember(message, "method");
      if (method != nullptr && *method == "elicitation/create") return message;
    }
    return Json();
  }
  // Calls in the modern era; returns the result.
  Json CallModern(int id, Json params) {
    params["name"] = "open";
    params["_meta"] = Envelope("2026-07-28", kLinks);
    toy.Request(id, "tools/call", std::move(params));
    return toy.ReplyTo(id)["result"];
  }

  ToyServer toy;
};

TEST(Link, IsShownByAClientOfTheLegacyEra) {
  Asking asking("2025-11-25");
  asking.toy.Call(1, "open");
  Json question = asking.Question();
  EXPECT_EQ(DumpJson(question["params"]),
            R"({"mode":"url","message":"Open it?",)"
            R"("url":"http://127.0.0.1:1/#x","elicitationId":"page-1"})");
  asking.toy.Respond(question["id"], {{"action", "accept"}});
  asking.toy.Advance(std::chrono::seconds(1));
  EXPECT_EQ(asking.toy.TextOf(1), "opened");
  auto told = asking.toy.Notifications(kComplete);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0]["elicitationId"], "page-1");
}

TEST(Link, MayBeRefusedInTheLegacyEra) {
  for (const auto& [action, outcome] :
       std::vector<std::pair<std::string, std::string>>{
           {"decline", "declined"},
           {"cancel", "dismissed"},
           {"shrug", "dismissed"}}) {
    Asking asking("2025-11-25");
    asking.toy.Call(1, "open");
    asking.toy.Respond(asking.Question()["id"], {{"action", action}});
    asking.toy.Advance(std::chrono::seconds(1));
    EXPECT_EQ(asking.toy.TextOf(1), outcome);
  }
  Asking failing("2025-11-25");
  failing.toy.Call(1, "open");
  failing.toy.SendJson(
      mcp::MakeError(failing.Question()["id"], {-32000, "no browser", Json()}));
  failing.toy.Advance(std::chrono::seconds(1));
  EXPECT_EQ(failing.toy.TextOf(1), "dismissed");
}

TEST(Link, IsWithdrawnWhenNobodyWaitsForTheAnswer) {
  Asking asking("2025-11-25");
  asking.toy.Call(1, "open");
  for (int i = 0; i < 10; ++i) asking.toy.Advance(std::chrono::seconds(1));
  EXPECT_EQ(asking.toy.TextOf(1), "no answer");
  auto withdrawn = asking.toy.Notifications("notifications/cancelled");
  ASSERT_EQ(withdrawn.size(), 1u);
  EXPECT_EQ(withdrawn[0]["requestId"], asking.Question()["id"]);
}

TEST(Link, EndsTheCallInTheModernEraAndComesBackWithTheAnswer) {
  for (const auto& [action, outcome] :
       std::vector<std::pair<std::string, std::string>>{
           {"accept", "opened"},
           {"decline", "declined"},
           {"cancel", "dismissed"}}) {
    Asking asking("2025-11-25");
    Json asked = asking.CallModern(1, Json::object());
    EXPECT_EQ(DumpJson(asked["inputRequests"]),
              R"({"page":{"method":"elicitation/create","params":{)"
              R"("mode":"url","message":"Open it?",)"
              R"("url":"http://127.0.0.1:1/#x"}}})");
    Json more = {{"requestState", asked["requestState"]}};
    more["inputResponses"]["page"] = {{"action", action}};
    asking.CallModern(2, more);
    EXPECT_EQ(asking.toy.TextOf(2), outcome);
    EXPECT_TRUE(asking.toy.Notifications(kComplete).empty());
  }
}

TEST(Link, IsAskedForAgainWhenTheModernAnswerIsNone) {
  Asking asking("2025-11-25");
  Json asked = asking.CallModern(1, Json::object());
  Json more = {{"requestState", asked["requestState"]}};
  more["inputResponses"]["page"] = {{"action", "shrug"}};
  EXPECT_EQ(asking.CallModern(2, more)["resultType"], "input_required");
  // An answer to a question that was not asked counts for nothing.
  more.erase("requestState");
  more["inputResponses"]["page"] = {{"action", "accept"}};
  EXPECT_EQ(asking.CallModern(3, more)["resultType"], "input_required");
}

TEST(Link, ClientsThatDoNotAnnounceItAreNotAsked) {
  const std::pair<const char*, Json> cases[] = {
      {"2025-11-25", Json::object()},
      {"2025-11-25", {{"elicitation", Json::object()}}},
      {"2025-11-25", {{"elicitation", {{"form", Json::object()}}}}},
      {"2025-11-25", {{"elicitation", {{"url", true}}}}},
      {"2025-11-25", {{"elicitation", true}}},
      {"2025-06-18", kLinks},
  };
  for (const auto& [version, capabilities] : cases) {
    Asking asking(version, capabilities);
    asking.toy.Call(1, "open");
    EXPECT_EQ(asking.toy.TextOf(1), "cannot ask");
  }
}

}  // namespace
}  // namespace glasstty::testing
