// Tests the gate's questions to a user whose client repeats a call with the
// answer (revision 2026-07-28).
//
// As in gate_test.cc, the refused commands would do no harm.
#include <gtest/gtest.h>

#include <string>

#include "support/json.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

class GateRounds : public ::testing::Test {
 protected:
  GateRounds() : client_(WithoutHandshake()) {}
  static ServerOptions WithoutHandshake() {
    ServerOptions options;
    options.handshake = false;
    return options;
  }

  // Returns the result of a call; `more` has the state and the answers.
  Json CallModern(const std::string& tool, const Json& arguments,
                  const Json& more = Json::object()) {
    Json params = {{"name", tool}, {"arguments", arguments}};
    params.update(more);
    params["_meta"] = {
        {"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
        {"io.modelcontextprotocol/clientCapabilities",
         {{"elicitation", Json::object()}}}};
    return client_.Request("tools/call", params, Seconds(60))["result"];
  }
  // Returns the key of the only question with which a call has ended.
  static std::string KeyOf(const Json& result) {
    const Json* questions = FindMember(result, "inputRequests");
    if (questions == nullptr || questions->size() != 1) return "no question";
    return questions->begin().key();
  }
  static Json Answer(const Json& asked, const Json& answer) {
    const Json* state = FindMember(asked, "requestState");
    Json more = {{"requestState", state == nullptr ? Json() : *state}};
    more["inputResponses"][KeyOf(asked)] = answer;
    return more;
  }
  static bool Has(const Json& result, const std::string& text) {
    return DumpJson(result).find(text) != std::string::npos;
  }

  const Json agreed_ = {{"action", "accept"},
                        {"content", {{"confirm", "yes"}}}};
  TempDir dir_;
  McpClient client_;
};

TEST_F(GateRounds, AYesToOneCommandIsNoneToTheOther) {
  Json run = {{"command", "rm --no-preserve-root /nonexistent/one"},
              {"compare_with", "rm --no-preserve-root /nonexistent/two"}};
  Json first = CallModern("term_run", run);
  EXPECT_NE(KeyOf(first).find("/nonexistent/one"), std::string::npos)
      << DumpJson(first);
  Json second = CallModern("term_run", run, Answer(first, agreed_));
  EXPECT_NE(KeyOf(second).find("/nonexistent/two"), std::string::npos)
      << DumpJson(second);
  Json last =
      CallModern("term_run", run, Answer(second, {{"action", "decline"}}));
  EXPECT_TRUE(Has(last, "The user said no")) << DumpJson(last);
}

TEST_F(GateRounds, TheFirstStepOfASendIsAskedAbout) {
  Json open = {{"argv", {"bash", "--norc"}}, {"name", "s"}};
  Json opened = CallModern("term_open", open);
  ASSERT_EQ(opened["resultType"], "complete") << DumpJson(opened);
  Json send = {{"session", "s"},
               {"input", "rm --no-preserve-root /nonexistent/x\n"}};
  Json asked = CallModern("term_send", send);
  ASSERT_EQ(asked["resultType"], "input_required") << DumpJson(asked);
  Json typed = CallModern("term_send", send, Answer(asked, agreed_));
  EXPECT_EQ(typed["resultType"], "complete") << DumpJson(typed);
  EXPECT_FALSE(typed.contains("isError")) << DumpJson(typed);
}

// A question would run the command once more.
TEST_F(GateRounds, InputOfARunningCommandIsRefusedAndTheCommandRunsOnce) {
  Json run = {{"command", "echo ran >> ran; sqlite3 x.db"},
              {"cwd", dir_.path()},
              {"input", {"DROP TABLE users;\n"}}};
  Json result = CallModern("term_run", run);
  EXPECT_EQ(result["resultType"], "complete") << DumpJson(result);
  EXPECT_TRUE(Has(result, "refused")) << DumpJson(result);
  EXPECT_EQ(ReadWholeFile(dir_.Join("ran")), "ran\n");
}

}  // namespace
}  // namespace glasstty::testing
