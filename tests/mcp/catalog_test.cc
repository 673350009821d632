// Tests resources, prompts, completion and pages, in both eras.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "mcp/toy.h"

namespace glasstty::testing {
namespace {

Json Completion(ToyServer* toy, const char* params) {
  static int id = 1000;
  toy->Request(++id, "completion/complete", *ParseJson(params));
  return toy->ReplyTo(id)["result"]["completion"];
}

// A server with this many prompts, named by their numbers.
class PromptServer {
 public:
  explicit PromptServer(int prompts)
      : server_(&loop_, {"pages", "1"}, Numbered(prompts)),
        connection_(server_.Connect(&transport_)) {}
  ~PromptServer() { server_.Disconnect(connection_); }

  // Returns the reply to prompts/list.
  Json List(Json params = Json::object()) {
    Json message = {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "prompts/list"}};
    message["params"] = std::move(params);
    server_.Receive(connection_, DumpJson(message));
    return transport_.sent.back();
  }

 private:
  static mcp::Catalog Numbered(int prompts) {
    mcp::Catalog catalog;
    for (int i = 0; i < prompts; ++i) {
      mcp::Prompt prompt;
      prompt.name = std::to_string(i);
      catalog.prompts.push_back(prompt);
    }
    return catalog;
  }

  ManualClock clock_;
  Loop loop_{&clock_};
  ToyTransport transport_;
  mcp::Server server_;
  uint64_t connection_;
};

TEST(ToolResults, ALongErrorKeepsItsTwoEnds) {
  std::string middle;
  for (int i = 0; i < 5'000; ++i) middle += "\u20ac";
  mcp::ToolResult result(
      absl::InvalidArgumentError("begin " + middle + " end"));
  EXPECT_TRUE(result.is_error);
  EXPECT_TRUE(result.text.starts_with("begin "));
  EXPECT_TRUE(result.text.ends_with(" end"));
  EXPECT_NE(result.text.find("\u20ac[... 9012 bytes left out]\u20ac"),
            std::string::npos)
      << result.text;
}

TEST(Resources, AreListedApartFromTheirTemplates) {
  ToyServer toy;
  toy.Request(1, "resources/list");
  toy.Request(2, "resources/templates/list");
  EXPECT_EQ(DumpJson(toy.ReplyTo(1)["result"]),
            R"({"resources":[{"uri":"toy://index","name":"index",)"
            R"("title":"Index","description":"What there is.",)"
            R"("mimeType":"text/plain"}]})");
  EXPECT_EQ(DumpJson(toy.ReplyTo(2)["result"]),
            R"({"resourceTemplates":[{"uriTemplate":"toy://{name}/text",)"
            R"("name":"text","mimeType":"text/plain"}]})");
}

TEST(Resources, AreReadByUri) {
  ToyServer toy;
  toy.Request(1, "resources/read", {{"uri", "toy://index"}});
  toy.Request(2, "resources/read", ModernParams({{"uri", "toy://%6Fne/text"}}));
  EXPECT_EQ(DumpJson(toy.ReplyTo(1)["result"]),
            R"({"contents":[{"uri":"toy://index","mimeType":"text/plain",)"
            R"("text":"one\ntwo\n"}]})");
  Json modern = toy.ReplyTo(2)["result"];
  EXPECT_EQ(modern["contents"][0]["text"], "1");
  EXPECT_EQ(modern["contents"][0]["uri"], "toy://%6Fne/text");
  EXPECT_EQ(modern["ttlMs"], 0);
  EXPECT_EQ(modern["cacheScope"], "private");
}

TEST(Resources, ThatAreNotThereAreErrorsThatSayWhatIs) {
  ToyServer toy;
  toy.Request(1, "resources/read", {{"uri", "toy://three/text"}});
  toy.Request(2, "resources/read", ModernParams({{"uri", "toy://three/text"}}));
  toy.Request(3, "resources/read", {{"uri", 7}});
  EXPECT_EQ(toy.ErrorOf(1), mcp::kResourceNotFound);
  EXPECT_EQ(toy.ErrorOf(2), mcp::kInvalidParams);
  for (int id : {1, 2}) {
    Json error = toy.ReplyTo(id)["error"];
    EXPECT_EQ(error["message"], "no text 'three'; there are: one");
    EXPECT_EQ(error["data"]["uri"], "toy://three/text");
  }
  EXPECT_EQ(toy.ErrorOf(3), mcp::kInvalidParams);
}

TEST(Uris, MatchWhatTheirTemplatesSay) {
  EXPECT_TRUE(mcp::MatchUri("a://b", "a://b"));
  EXPECT_FALSE(mcp::MatchUri("a://b", "a://bc"));
  EXPECT_FALSE(mcp::MatchUri("a://bc", "a://b"));
  auto two = mcp::MatchUri("a://{x}/c/{y}", "a://1%2F2/c/%20");
  ASSERT_TRUE(two);
  EXPECT_EQ(two->at("x"), "1/2");
  EXPECT_EQ(two->at("y"), " ");
  EXPECT_FALSE(mcp::MatchUri("a://{x}/c", "a:///c"));
  EXPECT_FALSE(mcp::MatchUri("a://{x}/c", "a://1/d"));
  EXPECT_FALSE(mcp::MatchUri("a://{x}/c", "a://1/c/c"));
  EXPECT_FALSE(mcp::MatchUri("a://{x}", "a://1/2"));
}

TEST(Prompts, AreListedWithTheirArguments) {
  ToyServer toy;
  toy.Request(1, "prompts/list");
  EXPECT_EQ(DumpJson(toy.ReplyTo(1)["result"]),
            R"({"prompts":[{"name":"greet","title":"Greet",)"
            R"("description":"Greets somebody.","arguments":[)"
            R"({"name":"name","description":"Whom.","required":true},)"
            R"({"name":"mood","description":"How.","required":false}]}]})");
}

TEST(Prompts, AreListedWithoutTitlesWhereThereAreNone) {
  ToyServer toy;
  toy.Initialize("2025-03-26");  // knows no titles
  toy.Request(1, "prompts/list");
  Json prompt = toy.ReplyTo(1)["result"]["prompts"][0];
  EXPECT_EQ(prompt["name"], "greet");
  EXPECT_FALSE(prompt.contains("title"));
  PromptServer untitled(1);
  EXPECT_EQ(DumpJson(untitled.List()["result"]),
            R"({"prompts":[{"name":"0"}]})");
}

TEST(Prompts, BecomeMessages) {
  ToyServer toy;
  Json params = {{"name", "greet"}, {"arguments", {{"name", "Ada"}}}};
  toy.Request(1, "prompts/get", params);
  toy.Request(2, "prompts/get", ModernParams(params));
  EXPECT_EQ(DumpJson(toy.ReplyTo(1)["result"]),
            R"({"description":"Greets somebody.","messages":[{"role":"user",)"
            R"("content":{"type":"text","text":"Greet Ada"}}]})");
  EXPECT_EQ(toy.ReplyTo(2)["result"]["messages"].size(), 1u);
}

TEST(Prompts, MisusedAreProtocolErrorsThatSayTheWayOut) {
  struct Case {
    const char* params;
    const char* message;
  };
  const Case cases[] = {
      {R"({"name":"great"})", "unknown prompt 'great'; did you mean greet?"},
      {R"({"name":"greet"})", "prompt 'greet' needs 'name': Whom."},
      {R"({"name":"greet","arguments":{"name":"x","modo":"y"}})",
       "prompt 'greet' has no argument 'modo'; did you mean mood?"},
      {R"({"name":"greet","arguments":{"name":7}})",
       "arguments must be an object of strings"},
      {R"({"name":"greet","arguments":[]})",
       "arguments must be an object of strings"},
      {R"({"name":"greet","arguments":{"name":""}})", "name must not be empty"},
      {R"({"name":7})", "name must be a string"},
  };
  for (const Case& c : cases) {
    ToyServer toy;
    toy.Request(1, "prompts/get", *ParseJson(c.params));
    EXPECT_EQ(toy.ErrorOf(1), mcp::kInvalidParams) << c.params;
    EXPECT_EQ(toy.ReplyTo(1)["error"]["message"], c.message);
  }
}

TEST(Completions, AreTheNamesThatBeginSo) {
  ToyServer toy;
  const char* resource =
      R"({"ref":{"type":"ref/resource","uri":"toy://{name}/text"},
          "argument":{"name":"name","value":"t"}})";
  EXPECT_EQ(DumpJson(Completion(&toy, resource)),
            R"({"values":["two"],"total":1,"hasMore":false})");
  // A client may also name one of the URIs that match the template.
  const char* made =
      R"({"ref":{"type":"ref/resource","uri":"toy://one/text"},
          "argument":{"name":"name","value":"o"}})";
  EXPECT_EQ(DumpJson(Completion(&toy, made)["values"]), R"(["one"])");
  const char* prompt = R"({"ref":{"type":"ref/prompt","name":"greet"},
                           "argument":{"name":"name","value":""},
                           "context":{"arguments":{"mood":"glad"}}})";
  EXPECT_EQ(Completion(&toy, prompt)["total"], 2);
  const char* none = R"({"ref":{"type":"ref/prompt","name":"greet"},
                         "argument":{"name":"mood","value":""}})";
  EXPECT_EQ(Completion(&toy, none)["total"], 0);
}

TEST(Completions, AreAHundredAtMost) {
  ToyServer toy;
  const char* ask = R"({"ref":{"type":"ref/prompt","name":"greet"},
                        "argument":{"name":"name","value":"m"}})";
  for (int i = 0; i < 100; ++i) toy.world.texts["many" + std::to_string(i)];
  Json all = Completion(&toy, ask);
  EXPECT_EQ(all["values"].size(), 100u);
  EXPECT_EQ(all["hasMore"], false);
  for (int i = 100; i < 150; ++i) toy.world.texts["many" + std::to_string(i)];
  Json many = Completion(&toy, ask);
  EXPECT_EQ(many["values"].size(), 100u);
  EXPECT_EQ(many["total"], 150);
  EXPECT_EQ(many["hasMore"], true);
}

TEST(Completions, OfNothingAreErrorsThatSayWhatIsWrong) {
  constexpr char kReference[] =
      R"(ref must be {"type":"ref/prompt","name"} or )"
      R"({"type":"ref/resource","uri"})";
  constexpr char kMembers[] =
      "needs ref.type, argument.name and argument.value, all strings";
  struct Case {
    const char* params;
    const char* message;
  };
  const Case cases[] = {
      {R"({"ref":{"type":"ref/prompt","name":"none"},
          "argument":{"name":"name","value":""}})",
       "unknown prompt 'none'"},
      {R"({"ref":{"type":"ref/resource","uri":"toy://none"},
          "argument":{"name":"name","value":""}})",
       "unknown resource 'toy://none'"},
      {R"({"ref":{"type":"ref/tool","name":"echo"},
          "argument":{"name":"name","value":""}})",
       kReference},
      {R"({"ref":{"type":"ref/tool","uri":"toy://one/text"},
          "argument":{"name":"name","value":""}})",
       kReference},
      {R"({"ref":{"type":"ref/resource"},"argument":{"name":"n","value":""}})",
       kReference},
      {R"({"ref":{"type":"ref/prompt"},"argument":{"name":"n","value":""}})",
       kReference},
      {R"({"ref":{"type":"ref/prompt","name":"greet"}})", kMembers},
      {R"({"ref":{"type":"ref/prompt","name":"greet"},
          "argument":{"name":"name","value":""},
          "context":{"arguments":{"mood":7}}})",
       kMembers},
  };
  for (const Case& c : cases) {
    ToyServer toy;
    toy.Request(1, "completion/complete", *ParseJson(c.params));
    EXPECT_EQ(toy.ErrorOf(1), mcp::kInvalidParams) << c.params;
    EXPECT_EQ(toy.ReplyTo(1)["error"]["message"], c.message) << c.params;
  }
}

TEST(Tools, ThatNeedMoreThanTheClientHasSayWhat) {
  ManualClock clock;
  Loop loop(&clock);
  ToyWorld world{&loop};
  mcp::Catalog catalog = ToyCatalog(&world);
  catalog.tools[0].needs = {{"sampling", Json::object()}};
  mcp::Server server(&loop, {"needs", "1"}, std::move(catalog));
  ToyTransport transport;
  uint64_t connection = server.Connect(&transport);
  auto call = [&](Json capabilities) {
    Json message = {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "tools/call"}};
    message["params"]["name"] = "echo";
    message["params"]["_meta"] =
        Envelope("2026-07-28", std::move(capabilities));
    server.Receive(connection, DumpJson(message));
    return transport.sent.back();
  };
  Json error = call({{"roots", Json::object()}})["error"];
  EXPECT_EQ(error["code"], mcp::kMissingCapability);
  EXPECT_EQ(DumpJson(error["data"]),
            R"({"requiredCapabilities":{"sampling":{}}})");
  EXPECT_TRUE(call({{"sampling", Json::object()}}).contains("result"));
  server.Disconnect(connection);
}

TEST(Tools, MayBeOfferedToSomeClientsOnly) {
  ManualClock clock;
  Loop loop(&clock);
  ToyWorld world{&loop};
  mcp::Catalog catalog = ToyCatalog(&world);
  catalog.offers = [](const mcp::Tool& tool, uint64_t,
                      const mcp::RequestContext& context) {
    return tool.name != "echo" || context.directory == "/home";
  };
  mcp::Server server(&loop, {"choice", "1"}, std::move(catalog));
  ToyTransport transport;
  uint64_t connection = server.Connect(&transport);
  auto request = [&](const char* method, Json params) {
    server.Receive(connection, DumpJson({{"jsonrpc", "2.0"},
                                         {"id", 1},
                                         {"method", method},
                                         {"params", std::move(params)}}));
    return transport.sent.back();
  };
  Json echo = {{"name", "echo"}, {"arguments", {{"text", "x"}}}};
  size_t fewer =
      request("tools/list", Json::object())["result"]["tools"].size();
  EXPECT_TRUE(request("tools/call", echo).contains("error"));
  server.Receive(connection,
                 R"({"jsonrpc":"2.0","method":"notifications/glasstty/client",)"
                 R"("params":{"directory":"/home"}})");
  EXPECT_EQ(request("tools/list", Json::object())["result"]["tools"].size(),
            fewer + 1);
  EXPECT_TRUE(request("tools/call", echo).contains("result"));
  server.Disconnect(connection);
}

TEST(Pages, HoldEveryRowOnceAndRefuseOtherCursors) {
  PromptServer server(250);
  Json params = Json::object();
  int seen = 0, pages = 0;
  do {
    Json result = server.List(params)["result"];
    for (const Json& row : result["prompts"]) {
      EXPECT_EQ(row["name"], std::to_string(seen++));
    }
    ++pages;
    params = Json::object();
    if (result.contains("nextCursor")) params["cursor"] = result["nextCursor"];
  } while (!params.empty());
  EXPECT_EQ(seen, 250);
  EXPECT_EQ(pages, 3);
  const Json bad[] = {"", "0", "50", "300", "-100", "100x", 100, Json()};
  for (const Json& cursor : bad) {
    EXPECT_EQ(server.List({{"cursor", cursor}})["error"]["code"],
              mcp::kInvalidParams)
        << cursor;
  }
}

TEST(Pages, ThatAreFullAreFollowedByNoEmptyOne) {
  PromptServer server(200);
  Json last = server.List({{"cursor", "100"}})["result"];
  EXPECT_EQ(last["prompts"].size(), 100u);
  EXPECT_FALSE(last.contains("nextCursor"));
  EXPECT_EQ(server.List({{"cursor", "200"}})["error"]["code"],
            mcp::kInvalidParams);
  PromptServer none(0);
  EXPECT_TRUE(none.List()["result"]["prompts"].empty());
}

}  // namespace
}  // namespace glasstty::testing
