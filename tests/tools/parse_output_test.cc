// The parsers, on what the real programs print.
#include "tools/parse_output.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace glasstty {
namespace {

class ParseOutputTest : public testing::Test {
 protected:
  ParseOutputTest() {
    char path[] = "/tmp/glasstty-parse-XXXXXX";
    root_ = mkdtemp(path);
    Sh("git init -q -b main . && git config user.name Me && "
       "git config user.email me@example.org && git config commit.gpgsign no");
  }
  ~ParseOutputTest() override { std::filesystem::remove_all(root_); }

  // stdout of a line for sh, in the repository.
  std::string Sh(const std::string& line) const {
    std::string command = "cd " + root_ + " && { " + line + "\n} 2>/dev/null";
    FILE* pipe = popen(command.c_str(), "r");
    std::string output;
    for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) {
      output += static_cast<char>(c);
    }
    pclose(pipe);
    return output;
  }

  // Runs the line and parses what it prints.
  ParsedOutput Parse(const std::string& line) const {
    auto parsed = ParseOutput(WordsOfCommand(line), Sh(line));
    EXPECT_TRUE(parsed.has_value()) << line << "\n" << Sh(line);
    return parsed.value_or(ParsedOutput());
  }

  void Commit(const std::string& subject) const {
    Sh("git commit -q --allow-empty -m '" + subject + "'");
  }

  std::string root_;
};

TEST_F(ParseOutputTest, GitLog) {
  Commit("first");
  Commit("second: with (parentheses)");
  Sh("git tag v1");
  ParsedOutput log = Parse("git log --oneline");
  ASSERT_EQ(log.data["commits"].size(), 2u);
  EXPECT_EQ(log.data["commits"][0]["subject"], "second: with (parentheses)");
  EXPECT_TRUE(log.summary.starts_with("2 commits, the first: ")) << log.summary;
  EXPECT_EQ(Parse("git log --oneline -n 1").data["commits"].size(), 1u);
  EXPECT_EQ(Parse("git log --oneline -1").data["commits"].size(), 1u);
  log = Parse("git log --oneline --decorate");
  EXPECT_EQ(log.data["commits"][0]["refs"],
            Json::array({"HEAD -> main", "tag: v1"}));
  Sh("git commit -q --allow-empty -m 'third' -m 'a body' -m 'of two'");
  log = Parse("git --no-pager log");
  const Json& third = log.data["commits"][0];
  EXPECT_EQ(third["subject"], "third");
  EXPECT_EQ(third["author"], "Me <me@example.org>");
  EXPECT_EQ(third["hash"].get<std::string>().size(), 40u);
  EXPECT_NE(third["body"].get<std::string>().find("of two"), std::string::npos);
}

TEST_F(ParseOutputTest, GitStatus) {
  EXPECT_EQ(Parse("git status -sb").summary, "main: clean");
  Sh("echo a > a; echo b > b; git add a b; git commit -qm one");
  Sh("echo x >> a; echo y >> b; git add b; echo z >> b; echo n > 'new file'; "
     "git mv a 'grün' 2>/dev/null; echo c > grün2");
  ParsedOutput status = Parse("git status --porcelain=v1 --branch");
  EXPECT_EQ(status.data["branch"]["name"], "main");
  EXPECT_EQ(status.data["staged"][1]["path"], "grün") << status.data;
  EXPECT_EQ(status.data["staged"][1]["from"], "a");
  EXPECT_EQ(status.data["staged"][1]["status"], "renamed");
  EXPECT_EQ(status.data["untracked"], Json::array({"grün2", "new file"}));
  EXPECT_EQ(status.summary, "main: 2 staged, 2 modified, 2 untracked");
  EXPECT_FALSE(Parse("git status -s").data.contains("branch"));
}

TEST_F(ParseOutputTest, GitStatusOfAFileThatWasMovedAndThenEdited) {
  Sh("seq 100 > 'a -> b'; git add .; git commit -qm one");
  Sh("git mv 'a -> b' c; echo x >> c");
  ParsedOutput status = Parse("git status -s");
  EXPECT_EQ(status.data["staged"],
            (Json{{{"path", "c"}, {"from", "a -> b"}, {"status", "renamed"}}}));
  EXPECT_EQ(status.data["modified"],
            (Json{{{"path", "c"}, {"status", "modified"}}}));
}

TEST_F(ParseOutputTest, GitStatusTellsConflictsAndTheDistance) {
  Sh("echo 1 > a; git add a; git commit -qm base; git branch other");
  Sh("echo 2 > a; git commit -qam two; git checkout -q other; echo 3 > a; "
     "git commit -qam three; git branch -q -u main; git merge -q main");
  ParsedOutput status = Parse("git status --short --branch");
  EXPECT_EQ(status.data["conflicts"], Json::array({"a"}));
  EXPECT_EQ(status.data["branch"]["upstream"], "main");
  EXPECT_EQ(status.data["branch"]["ahead"], 1);
  EXPECT_EQ(status.data["branch"]["behind"], 1);
  EXPECT_EQ(status.summary, "other ahead 1 behind 1: 1 in conflict");
}

TEST_F(ParseOutputTest, GitBranch) {
  Commit("one");
  Sh("git branch topic; git branch -u main topic; git checkout -q topic");
  Commit("two");
  ParsedOutput branches = Parse("git branch");
  EXPECT_EQ(branches.summary, "2 branches, on topic");
  EXPECT_EQ(branches.data["branches"][1]["current"], true);
  branches = Parse("git branch -vv");
  const Json& topic = branches.data["branches"][1];
  EXPECT_EQ(topic["upstream"], "main");
  EXPECT_EQ(topic["ahead"], 1);
  EXPECT_EQ(topic["subject"], "two");
  EXPECT_EQ(Parse("git branch --all").data["branches"].size(), 2u);
  EXPECT_EQ(Parse("git branch --show-current").data["branch"], "topic");
  Sh("git checkout -q --detach");
  EXPECT_TRUE(Parse("git branch")
                  .data["branches"][0]["name"]
                  .get<std::string>()
                  .starts_with("(HEAD detached at "));
  EXPECT_TRUE(Parse("git branch --show-current").data["branch"].is_null());
}

TEST_F(ParseOutputTest, GitBranchWhoseSubjectBeginsWithABracket) {
  Commit("[WIP] fix");
  Sh("git branch -q topic; git branch -q -u main topic; git worktree add -q "
     "wt topic; git -C wt commit -q --allow-empty -m two");
  for (const char* command : {"git branch -v", "git branch -vv"}) {
    Json branches = Parse(command).data["branches"];
    EXPECT_EQ(branches[0]["subject"], "[WIP] fix") << command;
    EXPECT_FALSE(branches[0].contains("upstream")) << command;
    EXPECT_EQ(branches[1]["subject"], "two") << command;
    EXPECT_EQ(branches[1]["ahead"], 1) << command;
  }
  Json topic = Parse("git branch -vv").data["branches"][1];
  EXPECT_EQ(topic["upstream"], "main");
  EXPECT_TRUE(topic["worktree"].get<std::string>().ends_with("/wt"));
  Sh("git branch -q gone; git branch -q -u main gone; git checkout -q -b "
     "other; git branch -q -D main");
  EXPECT_EQ(Parse("git branch -v").data["branches"][0]["gone"], true);
  EXPECT_EQ(Parse("git branch -vv").data["branches"][0]["upstream"], "main");
}

TEST_F(ParseOutputTest, GitRevParse) {
  Commit("one");
  EXPECT_EQ(Parse("git rev-parse --abbrev-ref HEAD").data["branch"], "main");
  EXPECT_EQ(Parse("git rev-parse --is-inside-work-tree").data["inside"], true);
  for (const char* object : {"HEAD", "HEAD^{tree}"}) {
    ParsedOutput name = Parse(std::string("git rev-parse ") + object);
    EXPECT_EQ(name.data["object"].get<std::string>().size(), 40u) << object;
  }
  std::string top = Parse("git rev-parse --show-toplevel")
                        .data["directory"]
                        .get<std::string>();
  EXPECT_TRUE(std::filesystem::equivalent(top, root_)) << top;
  Sh("git checkout -q --detach");
  EXPECT_TRUE(
      Parse("git rev-parse --abbrev-ref HEAD").data["branch"].is_null());
  EXPECT_TRUE(Parse("git branch --show-current").data["branch"].is_null());
}

TEST_F(ParseOutputTest, GitDiff) {
  Sh("seq 9 > a; seq 9 > b; printf '\\000' > c; git add .; git commit -qm one");
  Sh("seq 8 > a; git mv b d; printf '\\000\\001' > c; git add .");
  EXPECT_EQ(Parse("git diff --cached --name-only").data["files"],
            Json::array({"a", "c", "d"}));
  ParsedOutput status = Parse("git diff --staged --name-status");
  EXPECT_EQ(status.data["files"][2]["from"], "b");
  EXPECT_EQ(status.data["files"][2]["path"], "d");
  EXPECT_EQ(status.data["files"][0]["status"], "modified");
  ParsedOutput stat = Parse("git diff --cached --stat");
  EXPECT_EQ(stat.summary, "3 files changed, 1 deletion(-)");
  EXPECT_EQ(stat.data["files"][0]["lines"], 1);
  EXPECT_EQ(stat.data["files"][1]["binary"], true);
  EXPECT_EQ(stat.data["deletions"], 1);
  EXPECT_EQ(Parse("git diff --cached --shortstat").data["changed"], 3);
  ParsedOutput numbers = Parse("git diff --cached --numstat");
  EXPECT_EQ(numbers.summary, "3 files, +0 -1");
  EXPECT_EQ(numbers.data["files"][1]["binary"], true);
  EXPECT_EQ(Parse("git diff --stat").summary, "no changes");
  EXPECT_EQ(Parse("git diff --name-only").summary, "0 files");
}

TEST_F(ParseOutputTest, GitFilesAndRemotes) {
  Sh("echo > 'a b'; echo > ü; git add .");
  EXPECT_EQ(Parse("git ls-files").data["files"], Json::array({"a b", "ü"}));
  EXPECT_EQ(Parse("git remote -v").summary, "0 remotes");
  Sh("git remote add origin https://example.org/a.git; "
     "git remote add mirror ../mirror; "
     "git remote set-url --push origin git@example.org:a.git");
  ParsedOutput remotes = Parse("git remote -v");
  EXPECT_EQ(remotes.summary, "2 remotes: mirror, origin");
  EXPECT_EQ(remotes.data["remotes"][1]["fetch"], "https://example.org/a.git");
  EXPECT_EQ(remotes.data["remotes"][1]["push"], "git@example.org:a.git");
  EXPECT_EQ(Parse("git remote").data["remotes"],
            Json::array({"mirror", "origin"}));
}

TEST_F(ParseOutputTest, WhichAndType) {
  ParsedOutput which = Parse("which sh");
  EXPECT_TRUE(which.summary.ends_with("/sh"));
  Json bash = ParseOutput({"type", "-a", "ll", "cd", "sh"},
                          "ll is aliased to `ls -l'\ncd is a shell builtin\n"
                          "sh is /bin/sh\n")
                  ->data["found"];
  EXPECT_EQ(bash[0]["kind"], "alias");
  EXPECT_EQ(bash[1]["kind"], "builtin");
  EXPECT_EQ(bash[2]["path"], "/bin/sh");
  EXPECT_FALSE(ParseOutput({"which", "x"}, "x not found\n"));
}

// These lines were printed by the shells.
TEST(ParseOutput, KnowsTheWordsOfTypeInEachShell) {
  const struct {
    const char* line;
    const char* kind;
    const char* path;
  } kRows[] = {
      {"ls is hashed (/usr/bin/ls)", "file", "/usr/bin/ls"},
      {"ls is a tracked alias for /usr/bin/ls", "file", "/usr/bin/ls"},
      {"ls is /usr/bin/ls", "file", "/usr/bin/ls"},
      {"ll is aliased to `ls -l'", "alias", ""},
      {"cd is aliased to `builtin cd'", "alias", ""},
      {"ll is an alias for ls -l", "alias", ""},
      {"f is a shell function from /home/ann/builtin.sh", "function", ""},
      {"ls is a function with definition", "function", ""},
      {"cd is a shell builtin", "builtin", ""},
      {": is a special shell builtin", "builtin", ""},
      {"if is a shell keyword", "keyword", ""},
      {"if is a reserved word", "keyword", ""},
      {"ls: an external command at /usr/bin/ls", "file", "/usr/bin/ls"},
      {"ll: an alias for `say this is /etc'", "alias", ""},
      {"f: a function", "function", ""},
      {".: a special built-in", "builtin", ""},
      {"echo: a regular built-in at /usr/bin/echo", "builtin", ""},
      {"cd: a semi-special built-in", "builtin", ""},
      {"if: a shell keyword", "keyword", ""},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.line);
    auto parsed = ParseOutput({"type", "x"}, std::string(row.line) + "\n");
    ASSERT_TRUE(parsed);
    const Json& found = parsed->data["found"][0];
    EXPECT_EQ(found["kind"], row.kind);
    EXPECT_EQ(found.value("path", ""), row.path);
  }
}

TEST(ParseOutput, TakesNothingThatItDoesNotKnow) {
  const struct {
    std::vector<std::string> argv;
    std::string output;
  } kRows[] = {
      {{"git", "log", "--graph"}, "* a1b2c3d x\n"},
      {{"git", "log", "--oneline"}, "not a hash\n"},
      {{"git", "log"}, "a1b2c3d x\n"},
      {{"git", "status"}, "On branch main\n"},
      {{"git", "status", "-s"}, "fatal\n"},
      {{"git", "branch", "topic"}, ""},
      {{"git", "branch"}, "x\n"},
      {{"git", "diff"}, "diff --git a b\n"},
      {{"git", "diff", "--stat"}, "nonsense\n"},
      {{"git", "diff", "--name-status"}, "X\ta\n"},
      {{"git", "diff", "--numstat"}, "1\n"},
      {{"git", "remote", "-v"}, "origin\n"},
      {{"git", "remote", "add", "a"}, ""},
      {{"git", "rev-parse", "--is-inside-work-tree"}, "maybe\n"},
      {{"git"}, "usage\n"},
      {{"ls"}, "a\n"},
      {{}, ""},
  };
  for (const auto& row : kRows) {
    EXPECT_FALSE(ParseOutput(row.argv, row.output)) << row.output;
  }
}

TEST(ParseOutput, TakesOneCommandWithKnownWordsOnly) {
  EXPECT_EQ(WordsOfCommand("git log --oneline -n 5"),
            (std::vector<std::string>{"git", "log", "--oneline", "-n", "5"}));
  EXPECT_EQ(WordsOfCommand("'git' \"log\"").size(), 2u);
  for (const char* line :
       {"git log | head", "git log; ls", "git log > f", "git log $X",
        "git log &", "(git log)", "'git log"}) {
    EXPECT_TRUE(WordsOfCommand(line).empty()) << line;
  }
}

TEST(ParseOutput, UndoesTheQuotesOfGit) {
  EXPECT_EQ(UnquoteGitPath("plain"), "plain");
  EXPECT_EQ(UnquoteGitPath("\"gr\\303\\274n\\t\\\"\\\\\""), "grün\t\"\\");
}

}  // namespace
}  // namespace glasstty
