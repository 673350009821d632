// Tests subscriptions: who is told of changes, how often, and for how long.
#include "mcp/subscriptions.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "mcp/toy.h"

namespace glasstty::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr char kUpdated[] = "notifications/resources/updated";
constexpr char kAcknowledged[] = "notifications/subscriptions/acknowledged";
constexpr char kSubscriptionId[] = "io.modelcontextprotocol/subscriptionId";
constexpr char kOne[] = "toy://one/text";

void Listen(ToyServer* toy, const Json& id, Json wanted) {
  Json params = Json::object();
  params["notifications"] = std::move(wanted);
  params["_meta"] = Envelope();
  toy->Request(id, "subscriptions/listen", std::move(params));
}

Json Uris(const std::vector<std::string>& uris) {
  Json wanted = Json::object();
  wanted["resourceSubscriptions"] = uris;
  return wanted;
}

TEST(SubscriptionsLegacy, TellOfEachChangeUntilUnsubscribed) {
  ToyServer toy;
  toy.Request(1, "resources/subscribe", {{"uri", kOne}});
  EXPECT_TRUE(toy.ReplyTo(1)["result"].empty());
  toy.world.Write("one", "new");
  toy.Advance(milliseconds(0));
  auto told = toy.Notifications(kUpdated);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(DumpJson(told[0]), R"({"uri":"toy://one/text"})");
  toy.Request(2, "resources/unsubscribe", {{"uri", kOne}});
  EXPECT_TRUE(toy.world.watched.empty());
  toy.Request(3, "resources/unsubscribe", {{"uri", kOne}});
  EXPECT_TRUE(toy.ReplyTo(3)["result"].empty());
}

TEST(SubscriptionsLegacy, ToWhatIsNotThereAreRefused) {
  ToyServer toy;
  toy.Request(1, "resources/subscribe", {{"uri", "toy://none/text"}});
  toy.Request(2, "resources/subscribe", {{"uri", "other://x"}});
  // It can be read but not watched.
  toy.Request(3, "resources/subscribe", {{"uri", "toy://index"}});
  toy.Request(4, "resources/subscribe");
  toy.Request(5, "resources/unsubscribe", {{"uri", 5}});
  for (int id : {1, 2, 3})
    EXPECT_EQ(toy.ErrorOf(id), mcp::kResourceNotFound) << id;
  for (int id : {4, 5}) EXPECT_EQ(toy.ErrorOf(id), mcp::kInvalidParams) << id;
  EXPECT_TRUE(toy.server.subscriptions()->empty());
}

TEST(Subscriptions, TellAtMostTwiceASecondAndAlwaysTheLastChange) {
  ToyServer toy;
  toy.Request(1, "resources/subscribe", {{"uri", kOne}});
  for (int i = 0; i < 1000; ++i) {
    toy.world.Write("one", std::to_string(i));
    toy.Advance(milliseconds(10));
  }
  EXPECT_EQ(toy.Notifications(kUpdated).size(), 20u);
  toy.world.Write("one", "last");
  toy.Advance(seconds(1));
  EXPECT_EQ(toy.Notifications(kUpdated).size(), 21u);
  toy.Advance(seconds(10));
  EXPECT_EQ(toy.Notifications(kUpdated).size(), 21u);
}

TEST(Subscriptions, WaitForAClientThatReadsTooSlowly) {
  ToyServer toy;
  ToyTransport quick;
  uint64_t second = toy.server.Connect(&quick);
  toy.Request(1, "resources/subscribe", {{"uri", kOne}});
  toy.server.Receive(
      second, R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe",)"
              R"("params":{"uri":"toy://one/text"}})");
  toy.transport.congested_value = true;
  toy.world.Write("one", "new");
  toy.Advance(seconds(3));
  EXPECT_TRUE(toy.Notifications(kUpdated).empty());
  EXPECT_EQ(quick.sent.size(), 2u);
  toy.transport.congested_value = false;
  toy.Advance(seconds(3));
  EXPECT_EQ(toy.Notifications(kUpdated).size(), 1u);
  EXPECT_EQ(quick.sent.size(), 2u);
  toy.server.Disconnect(second);
}

TEST(SubscriptionsModern, AreAcknowledgedFirstWithWhatThereIs) {
  ToyServer toy;
  Json wanted = Uris({kOne, "toy://none/text", "other://x"});
  wanted["resourceSubscriptions"].push_back(7);
  wanted["toolsListChanged"] = true;
  Listen(&toy, "listen:0", wanted);
  ASSERT_EQ(toy.transport.sent.size(), 1u);
  EXPECT_EQ(
      DumpJson(toy.transport.sent[0]),
      R"({"jsonrpc":"2.0","method":)"
      R"("notifications/subscriptions/acknowledged","params":{"_meta":{)"
      R"("io.modelcontextprotocol/subscriptionId":"listen:0"},)"
      R"("notifications":{"resourceSubscriptions":["toy://one/text"]}}})");
  toy.world.Write("one", "new");
  toy.Advance(seconds(1));
  ASSERT_EQ(toy.transport.sent.size(), 2u);
  EXPECT_EQ(DumpJson(toy.transport.sent[1]),
            R"({"jsonrpc":"2.0","method":"notifications/resources/updated",)"
            R"("params":{"_meta":{"io.modelcontextprotocol/subscriptionId":)"
            R"("listen:0"},"uri":"toy://one/text"}})");
}

TEST(SubscriptionsModern, ThatAreCancelledAreNotAnswered) {
  ToyServer toy;
  Listen(&toy, 0, Uris({kOne}));
  toy.transport.sent.clear();
  toy.Cancel("0");  // another client's
  EXPECT_FALSE(toy.server.subscriptions()->empty());
  toy.Cancel(0);
  EXPECT_TRUE(toy.server.subscriptions()->empty());
  EXPECT_TRUE(toy.world.watched.empty());
  toy.world.Write("one", "new");
  toy.Advance(seconds(1));
  EXPECT_TRUE(toy.transport.sent.empty());
  Listen(&toy, 0, Uris({kOne}));
  EXPECT_EQ(toy.Notifications(kAcknowledged).size(), 1u);
}

TEST(SubscriptionsModern, KeepTheirIdTaken) {
  ToyServer toy;
  Listen(&toy, 7, Uris({kOne}));
  toy.Request(7, "tools/list");
  EXPECT_EQ(toy.ErrorOf(7), mcp::kInvalidRequest);
  EXPECT_TRUE(toy.server.idle());
}

TEST(SubscriptionsModern, AreEachToldByTheirOwnId) {
  ToyServer toy;
  Listen(&toy, 1, Uris({kOne}));
  Listen(&toy, "1", Uris({kOne}));
  toy.transport.sent.clear();
  toy.world.Write("one", "new");
  toy.Advance(seconds(1));
  auto told = toy.Notifications(kUpdated);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_NE(told[0]["_meta"][kSubscriptionId],
            told[1]["_meta"][kSubscriptionId]);
}

TEST(SubscriptionsModern, AreAnsweredWhenTheServerEnds) {
  ToyServer toy;
  Listen(&toy, "a", Uris({kOne}));
  toy.server.Shutdown();
  EXPECT_EQ(DumpJson(toy.ReplyTo("a")["result"]),
            R"({"resultType":"complete","_meta":{)"
            R"("io.modelcontextprotocol/subscriptionId":"a"}})");
  EXPECT_TRUE(toy.server.idle());
}

TEST(SubscriptionsModern, HaveALimit) {
  ToyServer toy;
  for (size_t i = 0; i < mcp::Subscriptions::kMaxListens; ++i) {
    Listen(&toy, i, Json::object());
  }
  Listen(&toy, "one more", Json::object());
  EXPECT_EQ(toy.ErrorOf("one more"), mcp::kInvalidParams);
  toy.Cancel(0);
  Listen(&toy, "again", Json::object());
  EXPECT_EQ(toy.ErrorOf("again"), 0);
}

TEST(SubscriptionsModern, OfOthersOrOfTheOtherEraDoNotCountToTheLimit) {
  ToyServer toy;
  ToyTransport other;
  uint64_t second = toy.server.Connect(&other);
  for (size_t i = 0; i < mcp::Subscriptions::kMaxListens; ++i) {
    Json message = {
        {"jsonrpc", "2.0"}, {"id", i}, {"method", "subscriptions/listen"}};
    message["params"]["notifications"] = Json::object();
    message["params"]["_meta"] = Envelope();
    toy.server.Receive(second, DumpJson(message));
  }
  toy.Request("legacy", "resources/subscribe", {{"uri", kOne}});
  for (size_t i = 0; i < mcp::Subscriptions::kMaxListens; ++i) {
    Listen(&toy, i, Json::object());
    EXPECT_EQ(toy.ErrorOf(i), 0) << i;
  }
  toy.server.Disconnect(second);
}

TEST(SubscriptionsLegacy, HaveALimit) {
  ToyServer toy;
  for (size_t i = 0; i <= mcp::Subscriptions::kMaxUris; ++i) {
    std::string name = "n" + std::to_string(i);
    toy.world.texts[name] = "";
    toy.Request(i, "resources/subscribe", {{"uri", "toy://" + name + "/text"}});
  }
  EXPECT_EQ(toy.ErrorOf(0), 0);
  EXPECT_EQ(toy.ErrorOf(mcp::Subscriptions::kMaxUris), mcp::kInvalidParams);
  EXPECT_EQ(toy.world.watched.size(), mcp::Subscriptions::kMaxUris);
}

TEST(SubscriptionsModern, NeedTheirParameters) {
  ToyServer toy;
  Listen(&toy, 1, "all");
  Listen(&toy, 2, Json());
  EXPECT_EQ(toy.ErrorOf(1), mcp::kInvalidParams);
  EXPECT_EQ(toy.ErrorOf(2), mcp::kInvalidParams);
}

TEST(Subscriptions, EndWithTheirConnection) {
  ToyServer toy;
  Listen(&toy, 1, Uris({kOne}));
  toy.Request(2, "resources/subscribe", {{"uri", "toy://two/text"}});
  EXPECT_EQ(toy.world.watched.size(), 2u);
  toy.server.Disconnect(toy.connection);
  EXPECT_TRUE(toy.world.watched.empty());
  EXPECT_TRUE(toy.server.subscriptions()->empty());
}

TEST(Subscriptions, OutliveTheConnectionsOfOthers) {
  ToyServer toy;
  ToyTransport before, after;
  uint64_t first = toy.server.Connect(&before);
  uint64_t second = toy.server.Connect(&after);
  const char* subscribe =
      R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe",)"
      R"("params":{"uri":"toy://one/text"}})";
  toy.server.Receive(first, subscribe);
  toy.server.Receive(second, subscribe);
  toy.server.Disconnect(first);
  toy.world.Write("one", "new");
  toy.Advance(seconds(1));
  EXPECT_EQ(before.sent.size(), 1u);
  EXPECT_EQ(after.sent.size(), 2u);
  toy.server.Disconnect(second);
}

TEST(Subscriptions, TellOfListsThatMayChangeToThoseWhoAsked) {
  ManualClock clock;
  Loop loop(&clock);
  ToyWorld world{&loop};
  mcp::Server server(&loop,
                     {.name = "x", .version = "1", .changing_lists = {"tools"}},
                     ToyCatalog(&world));
  ToyTransport transport;
  uint64_t connection = server.Connect(&transport);
  auto listen = [&](int id, const char* member) {
    Json message = {
        {"jsonrpc", "2.0"}, {"id", id}, {"method", "subscriptions/listen"}};
    message["params"]["notifications"][member] = true;
    message["params"]["_meta"] = Envelope();
    server.Receive(connection, DumpJson(message));
  };
  listen(1, "toolsListChanged");
  listen(2, "promptsListChanged");
  EXPECT_EQ(DumpJson(transport.sent[0]["params"]["notifications"]),
            R"({"toolsListChanged":true})");
  EXPECT_TRUE(transport.sent[1]["params"]["notifications"].empty());
  transport.sent.clear();
  server.subscriptions()->AnnounceList("tools");
  ASSERT_EQ(transport.sent.size(), 1u);
  EXPECT_EQ(transport.sent[0]["method"], "notifications/tools/list_changed");
  EXPECT_EQ(transport.sent[0]["params"]["_meta"][kSubscriptionId], 1);
  server.Disconnect(connection);
}

}  // namespace
}  // namespace glasstty::testing
