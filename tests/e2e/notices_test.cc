// Tests that clients which have set a log level are told of output and ends of
// sessions without asking.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

class Notices : public ::testing::Test {
 protected:
  void SetLevel(const std::string& level) {
    client_.Request("logging/setLevel", {{"level", level}});
  }
  // Returns the data of the next message of that type; null if none comes.
  Json Next(const std::string& type, Seconds limit = Seconds(10)) {
    while (auto message = client_.NextMessage(limit)) {
      if (message->value("method", "") != "notifications/message") continue;
      Json data = (*message)["params"]["data"];
      if (data.value("type", "") == type) return data;
    }
    return Json();
  }

  McpClient client_;
};

TEST_F(Notices, TellOutputOfASessionThatWasOpenedWithNotify) {
  SetLevel("info");
  Open(&client_, "main", {"sh", "-c", "read x; echo hello; read y"},
       {{"notify", true}});
  client_.Call("term_send", {{"input", "go\n"}, {"mode", "history"}});
  Json data = Next("output");
  EXPECT_EQ(data["session"], "main");
  std::string text = data["text"];
  if (text.find("hello") == std::string::npos) text += Next("output")["text"];
  EXPECT_NE(text.find("hello"), std::string::npos) << text;
}

TEST_F(Notices, MoveNoReadMark) {
  SetLevel("info");
  TempDir folder;
  Open(&client_, "main",
       {"sh", "-c", "until [ -e go ]; do sleep 0.01; done; echo hello; cat"},
       {{"notify", true},
        {"cwd", folder.path()},
        {"until", {{"quiet_s", 0.01}}}});
  folder.Write("go", "");
  EXPECT_EQ(Next("output")["text"], "hello");
  EXPECT_EQ(client_.Call("term_read").body, "hello");
}

TEST_F(Notices, OfMuchOutputOnlyTheSizeIsTold) {
  SetLevel("debug");
  Open(&client_, "main", {"sh", "-c", "read x; seq 1 100000; cat"},
       {{"notify", true}});
  client_.Call("term_send", {{"input", "go\n"},
                             {"until", {{"text", "100000"}}},
                             {"mode", "history"}});
  Json data;
  do {
    data = Next("output");
  } while (!data.is_null() && !data.contains("oversized"));
  EXPECT_EQ(data["oversized"], true);
  EXPECT_GT(data["available"], 32 << 10);
  EXPECT_FALSE(data.contains("text"));
}

TEST_F(Notices, AreSwitchedByTermSend) {
  SetLevel("info");
  Open(&client_, "main", {"cat"});
  client_.Call("term_send", {{"input", "one\n"}});
  EXPECT_TRUE(Next("output", Seconds(0.4)).is_null());
  client_.Call("term_send", {{"input", "two\n"}, {"notify", true}});
  EXPECT_FALSE(Next("output").is_null());
  client_.Call("term_send", {{"input", "three\n"}, {"notify", false}});
  EXPECT_TRUE(Next("output", Seconds(0.4)).is_null());
}

TEST_F(Notices, TellTheEndOfEverySession) {
  SetLevel("info");
  Open(&client_, "main", {"sh", "-c", "read x; exit 3"});
  client_.Call("term_send", {{"input", "go\n"}});
  Json data = Next("exit");
  EXPECT_EQ(data["session"], "main");
  EXPECT_EQ(data["state"], "exited=3");
  EXPECT_TRUE(Next("exit", Seconds(0.3)).is_null());
}

TEST_F(Notices, AreNotForClientsThatWantNone) {
  Open(&client_, "main", {"sh", "-c", "echo a; exit 3"}, {{"notify", true}});
  SetLevel("warning");
  Open(&client_, "other", {"sh", "-c", "echo a; exit 3"}, {{"notify", true}});
  EXPECT_TRUE(Next("exit", Seconds(0.5)).is_null());
}

}  // namespace
}  // namespace glasstty::testing
