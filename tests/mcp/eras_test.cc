// Tests both eras: who may call what, and what each revision is sent.
#include "mcp/eras.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "mcp/toy.h"

namespace glasstty::testing {
namespace {

constexpr const char* kLegacy[] = {"2024-11-05", "2025-03-26", "2025-06-18",
                                   "2025-11-25"};

TEST(Eras, AClientGetsTheLegacyRevisionItAsksFor) {
  for (const char* version : kLegacy) {
    ToyServer toy;
    toy.Request(0, "initialize", {{"protocolVersion", version}});
    EXPECT_EQ(toy.ReplyTo(0)["result"]["protocolVersion"], version);
  }
}

TEST(Eras, AClientThatAsksForAnotherRevisionGetsTheNewestLegacyOne) {
  for (const char* version : {"2026-07-28", "2023-01-01", "", "x"}) {
    ToyServer toy;
    toy.Request(0, "initialize", {{"protocolVersion", version}});
    EXPECT_EQ(toy.ReplyTo(0)["result"]["protocolVersion"], "2025-11-25");
  }
  ToyServer toy;
  toy.Request(0, "initialize", {{"protocolVersion", 1}});
  toy.Request(1, "initialize");
  EXPECT_EQ(toy.ErrorOf(0), mcp::kInvalidParams);
  EXPECT_EQ(toy.ErrorOf(1), mcp::kInvalidParams);
}

TEST(Eras, InitializeAnswersAsTheSpecificationShows) {
  ToyServer toy;
  toy.Request(0, "initialize", {{"protocolVersion", "2025-06-18"}});
  EXPECT_EQ(
      DumpJson(toy.ReplyTo(0)),
      R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":)"
      R"("2025-06-18","capabilities":{"tools":{},"resources":{"subscribe":true},)"
      R"("prompts":{},"completions":{},"logging":{}},)"
      R"("serverInfo":{"name":"toy","version":"1.2","title":"Toy"},)"
      R"("instructions":"Play."}})");
}

// Returns the answer to `initialize` of a server with only this.
Json InitializedBy(mcp::ServerInfo info, mcp::Catalog catalog,
                   const char* version) {
  ManualClock clock;
  Loop loop(&clock);
  mcp::Server server(&loop, std::move(info), std::move(catalog));
  ToyTransport transport;
  uint64_t connection = server.Connect(&transport);
  Json message = {{"jsonrpc", "2.0"}, {"id", 0}, {"method", "initialize"}};
  message["params"]["protocolVersion"] = version;
  server.Receive(connection, DumpJson(message));
  server.Disconnect(connection);
  return transport.sent.at(0)["result"];
}

TEST(Eras, OnlyWhatThereIsIsAdvertised) {
  ToyWorld world;
  const mcp::Catalog all = ToyCatalog(&world);
  struct Case {
    mcp::Catalog catalog;
    const char* capabilities;
  };
  const Case cases[] = {
      {{}, R"({"logging":{}})"},
      {{.tools = all.tools}, R"({"tools":{},"logging":{}})"},
      {{.resources = all.resources},
       R"({"resources":{"subscribe":true},"completions":{},"logging":{}})"},
      {{.prompts = all.prompts},
       R"({"prompts":{},"completions":{},"logging":{}})"},
  };
  for (const Case& c : cases) {
    Json result = InitializedBy({"toy", "1"}, c.catalog, "2025-11-25");
    EXPECT_EQ(DumpJson(result["capabilities"]), c.capabilities);
  }
}

TEST(Eras, ListsThatMayChangeAreAdvertisedAsSuch) {
  ToyWorld world;
  Json result = InitializedBy(
      {.name = "toy", .version = "1", .changing_lists = {"tools"}},
      {.tools = ToyTools(&world)}, "2025-11-25");
  EXPECT_EQ(DumpJson(result["capabilities"]["tools"]),
            R"({"listChanged":true})");
}

TEST(Eras, AServerIntroducesItselfAsFarAsTheRevisionKnowsHow) {
  mcp::ServerInfo info = {.name = "toy", .version = "1", .title = "Toy"};
  info.description = "To play with.";
  info.icons = Json::array({{{"src", "toy.png"}}});
  struct Case {
    const char* version;
    const char* introduction;
  };
  const Case cases[] = {
      {"2025-03-26", R"({"name":"toy","version":"1"})"},
      {"2025-06-18", R"({"name":"toy","version":"1","title":"Toy"})"},
      {"2025-11-25",
       R"({"name":"toy","version":"1","title":"Toy",)"
       R"("description":"To play with.","icons":[{"src":"toy.png"}]})"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(DumpJson(InitializedBy(info, {}, c.version)["serverInfo"]),
              c.introduction);
  }
}

TEST(Eras, DiscoverAnswersClaudeCodesProbe) {
  ToyServer toy;
  toy.Send(
      R"({"jsonrpc":"2.0","id":"server-discover-probe-1",)"
      R"("method":"server/discover","params":{"_meta":{)"
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientInfo":{"name":"claude-code",)"
      R"("version":"2.1.330"},"io.modelcontextprotocol/clientCapabilities":)"
      R"({"roots":{"listChanged":true},"elicitation":{"form":{},"url":{}}}}}})");
  ASSERT_EQ(toy.transport.sent.size(), 1u);
  EXPECT_EQ(DumpJson(toy.transport.sent[0]),
            R"({"jsonrpc":"2.0","id":"server-discover-probe-1","result":{)"
            R"("resultType":"complete","supportedVersions":["2026-07-28"],)"
            R"("capabilities":{"tools":{},"resources":{"subscribe":true},)"
            R"("prompts":{},"completions":{}},"instructions":"Play.",)"
            R"("ttlMs":3600000,"cacheScope":"public","_meta":{)"
            R"("io.modelcontextprotocol/serverInfo":{"name":"toy",)"
            R"("version":"1.2","title":"Toy"}}}})");
}

struct Row {
  const char* method;
  bool legacy;
  bool modern;
};

TEST(Eras, EachMethodIsKnownInItsErasOnly) {
  const Row rows[] = {{"initialize", true, false},
                      {"ping", true, false},
                      {"logging/setLevel", true, false},
                      {"resources/subscribe", true, false},
                      {"resources/unsubscribe", true, false},
                      {"server/discover", false, true},
                      {"subscriptions/listen", false, true},
                      {"tools/list", true, true},
                      {"tools/call", true, true},
                      {"resources/list", true, true},
                      {"resources/templates/list", true, true},
                      {"resources/read", true, true},
                      {"prompts/list", true, true},
                      {"prompts/get", true, true},
                      {"completion/complete", true, true}};
  for (const Row& row : rows) {
    ToyServer toy;
    toy.Request(1, row.method);
    toy.Request(2, row.method, ModernParams());
    EXPECT_EQ(toy.ErrorOf(1) != mcp::kMethodNotFound, row.legacy) << row.method;
    EXPECT_EQ(toy.ErrorOf(2) != mcp::kMethodNotFound, row.modern) << row.method;
    EXPECT_EQ(toy.CountOf(1) + toy.CountOf(2), 2u) << row.method;
  }
}

TEST(Eras, ShareAConnectionWithoutPinning) {
  ToyServer toy;
  toy.Request(1, "server/discover", ModernParams());
  toy.Initialize("2024-11-05");
  toy.Call(2, "facts");
  toy.Call(3, "facts", Json::object(), Envelope());
  toy.Call(4, "facts");
  EXPECT_EQ(toy.TextOf(2), "2024-11-05");
  EXPECT_EQ(toy.TextOf(3), "2026-07-28");
  EXPECT_EQ(toy.TextOf(4), "2024-11-05");
}

TEST(Eras, BeforeInitializeALegacyClientIsTakenAsTheNewest) {
  ToyServer toy;
  toy.Call(1, "facts");
  EXPECT_EQ(toy.TextOf(1), "2025-11-25");
}

TEST(Envelope, MustBeComplete) {
  struct Case {
    const char* meta;
    int code;
  };
  const Case cases[] = {
      {R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28"})",
       mcp::kInvalidParams},
      {R"({"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
       R"("io.modelcontextprotocol/clientCapabilities":[]})",
       mcp::kInvalidParams},
      {R"({"io.modelcontextprotocol/protocolVersion":7,)"
       R"("io.modelcontextprotocol/clientCapabilities":{}})",
       mcp::kInvalidParams},
      {R"({"io.modelcontextprotocol/protocolVersion":"v9",)"
       R"("io.modelcontextprotocol/clientCapabilities":{}})",
       mcp::kUnsupportedVersion},
      {R"({"io.modelcontextprotocol/protocolVersion":"2025-11-25",)"
       R"("io.modelcontextprotocol/clientCapabilities":{}})",
       mcp::kUnsupportedVersion},
      {R"("text")", mcp::kInvalidParams},
      {R"({"progressToken":1.5})", mcp::kInvalidParams},
  };
  for (const Case& c : cases) {
    ToyServer toy;
    toy.Request(1, "tools/list", {{"_meta", *ParseJson(c.meta)}});
    EXPECT_EQ(toy.ErrorOf(1), c.code) << c.meta;
  }
}

TEST(Envelope, AnUnknownRevisionIsToldTheKnownOnes) {
  ToyServer toy;
  toy.Request(1, "server/discover", {{"_meta", Envelope("v9")}});
  EXPECT_EQ(DumpJson(toy.ReplyTo(1)["error"]["data"]),
            R"({"supported":["2026-07-28"],"requested":"v9"})");
}

TEST(Results, ModernListsSayHowLongTheyHoldAndLegacyOnesDoNot) {
  for (const char* method : {"tools/list", "resources/list", "prompts/list",
                             "resources/templates/list"}) {
    ToyServer toy;
    toy.Request(1, method);
    toy.Request(2, method, ModernParams());
    Json legacy = toy.ReplyTo(1)["result"], modern = toy.ReplyTo(2)["result"];
    EXPECT_EQ(legacy.size(), 1u) << method;
    EXPECT_EQ(modern["resultType"], "complete") << method;
    EXPECT_EQ(modern["ttlMs"], 3'600'000) << method;
    // The tools depend on what the client may see and can show.
    bool is_shared = method != std::string_view("tools/list");
    EXPECT_EQ(modern["cacheScope"], is_shared ? "public" : "private") << method;
    EXPECT_EQ(modern["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
              "toy");
  }
}

TEST(Results, OlderRevisionsAreNotSentWhatTheyDoNotKnow) {
  for (const char* version : kLegacy) {
    ToyServer toy;
    toy.Initialize(version);
    toy.Request(1, "tools/list");
    toy.Call(2, "facts");
    Json tool = toy.ReplyTo(1)["result"]["tools"][0];
    Json result = toy.ReplyTo(2)["result"];
    bool since_march = std::string(version) >= "2025-03-26";
    bool since_june = std::string(version) >= "2025-06-18";
    EXPECT_EQ(tool.contains("annotations"), since_march) << version;
    EXPECT_EQ(tool.contains("title"), since_june) << version;
    EXPECT_EQ(tool.contains("_meta"), since_june) << version;
    EXPECT_EQ(result.contains("structuredContent"), since_june) << version;
    EXPECT_EQ(result["content"][1]["type"],
              since_june ? "resource_link" : "text");
    EXPECT_EQ(result["_meta"]["glasstty/revision"], 7);
  }
  ToyServer toy;
  toy.Initialize("2025-03-26");
  toy.Call(1, "facts");
  EXPECT_EQ(toy.ReplyTo(1)["result"]["content"][1]["text"], "[one] toy://1");
}

TEST(Results, AToolIsListedWithTheHintsThatDifferFromTheDefaults) {
  ToyServer toy;
  toy.Request(1, "tools/list");
  EXPECT_EQ(
      DumpJson(toy.ReplyTo(1)["result"]["tools"][0]),
      R"({"name":"echo","title":"Echo","description":"Says it.",)"
      R"("inputSchema":{"type":"object","properties":{"text":{"type":)"
      R"("string","description":"What to say.","default":"nothing"}},)"
      R"("additionalProperties":false},"annotations":{"readOnlyHint":true,)"
      R"("openWorldHint":false},"_meta":{"anthropic/alwaysLoad":true}})");
}

TEST(Results, TheToolListIsTheSameWhateverHappened) {
  ToyServer toy;
  toy.Request(1, "tools/list", ModernParams());
  toy.Initialize("2024-11-05");
  toy.Call(2, "echo");
  toy.Request(3, "tools/list", ModernParams());
  EXPECT_EQ(toy.ReplyTo(1)["result"], toy.ReplyTo(3)["result"]);
}

TEST(Results, AListHasOnePage) {
  ToyServer toy;
  toy.Request(1, "tools/list", {{"cursor", "abc"}});
  EXPECT_EQ(toy.ErrorOf(1), mcp::kInvalidParams);
}

TEST(Results, WhatIsNotThereIsAnErrorOfItsEra) {
  ToyServer toy;
  toy.Request(1, "resources/read", {{"uri", "term://x"}});
  toy.Request(2, "resources/read", ModernParams({{"uri", "term://x"}}));
  toy.Request(3, "prompts/get", {{"name", "x"}});
  toy.Request(4, "completion/complete",
              *ParseJson(R"({"ref":{"type":"ref/prompt","name":"x"},
                             "argument":{"name":"a","value":""}})"));
  EXPECT_EQ(toy.ErrorOf(1), mcp::kResourceNotFound);
  EXPECT_EQ(toy.ErrorOf(2), mcp::kInvalidParams);
  EXPECT_EQ(toy.ReplyTo(2)["error"]["data"]["uri"], "term://x");
  EXPECT_EQ(toy.ErrorOf(3), mcp::kInvalidParams);
  EXPECT_EQ(toy.ErrorOf(4), mcp::kInvalidParams);
}

TEST(Results, LogLevelsAreTakenAndUnknownOnesRefused) {
  ToyServer toy;
  toy.Request(1, "logging/setLevel", {{"level", "info"}});
  toy.Request(2, "logging/setLevel", {{"level", "loud"}});
  EXPECT_TRUE(toy.ReplyTo(1)["result"].empty());
  EXPECT_EQ(toy.ErrorOf(2), mcp::kInvalidParams);
}

TEST(Revisions, EachFeatureIsThereFromItsRevisionOn) {
  struct Feature {
    bool mcp::Revision::*has;
    std::string_view first;
  };
  constexpr Feature kFeatures[] = {
      {&mcp::Revision::annotations, "2025-03-26"},
      {&mcp::Revision::progress_message, "2025-03-26"},
      {&mcp::Revision::completions, "2025-03-26"},
      {&mcp::Revision::titles, "2025-06-18"},
      {&mcp::Revision::structured, "2025-06-18"},
      {&mcp::Revision::resource_links, "2025-06-18"},
      {&mcp::Revision::definition_meta, "2025-06-18"},
      {&mcp::Revision::forms, "2025-06-18"},
      {&mcp::Revision::form_modes, "2025-11-25"},
      {&mcp::Revision::icons, "2025-11-25"},
  };
  for (std::string_view name :
       {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}) {
    const mcp::Revision* revision = mcp::FindRevision(name);
    ASSERT_NE(revision, nullptr) << name;
    for (const Feature& feature : kFeatures) {
      EXPECT_EQ(revision->*feature.has, name >= feature.first)
          << name << " " << feature.first << " "
          << &feature - std::begin(kFeatures);
    }
    // The next revision removed batches again.
    EXPECT_EQ(revision->batches, name == "2025-03-26") << name;
  }
}

}  // namespace
}  // namespace glasstty::testing
