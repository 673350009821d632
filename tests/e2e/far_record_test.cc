// Tests looking back at sessions on other machines; another home stands for
// one.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/far_world.h"
#include "support/json.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

class FarRecord : public FarWorld {
 protected:
  CommandResult Glasstty(std::vector<std::string> words) {
    words.insert(words.begin(), ServerPath());
    return RunCommand(words, {"GLASSTTY_STATE_DIR=" + state_.path()});
  }
  // Returns the events of the recording with that code.
  std::vector<Json> Events(const std::string& name, const std::string& code) {
    std::vector<Json> events;
    for (const std::string& line : Lines(Glasstty({"cast", name}).output)) {
      auto json = ParseJson(line);
      if (json.ok() && json->is_array() && (*json)[1] == code) {
        events.push_back(*json);
      }
    }
    return events;
  }
  // Returns when the output that contains `text` was printed, in seconds.
  double TimeOf(const std::string& name, const std::string& text) {
    for (const Json& event : Events(name, "o")) {
      if (event[2].get<std::string>().find(text) != std::string::npos) {
        return event[0].get<double>();
      }
    }
    ADD_FAILURE() << text;
    return -1;
  }
};

TEST_F(FarRecord, HoldsWhatWasTypedAndShown) {
  ASSERT_TRUE(Good(OpenThere(
      "ask",
      {"sh", "-c",
       "read a; stty -echo; printf 'Password: '; read p; stty echo; cat"},
      {{"record", true}})));
  // Repeats the call until it is accepted. Refused text is not typed, so the
  // text is typed once.
  auto type = [this](const std::string& text, const std::string& state) {
    EXPECT_TRUE(Eventually(Seconds(20), [&] {
      return !client_->Call("term_send", {{"session", "ask"}, {"input", text}})
                  .is_error;
    }));
    EXPECT_TRUE(Good(client_->Call(
        "term_wait", {{"session", "ask"}, {"until", {{"state", state}}}})));
  };
  type("visible one\n", "secret");
  ASSERT_TRUE(Cut());
  type("zq7wx9k\n", "input");
  ASSERT_TRUE(KillNearRelay());
  type("visible two\n", "input");
  EXPECT_TRUE(Eventually(Seconds(10), [this] {
    return RawLog(state_.path(), "ask").find("two\r\nvisible two") !=
           std::string::npos;
  }));
  std::string typed;
  for (const Json& event : Events("ask", "i")) {
    typed += event[2].get<std::string>();
  }
  EXPECT_EQ(typed, "visible one\rvisible two\r");
  EXPECT_EQ(FilesWith(state_.path(), "zq7wx9k"), std::vector<std::string>());
  EXPECT_EQ(FilesWith(there_.path(), "zq7wx9k"), std::vector<std::string>());
}

TEST_F(FarRecord, HasTheTimesAtWhichItWasPrintedThere) {
  ASSERT_TRUE(Good(OpenShell("db")));
  there_.Write("blocked", "");
  std::string go = there_.Join("go");
  Keys(client_.get(), "db",
       "until [ -e " + go +
           " ]; do sleep 0.01; done; echo ear''ly; sleep 2; echo la''te; (exit "
           "5)<Enter>");
  ASSERT_TRUE(Cut());
  there_.Write("go", "");
  // All of it is printed while nobody hears it.
  ASSERT_TRUE(Good(Open(client_.get(), "here", {"sleep", "4"})));
  ASSERT_TRUE(Good(client_->Call("term_wait", {{"session", "here"},
                                               {"until", {{"state", "exited"}}},
                                               {"timeout_s", 20}})));
  unlink(there_.Join("blocked").c_str());
  ASSERT_TRUE(Good(client_->Call(
      "term_wait",
      {{"session", "db"}, {"until", {{"text", "late"}}}, {"timeout_s", 20}})));
  double between = TimeOf("db", "late") - TimeOf("db", "early");
  EXPECT_GT(between, 1.8);
  EXPECT_LT(between, 3);
}

TEST_F(FarRecord, ShowsTheScreenAsItWas) {
  ASSERT_TRUE(Good(OpenShell("db")));
  Run("db", "echo before");
  Reply sized = client_->Call("term_send", {{"session", "db"},
                                            {"input", "clear; sleep 1\n"},
                                            {"until", {{"state", "prompt"}}}});
  ASSERT_TRUE(Good(sized));
  Reply past = client_->Call("term_read", {{"session", "db"}, {"at", "-0.7s"}});
  EXPECT_TRUE(Good(past));
  EXPECT_EQ(past.text.find("before"), std::string::npos) << past.text;
  Reply older = client_->Call(
      "term_read", {{"session", "db"}, {"at", sized.meta["glasstty/offset"]}});
  EXPECT_TRUE(Good(older));
}

// The log over there has a limit, and nobody reads it meanwhile.
TEST_F(FarRecord, MoreThanIsKeptOverThereLeavesAHoleAndGoesOn) {
  ServerOptions options;
  options.state_dir = state_.path();
  options.extra_environment = {"GLASSTTY_GRACE_S=60", "GLASSTTY_LOG_MIB=9"};
  client_ = std::make_unique<McpClient>(options);
  ASSERT_TRUE(Good(OpenShell("db")));
  there_.Write("blocked", "");
  const std::string last = absl::StrFormat("%d000000", Rounds(2, 5));
  Keys(client_.get(), "db",
       "until [ -e " + there_.Join("go") + " ]; do sleep 0.01; done; seq " +
           last + "; touch " + there_.Join("done") + "<Enter>");
  ASSERT_TRUE(Cut());
  there_.Write("go", "");
  ASSERT_TRUE(Eventually(Seconds(40), [this] {
    return access(there_.Join("done").c_str(), F_OK) == 0;
  }));
  unlink(there_.Join("blocked").c_str());
  Reply back =
      client_->Call("term_wait", {{"session", "db"},
                                  {"until", {{"text", "\n" + last + "\n"}}},
                                  {"timeout_s", 30}});
  EXPECT_TRUE(Shows(back, last));
  EXPECT_EQ(Run("db", "echo again").body, "again");
}

}  // namespace
}  // namespace glasstty::testing
