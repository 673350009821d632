// Tests cards: what clients that show them are told of tools, and what others
// are.
#include "mcp/apps.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "mcp/toy.h"

namespace glasstty::testing {
namespace {

constexpr char kExtension[] = "io.modelcontextprotocol/ui";
constexpr char kCard[] = "ui://toy/card";

// Returns the capabilities of a client that says `ui` about cards.
Json Declaring(Json ui) {
  Json capabilities = Json::object();
  capabilities["extensions"][kExtension] = std::move(ui);
  return capabilities;
}

// Returns a tool with a card, and one that only the card calls.
std::vector<mcp::Tool> CardTools() {
  mcp::Tool shown = mcp::DeclareTool({.name = "shown"}, {{"type", "object"}});
  shown.card = kCard;
  mcp::Tool pressed =
      mcp::DeclareTool({.name = "pressed"}, {{"type", "object"}});
  pressed.for_cards = true;
  return {shown, pressed};
}

// Returns the entry of `tool` in the list that a client with `capabilities`
// gets; null if it is not in there.
Json EntryOf(const std::string& tool, const Json& capabilities) {
  ToyServer toy(CardTools());
  toy.Request(1, "tools/list",
              {{"_meta", Envelope("2026-07-28", capabilities)}});
  Json result = toy.ReplyTo(1)["result"];
  for (const Json& entry : result["tools"]) {
    if (entry["name"] == tool) return entry;
  }
  return Json();
}

TEST(Cards, AreShownByClientsThatDeclareTheirType) {
  const Json other = {{"mimeTypes", {"text/uri-list"}}};
  struct Case {
    Json capabilities;
    bool shows;
  };
  const Case cases[] = {
      {Json::object(), false},
      {{{"extensions", Json::object()}}, false},
      // A client that names no types accepts the only one.
      {Declaring(Json::object()), true},
      {Declaring({{"mimeTypes", mcp::kCardType}}), true},
      {Declaring({{"mimeTypes", {mcp::kCardType}}}), true},
      {Declaring({{"mimeTypes", {"text/uri-list", mcp::kCardType}}}), true},
      {Declaring(other), false},
      {Declaring({{"mimeTypes", Json::array()}}), false},
  };
  for (const Case& c : cases) {
    mcp::RequestContext context;
    context.client_capabilities = c.capabilities;
    EXPECT_EQ(mcp::ShowsCards(context), c.shows) << c.capabilities;
  }
}

TEST(Cards, AreNamedInTheListForClientsThatShowThem) {
  const Json shows = Declaring(Json::object());
  EXPECT_EQ(DumpJson(EntryOf("shown", shows)["_meta"]),
            R"({"ui":{"resourceUri":"ui://toy/card",)"
            R"("visibility":["model","app"]}})");
  EXPECT_EQ(DumpJson(EntryOf("pressed", shows)["_meta"]),
            R"({"ui":{"visibility":["app"]}})");
  EXPECT_FALSE(EntryOf("wait", shows).contains("_meta"));
}

TEST(Cards, AreNotMentionedToOtherClients) {
  EXPECT_FALSE(EntryOf("shown", Json::object()).is_null());
  EXPECT_FALSE(EntryOf("shown", Json::object()).contains("_meta"));
  EXPECT_TRUE(EntryOf("pressed", Json::object()).is_null());
}

}  // namespace
}  // namespace glasstty::testing
