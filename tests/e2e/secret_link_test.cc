// Tests that a client shows its user a link to a page for one secret: what the
// page shows and accepts, and what the agent is told. The person is a program
// that speaks to the page as its script does; tests/page/secret.cjs has the
// same with a browser.
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/secret_prompts.h"
#include "e2e/steps.h"
#include "testing/http_client.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

const Json kShowsLinks = {
    {"elicitation", {{"form", Json::object()}, {"url", Json::object()}}}};

// Speaks to the page behind a link.
class SecretVisitor {
 public:
  explicit SecretVisitor(const std::string& link) {
    unsigned port = 0;
    char token[64] = {};
    EXPECT_EQ(
        std::sscanf(link.c_str(), "http://127.0.0.1:%u/#%63s", &port, token), 2)
        << link;
    port_ = static_cast<uint16_t>(port);
    token_ = token;
    host = absl::StrFormat("127.0.0.1:%d", port);
    origin = "http://" + host;
  }

  HttpAnswer Ask(const std::string& method, const std::string& path,
                 const std::string& body = "") {
    std::string head =
        method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n";
    if (!key.empty()) head += "Authorization: Bearer " + key + "\r\n";
    if (method == "POST") {
      head += "Origin: " + origin + "\r\nContent-Type: application/json\r\n";
    }
    return AskHttp(
        port_, head +
                   absl::StrFormat("Content-Length: %d\r\n\r\n", body.size()) +
                   body);
  }
  HttpAnswer Post(const std::string& path, const Json& body = Json::object()) {
    return Ask("POST", path, DumpJson(body));
  }

  // Uses the link, and waits until the page knows who asks.
  void Enter() {
    HttpAnswer answer = Post("/api/enter", {{"token", token_}});
    ASSERT_EQ(answer.status, 200) << answer.body;
    Json shown = ParseJson(answer.body).value();
    key = shown["key"];
    proof_ = shown["proof"];
    ASSERT_TRUE(Becomes("asks"));
  }
  // Waits until the page is told this state.
  bool Becomes(const std::string& state) {
    return Eventually(Seconds(20), [this, &state] {
      HttpAnswer answer = Post("/api/look");
      if (answer.status != 200) return false;
      shown = ParseJson(answer.body).value();
      EXPECT_EQ(shown["proof"], proof_);
      return shown["state"] == state;
    });
  }
  HttpAnswer Type(const std::string& text) {
    return Post("/api/secret", {{"text", text}, {"asks", shown["asks"]}});
  }
  bool IsGone() {
    return Eventually(Seconds(20),
                      [this] { return !ConnectHttp(port_).valid(); });
  }
  const std::string& token() const { return token_; }

  std::string host;
  std::string origin;
  std::string key;  // empty: not let in yet
  Json shown;       // by the last look

 private:
  uint16_t port_ = 0;
  std::string token_;
  std::string proof_;
};

class SecretLink : public ::testing::Test {
 protected:
  void Start(const Json& capabilities = kShowsLinks,
             const std::vector<std::string>& variables = {}) {
    ServerOptions options;
    options.handshake = false;
    options.extra_environment = variables;
    options.extra_environment.emplace_back("AGENTS_SECRET=nothing");
    client_.emplace(options);
    Json hello = {{"protocolVersion", "2025-11-25"}};
    hello["capabilities"] = capabilities;
    hello["clientInfo"] = {{"name", "links"}, {"version", "1"}};
    client_->Request("initialize", hello);
    client_->Notify("notifications/initialized", Json::object());
  }
  void OpenPrompt() {
    ASSERT_TRUE(Good(Open(&*client_, "main", SecretPrompts().front().argv,
                          {{"record", true}})));
    ASSERT_TRUE(Good(client_->Call(
        "term_wait", {{"session", "main"}, {"until", {{"state", "secret"}}}})));
  }
  static Json Wait(double timeout_s = 40) {
    return {{"session", "main"},
            {"until", {{"person", "gone"}}},
            {"ask", "type the test's password"},
            {"timeout_s", timeout_s}};
  }
  // Returns the question that the client has been sent.
  Json Question() {
    std::optional<Json> question = client_->NextMessage(Seconds(20));
    EXPECT_TRUE(question.has_value()) << "nothing was asked";
    if (!question) return Json();
    EXPECT_EQ((*question)["method"], "elicitation/create")
        << DumpJson(*question);
    return *question;
  }
  void Answer(const Json& question, const std::string& action) {
    Json response = {{"jsonrpc", "2.0"}, {"id", question["id"]}};
    response["result"] = {{"action", action}};
    client_->SendRaw(DumpJson(response) + "\n");
  }
  // Asks, lets the user answer so, and returns the reply.
  Reply AskAndAnswer(const std::string& action) {
    int wait = client_->SendCall("term_wait", Wait());
    Json question = Question();
    link_ = question["params"]["url"];
    Answer(question, action);
    return client_->Await(wait);
  }
  // Checks that a wait for the person asks the client nothing.
  void ExpectNothingAsked() {
    int wait = client_->SendCall("term_wait", Wait(0.3));
    Reply reply = client_->Await(wait);
    EXPECT_TRUE(Shows(reply, "reason=timeout"));
    EXPECT_FALSE(client_->NextMessage(Seconds(0)));
  }

  TempDir folder_;
  std::optional<McpClient> client_;
  std::string link_;
};

class SecretLinkTo : public SecretLink,
                     public ::testing::WithParamInterface<SecretPrompt> {};

TEST_P(SecretLinkTo, LetsThePersonTypeUnseen) {
  Start();
  OpenSecretPrompt(&*client_, GetParam(), folder_.path());
  int wait = client_->SendCall("term_wait", Wait());
  Json question = Question();
  Json params = question["params"];
  EXPECT_EQ(params["mode"], "url");
  std::string message = params["message"];
  EXPECT_NE(message.find("in the terminal session main"), std::string::npos)
      << message;
  EXPECT_NE(message.find("\"type the test's password\""), std::string::npos)
      << message;
  EXPECT_EQ(message.find("http"), std::string::npos) << message;
  Answer(question, "accept");
  SecretVisitor person(params["url"]);
  person.Enter();
  EXPECT_EQ(person.shown["asks"]["session"], "main");
  EXPECT_NE(person.shown["asks"]["program"], "");
  ASSERT_EQ(person.Type(kSecretValue).status, 200);
  EXPECT_TRUE(person.Becomes("typed"));
  EXPECT_FALSE(person.shown.contains("asks"));
  Reply reply = client_->Await(wait);
  EXPECT_TRUE(
      Shows(reply, "a person typed the secret; it is in no log and no reply"));
  EXPECT_EQ(reply.text.find(person.token()), std::string::npos);
  std::optional<Json> told = client_->NextMessage(Seconds(20));
  ASSERT_TRUE(told);
  EXPECT_EQ((*told)["method"], "notifications/elicitation/complete");
  EXPECT_EQ((*told)["params"]["elicitationId"], params["elicitationId"]);
  ASSERT_TRUE(SeesOnScreen(&*client_, "main", GetParam().answer));
  ExpectSecretNowhere(&*client_);
  EXPECT_TRUE(FilesWith(client_->state_dir(), person.token()).empty());
  // The link was for one secret.
  EXPECT_EQ(person.Type(kSecretValue).status, 409);
}

INSTANTIATE_TEST_SUITE_P(All, SecretLinkTo,
                         ::testing::ValuesIn(SecretPrompts()),
                         [](const auto& prompt) { return prompt.param.name; });

TEST_F(SecretLink, InTheModernEraIsOpenBetweenTwoCalls) {
  Start();
  OpenPrompt();
  auto call = [this](Json more) {
    Json params = {{"name", "term_wait"}, {"arguments", Wait()}};
    params.update(more);
    params["_meta"] = {
        {"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
        {"io.modelcontextprotocol/clientCapabilities", kShowsLinks}};
    return client_->Request("tools/call", params)["result"];
  };
  Json asked = call(Json::object());
  ASSERT_EQ(asked["resultType"], "input_required") << DumpJson(asked);
  Json request = asked["inputRequests"]["secret"];
  EXPECT_EQ(request["method"], "elicitation/create");
  EXPECT_EQ(request["params"]["mode"], "url");
  EXPECT_FALSE(request["params"].contains("elicitationId"));
  SecretVisitor person(request["params"]["url"]);
  person.Enter();
  ASSERT_EQ(person.Type(kSecretValue).status, 200);
  ASSERT_TRUE(person.Becomes("typed"));
  Json more = {{"requestState", asked["requestState"]}};
  more["inputResponses"]["secret"] = {{"action", "accept"}};
  Json done = call(more);
  EXPECT_EQ(done["resultType"], "complete") << DumpJson(done);
  std::string text = done["content"][0]["text"];
  EXPECT_NE(text.find("a person typed the secret"), std::string::npos) << text;
  EXPECT_EQ(text.find(person.token()), std::string::npos) << text;
  ASSERT_TRUE(SeesOnScreen(&*client_, "main", "got 11"));
  ExpectSecretNowhere(&*client_);
  // A client of this era is told nothing by itself.
  EXPECT_FALSE(client_->NextMessage(Seconds(0)));
}

TEST_F(SecretLink, OutlastsAWaitAndIsNotAskedForTwice) {
  Start();
  OpenPrompt();
  int first = client_->SendCall("term_wait", Wait(2));
  Json question = Question();
  Answer(question, "accept");
  SecretVisitor person(question["params"]["url"]);
  person.Enter();
  EXPECT_TRUE(
      Shows(client_->Await(first),
            "the user has been asked for the secret and has not typed it yet"));
  ASSERT_EQ(person.Type(kSecretValue).status, 200);
  ASSERT_TRUE(person.Becomes("typed"));
  Reply typed = client_->Call("term_wait", Wait());
  EXPECT_TRUE(Shows(typed, "a person typed the secret"));
  EXPECT_EQ(typed.header.find("reason=timeout"), std::string::npos)
      << typed.header;
  std::optional<Json> told = client_->NextMessage(Seconds(20));
  ASSERT_TRUE(told);
  EXPECT_EQ((*told)["method"], "notifications/elicitation/complete");
}

TEST_F(SecretLink, ThatTheUserDeclinesLeadsNowhereAndIsNotShownAgain) {
  Start();
  OpenPrompt();
  Reply reply = AskAndAnswer("decline");
  EXPECT_TRUE(Shows(reply, "reason=declined"));
  EXPECT_TRUE(Shows(reply,
                    "the user declined to type the secret; they still "
                    "can: glasstty attach main, glasstty secret main"));
  EXPECT_FALSE(reply.is_error);
  EXPECT_TRUE(SecretVisitor(link_).IsGone());
  ExpectNothingAsked();
}

// A client without a user, such as `claude -p`, does so at once.
TEST_F(SecretLink, ThatIsClosedWithoutAnAnswerLeavesTheOtherWays) {
  Start();
  OpenPrompt();
  Reply reply = AskAndAnswer("cancel");
  EXPECT_TRUE(Shows(reply, "reason=dismissed"));
  EXPECT_TRUE(Shows(reply, "term_wait waits for that"));
  EXPECT_TRUE(Shows(reply, "secret_env"));
  EXPECT_TRUE(SecretVisitor(link_).IsGone());
  ExpectNothingAsked();
}

TEST_F(SecretLink, IsWithdrawnWithItsCall) {
  Start();
  OpenPrompt();
  int wait = client_->SendCall("term_wait", Wait());
  Json question = Question();
  client_->Notify("notifications/cancelled", {{"requestId", wait}});
  std::optional<Json> withdrawn = client_->NextMessage(Seconds(20));
  ASSERT_TRUE(withdrawn);
  EXPECT_EQ((*withdrawn)["method"], "notifications/cancelled");
  EXPECT_EQ((*withdrawn)["params"]["requestId"], question["id"]);
  EXPECT_TRUE(SecretVisitor(question["params"]["url"]).IsGone());
}

TEST_F(SecretLink, EndsWhenTheProgramNoLongerAsks) {
  Start();
  OpenPrompt();
  int wait = client_->SendCall("term_wait", Wait());
  Json question = Question();
  Answer(question, "accept");
  SecretVisitor person(question["params"]["url"]);
  person.Enter();
  ASSERT_TRUE(Good(client_->Call(
      "term_send",
      {{"session", "main"}, {"input", {{{"secret_env", "AGENTS_SECRET"}}}}})));
  EXPECT_TRUE(person.Becomes("left"));
  EXPECT_FALSE(person.shown.contains("asks"));
  EXPECT_EQ(person.Type(kSecretValue).status, 409);
  EXPECT_TRUE(Shows(client_->Await(wait), "the program no longer asks"));
  ExpectSecretNowhere(&*client_);
}

TEST_F(SecretLink, GivesNothingButThePromptToThoseWhomItLetIn) {
  Start();
  OpenPrompt();
  client_->SendCall("term_wait", Wait());
  std::string link = Question()["params"]["url"];
  SecretVisitor stranger(link), person(link);
  EXPECT_EQ(stranger.Ask("GET", "/").status, 200);
  EXPECT_EQ(stranger.Post("/api/look").status, 401);
  EXPECT_EQ(stranger.Post("/api/secret", {{"text", "x"}}).status, 401);
  EXPECT_EQ(stranger.Post("/api/enter", {{"token", "x"}}).status, 403);
  person.Enter();
  EXPECT_EQ(person.shown["asks"], Json({{"session", "main"},
                                        {"place", ""},
                                        {"program", "bash"},
                                        {"prompt", "Password:"}}));
  // The link admits one visitor.
  EXPECT_EQ(stranger.Post("/api/enter", {{"token", person.token()}}).status,
            403);
  for (const char* path : {"/api/watch", "/api/keys", "/api/take", "/api/find"})
    EXPECT_EQ(person.Post(path).status, 404) << path;
  for (const char* path : {"/api/stream", "/page.js", "/text"})
    EXPECT_EQ(person.Ask("GET", path).status, 404) << path;
  Json other = person.shown["asks"];
  other["program"] = "sudo";
  EXPECT_EQ(person.Post("/api/secret", {{"text", "x"}, {"asks", other}}).status,
            409);
  stranger.key = person.key;
  stranger.origin = "http://127.0.0.1:1";
  EXPECT_EQ(stranger.Post("/api/look").status, 403);
  stranger.host = "evil.example";
  EXPECT_EQ(stranger.Ask("GET", "/").status, 421);
}

TEST_F(SecretLink, ShowsHostileTextsOnOneLineWithNothingInvisible) {
  Start();
  ASSERT_TRUE(Good(
      Open(&*client_, "main",
           {"bash", "-c",
            "printf '<b>\\u202eKey</b>: ' ; read -s x; echo ${#x}; read y"})));
  ASSERT_TRUE(Good(client_->Call(
      "term_wait", {{"session", "main"}, {"until", {{"state", "secret"}}}})));
  client_->SendCall("term_wait", Wait());
  Json question = Question();
  std::string message = question["params"]["message"];
  EXPECT_NE(message.find("<U+202E>"), std::string::npos) << message;
  SecretVisitor person(question["params"]["url"]);
  person.Enter();
  EXPECT_EQ(person.shown["asks"]["prompt"], "<b><U+202E>Key</b>:");
}

TEST_F(SecretLink, IsSuggestedToAgentsWhoseClientShowsLinks) {
  constexpr char kWay[] =
      "term_wait ask=... until={\"person\": \"gone\"} lets the user type it";
  for (bool shows : {true, false}) {
    Start(shows ? kShowsLinks : Json::object());
    OpenPrompt();
    Reply reply = client_->Call("term_read", {{"session", "main"}});
    EXPECT_EQ(reply.header.find(kWay) != std::string::npos, shows)
        << reply.header;
  }
}

TEST_F(SecretLink, IsNotShownByClientsThatShowFormsOnly) {
  Start({{"elicitation", Json::object()}});
  OpenPrompt();
  ExpectNothingAsked();
}

TEST_F(SecretLink, IsNotAskedForWhereThePageCannotStart) {
  Start(kShowsLinks, {"GLASSTTY_VIEW=/nonexistent/glasstty-view"});
  OpenPrompt();
  ExpectNothingAsked();
  // The program can be run, but serves no page.
  Start(kShowsLinks, {"GLASSTTY_VIEW=/bin/true"});
  OpenPrompt();
  ExpectNothingAsked();
}

TEST_F(SecretLink, IsNotAskedForWhereTheUserHasNoBrowser) {
  Start(kShowsLinks, {"SSH_CONNECTION=192.0.2.1 1 192.0.2.2 22"});
  OpenPrompt();
  ExpectNothingAsked();
}

TEST_F(SecretLink, IsNotAskedForWhereNoSecretIsWanted) {
  Start();
  ASSERT_TRUE(Good(Open(&*client_, "main", {"cat"})));
  ExpectNothingAsked();
}

}  // namespace
}  // namespace glasstty::testing
