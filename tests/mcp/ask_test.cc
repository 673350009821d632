// Tests questions to the user from inside a handler, in both eras.
#include "mcp/ask.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "mcp/toy.h"

namespace glasstty::testing {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

const Json kForms = {{"elicitation", Json::object()}};
// The key of the question before the tool `erase` erases all.
constexpr char kEraseAll[] = "ok: Erase all?";

Json Answered(const char* action, Json content = Json()) {
  Json answer = {{"action", action}};
  if (!content.is_null()) answer["content"] = std::move(content);
  return answer;
}

// Returns the only question that the server has sent (legacy); null if there is
// none.
Json QuestionOf(const ToyServer& toy,
                const std::string& kind = "elicitation/create") {
  Json question;
  for (const Json& message : toy.transport.sent) {
    const Json* method = FindMember(message, "method");
    if (method != nullptr && *method == kind) question = message;
  }
  return question;
}

// Calls `tool` in the modern era, with the results of earlier rounds.
void CallModern(ToyServer* toy, const Json& id, const std::string& tool,
                Json arguments, Json more = Json::object()) {
  Json params = {{"name", tool}};
  params["arguments"] = std::move(arguments);
  for (auto item = more.begin(); item != more.end(); ++item) {
    params[item.key()] = item.value();
  }
  params["_meta"] = Envelope("2026-07-28", kForms);
  toy->Request(id, "tools/call", std::move(params));
}

Json Round(const Json& result, const std::string& key, Json answer) {
  Json more = Json::object();
  more["requestState"] = result["requestState"];
  more["inputResponses"][key] = std::move(answer);
  return more;
}

// Returns the client's answer to a question that is not a form, or "no answer".
Task<mcp::ToolResult> AskForRoots(ToyServer*, mcp::ToolCall* call,
                                  NoArguments) {
  mcp::ClientRequest request{.key = "roots", .method = "roots/list"};
  request.takes_volunteered = true;
  std::vector<mcp::ClientRequest> requests(1, request);
  mcp::ClientAnswers answers =
      co_await mcp::AskClient(call, std::move(requests));
  if (answers.end != mcp::AskEnd::kAnswered) co_return "no answer";
  co_return DumpJson(answers.by_key);
}

std::vector<mcp::Tool> RootsTool() {
  return {mcp::MakeTool<NoArguments, ToyServer>(
      nullptr, {"roots", "Roots", "Asks."}, AskForRoots)};
}

const char* NameOf(mcp::Consent consent) {
  switch (consent) {
    case mcp::Consent::kYes:
      return "yes";
    case mcp::Consent::kNo:
      return "no";
    case mcp::Consent::kDismissed:
      return "dismissed";
    case mcp::Consent::kUnavailable:
      return "unavailable";
    case mcp::Consent::kLater:
      return "later";
  }
  return "";
}

// Asks with the form with which it is called; reports the result.
Task<mcp::ToolResult> Fill(mcp::ToolCall* call, Json properties) {
  mcp::Form form;
  form.message = "Fill in.";
  form.properties = std::move(properties);
  mcp::FormAnswer answer = co_await mcp::AskUser(call, std::move(form));
  co_return std::string(NameOf(answer.consent)) + " " +
      DumpJson(answer.content);
}

std::vector<mcp::Tool> FillTool() {
  mcp::Tool tool = mcp::DeclareTool({.name = "fill"}, {{"type", "object"}});
  tool.handler = [](mcp::ToolCall* call, const Json& properties) {
    return Fill(call, properties);
  };
  return {tool};
}

// Asks twice whether to go on, each time about something else.
Task<mcp::ToolResult> ConfirmTwice(ToyServer*, mcp::ToolCall* call,
                                   NoArguments) {
  std::string agreed;
  for (const char* what : {"first", "second"}) {
    mcp::YesOrNo question;
    question.message = std::string("The ") + what + "?";
    mcp::Consent consent = co_await mcp::Confirm(call, std::move(question));
    if (consent == mcp::Consent::kLater) co_return mcp::ToolResult();
    agreed += std::string(NameOf(consent)) + " ";
  }
  co_return agreed;
}

std::vector<mcp::Tool> ConfirmTwiceTool() {
  return {mcp::MakeTool<NoArguments, ToyServer>(
      nullptr, {"twice", "Twice", "Asks."}, ConfirmTwice)};
}

TEST(AskLegacy, SendsARequestAndGoesOnWithItsAnswer) {
  ToyServer toy;
  toy.Initialize("2025-06-18", kForms);
  toy.Call(1, "erase", {{"what", "all"}});
  Json question = QuestionOf(toy);
  ASSERT_TRUE(question["id"].is_string());
  EXPECT_EQ(DumpJson(question["params"]),
            R"({"message":"Erase all?","requestedSchema":{"type":"object",)"
            R"("properties":{"confirm":{"type":"string","title":"Erase?",)"
            R"("description":"all","enum":["no","yes"]}},)"
            R"("required":["confirm"]}})");
  EXPECT_EQ(toy.CountOf(1), 0u);
  toy.Respond(question["id"], Answered("accept", {{"confirm", "yes"}}));
  EXPECT_EQ(toy.TextOf(1), "erased all");
  EXPECT_EQ(toy.world.runs, 1);
}

TEST(AskLegacy, OnlyTheWordYesIsAYes) {
  struct Case {
    Json answer;
    const char* text;
  };
  const Case cases[] = {
      {Answered("accept", {{"confirm", "no"}}), "the user said no"},
      {Answered("accept", {{"confirm", true}}), "the user said no"},
      {Answered("accept", {{"confirm", "Yes"}}), "the user said no"},
      {Answered("accept", Json::object()), "the user said no"},
      {Answered("accept"), "the user said no"},
      {Answered("decline"), "the user said no"},
      {Answered("cancel"), "the user did not say"},
      {Answered("shrug"), "the user did not say"},
      {Json::array(), "the user did not say"},
      {"yes", "the user did not say"},
  };
  for (const Case& c : cases) {
    ToyServer toy;
    toy.Initialize("2025-11-25", kForms);
    toy.Call(1, "erase", {{"what", "all"}});
    toy.Respond(QuestionOf(toy)["id"], c.answer);
    EXPECT_EQ(toy.TextOf(1), c.text) << c.answer;
    EXPECT_EQ(toy.world.erased, 0);
  }
}

TEST(AskLegacy, AnErrorForAnAnswerIsNoAnswer) {
  ToyServer toy;
  toy.Initialize("2025-11-25", kForms);
  toy.Call(1, "erase", {{"what", "all"}});
  toy.SendJson(mcp::MakeError(QuestionOf(toy)["id"], {-32000, "no", Json()}));
  EXPECT_EQ(toy.TextOf(1), "the user did not say");
}

TEST(AskLegacy, AFormIsFilledInWhenAllItsFieldsAreThere) {
  const Json two = {{"first", {{"type", "string"}}},
                    {"last", {{"type", "string"}}}};
  struct Case {
    Json properties;
    Json answer;
    const char* outcome;
  };
  const Case cases[] = {
      {two, Answered("accept", {{"first", "Ada"}, {"last", "Byron"}}),
       R"(yes {"first":"Ada","last":"Byron"})"},
      {two, Answered("accept", {{"first", "Ada"}}), "no {}"},
      {two, Answered("accept", {{"last", "Byron"}}), "no {}"},
      {two, Answered("accept", Json::array()), "no {}"},
      {two, Answered("accept"), "no {}"},
      {two, Answered("decline"), "no {}"},
      {two, Answered("cancel"), "dismissed {}"},
      // There is nothing to fill in: the consent is the answer.
      {Json::object(), Answered("accept"), "yes {}"},
      {Json::object(), Answered("accept", Json::array()), "yes {}"},
  };
  for (const Case& c : cases) {
    ToyServer toy(FillTool());
    toy.Initialize("2025-11-25", kForms);
    toy.Call(1, "fill", c.properties);
    toy.Respond(QuestionOf(toy)["id"], c.answer);
    EXPECT_EQ(toy.TextOf(1), c.outcome) << c.answer;
  }
}

TEST(AskLegacy, OnlyAResultInTimeIsAnAnswer) {
  auto ask = [](ToyServer* toy) {
    toy->Initialize("2025-11-25", {{"roots", Json::object()}});
    toy->Call(1, "roots");
    return QuestionOf(*toy, "roots/list")["id"];
  };
  ToyServer answered(RootsTool()), failed(RootsTool()), late(RootsTool());
  Json id = ask(&answered);
  answered.Respond(id, {{"roots", Json::array()}});
  EXPECT_EQ(answered.TextOf(1), R"({"roots":{"roots":[]}})");
  id = ask(&failed);
  failed.SendJson(mcp::MakeError(id, {-32000, "no", Json()}));
  EXPECT_EQ(failed.TextOf(1), "no answer");
  ask(&late);
  late.Advance(minutes(10));
  EXPECT_EQ(late.TextOf(1), "no answer");
}

TEST(AskLegacy, NamesTheKindOfQuestionWhereTheRevisionKnowsIt) {
  ToyServer toy;
  toy.Initialize("2025-11-25", {{"elicitation", {{"form", Json::object()}}}});
  toy.Call(1, "erase", {{"what", "all"}});
  EXPECT_EQ(QuestionOf(toy)["params"]["mode"], "form");
}

TEST(AskLegacy, ClientsThatCannotBeAskedAreNot) {
  struct Case {
    const char* version;
    Json capabilities;
  };
  const Case cases[] = {
      {"2025-11-25", Json::object()},
      {"2025-11-25", {{"elicitation", {{"url", Json::object()}}}}},
      {"2025-11-25", {{"elicitation", true}}},
      {"2024-11-05", kForms},
      {"2025-03-26", kForms},
  };
  for (const Case& c : cases) {
    ToyServer toy;
    toy.Initialize(c.version, c.capabilities);
    toy.Call(1, "erase", {{"what", "all"}});
    EXPECT_TRUE(QuestionOf(toy).is_null());
    EXPECT_EQ(toy.TextOf(1), "nobody to ask");
  }
}

TEST(AskLegacy, ACancelledCallWithdrawsItsQuestion) {
  ToyServer toy;
  toy.Initialize("2025-11-25", kForms);
  toy.Call(1, "erase", {{"what", "all"}});
  Json id = QuestionOf(toy)["id"];
  toy.Cancel(1);
  auto withdrawn = toy.Notifications("notifications/cancelled");
  ASSERT_EQ(withdrawn.size(), 1u);
  EXPECT_EQ(withdrawn[0]["requestId"], id);
  // The client's answer has crossed the withdrawal.
  toy.Respond(id, Answered("accept", {{"confirm", "yes"}}));
  EXPECT_EQ(toy.world.erased, 0);
  EXPECT_EQ(toy.CountOf(1), 0u);
  EXPECT_TRUE(toy.server.idle());
}

TEST(AskLegacy, APersonMayThinkForTenMinutes) {
  ToyServer toy;
  toy.Initialize("2025-11-25", kForms);
  toy.Call(1, "erase", {{"what", "all"}}, {{"progressToken", "p"}});
  for (int i = 0; i < 59; ++i) toy.Advance(seconds(10));
  EXPECT_EQ(toy.CountOf(1), 0u);
  // The client is told three times a minute that the call is alive.
  EXPECT_EQ(toy.Notifications("notifications/progress").size(), 29u);
  toy.Advance(seconds(10));
  EXPECT_EQ(toy.TextOf(1), "the user did not say");
  EXPECT_EQ(toy.Notifications("notifications/cancelled").size(), 1u);
}

TEST(AskLegacy, OnlyTheConnectionThatWasAskedCanAnswer) {
  ToyServer toy;
  toy.Initialize("2025-11-25", kForms);
  toy.Call(1, "erase", {{"what", "all"}});
  Json answer = mcp::MakeReply(QuestionOf(toy)["id"],
                               Answered("accept", {{"confirm", "yes"}}));
  ToyTransport other;
  uint64_t second = toy.server.Connect(&other);
  toy.server.Receive(second, DumpJson(answer));
  toy.loop.RunReady();
  EXPECT_EQ(toy.world.erased, 0);
  toy.server.Disconnect(second);
}

TEST(AskModern, EndsTheRequestAndRunsTheHandlerAgainWithTheAnswer) {
  ToyServer toy;
  CallModern(&toy, 1, "erase", {{"what", "all"}});
  Json result = toy.ReplyTo(1)["result"];
  EXPECT_EQ(result["resultType"], "input_required");
  EXPECT_EQ(DumpJson(result["inputRequests"]),
            R"({"ok: Erase all?":{"method":"elicitation/create",)"
            R"("params":{"message":)"
            R"("Erase all?","mode":"form","requestedSchema":{"type":"object",)"
            R"("properties":{"confirm":{"type":"string","title":"Erase?",)"
            R"("description":"all","enum":["no","yes"]}},)"
            R"("required":["confirm"]}}}})");
  EXPECT_TRUE(toy.server.idle());
  CallModern(
      &toy, 2, "erase", {{"what", "all"}},
      Round(result, kEraseAll, Answered("accept", {{"confirm", "yes"}})));
  EXPECT_EQ(toy.TextOf(2), "erased all");
  EXPECT_EQ(toy.ReplyTo(2)["result"]["resultType"], "complete");
  EXPECT_EQ(toy.world.runs, 2);
  EXPECT_EQ(toy.world.erased, 1);
}

TEST(AskModern, KeepsTheAnswersOfEarlierRounds) {
  ToyServer toy;
  CallModern(&toy, 1, "name", Json::object());
  Json first = toy.ReplyTo(1)["result"];
  EXPECT_TRUE(first["inputRequests"].contains("first"));
  CallModern(&toy, 2, "name", Json::object(),
             Round(first, "first", Answered("accept", {{"name", "Ada"}})));
  Json second = toy.ReplyTo(2)["result"];
  EXPECT_EQ(second["inputRequests"].size(), 1u);
  EXPECT_TRUE(second["inputRequests"].contains("last"));
  EXPECT_NE(second["requestState"], first["requestState"]);
  CallModern(&toy, 3, "name", Json::object(),
             Round(second, "last", Answered("accept", {{"name", "Byron"}})));
  EXPECT_EQ(toy.TextOf(3), "Ada Byron ");
}

TEST(AskModern, AYesToOneQuestionIsNoneToTheNext) {
  ToyServer toy(ConfirmTwiceTool());
  CallModern(&toy, 1, "twice", Json::object());
  Json first = toy.ReplyTo(1)["result"];
  CallModern(
      &toy, 2, "twice", Json::object(),
      Round(first, "ok: The first?", Answered("accept", {{"confirm", "yes"}})));
  Json second = toy.ReplyTo(2)["result"];
  ASSERT_EQ(second["resultType"], "input_required");
  ASSERT_EQ(second["inputRequests"].size(), 1u);
  EXPECT_TRUE(second["inputRequests"].contains("ok: The second?"));
  CallModern(&toy, 3, "twice", Json::object(),
             Round(second, "ok: The second?", Answered("decline")));
  EXPECT_EQ(toy.TextOf(3), "yes no ");
}

TEST(AskModern, AsksAgainWhenTheAnswerIsMissingOrNone) {
  const Json answers[] = {Json::object(),
                          {{"other", Answered("accept")}},
                          {{kEraseAll, "yes"}},
                          {{kEraseAll, {{"action", "shrug"}}}},
                          Json::array()};
  for (const Json& given : answers) {
    ToyServer toy;
    CallModern(&toy, 1, "erase", {{"what", "all"}});
    Json more = {{"requestState", toy.ReplyTo(1)["result"]["requestState"]}};
    more["inputResponses"] = given;
    CallModern(&toy, 2, "erase", {{"what", "all"}}, more);
    EXPECT_EQ(toy.ReplyTo(2)["result"]["resultType"], "input_required")
        << given;
    EXPECT_EQ(toy.world.erased, 0);
  }
}

// Only the answers to forms have an action.
TEST(AskModern, AnyObjectAnswersAQuestionThatIsNoForm) {
  ToyServer toy(RootsTool());
  Json params = {{"name", "roots"}, {"arguments", Json::object()}};
  params["_meta"] = Envelope("2026-07-28", {{"roots", Json::object()}});
  toy.Request(1, "tools/call", params);
  Json result = toy.ReplyTo(1)["result"];
  EXPECT_EQ(DumpJson(result["inputRequests"]),
            R"({"roots":{"method":"roots/list","params":{}}})");
  params.update(Round(result, "roots", {{"roots", Json::array()}}));
  toy.Request(2, "tools/call", params);
  EXPECT_EQ(toy.TextOf(2), R"({"roots":{"roots":[]}})");
}

TEST(AskModern, AnswersWithoutAStateCountForNothing) {
  ToyServer toy;
  Json more = Json::object();
  more["inputResponses"][kEraseAll] = Answered("accept", {{"confirm", "yes"}});
  CallModern(&toy, 1, "erase", {{"what", "all"}}, more);
  EXPECT_EQ(toy.ReplyTo(1)["result"]["resultType"], "input_required");
  EXPECT_EQ(toy.world.erased, 0);
}

TEST(AskModern, AnAnswerMayComeFirstWhereTheQuestionGuardsNothing) {
  ToyServer toy(RootsTool());
  Json params = {{"name", "roots"}};
  params["_meta"] = Envelope("2026-07-28", {{"roots", Json::object()}});
  params["inputResponses"]["roots"] = {{"roots", Json::array()}};
  toy.Request(1, "tools/call", params);
  EXPECT_EQ(toy.TextOf(1), R"({"roots":{"roots":[]}})");
}

TEST(AskModern, AStateIsGoodOnceForItsCallInTime) {
  Json yes = Answered("accept", {{"confirm", "yes"}});
  {
    ToyServer toy;  // tampered with
    CallModern(&toy, 1, "erase", {{"what", "all"}});
    Json more = Round(toy.ReplyTo(1)["result"], kEraseAll, yes);
    more["requestState"] = "0123456789abcdef0123456789abcdef";
    CallModern(&toy, 2, "erase", {{"what", "all"}}, more);
    EXPECT_EQ(toy.ErrorOf(2), mcp::kInvalidParams);
    more["requestState"] = 7;
    CallModern(&toy, 3, "erase", {{"what", "all"}}, more);
    EXPECT_EQ(toy.ErrorOf(3), mcp::kInvalidParams);
  }
  {
    ToyServer toy;  // replayed
    CallModern(&toy, 1, "erase", {{"what", "all"}});
    Json more = Round(toy.ReplyTo(1)["result"], kEraseAll, yes);
    CallModern(&toy, 2, "erase", {{"what", "all"}}, more);
    CallModern(&toy, 3, "erase", {{"what", "all"}}, more);
    EXPECT_EQ(toy.ErrorOf(3), mcp::kInvalidParams);
    EXPECT_EQ(toy.world.erased, 1);
  }
  {
    ToyServer toy;  // for another call
    CallModern(&toy, 1, "erase", {{"what", "this"}});
    CallModern(&toy, 2, "erase", {{"what", "that"}},
               Round(toy.ReplyTo(1)["result"], kEraseAll, yes));
    EXPECT_EQ(toy.ErrorOf(2), mcp::kInvalidParams);
  }
  {
    ToyServer toy;  // too late
    CallModern(&toy, 1, "erase", {{"what", "all"}});
    toy.Advance(minutes(10));
    CallModern(&toy, 2, "erase", {{"what", "all"}},
               Round(toy.ReplyTo(1)["result"], kEraseAll, yes));
    EXPECT_EQ(toy.ErrorOf(2), mcp::kInvalidParams);
    EXPECT_EQ(toy.world.erased, 0);
  }
}

TEST(AskModern, AnotherPrincipalsStateIsUnknown) {
  ToyServer toy;
  CallModern(&toy, 1, "erase", {{"what", "all"}});
  Json params = Round(toy.ReplyTo(1)["result"], kEraseAll,
                      Answered("accept", {{"confirm", "yes"}}));
  params["name"] = "erase";
  params["arguments"] = {{"what", "all"}};
  params["_meta"] = Envelope("2026-07-28", kForms);
  Json message = {{"jsonrpc", "2.0"}, {"id", 2}, {"method", "tools/call"}};
  message["params"] = params;
  ToyTransport other;
  uint64_t second = toy.server.Connect(&other, "somebody else");
  toy.server.Receive(second, DumpJson(message));
  toy.loop.RunReady();
  ASSERT_EQ(other.sent.size(), 1u);
  EXPECT_EQ(other.sent[0]["error"]["code"], mcp::kInvalidParams);
  toy.server.Disconnect(second);
}

TEST(Questions, KeepNoMoreRoundsThanTheirLimit) {
  ManualClock clock;
  Loop loop(&clock);
  mcp::Questions questions(&loop, [](uint64_t, const Json&) { return true; });
  Json answers;
  std::string first = questions.Keep("call", Json::object());
  for (size_t i = 0; i < mcp::Questions::kMaxRounds; ++i) {
    questions.Keep("call", Json::object());
  }
  EXPECT_EQ(questions.kept(), mcp::Questions::kMaxRounds);
  EXPECT_FALSE(questions.Take(first, "call", &answers));
  std::string large(mcp::Questions::kMaxRoundBytes, 'x');
  std::string last = questions.Keep(large, Json::object());
  EXPECT_EQ(questions.kept(), 1u);
  EXPECT_TRUE(questions.Take(last, large, &answers));
}

TEST(Questions, KeepRoundsUpToTheirLimitOfBytes) {
  ManualClock clock;
  Loop loop(&clock);
  mcp::Questions questions(&loop, [](uint64_t, const Json&) { return true; });
  // A round is as large as its subject and its answers, here "{}".
  std::string half(mcp::Questions::kMaxRoundBytes / 2 - 2, 'x');
  questions.Keep(half, Json::object());
  questions.Keep(half, Json::object());
  EXPECT_EQ(questions.kept(), 2u);
  questions.Keep(half + "x", Json::object());
  EXPECT_EQ(questions.kept(), 1u);
}

}  // namespace
}  // namespace glasstty::testing
