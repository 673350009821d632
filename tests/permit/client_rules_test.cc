// Tests how the files of rules that clients have are found and read.
#include "permit/client_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "support/status.h"
#include "testing/no_descriptors.h"
#include "testing/system.h"

namespace glasstty::permit {
namespace {

std::string Why(const absl::StatusOr<RuleSet>& rules) {
  return rules.ok() ? "good" : Message(rules.status());
}

TEST(ClientRules, ThatAreMalformedAreErrors) {
  EXPECT_NE(Why(ParseClaudeRules("{")), "good");
  EXPECT_EQ(Why(ParseClaudeRules(R"({"permissions": {"deny": "Bash"}})")),
            "'permissions.deny' is not a list");
  EXPECT_EQ(Why(ParseOpencodeRules(R"({"permission": {"bash": 1}})")),
            "'bash' has no answer");
  EXPECT_EQ(Why(ParseOpencodeRules(R"({"permission": {"bash": {"x": 1}}})")),
            "'x' has no answer");
  const char* const broken[] = {
      "x = 1\n",
      "prefix_rule(\n",
      "prefix_rule(pattern = NAME)\n",
      "prefix_rule(pattern = [\"a\" \"b\"])\n",
      "prefix_rule(pattern = [\"a])\n",
      "prefix_rule(pattern = [])\n",
      "prefix_rule(decision = \"allow\")\n",
      "prefix_rule(pattern = [\"a\"], decision = \"maybe\")\n",
      "prefix_rule(pattern = [[[[[[[[[[\"a\"]]]]]]]]]])\n",
      "for x in y:\n",
  };
  for (const char* text : broken) {
    EXPECT_EQ(Why(ParseCodexRules(text)).substr(0, 5), "line ") << text;
  }
  EXPECT_EQ(Why(ParseCodexRules("# only a comment\n")), "good");
}

TEST(ClientRules, OfOneWordAreAboutEverything) {
  RuleSet set = *ParseOpencodeRules(R"({"permission": "ask"})");
  EXPECT_EQ(Decide(set, PartsOfText("ls")).answer, Answer::kAsk);
  set =
      *ParseOpencodeRules(R"({"permission": {"*": "deny", "bash": "allow"}})");
  EXPECT_EQ(Decide(set, PartsOfText("ls")).answer, Answer::kAllow);
  set = *ParseOpencodeRules(R"({"permission": {"*": "deny"}})");
  EXPECT_EQ(Decide(set, PartsOfText("ls")).answer, Answer::kDeny);
  set = *ParseOpencodeRules("{}");
  EXPECT_EQ(Decide(set, PartsOfText("ls")).answer, Answer::kAllow);
}

class Files : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(
        std::filesystem::path(dir_.Join(name)).parent_path());
    dir_.Write(name, text);
  }
  // Returns the sources of the rules that are found.
  std::vector<std::string> Found(Client client, const std::string& moved = "") {
    Places places{dir_.Join("home"), dir_.Join("project/app"),
                  moved.empty() ? "" : dir_.Join(moved), "", dir_.Join("etc")};
    set_ = LoadRules(client, places);
    std::vector<std::string> sources;
    for (const Rule& rule : set_.rules) sources.push_back(rule.source);
    return sources;
  }
  static std::string Denies(const std::string& rule) {
    return R"({"permissions": {"deny": [")" + rule + R"("]}})";
  }

  testing::TempDir dir_;
  RuleSet set_;
};

TEST_F(Files, OfClaudeCodeAreThoseOfTheMachineTheUserAndTheProject) {
  Write("etc/claude-code/managed-settings.json", Denies("Bash(a)"));
  Write("etc/claude-code/managed-settings.d/x.json", Denies("Bash(b)"));
  Write("home/.claude/settings.json", Denies("Bash(c)"));
  Write("project/.git/HEAD", "");
  Write("project/.claude/settings.json", Denies("Bash(d)"));
  Write("project/app/.claude/settings.local.json", Denies("Bash(e)"));
  Write(".claude/settings.json", Denies("Bash(outside)"));
  Write("moved/settings.json", Denies("Bash(f)"));
  EXPECT_EQ(Found(Client::kClaudeCode),
            (std::vector<std::string>{"Bash(a)", "Bash(b)", "Bash(c)",
                                      "Bash(e)", "Bash(d)"}));
  EXPECT_EQ(Found(Client::kClaudeCode, "moved")[2], "Bash(f)");
}

// Others may write there, as in /tmp.
TEST_F(Files, AboveAProjectOutsideOfARepositoryAreNotRead) {
  Write("project/.claude/settings.json", Denies("Bash(above)"));
  Write("project/app/.claude/settings.json", Denies("Bash(in it)"));
  EXPECT_EQ(Found(Client::kClaudeCode),
            std::vector<std::string>{"Bash(in it)"});
}

TEST_F(Files, OfTheMachineMayBeTheOnlyOnes) {
  Write("etc/claude-code/managed-settings.json",
        R"j({"allowManagedPermissionRulesOnly": true,
            "permissions": {"allow": ["Bash(a)"]}})j");
  Write("home/.claude/settings.json", Denies("Bash(c)"));
  EXPECT_EQ(Found(Client::kClaudeCode), std::vector<std::string>{"Bash(a)"});
}

TEST_F(Files, OfAProjectCannotAllowAnythingInCodex) {
  Write("home/.codex/rules/default.rules", "prefix_rule(pattern=[\"a\"])");
  Write("project/app/.codex/rules/x.rules",
        "prefix_rule(pattern=[\"b\"])\n"
        "prefix_rule(pattern=[\"c\"], decision=\"forbidden\")");
  EXPECT_EQ(
      Found(Client::kCodex),
      (std::vector<std::string>{R"(["a"] (allow))", R"(["c"] (forbidden))"}));
}

TEST_F(Files, OfOpencodeInnerOnesComeLast) {
  Write("project/.git/HEAD", "");
  Write("home/.config/opencode/opencode.json", R"({"permission": "ask"})");
  Write("project/opencode.json", R"({"permission": {"bash": "deny"}})");
  Write("project/app/.opencode/opencode.jsonc",
        R"({"permission": {"bash": "allow",},})");
  EXPECT_EQ(Found(Client::kOpencode),
            (std::vector<std::string>{"permission: ask", "bash: deny",
                                      "bash: allow"}));
}

TEST_F(Files, ThatAreMissingAreNoRules) {
  for (Client client :
       {Client::kClaudeCode, Client::kCodex, Client::kOpencode}) {
    EXPECT_TRUE(Found(client).empty());
    EXPECT_TRUE(set_.unreadable.empty());
  }
}

TEST_F(Files, ThatAreBrokenAreNamed) {
  Write("home/.claude/settings.json", "{");
  Found(Client::kClaudeCode);
  EXPECT_EQ(set_.unreadable,
            std::vector{dir_.Join("home/.claude/settings.json")});
}

// A broken file may forbid something, even if it may not allow anything.
TEST_F(Files, OfAProjectThatAreBrokenAreNamedForCodex) {
  Write("project/app/.codex/rules/x.rules", "prefix_rule(pattern=[\"a\"");
  Found(Client::kCodex);
  EXPECT_EQ(set_.unreadable,
            std::vector{dir_.Join("project/app/.codex/rules/x.rules")});
}

TEST_F(Files, OfAFolderThatCannotBeListedAreNotOverlooked) {
  Write("home/.codex/rules/default.rules",
        "prefix_rule(pattern=[\"a\"], decision=\"forbidden\")");
  NoDescriptors none;
  Found(Client::kCodex);
  EXPECT_NE(std::find(set_.unreadable.begin(), set_.unreadable.end(),
                      dir_.Join("home/.codex/rules")),
            set_.unreadable.end());
}

}  // namespace
}  // namespace glasstty::permit
