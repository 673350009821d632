// Tests how commands are written for shells: the typed text and the files.
#include "typing/command_form.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/utf8.h"
#include "support/status.h"
#include "testing/system.h"
#include "wire/session_files.h"

namespace glasstty::typing {
namespace {

using testing::ReadWholeFile;
using testing::TempDir;

class CommandForm : public ::testing::Test {
 protected:
  ShellPlace In(const char* shell, bool takes_pastes = true) {
    return {FindShell(shell),
            takes_pastes,
            true,
            false,
            [this](const std::string& name, const std::string& content) {
              UniqueFd fd(open(dir_.path().c_str(), O_RDONLY | O_DIRECTORY));
              EXPECT_TRUE(ReplaceFileAt(fd.get(), name, content));
              return absl::OkStatus();
            },
            dir_.path()};
  }
  std::string AtPrompt(const ShellCommand& command, const ShellPlace& place) {
    auto form = FormAtPrompt(command, place);
    return form.ok() ? *form : "error: " + Message(form.status());
  }
  std::string Sourced(const std::string& word) {
    return " " + word + " '" + dir_.Join("command") + "'";
  }

  TempDir dir_;
};

TEST_F(CommandForm, AtAPromptIsTheCommandWhereTheEditorLeavesItAlone) {
  EXPECT_EQ(AtPrompt({"echo hi", "", {}}, In("zsh")), "echo hi");
  EXPECT_EQ(AtPrompt({"a\nb", "", {}}, In("zsh")), "a\nb");
  EXPECT_EQ(AtPrompt({"a\nb", "", {}}, In("bash")), "{\na\nb\n}");
  EXPECT_EQ(AtPrompt({"a\tb", "", {}}, In("bash")), "a\tb");
  EXPECT_FALSE(std::filesystem::exists(dir_.Join("command")));
}

TEST_F(CommandForm, AtAPromptIsAFileWhereTheEditorWouldChangeIt) {
  struct Row {
    const char* shell;
    bool takes_pastes;
    const char* text;
    const char* word;
  };
  for (const Row& row :
       {Row{"fish", true, "a\tb", "source"},
        Row{"fish", true, "a\n\tb", "source"}, Row{"bash", false, "a\tb", "."},
        Row{"bash", false, "a\nb", "."}, Row{"zsh", true, "a\rb", "."},
        Row{"bash", true, "a\x03", "."}, Row{"bash", true, "a\x7f", "."},
        Row{"bash", true, "!(x)", "."}, Row{"zsh", true, "echo !x", "."}}) {
    EXPECT_EQ(AtPrompt({row.text, "", {}}, In(row.shell, row.takes_pastes)),
              Sourced(row.word))
        << row.text;
    std::string file = ReadWholeFile(dir_.Join("command"));
    EXPECT_TRUE(file.ends_with(std::string(row.text) + "\n")) << file;
  }
}

// The entry is not the line that ran the file. fish cannot be given an entry.
TEST_F(CommandForm, InAFileTellsTheHistoryItsText) {
  for (const char* shell : {"bash", "zsh"}) {
    AtPrompt({"a'\r", "", {}}, In(shell));
    EXPECT_EQ(ReadWholeFile(dir_.Join("command")),
              "{ __glasstty_recall; } 2>/dev/null\na'\r\n");
  }
  AtPrompt({"a\r", "", {}}, In("fish"));
  EXPECT_EQ(ReadWholeFile(dir_.Join("command")), "a\r\n");
}

// In ble.sh, Enter makes a new line in such a text.
TEST_F(CommandForm, IsAFileWhereEnterDoesNotRunSeveralLines) {
  ShellPlace place = In("bash");
  place.runs_lines = false;
  EXPECT_EQ(AtPrompt({"a\nb", "", {}}, place), Sourced("."));
  EXPECT_EQ(AtPrompt({"a", "", {}}, place), "a");
}

// Otherwise no command would begin or end, and bash does not accept empty
// braces.
TEST_F(CommandForm, OfCommentsAloneIsACommandThatDoesNothing) {
  EXPECT_EQ(AtPrompt({"# don't", "", {}}, In("zsh")), ": # don't");
  EXPECT_EQ(AtPrompt({"#a\n\n # b", "", {}}, In("bash")), "{\n: #a\n\n # b\n}");
  EXPECT_EQ(AtPrompt({"# a", "/", {}}, In("zsh")),
            "(cd -- '/' && {\n: # a\n})");
  EXPECT_EQ(AtPrompt({"a # b", "", {}}, In("bash")), "a # b");
  EXPECT_EQ(AtPrompt({"# a\nb", "", {}}, In("zsh")), "# a\nb");
}

TEST_F(CommandForm, HasNoValueOfAVariableInWhatIsTyped) {
  // Only letters and digits may be in the folder's random name.
  const ShellCommand command{"x", "", {{"B", "v'2"}, {"A", "v-1"}}};
  for (const char* shell : {"bash", "zsh"}) {
    std::string typed =
        AtPrompt(command, In(shell)) + *MarkedForm(command, In(shell), 7);
    EXPECT_EQ(typed.find("v-1"), std::string::npos) << typed;
    EXPECT_EQ(typed.find("v'"), std::string::npos) << typed;
  }
  std::string path = dir_.Join(wire::kEnvironmentName);
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_NE(ReadWholeFile(path).find("A='v-1' B='v'\\''2'"), std::string::npos);
}

// zsh's `command` runs only programs, and its `trap` rejects no condition.
TEST_F(CommandForm, EndsADebugTrapBeforeAValueIsShown) {
  for (const char* shell : {"bash", "dash", "zsh"}) {
    AtPrompt({"x", "", {{"A", "v-1"}}}, In(shell));
    std::string script = ReadWholeFile(dir_.Join(wire::kEnvironmentName));
    size_t trap = script.find("trap - DEBUG");
    ASSERT_LT(trap, script.find("v-1")) << script;
    EXPECT_EQ(script.substr(trap - 8, 8) == "command ",
              std::string_view(shell) != "zsh")
        << script;
  }
}

TEST_F(CommandForm, LeavesATildeInFrontOfTheDirectoryToTheShell) {
  struct Row {
    const char* cwd;
    const char* word;
  };
  for (const Row& row :
       {Row{"~", "~"}, Row{"~/", "~/"}, Row{"~/a b", "~/'a b'"},
        Row{"~user", "~user"}, Row{"~user/~", "~user/'~'"},
        Row{"~$(x)/y", "'./~$(x)/y'"}, Row{"~a b", "'./~a b'"},
        Row{"~+", "'./~+'"}, Row{"/a/~", "'/a/~'"}, Row{"a", "'./a'"},
        Row{"-", "'./-'"}, Row{"..", "'./..'"}}) {
    EXPECT_EQ(AtPrompt({"x", row.cwd, {}}, In("zsh")),
              std::string("(cd -- ") + row.word + " && {\nx\n})");
  }
}

TEST_F(CommandForm, AtAPromptIsAFileWhereTheTextIsLong) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    std::string text(FindShell(shell)->quick_bytes + 1, 'x');
    std::string word(FindShell(shell)->source);
    EXPECT_EQ(AtPrompt({text, "", {}}, In(shell)), Sourced(word));
    // bash and zsh are also told what to keep in their history.
    EXPECT_TRUE(ReadWholeFile(dir_.Join("command")).ends_with(text + "\n"));
    std::string shorter = text.substr(1);
    EXPECT_EQ(AtPrompt({shorter, "", {}}, In(shell)), shorter);
  }
}

TEST_F(CommandForm, IsSeveralShortLinesForAnEditorThatMayCutALongOne) {
  std::string text;
  for (int i = 0; i < 5'000; ++i) text += i % 3 == 0 ? "é" : "-'\n";
  // Short, but not once it is quoted.
  std::string quotes(500, '\'');
  std::vector<std::pair<std::string, std::string>> cases = {{"dash", quotes}};
  for (const char* shell : {"mksh", "dash", "busybox", "ksh", "sh", "bash"}) {
    cases.emplace_back(shell, text);
  }
  for (const auto& [shell, command] : cases) {
    std::string form =
        *MarkedForm({command, "", {}}, In(shell.c_str(), false), 7);
    size_t longest = 0, begin = 0;
    while (begin < form.size()) {
      size_t end = std::min(form.find('\n', begin), form.size());
      longest = std::max(longest, end - begin);
      std::string line = form.substr(begin, end - begin);
      EXPECT_TRUE(IsValidUtf8(line)) << line;
      EXPECT_EQ(line.find("printf '-"), std::string::npos) << line;
      begin = end + 1;
    }
    EXPECT_GT(longest, 300u);
    EXPECT_LT(longest, 1'000u);
  }
  // An editor that takes a paste keeps all of it.
  std::string form = *MarkedForm({text, "", {}}, In("bash"), 7);
  EXPECT_EQ(form.find("\nprintf"), std::string::npos);
}

TEST_F(CommandForm, IsAFileWhereAShellWithoutMarksCanReadIt) {
  auto is_file = [this](const char* shell, const std::string& text,
                        bool takes_pastes = false) {
    ShellPlace place = In(shell, takes_pastes);
    place.reads_files = true;
    std::string form = *MarkedForm({text, "", {}}, place, 7);
    std::string source = std::string(FindShell(shell)->source) + " '" +
                         dir_.Join("command") + "'; ";
    bool is_there = form.find(source) != std::string::npos;
    if (is_there) {
      EXPECT_EQ(ReadWholeFile(dir_.Join("command")), text + "\n");
    }
    return is_there;
  };
  for (const char* shell : {"mksh", "busybox", "yash", "ksh", "tcsh", "dash"}) {
    EXPECT_TRUE(is_file(shell, std::string(1'001, 'x'))) << shell;
    EXPECT_FALSE(is_file(shell, "echo one")) << shell;
  }
  for (const char* text : {"a\nb", "rm a # b", "a;#b", "a\tb"}) {
    EXPECT_TRUE(is_file("tcsh", text)) << text;
    EXPECT_FALSE(is_file("mksh", text)) << text;
  }
  EXPECT_FALSE(is_file("tcsh", "echo a#b"));
  EXPECT_TRUE(is_file("bash", "rm a # b", true));
  // A restricted shell refuses to run it.
  EXPECT_FALSE(is_file("rbash", std::string(1'001, 'x'), true));
}

TEST_F(CommandForm, SetsTheTerminalBackFirstWhereTheShellKeepsSettings) {
  ShellPlace place = In("mksh", false);
  place.reads_files = place.needs_mending = true;
  std::string form = *MarkedForm({"echo one", "", {}}, place, 7);
  EXPECT_NE(form.find("; . '"), std::string::npos) << form;
  std::string file = ReadWholeFile(dir_.Join("command"));
  EXPECT_NE(file.find("stty "), std::string::npos) << file;
  EXPECT_NE(file.find("left=tty;run=7"), std::string::npos) << file;
  EXPECT_TRUE(file.ends_with("\necho one\n")) << file;
  place = In("fish");
  place.needs_mending = true;
  EXPECT_EQ(AtPrompt({"echo one", "", {}}, place), Sourced("source"));
  EXPECT_EQ(ReadWholeFile(dir_.Join("command")), "__glasstty_mend\necho one\n");
}

TEST_F(CommandForm, IsRefusedWhereCshWouldRunItInPieces) {
  for (const char* text : {"a\nb", "rm a # b"}) {
    absl::Status status = CheckCommand({text, "", {}}, In("tcsh"));
    ASSERT_FALSE(status.ok()) << text;
    EXPECT_NE(Message(status).find("term_write_file"), std::string::npos);
    ShellPlace place = In("tcsh");
    place.reads_files = true;
    EXPECT_TRUE(CheckCommand({text, "", {}}, place).ok());
  }
}

TEST_F(CommandForm, IsRefusedWhereALongOneCannotBeSplit) {
  auto form = MarkedForm({std::string(5'000, 'x'), "", {}}, In("tcsh"), 7);
  ASSERT_FALSE(form.ok());
  EXPECT_NE(Message(form.status()).find("term_write_file"), std::string::npos);
  EXPECT_TRUE(MarkedForm({std::string(500, 'x'), "", {}}, In("tcsh"), 7).ok());
}

TEST_F(CommandForm, IsSpelledOutForAnEditorThatWouldChangeIt) {
  auto evaluation = [&](const char* text, const ShellPlace& place) {
    std::string line = *MarkedForm({text, "", {}}, place, 7);
    size_t begin = line.find("eval");
    std::string_view next = place.shell->is_posix ? "; (set" : "; printf";
    return line.substr(begin, line.find(next, begin) - begin);
  };
  EXPECT_EQ(evaluation("it's 5%", In("dash", false)), "eval 'it'\\''s 5%'");
  EXPECT_EQ(evaluation("a\tb", In("dash", false)), "eval 'a\tb'");
  EXPECT_EQ(evaluation("a\tb", In("mksh", false)),
            "eval \"$(printf 'a\\011b')\"");
  EXPECT_EQ(evaluation("it's 5%\\\x03\n!x", In("bash")),
            "eval \"$(printf 'it\\047s 5%%\\134\\003\\012\\041x')\"");
  EXPECT_EQ(evaluation("a\\\\b", In("fish")),
            "eval (printf 'a\\134\\134b' | string collect)");
  // No way is known to spell a line out for it.
  EXPECT_EQ(evaluation("a\tb", In("tcsh")), "eval 'a\tb'");
}

TEST_F(CommandForm, LeavesTheStatusAloneWhereTheShellIsLikeSh) {
  for (const char* shell : {"dash", "bash", "zsh", "mksh", "ksh", "busybox"}) {
    std::string line = *MarkedForm({"false", "", {}}, In(shell, false), 7);
    EXPECT_TRUE(line.starts_with(" (set -- $?; ")) << line;
    EXPECT_NE(line.find("; exit $1); eval 'false'; (set -- $?; "),
              std::string::npos)
        << line;
    EXPECT_TRUE(line.ends_with("; exit $1)")) << line;
  }
}

TEST_F(CommandForm, IsRefusedWhereItCannotBeRunAsItIs) {
  auto refusal = [](const ShellCommand& command, const ShellPlace& place) {
    absl::Status status = CheckCommand(command, place);
    return status.ok() ? "ok" : Message(status);
  };
  EXPECT_EQ(refusal({"x", "/", {{"A", "1"}}}, In("bash")), "ok");
  EXPECT_NE(refusal({"x", "/", {}}, In("fish")).find("fresh=true"),
            std::string::npos);
  EXPECT_NE(refusal({"x", "", {{"A", "1"}}}, In("csh")).find("fresh=true"),
            std::string::npos);
  EXPECT_EQ(refusal({"x", "", {{"A B", "1"}}}, In("bash")),
            "term_run: env: 'A B' is not a valid variable name");
  EXPECT_EQ(refusal({"x", "", {{"A", std::string("a\0b", 3)}}}, In("bash")),
            "term_run: env A: a value cannot hold a NUL");
  EXPECT_EQ(refusal({std::string("a\0b", 3), "", {}}, In("bash")),
            "term_run: 'command' holds a NUL byte");
  ShellPlace far = In("bash");
  far.is_far = true;
  std::string words = refusal({"x", "", {{"A", "hunter2"}}}, far);
  EXPECT_NE(words.find("read -rs"), std::string::npos) << words;
  EXPECT_EQ(words.find("hunter2"), std::string::npos);
  EXPECT_EQ(refusal({"x", "/tmp", {}}, far), "ok");
}

TEST_F(CommandForm, TakesTheNamesThatAShellTakes) {
  auto is_taken = [this](const std::string& name) {
    return CheckCommand({"x", "", {{name, "1"}}}, In("bash")).ok();
  };
  for (const char* name : {"_", "a", "z", "A", "Z", "a0", "Z9", "_1", "azAZ"}) {
    EXPECT_TRUE(is_taken(name)) << name;
  }
  // These include the neighbours of the letters and digits.
  for (const char* name : {"", "0", "9", "0a", "9A", "a/", "a:", "a@", "a[",
                           "a`", "a{", "a-b", "\xC3\xA4"}) {
    EXPECT_FALSE(is_taken(name)) << name;
  }
}

TEST_F(CommandForm, SaysWhichFileCannotBeWritten) {
  ShellPlace place = In("zsh");
  place.put_file = [](const std::string& name, const std::string&) {
    return NotFound("write %s: no", name);
  };
  EXPECT_EQ(AtPrompt({"x", "", {{"A", "1"}}}, place),
            "error: write environment: no");
}

}  // namespace
}  // namespace glasstty::typing
