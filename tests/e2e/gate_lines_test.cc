// Puts the lines of fixtures/gate/typed.txt at the prompt of a real shell in
// every way in which a line gets there: the gate judges what Enter would run.
//
// Nothing harmful can run: the shell finds only stubs in PATH, which write down
// their own name, and its home is a temporary folder.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "support/text.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"
#include "testing/source_tree.h"

namespace glasstty::testing {
namespace {

struct Line {
  bool asks;
  std::string text;
};

std::vector<Line> ReadLines() {
  std::vector<Line> lines;
  std::ifstream file(SourcePath("fixtures/gate/typed.txt"));
  for (std::string row; std::getline(file, row);) {
    if (row.starts_with("ask\t")) lines.push_back({true, row.substr(4)});
    if (row.starts_with("pass\t")) lines.push_back({false, row.substr(5)});
  }
  return lines;
}

// A way to put a line at the prompt, as inputs of separate calls; the last one
// is followed by Enter.
using Way = std::vector<Json> (*)(const std::string& line);
struct WayRow {
  const char* name;
  Way put;
};

Json Literal(const std::string& text) {
  return Json::array({Json{{"text", text}}});
}

std::vector<Json> InPieces(const std::string& line) {
  size_t half = line.size() / 2;
  return {Literal(line.substr(0, half)), Literal(line.substr(half))};
}

// Types the program's name without its last letter, which the shell completes.
std::vector<Json> ByTab(const std::string& line) {
  size_t name = std::min(line.find(' '), line.size());
  std::string rest = name < line.size() ? line.substr(name + 1) : "";
  return {Literal(line.substr(0, name - 1)), Json::array({"<Tab>"}),
          Literal(rest)};
}

std::vector<Json> FromHistory(const std::string& line) {
  std::string quoted;
  for (char c : line) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return {Json("history -s '" + quoted + "'\n"), Json::array({"<Up>"})};
}

std::vector<Json> Redrawn(const std::string& line) {
  return {Literal(line), Json::array({"<C-l>"})};
}

std::vector<Json> Resized(const std::string& line) {
  return {Literal(line), Json::array({Json{{"resize", {30, 100}}}}),
          Json::array({Json{{"resize", {24, 80}}}})};
}

constexpr WayRow kWays[] = {{"InPieces", InPieces},
                            {"ByTab", ByTab},
                            {"FromHistory", FromHistory},
                            {"RedrawnByControlL", Redrawn},
                            {"RedrawnByAResize", Resized}};

class GateLines : public ::testing::TestWithParam<WayRow> {
 protected:
  void SetUp() override {
    for (const Line& line : ReadLines()) AddStubs(line.text);
    Reply opened = Open(&client_, "s", {"/bin/bash", "--norc"},
                        {{"cwd", folder_.path()},
                         {"env",
                          {{"PATH", folder_.Join("bin")},
                           {"HOME", folder_.path()},
                           {"PS1", "$ "}}}});
    ASSERT_TRUE(Good(opened));
  }

  // Every word that could be a program's name gets a stub.
  void AddStubs(const std::string& line) {
    mkdir(folder_.Join("bin").c_str(), 0755);
    std::string word;
    for (char c : line + " ") {
      bool of_name = c == '-' || c == '_' || c == '.' ||
                     (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      if (of_name) {
        word += c;
        continue;
      }
      bool name = !word.empty() && word[0] >= 'a' && word[0] <= 'z';
      if (name && stubs_.insert(word).second) {
        std::string path =
            folder_.Write("bin/" + word, "#!/bin/sh\necho ran >>" +
                                             folder_.Join("log") + "\n");
        chmod(path.c_str(), 0755);
      }
      word.clear();
    }
  }

  Reply Send(const Json& input) {
    return client_.Call("term_send", {{"session", "s"}, {"input", input}});
  }

  // Returns true if the shell completes the name of the line's program: no
  // other stub, builtin or keyword begins with all its letters but the last.
  bool IsCompleted(const std::string& line) {
    std::string name = line.substr(0, line.find(' '));
    std::string begin = name.substr(0, name.size() - 1);
    int fitting = 0;
    for (const std::string& stub : stubs_) fitting += stub.starts_with(begin);
    for (const char* word : {"echo", "enable", "eval", "exec", "exit", "export",
                             "help", "hash", "history", "kill", "test", "time",
                             "type", "umask", "unset", "select", "shift"}) {
      fitting += std::string(word).starts_with(begin);
    }
    return fitting == 1;
  }

  bool StandsAtThePrompt(const std::string& line) {
    std::vector<std::string> rows = Screen(&client_, "s");
    return !rows.empty() && rows.back().ends_with(line);
  }

  TempDir folder_;
  McpClient client_;
  std::set<std::string> stubs_;
};

// Which of the lines the gate of a change plays.
constexpr int kStep = 4;

TEST_P(GateLines, AreJudgedByWhatEnterWouldRun) {
  int asked = 0, passed = 0;
  bool by_tab = GetParam().put == ByTab;
  for (const Line& line : Sample(ReadLines(), kStep)) {
    if (by_tab && !IsCompleted(line.text)) continue;
    for (const Json& input : GetParam().put(line.text)) {
      Reply reply = Send(input);
      ASSERT_FALSE(reply.is_error) << line.text << "\n" << reply.text;
    }
    ASSERT_TRUE(Eventually(Seconds(20 * Slowness()),
                           [&] { return StandsAtThePrompt(line.text); }))
        << line.text << "\n"
        << Join(Screen(&client_, "s"));
    Reply reply = Send(Json::array({"<Enter>"}));
    bool refused =
        reply.is_error && reply.text.find("(gate: ") != std::string::npos;
    EXPECT_EQ(refused, line.asks) << line.text << "\n" << reply.text;
    (line.asks ? asked : passed) += 1;
    if (line.asks) {
      EXPECT_EQ(ReadWholeFile(folder_.Join("log")), "") << line.text;
    }
    unlink(folder_.Join("log").c_str());
    // A refused line is still there. A line that has run needs no key: it would
    // flush what is typed next.
    if (refused) Send(Json::array({"<C-c>"}));
  }
  int least = (by_tab ? 25 : 60) / (IsLongRun() ? 1 : kStep + 1);
  EXPECT_GE(asked, least);
  EXPECT_GE(passed, least);
}

INSTANTIATE_TEST_SUITE_P(All, GateLines, ::testing::ValuesIn(kWays),
                         [](const auto& row) {
                           return std::string(row.param.name);
                         });

}  // namespace
}  // namespace glasstty::testing
