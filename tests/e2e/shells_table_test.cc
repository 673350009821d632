// Tests what term_run can do in each shell, and that docs/shells.md says so.
//
// Each row is a shell and what works in it. A shell that is not installed is
// skipped; the document lists its row all the same.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"
#include "testing/source_tree.h"

namespace glasstty::testing {
namespace {

enum class MarkedBy {
  kOwn,    // our integration
  kTyped,  // the typed line marks its beginning and end
  kNone,   // term_run is refused
};

// Whose history file its commands go into, if your start-up files name one.
enum class Keeps { kItsOwn, kYours, kNone };

struct TableRow {
  const char* name;
  std::vector<std::string> argv;
  MarkedBy marks;
  bool runs_surrounded = false;  // with `cwd` and `env`
  Keeps keeps = Keeps::kNone;
  // The start-up file that may name one, and how.
  const char* file = "";
  const char* text = "HISTFILE=~/kept HISTSIZE=100 SAVEHIST=100\n";
};

const std::vector<TableRow>& TableRows() {
  static const auto* rows = new std::vector<TableRow>{
      {"bash", {"bash"}, MarkedBy::kOwn, true, Keeps::kItsOwn, ".bashrc"},
      {"zsh", {"zsh"}, MarkedBy::kOwn, true, Keeps::kItsOwn, ".zshrc"},
      {"fish", {"fish"}, MarkedBy::kOwn, false, Keeps::kItsOwn},
      {"mksh", {"mksh"}, MarkedBy::kTyped, true, Keeps::kItsOwn},
      {"ksh93", {"ksh93"}, MarkedBy::kTyped, true, Keeps::kItsOwn},
      {"dash", {"dash"}, MarkedBy::kTyped, true, Keeps::kNone},
      {"busybox ash",
       {"busybox", "sh"},
       MarkedBy::kTyped,
       true,
       Keeps::kItsOwn},
      {"yash", {"yash"}, MarkedBy::kTyped, true, Keeps::kYours, ".yashrc"},
      {"tcsh",
       {"tcsh"},
       MarkedBy::kTyped,
       false,
       Keeps::kYours,
       ".tcshrc",
       "set history=100 savehist=100\n"},
      {"elvish", {"elvish"}, MarkedBy::kNone},
      {"nushell", {"nu"}, MarkedBy::kNone},
      {"xonsh", {"xonsh"}, MarkedBy::kNone},
      {"PowerShell", {"pwsh"}, MarkedBy::kNone},
  };
  return *rows;
}

constexpr const char* kKeeps[] = {"the session's", "yours", "none"};

const char* YesNo(bool is_so) { return is_so ? "yes" : "no"; }

std::string ShellsPage() {
  std::string text =
      "# Shells\n"
      "\n"
      "This page is generated from the table in "
      "`tests/e2e/shells_table_test.cc`; do not edit it. The test runs\n"
      "commands in each shell that is installed where it runs.\n"
      "\n"
      "Where `term_run` works, it returns exactly what a command printed, and "
      "its status: commands of several lines, of 5,000\n"
      "bytes, with tabs, and with comments, and the next command after a "
      "program that was killed and left the terminal in\n"
      "raw mode. `shell` marks its prompts and commands itself, with "
      "glasstty's integration. Elsewhere the `typed line` marks\n"
      "its own beginning and end. A shell with neither gets no command: "
      "`term_run` types nothing and says so. `term_send`\n"
      "works in it as in any program, and `fresh=true` or another session "
      "runs the command in a shell that is known.\n"
      "\n"
      "The same holds for the other names of these shells: `sh` of any kind, "
      "`rbash`, `rksh`, `csh`, `lksh`, `oksh`, `loksh`,\n"
      "and the static builds of Debian.\n"
      "\n"
      "| shell | `term_run` | marks | `cwd`, `env` | history |\n"
      "| --- | --- | --- | --- | --- |\n";
  for (const TableRow& row : TableRows()) {
    bool works = row.marks != MarkedBy::kNone;
    const char* marks = row.marks == MarkedBy::kOwn ? "shell" : "typed line";
    text +=
        absl::StrFormat("| %s | %s | %s | %s | %s |\n", row.name, YesNo(works),
                        works ? marks : "", YesNo(row.runs_surrounded),
                        works ? kKeeps[static_cast<size_t>(row.keeps)] : "");
  }
  return text +
         "\n"
         "A history is the session's own, unless the setting `shell-history` "
         "says otherwise, or it is yours: the file that\n"
         "your start-up files for the shell name.\n";
}

class ShellsTable : public ::testing::TestWithParam<TableRow> {
 protected:
  void SetUp() override {
    // Some of these shells are in no distribution's packages.
    const std::string& shell = GetParam().argv[0];
    if (!IsInstalled(shell)) GTEST_SKIP() << shell << " is not installed";
    ServerOptions options;
    options.environment = DefaultEnvironment(home_.path());
    client_ = std::make_unique<McpClient>(options);
    Open(client_.get(), "s", GetParam().argv, {{"cwd", home_.path()}});
  }
  void ExpectRun(const std::string& command, const std::string& body,
                 int status = 0) {
    Reply reply = RunIn(client_.get(), "s", command);
    EXPECT_EQ(reply.body, body) << command << "\n" << reply.text;
    EXPECT_TRUE(Shows(reply, absl::StrFormat("exit=%d", status))) << command;
  }

  TempDir home_;
  std::unique_ptr<McpClient> client_;
};

TEST_P(ShellsTable, SaysWhatWorks) {
  const TableRow& row = GetParam();
  if (row.marks == MarkedBy::kNone) {
    Reply reply = RunIn(client_.get(), "s", "echo one");
    EXPECT_TRUE(reply.is_error) << reply.text;
    EXPECT_TRUE(Shows(reply, "nothing was typed"));
    EXPECT_TRUE(Shows(reply, "fresh=true"));
    return;
  }
  ExpectRun("sh -c 'echo one; exit 3'", "one", 3);
  ExpectRun("echo one\necho 'a\tb'", "one\na\tb");
  ExpectRun("echo one # two", "one");
  ExpectRun("echo " + std::string(5'000, ' ') + "end", "end");
  RunIn(client_.get(), "s", "sh -c 'stty raw -echo; kill -9 $$'");
  ExpectRun("printf 'a\\nb\\n'", "a\nb");
}

TEST_P(ShellsTable, SaysWhereACommandMayHaveSurroundingsOfItsOwn) {
  if (GetParam().marks == MarkedBy::kNone) return;
  Reply reply = client_->Call("term_run", {{"session", "s"},
                                           {"command", "pwd"},
                                           {"cwd", "/"},
                                           {"env", {{"A", "1"}}}});
  EXPECT_EQ(!reply.is_error && reply.body == "/", GetParam().runs_surrounded)
      << reply.text;
}

TEST_P(ShellsTable, SaysWhoseHistoryACommandGoesInto) {
  if (GetParam().marks == MarkedBy::kNone) return;
  home_.Write(*GetParam().file == '\0' ? "none" : GetParam().file,
              GetParam().text);
  Open(client_.get(), "t", GetParam().argv, {{"cwd", home_.path()}});
  RunIn(client_.get(), "t", "echo first");
  RunIn(client_.get(), "t", "echo second");
  Keys(client_.get(), "t", "exit<Enter>");
  client_->Call("term_wait",
                {{"session", "t"}, {"until", {{"state", "exited"}}}});
  EXPECT_EQ(FilesWith(home_.path(), "echo second").empty(),
            GetParam().keeps != Keeps::kYours);
}

INSTANTIATE_TEST_SUITE_P(All, ShellsTable,
                         ::testing::ValuesIn(Sample(TableRows(), 2)),
                         [](const auto& row) {
                           std::string name = row.param.name;
                           std::erase(name, ' ');
                           return name;
                         });

// GLASSTTY_UPDATE=1 writes it anew.
TEST(ShellsDocument, ListsTheRowsOfTheTable) {
  std::string path = SourcePath("docs/shells.md");
  if (std::getenv("GLASSTTY_UPDATE") != nullptr) {
    std::ofstream(path) << ShellsPage();
  }
  EXPECT_EQ(ReadWholeFile(path), ShellsPage());
}

}  // namespace
}  // namespace glasstty::testing
