// Runs the commands of the pages as they are written, by the shells that agents
// have.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"
#include "testing/source_tree.h"
#include "wire/shared_server.h"

namespace glasstty::testing {
namespace {

// Returns the lines of the page's blocks of commands. A block is indented by
// four columns.
std::vector<std::string> Recipes() {
  std::vector<std::string> recipes;
  for (absl::string_view line :
       absl::StrSplit(ReadWholeFile(SourcePath("docs/skill.md")), '\n')) {
    if (!absl::ConsumePrefix(&line, "    ")) continue;
    if (absl::StartsWith(line, "glasstty ")) recipes.emplace_back(line);
  }
  return recipes;
}

class Recipe : public ::testing::TestWithParam<const char*> {
 protected:
  Recipe() {
    // The page's commands take these for granted.
    home_.Write("Makefile", "test:\n\t@echo tests passed\n");
    home_.Write("file", "x a; b y\n");
    home_.Write(".pw", "hush\n");
    std::filesystem::create_directory(home_.Join("src"));
    WriteProgram("npm",
                 "echo listening on 8080\n"
                 "echo warn: slow\n"
                 "exec cat\n");
    // Asks for a line and for a key.
    WriteProgram("CMD",
                 "read -r line\n"
                 "stty -icanon\n"
                 "head -c 1 >/dev/null\n"
                 "stty icanon\n");
    WriteProgram("deploy", "echo deployed\n");
  }
  ~Recipe() override {
    pid_t server = wire::ServerOwner(home_.Join("state")).pid;
    if (server > 0) kill(server, SIGKILL);
  }

  void WriteProgram(const std::string& name, const std::string& script) {
    std::string path = home_.Write(name, "#!/bin/sh\n" + script);
    chmod(path.c_str(), 0755);
  }
  CommandResult Run(const std::string& line) {
    std::string folder = ServerPath().substr(0, ServerPath().rfind('/'));
    CommandResult result =
        RunCommand({"/usr/bin/env", "-C", home_.path(), GetParam(), "-c", line},
                   {"GLASSTTY_STATE_DIR=" + home_.Join("state"),
                    "HOME=" + home_.path(), "TERM=xterm", "SHELL=/bin/bash",
                    absl::StrCat("PATH=", home_.path(), ":", folder,
                                 ":/usr/local/bin:/usr/bin:/bin")});
    result.status = WEXITSTATUS(result.status);
    return result;
  }

  TempDir home_;
};

// Each beginning of a line with a command that must run before it.
const std::map<std::string, std::string>& Before() {
  static const std::map<std::string, std::string> kBefore = {
      {"glasstty wait build --text",
       "glasstty run --session build '(sleep 1; echo BUILD OK) &'"},
      {"glasstty wait build --state",
       "glasstty close build; glasstty open --name build 'exit 0'"},
      {"glasstty wait --event",
       "glasstty open --name brief --timeout 10ms 'sleep 1; exit 3'"},
      {"glasstty call send",
       "glasstty send main \"read -rsp Password: x\" '<Enter>'"},
  };
  return kBefore;
}

TEST_P(Recipe, DoesWhatThePageSays) {
  std::vector<std::string> recipes = Recipes();
  ASSERT_GE(recipes.size(), 20u);
  for (const std::string& line : recipes) {
    for (const auto& [beginning, before] : Before()) {
      if (line.starts_with(beginning)) Run(before);
    }
    CommandResult result = Run(line);
    EXPECT_EQ(result.status, 0) << line << "\n" << result.output;
  }
  EXPECT_EQ(ReadWholeFile(home_.Join("notes.txt")), "hello\n");
}

// Returns the lines with a command in the blocks of a page, between fences or
// indented, and in `kInline` also those in the text.
std::vector<std::string> CommandsOf(const std::string& page) {
  constexpr absl::string_view kInline = "`glasstty wait ";
  std::vector<std::string> commands;
  bool is_fenced = false;
  for (absl::string_view line :
       absl::StrSplit(ReadWholeFile(SourcePath(page)), '\n')) {
    if (absl::StartsWith(line, "```")) is_fenced = !is_fenced;
    // Brackets are no part of a command.
    bool is_inline =
        absl::StartsWith(line, kInline) && !absl::StrContains(line, "[");
    bool is_indented =
        absl::EndsWith(page, "skill.md") && absl::ConsumePrefix(&line, "    ");
    if (is_inline) line = line.substr(1, line.find('`', 1) - 1);
    absl::ConsumePrefix(&line, "$ ");
    bool is_code = is_fenced || is_indented || is_inline;
    if (is_code && absl::StartsWith(line, "glasstty ")) {
      commands.emplace_back(line);
    }
  }
  return commands;
}

// These need a terminal, or serve until they are ended: attach_test.cc,
// new_test.cc, play_test.cc, view_test.cc, recording_test.cc and
// sharing_test.cc run them.
bool HasTestsOfItsOwn(const std::string& line) {
  for (const char* beginning :
       {"glasstty attach", "glasstty new", "glasstty play", "glasstty view",
        "glasstty tail -f", "glasstty mcp", "glasstty serve"}) {
    if (line.starts_with(beginning)) return true;
  }
  return false;
}

TEST_P(Recipe, OtherPagesCanBeFollowed) {
  WriteProgram("notify-send", "exit 0\n");
  ASSERT_EQ(Run("glasstty open --name build 'echo READY; cat'").status, 0);
  ASSERT_EQ(Run("glasstty open --name SESSION cat").status, 0);
  ASSERT_EQ(Run("glasstty cast build -o demo.cast").status, 0);
  size_t count = 0;
  for (const char* page :
       {"packaging/plugins/skill.md", "docs/plugins.md", "docs/people.md",
        "docs/anywhere.md", "README.md", "docs/watching.md"}) {
    for (const std::string& line : CommandsOf(page)) {
      if (HasTestsOfItsOwn(line)) continue;
      if (line.starts_with("glasstty wait --event build")) {
        Run("glasstty close build; glasstty open --name build --timeout 10ms "
            "'sleep 1; exit 3'");
      }
      // There are no other machines, and cat waits for input.
      int wanted = line.starts_with("glasstty places")         ? 1
                   : absl::StrContains(line, "--state input,") ? 10
                                                               : 0;
      CommandResult result = Run(line);
      EXPECT_EQ(result.status, wanted) << page << ": " << line << "\n"
                                       << result.output;
      ++count;
    }
  }
  EXPECT_GE(count, 10u);
}

INSTANTIATE_TEST_SUITE_P(
    All, Recipe,
    ::testing::ValuesIn(Sample(std::vector<const char*>{"bash", "dash", "fish"},
                               3)));

}  // namespace
}  // namespace glasstty::testing
