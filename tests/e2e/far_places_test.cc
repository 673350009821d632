// Tests what a person and an agent learn of other machines, and how those are
// cleaned up.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/visible.h"
#include "e2e/far_world.h"
#include "support/json.h"

namespace glasstty::testing {
namespace {

class FarPlaces : public FarWorld {
 protected:
  CommandResult Places(std::vector<std::string> words) const {
    words.insert(words.begin(), {ServerPath(), "places"});
    return RunCommand(words, {"GLASSTTY_STATE_DIR=" + state_.path()});
  }
  std::string Name() const {
    std::string name;
    for (const std::string& word : Client()) {
      name += (name.empty() ? "" : " ") + word;
    }
    return name;
  }
  std::string Cache() const { return there_.Join(".cache/glasstty"); }
};

TEST_F(FarPlaces, AreWaitedForNoLongerThanTheCallAllows) {
  for (const char* tool : {"term_open", "term_run"}) {
    auto began = std::chrono::steady_clock::now();
    Reply reply =
        client_->Call(tool, {{"on", Json({"sh", "-c", "exec sleep 1000"})},
                             {"command", "true"},
                             {"timeout_s", 1}});
    EXPECT_TRUE(Shows(reply, "still connecting")) << reply.text;
    EXPECT_LT(std::chrono::steady_clock::now() - began,
              std::chrono::seconds(15));
  }
}

TEST_F(FarPlaces, AreListedWithWhatRunsThere) {
  EXPECT_EQ(Places({}).output, "no places\n");
  ASSERT_TRUE(Good(OpenShell("db")));
  auto list = ParseJson(Places({"--json"}).output);
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->size(), 1u);
  const Json& place = (*list)[0];
  EXPECT_EQ(place["on"], Name());
  EXPECT_EQ(place["state"], "connected");
  EXPECT_EQ(place["sessions"], Json({"db"}));
  EXPECT_GT(place["round_trip_ms"], 0);
  EXPECT_EQ(place["directory_there"], Cache() + "/sessions");
  Reply shown = client_->Call("term_list");
  EXPECT_TRUE(
      Shows(shown, "\nplace " + QuotedUnlessPlain(Name()) + " connected, "));
  EXPECT_TRUE(Shows(shown, " ms, \"Linux "));
}

TEST_F(FarPlaces, ThatCannotBeListedAreNotNone) {
  TempDir state;
  state.Write("places", "not a directory");
  CommandResult list = RunCommand({ServerPath(), "places"},
                                  {"GLASSTTY_STATE_DIR=" + state.path()});
  EXPECT_NE(list.status, 0);
  EXPECT_NE(list.output.find("places: Not a directory"), std::string::npos)
      << list.output;
}

TEST_F(FarPlaces, AreCleanedOnceNothingOfThemIsOpen) {
  ASSERT_TRUE(Good(OpenShell("db")));
  CommandResult refused = Places({"clean", Name()});
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.output.find("1 session is open on " + Name() + ": db;"),
            std::string::npos)
      << refused.output;
  ASSERT_TRUE(Good(client_->Call("term_close", {{"session", "db"}})));
  EXPECT_TRUE(Eventually(Seconds(10), [&] {
    return Places({"clean", Name()}).output ==
           "removed " + Cache() + " on " + Name() + "\n";
  }));
  EXPECT_EQ(RunCommand({"find", there_.Join(".cache"), "-type", "f"}).output,
            "");
  EXPECT_EQ(Places({}).output, "no places\n");
  // The server starts again.
  EXPECT_TRUE(Good(OpenShell("again")));
}

TEST_F(FarPlaces, StayWhereAnotherServerHasSessions) {
  ASSERT_TRUE(Good(OpenShell("db")));
  TempDir other;
  CommandResult refused =
      RunCommand({ServerPath(), "places", "clean", "sudo:root"},
                 {"GLASSTTY_STATE_DIR=" + other.path(),
                  "GLASSTTY_FAR_DIR=" + there_.Join(".cache")});
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.output.find("run there: 1 " + Cache()), std::string::npos)
      << refused.output;
  EXPECT_TRUE(Shows(Run("db", "echo untouched"), "untouched"));
}

TEST_F(FarPlaces, ThatCannotBeReachedAreNotCleaned) {
  CommandResult result = Places({"clean", "sudo:nobody-of-that-name"});
  EXPECT_NE(result.status, 0);
  EXPECT_NE(result.output.find("did not answer"), std::string::npos)
      << result.output;
  EXPECT_NE(Places({"clean", "elsewhere"}).output.find("write ssh:["),
            std::string::npos);
  EXPECT_NE(Places({"clean"}).output.find("places clean PLACE"),
            std::string::npos);
}

TEST_F(FarPlaces, OfTwoServersEachHasAConnectionOfItsOwn) {
  ASSERT_TRUE(Good(OpenShell("one")));
  ServerOptions options;
  options.state_dir = state_.path();
  options.extra_environment = Environment();
  auto other = std::make_unique<McpClient>(options);
  ASSERT_TRUE(
      Good(Open(other.get(), "two", {"bash", "--norc"}, {{"on", Client()}})));
  Json run = {{"session", "two"}, {"command", "kept=two; echo of $kept"}};
  EXPECT_TRUE(Shows(other->Call("term_run", run), "of two"));
  EXPECT_TRUE(Shows(Run("one", "kept=one; echo of $kept"), "of one"));
  EXPECT_EQ(FarEnds().size(), 2u) << Describe(FarEnds());
  EXPECT_TRUE(Shows(client_->Call("term_list"), "open in another server"));
  // A third server finds both.
  for (McpClient* server : {client_.get(), other.get()}) {
    server->Signal(SIGKILL);
    ASSERT_TRUE(server->WaitForExit(Seconds(10)));
  }
  auto third = std::make_unique<McpClient>(options);
  for (const std::string name : {"one", "two"}) {
    run = {{"session", name}, {"command", "echo still $kept"}};
    EXPECT_TRUE(Shows(third->Call("term_run", run), "still " + name));
  }
  // It also looks after both clients.
  ASSERT_TRUE(KillClientSession());
  ASSERT_TRUE(KillClientSession());
  for (const std::string name : {"one", "two"}) {
    run = {{"session", name}, {"command", "echo again $kept"}};
    EXPECT_TRUE(Eventually(Seconds(20), [&] {
      return third->Call("term_run", run).body == "again " + name;
    }));
  }
}

}  // namespace
}  // namespace glasstty::testing
