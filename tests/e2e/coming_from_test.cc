// Runs the examples of docs/coming-from.md: each call is made as it is written
// there, and its reply must contain the lines below it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "e2e/peer_world.h"
#include "e2e/steps.h"
#include "support/status.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"
#include "testing/source_tree.h"

namespace glasstty::testing {
namespace {

constexpr char kAnError[] = "(an error)";

struct DocCall {
  std::string tool;
  std::string arguments;  // JSON
  // In the reply, in this order.
  std::vector<std::string> lines;
};

struct Example {
  std::string title;
  std::vector<DocCall> calls;
};

// Splits "-> term_run {...}" in two.
DocCall CallOf(const std::string& line) {
  size_t blank = line.find(' ', 3);
  if (blank == std::string::npos) return {line.substr(3), "", {}};
  return {line.substr(3, blank - 3), line.substr(blank + 1), {}};
}

// Returns the fenced content below the headings of the fourth level.
std::vector<Example> ReadExamples(const std::string& document) {
  std::vector<Example> examples;
  bool fenced = false;
  for (const std::string& line : Lines(document)) {
    if (line.starts_with("#### ")) examples.push_back({line.substr(5), {}});
    if (line == "```") fenced = !fenced;
    if (!fenced || line == "```" || examples.empty()) continue;
    std::vector<DocCall>& calls = examples.back().calls;
    if (line.starts_with("-> ")) {
      calls.push_back(CallOf(line));
    } else if (!calls.empty()) {
      calls.back().lines.push_back(line);
    }
  }
  return examples;
}

const std::vector<Example>& Examples() {
  static const auto* examples = new std::vector<Example>(
      ReadExamples(ReadWholeFile(SourcePath("docs/coming-from.md"))));
  return *examples;
}

std::string NameOf(const ::testing::TestParamInfo<Example>& info) {
  std::string name;
  bool upper = true;
  for (unsigned char c : info.param.title) {
    if (std::isalnum(c) != 0)
      name += static_cast<char>(upper ? std::toupper(c) : c);
    upper = std::isalnum(c) == 0;
  }
  return name;
}

::testing::AssertionResult Holds(const Reply& reply,
                                 const std::vector<std::string>& lines) {
  size_t at = 0;
  for (const std::string& line : lines) {
    if (line == kAnError) continue;
    size_t found = reply.text.find(line, at);
    if (found == std::string::npos) {
      return ::testing::AssertionFailure()
             << "'" << line << "' is not in, or not behind the others:\n"
             << reply.text;
    }
    at = found + line.size();
  }
  return ::testing::AssertionSuccess();
}

// On a busy machine a program may pause before it is done (term_send returns
// then, unless told `until`); the next looks show the rest.
void ReadOn(McpClient* client, const Json& arguments,
            const std::vector<std::string>& lines, Reply* reply) {
  if (!arguments.contains("session")) return;
  Eventually(Seconds(10), [&] {
    if (Holds(*reply, lines)) return true;
    Reply more = client->Call("term_read", {{"session", arguments["session"]}});
    reply->text += "\n" + more.body;
    return false;
  });
}

class ComingFrom : public ::testing::TestWithParam<Example> {};

TEST_P(ComingFrom, EachCallDoesWhatThePageSays) {
  PeerWorld world;
  McpClient client(world.Options());
  for (const DocCall& call : GetParam().calls) {
    SCOPED_TRACE(call.tool + " " + call.arguments);
    auto arguments = ParseJson(world.Localize(call.arguments));
    ASSERT_TRUE(arguments.ok()) << arguments.status();
    std::vector<std::string> lines;
    for (const std::string& line : call.lines) {
      lines.push_back(world.Localize(line));
    }
    Reply reply = client.Call(call.tool, *arguments);
    bool error = !lines.empty() && lines[0] == kAnError;
    EXPECT_EQ(reply.is_error, error) << reply.text;
    if (call.tool == "term_send") ReadOn(&client, *arguments, lines, &reply);
    EXPECT_TRUE(Holds(reply, lines));
  }
}

INSTANTIATE_TEST_SUITE_P(All, ComingFrom,
                         ::testing::ValuesIn(Sample(Examples(), 5)), NameOf);

// An example that lost its fence would pass without a call.
TEST(ComingFromPage, EveryExampleHasCalls) {
  EXPECT_GT(Examples().size(), 40u);
  for (const Example& example : Examples()) {
    EXPECT_FALSE(example.calls.empty()) << example.title;
  }
}

}  // namespace
}  // namespace glasstty::testing
