#include "gate/gate.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "gate/shell_reader.h"
#include "support/status.h"
#include "support/text.h"
#include "testing/source_tree.h"

namespace glasstty::gate {
namespace {

const PathContext kPlace = {"/home/me", "/home/me/project"};
// In some directories, names of subcommands and options are names of files. In
// the last ones all files are kept.
const char* const kDirectories[] = {
    "/home/me/project",  "/",          "/usr",     "/home",         "/tmp",
    "/home/me",          "/etc/nginx", "/srv/app", "/home/me/.ssh", "/var/www",
    "/home/me/Documents"};
// All that has a name in these is kept itself, so more is asked about there.
const char* const kKept[] = {"/data", "/etc", "/mnt"};

// Returns true for texts whose effect depends on the directory in which they
// run.
bool DependsOnDirectory(const std::string& text) {
  return text == "cd ..; rm -rf ../me" || text == "(cd /); rm -rf usr" ||
         text == "chmod -R a+rwx .";
}

struct Row {
  std::string rule;  // empty: none
  std::string text;
};

std::vector<Row> ReadRows(const std::string& name, bool with_rule) {
  std::vector<Row> rows;
  std::ifstream file(SourcePath("fixtures/gate/" + name));
  std::string line;
  bool head = true;
  while (std::getline(file, line)) {
    // Prose begins with "# " and ends at a blank line; one fixture is itself a
    // comment.
    bool comment = line.starts_with("# ") && line != "# rm -rf /";
    if (line.empty() || comment || (head && line.empty())) continue;
    head = false;
    Row row;
    size_t tab = with_rule ? line.find('\t') : std::string::npos;
    if (with_rule) row.rule = line.substr(0, tab);
    row.text = with_rule ? line.substr(tab + 1) : line;
    const std::string kReturn = "⏎";
    for (size_t at = row.text.find(kReturn); at != std::string::npos;
         at = row.text.find(kReturn)) {
      row.text.replace(at, kReturn.size(), "\n");
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string RuleOf(const Verdict& verdict) {
  return verdict.finding ? verdict.finding->rule : "";
}

TEST(Gate, CatchesEveryWayToWriteADangerousCommand) {
  Gate gate({});
  std::vector<Row> rows = ReadRows("dangerous.txt", true);
  EXPECT_GE(rows.size(), 60u);
  for (const char* directory : kDirectories) {
    PathContext place = {"/home/me", directory};
    for (const Row& row : rows) {
      if (directory != kDirectories[0] && DependsOnDirectory(row.text))
        continue;
      EXPECT_EQ(RuleOf(gate.JudgeShell(row.text, place)), row.rule)
          << row.text << " in " << directory;
    }
  }
  for (const char* directory : kKept) {
    PathContext place = {"/home/me", directory};
    for (const Row& row : rows) {
      if (DependsOnDirectory(row.text)) continue;
      EXPECT_NE(RuleOf(gate.JudgeShell(row.text, place)), "")
          << row.text << " in " << directory;
    }
  }
}

TEST(Gate, AsksAboutRoutineWorkInStrictModeOnly) {
  Gate usual({});
  Gate strict({.mode = Mode::kStrict});
  std::vector<Row> rows = ReadRows("routine.txt", true);
  EXPECT_GE(rows.size(), 15u);
  for (const char* directory : kDirectories) {
    PathContext place = {"/home/me", directory};
    for (const Row& row : rows) {
      if (directory != kDirectories[0] && DependsOnDirectory(row.text))
        continue;
      EXPECT_EQ(RuleOf(usual.JudgeShell(row.text, place)), "")
          << row.text << " in " << directory;
      EXPECT_EQ(RuleOf(strict.JudgeShell(row.text, place)), row.rule)
          << row.text << " in " << directory;
    }
  }
}

TEST(Gate, StrictModeFindsAllThatTheUsualOneFinds) {
  Gate strict({.mode = Mode::kStrict});
  for (const Row& row : ReadRows("dangerous.txt", true)) {
    EXPECT_EQ(RuleOf(strict.JudgeShell(row.text, kPlace)), row.rule)
        << row.text;
  }
}

TEST(Gate, LetsHarmlessCommandsPassWithoutANote) {
  Gate gate({});
  std::vector<Row> rows = ReadRows("harmless.txt", false);
  EXPECT_GE(rows.size(), 60u);
  for (const char* directory : kDirectories) {
    PathContext place = {"/home/me", directory};
    for (const Row& row : rows) {
      if (directory != kDirectories[0] && DependsOnDirectory(row.text))
        continue;
      Verdict verdict = gate.JudgeShell(row.text, place);
      EXPECT_EQ(RuleOf(verdict), "") << row.text << " in " << directory;
      EXPECT_FALSE(verdict.unfinished) << row.text;
    }
  }
}

// This includes unknown directories, as over ssh.
TEST(Gate, AsksAboutAllThatIsHereInAnUnknownDirectory) {
  Gate gate({});
  const struct {
    const char* text;
    const char* rule;
  } kRows[] = {
      {"rm -rf *", "rm-recursive"},
      {"rm -rf ..", "rm-recursive"},
      {"rm -rf ./.git", "rm-recursive"},
      {"rm -rf src", "rm-recursive"},
      {"cd .. && rm -rf *", "rm-recursive"},
      {"cd build && rm -rf ../*", "rm-recursive"},
      {"cd \"$DIR\" && rm -rf *", "rm-recursive"},
      {"cd build && rm -rf *", ""},
      {"rm -rf etc", ""},
      {"git push", ""},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(RuleOf(gate.JudgeShell(row.text, {"/home/me", ""})), row.rule)
        << row.text;
  }
}

TEST(Gate, AsksAboutAllThatIsHereUnlessABuildDirectoryWasEntered) {
  Gate gate({});
  for (const char* text :
       {"rm -rf *", "rm -rf $PWD", "cd build; cd ..; rm *"}) {
    EXPECT_NE(RuleOf(gate.JudgeShell(text, kPlace)), "") << text;
  }
  EXPECT_EQ(RuleOf(gate.JudgeShell("cd build && rm -rf *", kPlace)), "");
  PathContext build = {"/home/me", "/home/me/project/build"};
  EXPECT_EQ(RuleOf(gate.JudgeShell("rm -rf *", build)), "");
  EXPECT_EQ(RuleOf(gate.JudgeShell("rm -rf ../*", build)), "rm-recursive");
}

// zsh runs the text after a "#" unless it was told not to.
TEST(Gate, JudgesCommentsOfAShellThatMayRunThem) {
  Gate gate({});
  const struct {
    const char* text;
    const char* usual;
    const char* runs;
  } kRows[] = {
      {"ls # x; rm -rf /", "", "rm-recursive"},
      {"rm -rf a.o # keep ~", "", "rm-recursive"},
      {"# a && git push --force", "", "git-push-force"},
      {"ls # don't\nrm -rf /", "rm-recursive", "rm-recursive"},
      {"ls # rm -rf /", "", ""},
      {"echo a#b", "", ""},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(RuleOf(gate.JudgeShell(row.text, kPlace)), row.usual) << row.text;
    EXPECT_EQ(RuleOf(gate.JudgeShell(row.text, kPlace, true)), row.runs)
        << row.text;
  }
  EXPECT_FALSE(gate.JudgeShell("ls # don't", kPlace, true).unfinished);
}

// A session with pipes passes its input to its program in this way.
TEST(Gate, JudgesWhatAProgramGetsOnStdin) {
  Gate gate({});
  const struct {
    std::vector<std::string> argv;
    const char* input;
    const char* rule;
  } kRows[] = {
      {{"sh"}, "rm -rf /", "rm-recursive"},
      {{"sudo", "bash", "-s"}, "ls\nrm -rf ~\n", "rm-recursive"},
      {{"sudo", "-s"}, "rm -rf /", "rm-recursive"},
      {{"sudo", "-l"}, "rm -rf /", ""},
      {{"ssh", "web", "bash"}, "rm -rf /", "rm-recursive"},
      {{"ssh", "web", "cat"}, "rm -rf /", ""},
      {{"sh", "-c", "bash"}, "rm -rf /", "rm-recursive"},
      {{"sh", "-c", "cat | sh"}, "rm -rf /", "rm-recursive"},
      {{"docker", "exec", "-i", "web", "sh"}, "rm -rf /", "rm-recursive"},
      {{"ssh", "web"}, "rm -rf /", "rm-recursive"},
      {{"python3", "-"}, "shutil.rmtree('/home')", "rm-recursive"},
      {{"psql", "shop"}, "drop table users;", "sql-drop"},
      {{"redis-cli"}, "flushall", "sql-truncate"},
      {{"cat"}, "rm -rf /", ""},
      {{"sh", "-c", "ls"}, "rm -rf /", ""},
      {{"sh"}, "ls\n", ""},
      {{"python3", "-"}, "print('rm -rf /')", ""},
      {{}, "rm -rf /", ""},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(RuleOf(gate.JudgeArguments(row.argv, kPlace, row.input)),
              row.rule)
        << Join(row.argv, " ") << " < " << row.input;
  }
}

TEST(Gate, NamesWhatItFoundAndWhy) {
  Gate gate({});
  Verdict verdict = gate.JudgeShell("ls; sudo rm -rf '/'", kPlace);
  EXPECT_EQ(Objection(verdict, Mode::kOn),
            "`sudo rm -rf /` deletes a system directory, a home, or everything "
            "here (gate: rm-recursive)");
  EXPECT_EQ(Objection(verdict, Mode::kOff), "");
}

TEST(Gate, JudgesArgumentsAsTheyAre) {
  Gate gate({});
  auto rule = [&gate](const std::vector<std::string>& argv) {
    return RuleOf(gate.JudgeArguments(argv, kPlace));
  };
  EXPECT_EQ(rule({"rm", "-rf", "/"}), "rm-recursive");
  EXPECT_EQ(rule({"sh", "-c", "rm -rf ~"}), "rm-recursive");
  EXPECT_EQ(rule({"env", "A=b", "git", "push", "-f"}), "git-push-force");
  // No shell expands these.
  EXPECT_EQ(rule({"rm", "-rf", "~"}), "");
  EXPECT_EQ(rule({"echo", "$(rm -rf /)"}), "");
  EXPECT_EQ(rule({"rm", "-rf", "build; ls"}), "");
  EXPECT_EQ(rule({}), "");
}

TEST(Gate, JudgesStatementsOfSqlClients) {
  Gate gate({});
  const struct {
    const char* text;
    const char* rule;
    bool unfinished = false;
  } kRows[] = {
      {"select * from users;", ""},
      {"DROP TABLE users;", "sql-drop"},
      {"drop\n  table if exists users;", "sql-drop"},
      {"DROP TABLE users", "sql-drop", true},
      {"/* x */ drop -- y\n table users;", "sql-drop"},
      {"/*!50000 DROP TABLE users */;", "sql-drop"},
      {"select 1; truncate users;", "sql-truncate"},
      {"delete from users;", "sql-delete-all"},
      {"delete from users", "", true},
      {"delete from users\nwhere id = 1;", ""},
      {"delete from users where 1=1;", "sql-where-true"},
      {"update users set admin = true;", "sql-update-all"},
      {"update users set a = 'where' ;", "sql-update-all"},
      {"alter table users drop column name;", "sql-drop"},
      {"with old as (select 1) delete from users;", "sql-delete-all"},
      {"insert into notes values ('DROP TABLE users;');", ""},
      {"select \"drop table x\" from y;", ""},
      {"-- drop table users;", ""},
      {"select 'open", "", true},
      {"\\! rm -rf /", "rm-recursive"},
      {".shell rm -rf ~", "rm-recursive"},
      {".tables", ""},
      {"\\dt", ""},
      {"use prod", ""},
      {"\\c prod\nDELETE FROM users;", "sql-delete-all"},
      {"\\set ON_ERROR_STOP on\nTRUNCATE orders;", "sql-truncate"},
      {"USE prod\nDELETE FROM t;", "sql-delete-all"},
      {"use prod; delete from t;", "sql-delete-all"},
      {"delete from t\n\\x\nwhere id = 1;", ""},
      {"delete from t\n\\x\n;", "sql-delete-all"},
      {"\\x \\\\ delete from users;", "sql-delete-all"},
      {"select 1 \\gx\ndelete from t;", "sql-delete-all"},
      {"delete from t\n\\g\n", "sql-delete-all"},
      {"\\c prod\nselect 1", "", true},
      {"delete from users\\g", "sql-delete-all"},
      {"delete from users\\G", "sql-delete-all"},
      {"select 1;\n\\! rm -rf /", "rm-recursive"},
      {"  .shell rm -rf ~", "rm-recursive"},
      {"select 1\n.5; drop table users;", "sql-drop"},
      {"select a .shell rm -rf /;", ""},
      {"select 5 # 3; drop table users;", "sql-drop"},
      {"select 1;\n# it's a note\n", ""},
  };
  for (const auto& row : kRows) {
    Verdict verdict = gate.JudgeSqlClient(row.text, kPlace);
    EXPECT_EQ(RuleOf(verdict), row.rule) << row.text;
    EXPECT_EQ(verdict.unfinished, row.unfinished) << row.text;
  }
}

TEST(Gate, SaysWhatItDoesNotUnderstandAndRefusesItWhenStrict) {
  Gate gate({});
  const struct {
    const char* text;
    const char* unknown;
  } kRows[] = {
      {"$CMD -rf /", "what '$CMD' is"},
      {"$1 -rf /", "what '$1' is"},
      {"$CMD a; $CMD b", "what '$CMD' is"},
      {"eval \"$X\"", "what eval runs"},
      {"sh -c \"$X\"", "what sh -c runs"},
      {"cat script | sh", "what is piped into sh"},
      {"ssh web bash < script", "what is piped into bash"},
      {"cat script | ssh web", "what is piped into ssh"},
      {"rm -rf $DIR", "what 'rm -r' of '$DIR' deletes"},
      {"{ echo ls; cat script; } | sh", "what is piped into sh"},
  };
  for (const auto& row : kRows) {
    Verdict verdict = gate.JudgeShell(row.text, kPlace);
    EXPECT_FALSE(verdict.finding) << row.text;
    ASSERT_EQ(verdict.unknown, std::vector<std::string>{row.unknown});
    EXPECT_EQ(Objection(verdict, Mode::kOn), "");
    EXPECT_EQ(
        Objection(verdict, Mode::kStrict),
        "it cannot be told " + std::string(row.unknown) + " (gate: strict)");
  }
}

TEST(Gate, HasNoRemarkAboutWhatItUnderstands) {
  Gate strict({.mode = Mode::kStrict});
  for (const char* text :
       {"eval ls", "ssh web uptime", "sh -c ls", "echo ls | sh",
        "{ echo ls; > out; } | sh", "x=ls; $x", "rm -r build", "ls -r $X",
        "rm $X", "cat <<A\n$X\nA"}) {
    Verdict verdict = strict.JudgeShell(text, kPlace);
    EXPECT_EQ(Objection(verdict, Mode::kStrict), "") << text;
    EXPECT_TRUE(verdict.unknown.empty()) << text;
  }
}

TEST(Gate, TellsTextThatAShellWouldWantTheRestOf) {
  Gate gate({});
  for (const char* text :
       {"echo 'a", "echo \"a", "echo a \\", "echo $(ls", "(ls", "{ ls", "ls |",
        "ls &&", "cat <<EOF\na", "echo `ls", "echo ${a", "echo $'a",
        "echo $'a\\", "f(){ ls", "f() { ls"}) {
    EXPECT_TRUE(gate.JudgeShell(text, kPlace).unfinished) << text;
  }
}

TEST(Gate, TakesPatternsOfTheUser) {
  auto patterns = ParseGatePatterns("# mine\n\n^git push\nsecret-tool .*\n");
  ASSERT_TRUE(patterns.ok()) << patterns.status();
  EXPECT_EQ(patterns->size(), 2u);
  Gate gate({Mode::kOn, *patterns});
  EXPECT_EQ(patterns->size(), 2u);
  EXPECT_EQ(Objection(gate.JudgeShell("ls && git 'push'", kPlace), Mode::kOn),
            "`git push` matches the pattern '^git push' of your settings "
            "(gate: pattern)");
  EXPECT_EQ(RuleOf(gate.JudgeShell("sudo git push", kPlace)), "pattern");
  EXPECT_EQ(RuleOf(gate.JudgeShell("echo git push", kPlace)), "");
  auto bad = ParseGatePatterns("a\n(b\n");
  EXPECT_EQ(Message(bad.status()).substr(0, 7), "line 2:");
}

TEST(Gate, EndsSoonWhateverTheText) {
  Gate gate({});
  std::string nested, functions, doubled = "A=aaaaaaaaaaaaaaaa\n";
  for (int i = 0; i < 50'000; ++i) nested += "$(", functions += "f() ";
  for (int i = 0; i < 100; ++i) doubled += "A=$A$A\n";
  std::string braces, sums, here, heres;
  for (int i = 0; i < 15; ++i) braces += std::string(4'000, '{') + " ";
  for (int i = 0; i < 8'000; ++i) sums += "$((;) ) ", here += "$(<<A\n";
  for (int i = 0; i < 8'000; ++i) heres += "cat <<A\n$(";
  std::string finds;
  std::string copies = doubled.substr(0, 150) + "echo $A | { ";
  for (int i = 0; i < 20'000; ++i) copies += "a;";
  for (int i = 0; i < 200; ++i) finds += "find a b c d e f g -exec ";
  for (const std::string& text :
       {nested, functions, doubled, braces, sums, here, heres, finds, copies,
        std::string(300'000, '('), std::string(300'000, '{'),
        std::string(300'000, '`'), std::string(300'000, '\''),
        std::string("a\0rm -rf b", 10), std::string("f() f f | f"),
        std::string("<<"), std::string("cat <<A\n")}) {
    Verdict verdict = gate.JudgeShell(text, kPlace);
    EXPECT_FALSE(verdict.finding) << text.substr(0, 20);
  }
  std::string late = std::string(1000, '\n') + "rm -rf /";
  EXPECT_EQ(RuleOf(gate.JudgeShell(late, kPlace)), "rm-recursive");
  std::string evals;
  for (int i = 0; i < 300; ++i) evals += "eval ls;";
  EXPECT_EQ(gate.JudgeShell(evals, kPlace).unknown,
            std::vector<std::string>{"it is nested too deep"});
  Verdict cut = gate.JudgeShell(std::string(300'000, 'x'), kPlace);
  EXPECT_EQ(cut.unknown.size(), 1u);
}

std::vector<std::string> NotedBy(const std::string& text) {
  return Gate({}).JudgeShell(text, kPlace).unknown;
}

const std::vector<std::string> kTooDeep = {"it is nested too deep"};

TEST(Gate, JudgesTheFirst64KiBOfAText) {
  EXPECT_TRUE(NotedBy("ls" + std::string(65'534, ' ')).empty());
  EXPECT_EQ(NotedBy("ls" + std::string(65'535, ' ')),
            std::vector<std::string>{"what follows its first 64 KiB"});
}

TEST(Gate, JudgesTwoHundredTextsThatRunEachOther) {
  std::string evals;
  for (int i = 0; i < 200; ++i) evals += "eval ls;";
  EXPECT_TRUE(NotedBy(evals).empty());
  EXPECT_EQ(NotedBy(evals + "eval ls"), kTooDeep);
}

TEST(Gate, JudgesAQuarterOfAMegabyteInTextsThatRunEachOther) {
  std::string evals = "A='ls #" + std::string(32'764, 'x') + "'\n";
  for (int i = 0; i < 7; ++i) evals += "eval \"$A\";";
  EXPECT_TRUE(NotedBy(evals + "eval \"$A\"").empty());
  EXPECT_EQ(NotedBy(evals + "eval \"$A \""), kTooDeep);
}

// Each command of a group gets the input of the group.
TEST(Gate, CopiesFourMegabytesOfInput) {
  std::string group = "echo " + std::string(32'767, 'x') + " | {";
  for (int i = 0; i < 127; ++i) group += " :;";
  EXPECT_TRUE(NotedBy(group + " }").empty());
  EXPECT_EQ(NotedBy(group + " :; }"), kTooDeep);
}

TEST(Gate, ReadsThirtyNineGroupsInEachOther) {
  auto nested = [](int groups) {
    std::string text = "ls";
    for (int i = 0; i < groups; ++i) text.insert(0, "( ").append(" )");
    return text;
  };
  EXPECT_TRUE(NotedBy(nested(39)).empty());
  EXPECT_EQ(NotedBy(nested(40)), kTooDeep);
}

// A longer text is a script or data.
TEST(Gate, KnowsAForkBombOfAKilobyteAndALongWordOfBraces) {
  Gate gate({});
  auto padded = [](const std::string& begin, size_t size, char with,
                   const std::string& end) {
    return begin + std::string(size - begin.size() - end.size(), with) + end;
  };
  for (size_t more : {0u, 1u}) {
    std::string bomb = padded(":(){ :|:& };:", 1024 + more, ' ', "");
    EXPECT_EQ(RuleOf(gate.JudgeShell(bomb, kPlace)),
              more == 0 ? "fork-bomb" : "");
    std::string braces = "rm -rf " + padded("{/,", 512 + more, 'x', "}");
    EXPECT_EQ(RuleOf(gate.JudgeShell(braces, kPlace)),
              more == 0 ? "rm-recursive" : "");
  }
}

TEST(Gate, ExpandsBracesUpToSixtyFourWords) {
  Gate gate({});
  for (int words : {64, 65}) {
    std::string list = "/";
    for (int i = 1; i < words; ++i) list += ",x";
    EXPECT_EQ(RuleOf(gate.JudgeShell("rm -rf {" + list + "}{,y}", kPlace)),
              words == 64 ? "rm-recursive" : "");
  }
}

// Words of the grammar are not programs.
TEST(ShellReader, FindsTheCommandsOfATextAndNothingElse) {
  const struct {
    const char* text;
    const char* commands;
  } kRows[] = {
      {"make", "make"},
      {"{ make; }", "make"},
      {"( make )", "make"},
      {"case x in x) make;; esac", "make"},
      {"case x in x) make;; esac; ls", "make, ls"},
      {"for x in a b; do make; done", "make"},
      {"for x in; do make; done", "make"},
      {"select x in a; do make; done", "make"},
      {"if ls; then make; fi", "ls, make"},
      {"x=1; make", "make"},
  };
  for (const auto& row : kRows) {
    ShellState state;
    std::vector<std::string> commands;
    ShellReader::Run keep = [&commands](SimpleCommand* command) {
      commands.push_back(TextOf(command->words));
      return Piped::Unknown();
    };
    ShellReader(row.text, &state, &keep).Read();
    EXPECT_EQ(Join(commands, ", "), row.commands) << row.text;
  }
}

TEST(ShellReader, TellsWhereACommandStands) {
  const struct {
    const char* text;
    char end = '\0';
    bool nested = false;
  } kRows[] = {
      {"make"},
      {"make && ls", ';'},
      {"make || ls", ';'},
      {"make | cat", '|'},
      {"make & ls", '&'},
      {"(make; ls)", ';', true},
  };
  for (const auto& row : kRows) {
    ShellState state;
    std::vector<SimpleCommand> commands;
    ShellReader::Run keep = [&commands](SimpleCommand* command) {
      commands.push_back(*command);
      return Piped::Unknown();
    };
    ShellReader(row.text, &state, &keep).Read();
    ASSERT_FALSE(commands.empty()) << row.text;
    EXPECT_EQ(commands[0].end, row.end) << row.text;
    EXPECT_EQ(commands[0].nested, row.nested) << row.text;
  }
}

TEST(Paths, AreBroughtToTheirShortestForm) {
  EXPECT_EQ(NormalPath("/usr/../etc/./x//y", ""), "/etc/x/y");
  EXPECT_EQ(NormalPath("../b", "/home/a"), "/home/b");
  EXPECT_EQ(NormalPath("../../../..", "/home/a"), "/");
}

}  // namespace
}  // namespace glasstty::gate
