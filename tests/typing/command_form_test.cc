// How commands are written for shells: what is typed and what is in files.
#include "typing/command_form.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/fd.h"
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
    return {FindShell(shell), takes_pastes, false,
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
    return word + " '" + dir_.Join("command") + "'";
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
    EXPECT_EQ(ReadWholeFile(dir_.Join("command")),
              std::string(row.text) + "\n");
  }
}

TEST_F(CommandForm, HasNoValueOfAVariableInWhatIsTyped) {
  // Letters and digits alone may stand in the folder's random name.
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

// zsh's `command` runs programs only, and its `trap` refuses no condition.
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

TEST_F(CommandForm, IsSpelledOutForAnEditorThatWouldChangeIt) {
  auto evaluation = [&](const char* text, const ShellPlace& place) {
    std::string line = *MarkedForm({text, "", {}}, place, 7);
    size_t begin = line.find("eval");
    return line.substr(begin, line.find("; printf", begin) - begin);
  };
  EXPECT_EQ(evaluation("it's 5%", In("dash", false)), "eval 'it'\\''s 5%'");
  EXPECT_EQ(evaluation("a\tb", In("dash", false)), "eval 'a\tb'");
  EXPECT_EQ(evaluation("a\tb", In("mksh", false)),
            "eval \"$(printf 'a\\011b')\"");
  EXPECT_EQ(evaluation("it's 5%\\\x03\n!x", In("bash")),
            "eval \"$(printf 'it\\047s 5%%\\134\\003\\012\\041x')\"");
  EXPECT_EQ(evaluation("a\\\\b", In("fish")),
            "eval (printf 'a\\134\\134b' | string collect)");
  // Nothing is known that would spell a line out for it.
  EXPECT_EQ(evaluation("a\tb", In("tcsh")), "eval 'a\tb'");
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
  // The neighbours of the letters and digits, too.
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
