// Tests what is answered about command lines and about calls, with files of
// rules as users of the clients have them: fixtures/permit.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "permit/call.h"
#include "permit/client_rules.h"
#include "support/status.h"
#include "testing/source_tree.h"

namespace glasstty::permit {
namespace {

std::string ReadFixture(const std::string& name) {
  std::ifstream file(SourcePath("fixtures/permit/" + name));
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

const char* NameOf(Answer answer) {
  switch (answer) {
    case Answer::kAllow:
      return "allow";
    case Answer::kNone:
      return "none";
    case Answer::kAsk:
      return "ask";
    case Answer::kDeny:
      return "deny";
  }
  return "";
}

struct Row {
  std::string answer;
  std::string command;
};

std::vector<Row> RowsOf(const std::string& name) {
  std::vector<Row> rows;
  std::istringstream lines(ReadFixture(name));
  for (std::string line; std::getline(lines, line);) {
    size_t tab = line.find('\t');
    if (line.starts_with("# ") || tab == std::string::npos) continue;
    std::string command = line.substr(tab + 1);
    const std::string kReturn = "⏎";
    for (size_t at = command.find(kReturn); at != std::string::npos;
         at = command.find(kReturn)) {
      command.replace(at, kReturn.size(), "\n");
    }
    rows.push_back({line.substr(0, tab), std::move(command)});
  }
  return rows;
}

void CheckTable(const std::string& table,
                const absl::StatusOr<RuleSet>& rules) {
  ASSERT_TRUE(rules.ok()) << Message(rules.status());
  for (const Row& row : RowsOf(table)) {
    Decision decision = Decide(*rules, PartsOfText(row.command));
    EXPECT_EQ(NameOf(decision.answer), row.answer) << row.command << "\n"
                                                   << decision.reason;
  }
}

TEST(Rules, OfClaudeCodeDecideAboutCommands) {
  CheckTable("claude-code.txt",
             ParseClaudeRules(ReadFixture("claude-code.json")));
}

TEST(Rules, OfCodexDecideAboutCommands) {
  CheckTable("codex.txt", ParseCodexRules(ReadFixture("codex.rules")));
}

TEST(Rules, OfOpencodeDecideAboutCommands) {
  CheckTable("opencode.txt", ParseOpencodeRules(ReadFixture("opencode.json")));
}

TEST(Rules, AllowAProgramThatStartsAnotherOnlyTogetherWithThat) {
  CheckTable("starters.txt", ParseClaudeRules(ReadFixture("starters.json")));
}

TEST(Rules, TheReasonNamesTheRuleAndThePart) {
  RuleSet claude = *ParseClaudeRules(ReadFixture("claude-code.json"));
  EXPECT_EQ(Decide(claude, PartsOfText("ls && git push origin")).reason,
            "your rule Bash(git push:*) is about `git push origin`");
  EXPECT_EQ(Decide(claude, PartsOfText("ls && whoami")).reason,
            "none of your rules is about `whoami`");
  EXPECT_EQ(Decide(claude, PartsOfText("ls")).reason, "your rules allow it");
  EXPECT_EQ(Decide(claude, PartsOfText("A=1 ls")).reason,
            "your rules cannot tell what it runs: it sets variables");
  RuleSet codex = *ParseCodexRules(ReadFixture("codex.rules"));
  EXPECT_EQ(Decide(codex, PartsOfText("rm x")).reason,
            R"(your rule ["rm"] (forbidden), "Use `trash` instead.", is about )"
            "`rm x`");
}

TEST(Rules, ThatAllowEverythingAllowWhatIsNotKnown) {
  RuleSet set = *ParseClaudeRules(
      R"j({"permissions": {"allow": ["Bash"], "deny": ["Bash(rm *)"]}})j");
  for (const char* text : {"$X", "ls > out", "A=1 ls", "ls | sh", "echo 'x"}) {
    EXPECT_EQ(Decide(set, PartsOfText(text)).answer, Answer::kAllow) << text;
  }
  EXPECT_EQ(Decide(set, PartsOfText("A=1 rm x")).answer, Answer::kDeny);
}

TEST(Rules, InAFileThatCannotBeReadLeadToAQuestion) {
  RuleSet set = *ParseClaudeRules(R"j({"permissions": {"allow": ["Bash"]}})j");
  set.unreadable = {"/x/settings.json"};
  Decision decision = Decide(set, PartsOfText("ls"));
  EXPECT_EQ(decision.answer, Answer::kAsk);
  EXPECT_EQ(decision.reason, "/x/settings.json cannot be understood");
}

// ---- calls

class CallsTest : public ::testing::Test {
 protected:
  std::string AnswerTo(const std::string& tool, const Json& arguments,
                       TypedText typed = {}) {
    Call call{tool, arguments, std::move(typed)};
    auto decision = DecideCall(rules_, call);
    return decision ? NameOf(decision->answer) : "nothing";
  }

  RuleSet rules_ = *ParseClaudeRules(ReadFixture("claude-code.json"));
};

TEST_F(CallsTest, AreDecidedByEverythingThatTheyRun) {
  struct Case {
    const char* answer;
    const char* tool;
    const char* arguments;
  };
  const Case cases[] = {
      {"allow", "term_run", R"({"command": "ls"})"},
      {"allow", "term_open", R"({"argv": ["ls", "-l"]})"},
      {"deny", "term_open", R"({"argv": ["curl", "x"]})"},
      {"deny", "term_run", R"({"command": "ls", "compare_with": "curl x"})"},
      {"deny", "term_run", R"({"command": "curl x", "on": "ssh:db"})"},
      {"none", "term_run", R"({"command": "ls", "on": "ssh:db"})"},
      {"deny", "term_run", R"({"command": "ls", "on": ["curl", "x"]})"},
      {"deny", "term_open", R"({"env": {"PROMPT_COMMAND": "curl x"}})"},
      {"none", "term_run", R"({"command": "ls", "env": {"LD_PRELOAD": "x"}})"},
      // The user's shell is no command.
      {"nothing", "term_open", "{}"},
      {"nothing", "term_read", R"({"command": "curl x"})"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(AnswerTo(c.tool, *ParseJson(c.arguments)), c.answer)
        << c.arguments;
  }
}

TEST_F(CallsTest, AreDecidedByTheLinesThatTheyType) {
  Json none = Json::object();
  EXPECT_EQ(AnswerTo("term_send", none, {{"ls"}}), "allow");
  EXPECT_EQ(AnswerTo("term_send", none, {{"ls", "curl x"}}), "deny");
  EXPECT_EQ(AnswerTo("term_send", none, {{"git push"}}), "ask");
  EXPECT_EQ(AnswerTo("term_send", none, {{"y"}}), "none");
  EXPECT_EQ(AnswerTo("term_send", none, {{"ls"}, false}), "none");
  EXPECT_EQ(AnswerTo("term_send", none), "nothing");
  EXPECT_EQ(AnswerTo("term_run", {{"command", "ls"}}, {{"curl x"}}), "deny");
}

TEST_F(CallsTest, AreThoseOfOurTools) {
  EXPECT_EQ(ToolIn("mcp__glasstty__term_run"), "term_run");
  EXPECT_EQ(ToolIn("mcp__plugin_glasstty_glasstty__term_send"), "term_send");
  EXPECT_EQ(ToolIn("glasstty_term_open"), "term_open");
  EXPECT_EQ(ToolIn("term_run"), "term_run");
  EXPECT_EQ(ToolIn("mcp__other__term_run"), "");
  EXPECT_EQ(ToolIn("Bash"), "");
}

TEST_F(CallsTest, AreShownWithTheirCommands) {
  Call call{"term_run", {{"command", "ls"}, {"on", "ssh:db"}}, {}};
  EXPECT_EQ(CommandsIn(call), "ssh db ls");
  EXPECT_EQ(CommandsIn({"term_open", {{"argv", {"vim", "x"}}}, {}}), "vim x");
  EXPECT_EQ(CommandsIn({"term_send", {{"input", "x"}}, {}}), "");
}

}  // namespace
}  // namespace glasstty::permit
