// Tests what programs leave behind that cannot clean up after themselves, and
// that it does not spoil the next command.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/ssh_server.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

::testing::AssertionResult IsExactly(const Reply& reply,
                                     const std::string& body) {
  // After the bar a hint may mention modes.
  std::string facts = reply.header.substr(0, reply.header.find('|'));
  bool is_screen = facts.find("mode=") != std::string::npos;
  if (!reply.is_error && reply.body == body && !is_screen) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "expected:\n"
                                       << body << "\nreply:\n"
                                       << reply.text;
}

// Something that a program may leave, in the notation of printf(1), and its
// name in a reply.
struct Left {
  const char* bytes;
  const char* name;
};
constexpr Left kLeft[] = {
    {"\\033[?1049h\\033[H", "alternate screen"},
    {"\\033[?1049h\\033[22;10H", "alternate screen"},
    {"\\033[?1047h", "alternate screen"},
    {"\\033[?47h", "alternate screen"},
    {"\\033[?7l", "autowrap"},
    {"\\033[5;9r", "margins"},
    {"\\033[?69h\\033[4;30s", "side margins"},
    {"\\033[3;20r\\033[?6h", "origin mode"},
    {"\\033[4h", "insert mode"},
    {"\\033[20h", "newline mode"},
    {"\\033[?45h", "reverse wrap"},
    {"\\033[?2026h", "synchronized output"},
    {"\\033[?2027h", "grapheme clusters"},
    {"\\033(0", "character set"},
    {"\\033)0\\016", "character set"},
    {"\\033*A\\033n", "character set"},
    {"\\033[7;1;31m", "colours"},
    {"\\033[8m", "colours"},
    {"\\033[1\"q", "colours"},
    {"\\033[3g", "tab stops"},
    {"\\033[?5h", "reverse video"},
    {"\\033[?25l", "cursor visibility"},
    {"\\033[?12h", "cursor blinking"},
    {"\\033[5 q", "cursor style"},
    {"\\033[?1000h", "mouse reports"},
    {"\\033[?1003h\\033[?1006h", "mouse reports"},
    {"\\033[?1004h", "focus reports"},
    {"\\033[?2004h", "bracketed paste"},
    {"\\033[?1h", "cursor keys"},
    {"\\033=", "keypad"},
    {"\\033[>4;2m", "modified keys"},
    {"\\033[>31u", "kitty keyboard"},
};
// These occur at the very end, where a program was killed. bash and others
// print a message before their prompt, which may complete a short one.
constexpr const char* kCutOff[] = {
    "\\033]0;title",     "\\033]8;;http://x", "\\033P+q544e", "\\033Pq#0",
    "\\033_Gf=100;AAAA", "\\033^private",     "\\033Xstart",  "\\303",
    "\\360\\237",
};
constexpr const char* kTty[] = {
    "raw",   "raw -echo",   "-onlcr", "-opost",  "-icanon -echo", "-icrnl",
    "-echo", "-isig -ixon", "olcuc",  "intr ^G", "tab3",          "iuclc",
};
constexpr const char* kSignals[] = {"KILL", "SEGV", "TERM", "ABRT",
                                    "HUP",  "QUIT", "BUS",  "FPE"};

template <class T, size_t N>
const T& Any(const T (&from)[N], std::mt19937* random) {
  return from[(*random)() % N];
}

// A program that dies, as a script for sh, and what must be repaired then.
struct Culprit {
  std::string script;
  std::vector<std::string> left;
};

Culprit RandomProgram(std::mt19937* random) {
  Culprit program;
  auto print = [&program](const std::string& bytes) {
    program.script += "printf '" + bytes + "'\n";
  };
  auto chance = [random](unsigned of) { return (*random)() % of == 0; };
  if (chance(2)) print("\\033[?1049h\\033[H\\033[2J");
  for (unsigned i = (*random)() % 6; i > 0; --i) {
    const Left& left = Any(kLeft, random);
    print(left.bytes);
    program.left.emplace_back(left.name);
    if (chance(3)) print(absl::StrFormat("text %d\\n", (*random)() % 100));
    if (chance(6)) program.script += "seq 40\n";
  }
  if (chance(3)) {
    program.script += absl::StrFormat("stty %s\n", Any(kTty, random));
  }
  if (chance(4)) print(Any(kCutOff, random));
  program.script += absl::StrFormat("kill -%s $$\n", Any(kSignals, random));
  return program;
}

// A command that prints some lines, and these.
struct Printed {
  std::string command;
  std::string body;
};

Printed RandomOutput(std::mt19937* random) {
  constexpr const char* kTexts[] = {"lqqk",
                                    "plain text",
                                    "a\tb\tc",
                                    "\ttab",
                                    "`abc~",
                                    "x",
                                    "0123456789",
                                    "line with an \xC3\xA9",
                                    "\xE6\xBC\xA2\xE5\xAD\x97"};
  Printed printed;
  std::string text;
  for (unsigned i = 1 + (*random)() % 5; i > 0; --i) {
    // Equal lines would be folded.
    std::string line = Any(kTexts, random) + absl::StrFormat(" %d", i);
    // The line is wider than the screen.
    if ((*random)() % 4 == 0) {
      for (int n = 0; n < 20; ++n) line += absl::StrFormat("%d.......", n);
    }
    text += line + "\n";
  }
  printed.body = text.substr(0, text.size() - 1);
  std::string format;
  for (char c : text) {
    if (c == '\n' || c == '\t') {
      format += c == '\n' ? "\\n" : "\\t";
    } else {
      format += c;
    }
  }
  printed.command = "printf '" + format + "'";
  return printed;
}

// Three shells make 60 rounds, and 1,000 in a long run.
int WantedRounds() {
  const char* wanted = getenv("GLASSTTY_RECOVERY_ROUNDS");
  return wanted != nullptr ? atoi(wanted) : Rounds(10, 334);
}

unsigned Seed() {
  const char* wanted = getenv("GLASSTTY_RECOVERY_SEED");
  return wanted != nullptr ? static_cast<unsigned>(atoi(wanted)) : 1;
}

class RecoveryIn : public ::testing::TestWithParam<const char*> {
 protected:
  RecoveryIn() {
    Open(&client_, "s", {GetParam()});
    RunIn(&client_, "s", "true");
  }
  McpClient client_;
  TempDir folder_;
};

// GLASSTTY_RECOVERY_ROUNDS and GLASSTTY_RECOVERY_SEED choose others.
TEST_P(RecoveryIn, TheNextCommandIsExactWhateverAProgramLeft) {
  unsigned seed = Seed();
  SCOPED_TRACE(absl::StrFormat("seed %d", seed));
  RecordProperty("seed", static_cast<int>(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < WantedRounds(); ++round) {
    Culprit program = RandomProgram(&random);
    Printed printed = RandomOutput(&random);
    std::string file = folder_.Write("program", program.script);
    bool is_typed = random() % 4 == 0;
    Reply crash;
    if (is_typed) {
      crash = client_.Call("term_send", {{"session", "s"},
                                         {"input", "sh " + file + "\n"},
                                         {"until", {{"state", "prompt"}}},
                                         {"timeout_s", 20}});
    } else {
      crash = RunIn(&client_, "s", "sh " + file);
    }
    Reply next = RunIn(&client_, "s", printed.command);
    ASSERT_TRUE(IsExactly(next, printed.body))
        << "round " << round << "\n"
        << program.script << "\nbefore: " << crash.text;
    std::string headers = crash.header + next.header;
    bool was_alternate = headers.find("alternate screen") != std::string::npos;
    for (const std::string& name : program.left) {
      // fish turns off bracketed paste only after the mark. Each screen has its
      // own keyboard modes, which disappear with the screen.
      bool is_excused = name == "bracketed paste" ||
                        (name == "kitty keyboard" && was_alternate);
      if (is_excused) continue;
      ASSERT_NE(headers.find(name), std::string::npos)
          << name << " is not named in round " << round << "\n"
          << program.script << "\n"
          << headers;
    }
  }
}

// Line editors then write into the next row, where the output begins.
TEST_P(RecoveryIn, TheOutputOfACommandThatFillsItsRowIsExact) {
  Reply screen =
      client_.Call("term_read", {{"session", "s"}, {"mode", "snapshot"}});
  int rows = 0, cols = 0, row = 0, col = 0;
  size_t at = screen.header.find(" cursor=");
  ASSERT_NE(at, std::string::npos) << screen.header;
  at = screen.header.rfind(' ', at - 1);
  ASSERT_EQ(sscanf(screen.header.c_str() + at, " %dx%d cursor=%d:%d", &rows,
                   &cols, &row, &col),
            4)
      << screen.header;
  const std::string begin = "printf '\\tt\\n", end = "'";
  size_t room = static_cast<size_t>(cols - col + 1) - begin.size() - end.size();
  // Try again, because more is left of a line that was drawn before.
  for (size_t size : {room, room - 1, room + 1, room, room}) {
    std::string word(size, 'x');
    std::string command = begin;
    command.append(word).append(end);
    Reply reply = RunIn(&client_, "s", command);
    EXPECT_TRUE(IsExactly(reply, "\tt\n" + word));
  }
}

TEST_P(RecoveryIn, AReplySaysOnceWhatWasRepaired) {
  Reply reply = RunIn(&client_, "s",
                      "sh -c 'printf \"\\033[?1049h\\033[?7l\"; kill -9 $$'");
  EXPECT_TRUE(Shows(reply, "repaired: alternate screen, autowrap"));
  reply = RunIn(&client_, "s", "printf 'a\\nb\\n'");
  EXPECT_TRUE(IsExactly(reply, "a\nb"));
  EXPECT_EQ(reply.header.find("repaired"), std::string::npos) << reply.text;
}

TEST_P(RecoveryIn, WhatTheShellSaidAboutTheEndIsShown) {
  Reply reply = RunIn(&client_, "s",
                      "printf 'printed\\n'; sh -c 'printf \"\\033[?1049h"
                      "\\033[Hon the screen\\n\"; seq 100; kill -9 $$'; "
                      "echo after");
  EXPECT_TRUE(Shows(reply, "printed"));
  EXPECT_TRUE(Shows(reply, "on the screen"));
  EXPECT_TRUE(Shows(reply, "\nafter"));
  reply = client_.Call("term_read", {{"session", "s"},
                                     {"mode", "history"},
                                     {"from_line", 1},
                                     {"lines", 200},
                                     {"max_lines", 0}});
  for (int i = 1; i <= 100; ++i) {
    EXPECT_TRUE(Shows(reply, absl::StrFormat("\n%d\n", i)));
  }
}

// A person killed the editor from elsewhere.
TEST_P(RecoveryIn, AnEditorThatIsKilledSpoilsNothing) {
  Keys(&client_, "s",
       "sh -c 'echo $$ >" + folder_.Join("pid") + "; exec vim -u NONE -n " +
           folder_.Join("file") + "'<Enter>");
  ASSERT_TRUE(SeesOnScreen(&client_, "s", "~"));
  Keys(&client_, "s", "isome text");
  ASSERT_TRUE(SeesOnScreen(&client_, "s", "some text"));
  int pid = atoi(ReadWholeFile(folder_.Join("pid")).c_str());
  ASSERT_GT(pid, 0);
  ASSERT_EQ(kill(pid, SIGKILL), 0);
  client_.Call(
      "term_wait",
      {{"session", "s"}, {"until", {{"state", "prompt"}}}, {"timeout_s", 20}});
  Reply reply = RunIn(&client_, "s", "printf '1\\n\\t2\\n'");
  EXPECT_TRUE(IsExactly(reply, "1\n\t2"));
  EXPECT_TRUE(Shows(reply, "repaired: alternate screen"));
  reply = RunIn(&client_, "s", "seq 60");
  EXPECT_TRUE(Shows(reply, "\n60"));
}

TEST_P(RecoveryIn, TheSettingsOfTheTerminalDriverAreRepaired) {
  Reply before = RunIn(&client_, "s", "stty -a");
  Reply reply = RunIn(&client_, "s",
                      "sh -c 'stty raw -echo tab3 olcuc intr ^G; kill -9 $$'");
  Reply after = RunIn(&client_, "s", "stty -a");
  // The shells themselves may keep this one.
  auto without_flow = [](std::string text) {
    size_t at = text.find("-ixon");
    return at == std::string::npos ? text : text.erase(at, 1);
  };
  EXPECT_EQ(without_flow(after.body), without_flow(before.body));
}

// The shell sees only that git has failed.
TEST_P(RecoveryIn, TheSettingsThatAnEditorOfAnotherProgramLeftAreRepaired) {
  if (std::string(GetParam()) == "fish") {
    GTEST_SKIP() << "fish keeps settings of its own for programs";
  }
  std::string editor = folder_.Write(
      "editor", "stty raw -echo; printf 'dra''wn'; head -c 1; kill -9 $$\n");
  Keys(&client_, "s", "sh -c 'sh " + editor + "; exit 1'<Enter>");
  ASSERT_TRUE(SeesOnScreen(&client_, "s", "drawn"));
  Keys(&client_, "s", "x");
  client_.Call(
      "term_wait",
      {{"session", "s"}, {"until", {{"state", "prompt"}}}, {"timeout_s", 20}});
  EXPECT_TRUE(IsExactly(RunIn(&client_, "s", "printf '1\\n2\\n'"), "1\n2"));
  Reply reply = RunIn(&client_, "s", "stty -a");
  for (const char* setting :
       {"\nopost", " onlcr", " icanon", "\nisig", " echo "}) {
    EXPECT_TRUE(Shows(reply, setting));
  }
}

// `stty` may be seen at work, too, but its settings are meant to stay.
TEST_P(RecoveryIn, SettingsThatWereMadeByHandStay) {
  if (std::string(GetParam()) == "fish") {
    GTEST_SKIP() << "fish keeps settings of its own for programs";
  }
  std::string stty = folder_.Write("stty",
                                   "#!/bin/sh\n"
                                   "/bin/stty \"$@\"\n"
                                   "printf 'se''t'\n"
                                   "read -r line\n");
  ASSERT_EQ(chmod(stty.c_str(), 0755), 0);
  Keys(&client_, "s", stty + " -onlcr<Enter>");
  ASSERT_TRUE(SeesOnScreen(&client_, "s", "set"));
  Keys(&client_, "s", "<Enter>");
  client_.Call(
      "term_wait",
      {{"session", "s"}, {"until", {{"state", "prompt"}}}, {"timeout_s", 20}});
  // Nor do programs that run with them have to answer for them.
  RunIn(&client_, "s", "ls / | cat; sh -c 'echo one; sleep 0.1; echo two'");
  EXPECT_TRUE(Shows(RunIn(&client_, "s", "stty -a"), " -onlcr"));
}

INSTANTIATE_TEST_SUITE_P(Each, RecoveryIn,
                         ::testing::Values("bash", "zsh", "fish"),
                         [](const auto& p) { return std::string(p.param); });

// The shell has no marks, but the lines that are typed there have their own.
TEST(Recovery, ALineTypedIntoAShellWithoutMarksRepairs) {
  McpClient client;
  Open(&client, "s", {"dash"});
  Reply reply =
      RunIn(&client, "s",
            "sh -c 'printf \"\\033[?1049h\\033[?7l\\033(0\\033]0;a\"; "
            "kill -9 $$'");
  EXPECT_TRUE(Shows(reply, "repaired: alternate screen, autowrap"));
  EXPECT_TRUE(IsExactly(RunIn(&client, "s", "printf 'lqk\\nb\\n'"), "lqk\nb"));
  // A program that was started without marks does this.
  Keys(&client, "s",
       "sh -c 'printf \"\\033[?1049h\\033[?7l\\033(0\"; kill -9 $$'<Enter>");
  reply = RunIn(&client, "s", "printf 'lqk\\nb\\n'");
  EXPECT_TRUE(IsExactly(reply, "lqk\nb"));
  EXPECT_TRUE(Shows(reply, "repaired: alternate screen, autowrap"));
}

// Flow control is everybody's own.
std::string SettingsIn(McpClient* client) {
  std::string text = RunIn(client, "s", "stty -a").body;
  size_t at = text.find("-ixon");
  return at == std::string::npos ? text : text.erase(at, 1);
}

// Such a shell cannot repair its terminal itself, so the server does.
TEST(Recovery, TheTerminalOfAShellWithoutMarksIsRepaired) {
  for (const char* shell : {"dash", "sh"}) {
    McpClient client;
    Open(&client, "s", {shell});
    std::string before = SettingsIn(&client);
    for (const char* left : {"raw -echo", "-icanon", "-icrnl", "-onlcr",
                             "inlcr", "raw tab3 olcuc intr ^G"}) {
      std::string run = absl::StrFormat("sh -c 'stty %s; kill -9 $$'", left);
      Reply crash = RunIn(&client, "s", run);
      EXPECT_TRUE(Shows(crash, "repaired: tty modes")) << left;
      Reply reply = RunIn(&client, "s", "printf '1\\n2\\n'");
      EXPECT_TRUE(IsExactly(reply, "1\n2")) << shell << " " << left;
      EXPECT_TRUE(Shows(reply, "exit=0")) << left;
      EXPECT_EQ(SettingsIn(&client), before) << left;
    }
    // The kernel knows how this ends, though no mark tells of it.
    Keys(&client, "s", "sh -c 'stty raw -echo; kill -9 $$'<Enter>");
    client.Call("term_wait", {{"session", "s"},
                              {"until", {{"state", "prompt"}}},
                              {"timeout_s", 20}});
    EXPECT_TRUE(IsExactly(RunIn(&client, "s", "printf '1\\n2\\n'"), "1\n2"));
    // Settings that people make stay.
    RunIn(&client, "s", "stty -onlcr");
    EXPECT_TRUE(Shows(RunIn(&client, "s", "stty -a"), " -onlcr"));
  }
}

// Its prompt looks like a request for a secret then.
TEST(Recovery, AShellWhoseEchoIsOffAfterACrashAsksForNoSecret) {
  McpClient client;
  Open(&client, "s", {"dash"});
  for (const char* left : {"-echo", "raw -echo", "olcuc", "iuclc", "extproc"}) {
    Reply reply = RunIn(&client, "s",
                        absl::StrFormat("sh -c 'stty %s; kill -9 $$'", left));
    EXPECT_TRUE(Shows(reply, "] prompt(kernel) exit=137")) << left;
    EXPECT_TRUE(Shows(reply, "repaired: tty modes")) << left;
    EXPECT_EQ(reply.text.find("secret"), std::string::npos) << reply.text;
    reply = RunIn(&client, "s", "printf 'a\\nb\\n'");
    EXPECT_TRUE(IsExactly(reply, "a\nb")) << left;
  }
}

// Its line editor restores, after each line, what it has found.
TEST(Recovery, TheTerminalOfAShellThatEditsLinesWithoutMarksIsRepaired) {
  std::vector<std::vector<std::string>> shells = {
      {"busybox", "sh"}, {"mksh"}, {"dash", "-c", "bash; true"}};
  for (const char* other : {"yash", "tcsh"}) {
    if (IsInstalled(other)) shells.push_back({other});
  }
  for (const std::vector<std::string>& argv : Sample(shells, 2)) {
    SCOPED_TRACE(argv.back());
    McpClient client;
    Open(&client, "s", argv);
    RunIn(&client, "s", "true");
    for (const char* left : {"raw -echo", "-onlcr", "tab3", "olcuc"}) {
      RunIn(&client, "s", absl::StrFormat("sh -c 'stty %s; kill -9 $$'", left));
      Reply reply = RunIn(&client, "s", "printf 'a\\nb\\tc\\n'");
      EXPECT_TRUE(IsExactly(reply, "a\nb\tc")) << left;
      reply = RunIn(&client, "s", "printf 'a\\nb\\tc\\n'");
      EXPECT_TRUE(IsExactly(reply, "a\nb\tc")) << left;
      EXPECT_EQ(reply.header.find("tty modes"), std::string::npos) << left;
    }
  }
}

TEST(Recovery, TheServerThatAdoptsASessionRepairsToo) {
  TempDir state, folder;
  ServerOptions options;
  options.state_dir = state.path();
  options.extra_environment = {"GLASSTTY_GRACE_S=60"};
  std::string go = folder.Join("go");
  auto first = std::make_unique<McpClient>(options);
  Open(first.get(), "s", {"bash"});
  RunIn(first.get(), "s", "true");
  Keys(first.get(), "s",
       "sh -c 'printf \"\\033[?1049h\\033[?7l\\033[3;5rdra''wn\\033(0\"; "
       "until [ -e " +
           go + " ]; do sleep 0.01; done; kill -9 $$'<Enter>");
  ASSERT_TRUE(SeesOnScreen(first.get(), "s", "drawn"));
  first->Signal(SIGKILL);
  ASSERT_TRUE(first->WaitForExit(Seconds(10)));
  folder.Write("go", "");
  McpClient second(options);
  second.Call(
      "term_wait",
      {{"session", "s"}, {"until", {{"state", "prompt"}}}, {"timeout_s", 20}});
  Reply reply = RunIn(&second, "s", "printf 'lqk\\nb\\n'");
  EXPECT_TRUE(IsExactly(reply, "lqk\nb"));
  EXPECT_TRUE(Shows(reply, "repaired: alternate screen, autowrap, margins"));
}

TEST(Recovery, AnSshThatIsCutOffInAFullScreenProgramSpoilsNothing) {
  SshServer ssh("", true);
  ASSERT_EQ(ssh.problem(), "");
  ServerOptions options;
  options.extra_environment = {"PATH=" + ssh.bin() + ":" + getenv("PATH")};
  McpClient client(options);
  Open(&client, "s", {"bash"});
  RunIn(&client, "s", "true");
  Keys(&client, "s",
       "ssh -t db \"printf '\\033[?1049h\\033[?7l\\033[3;9rdra''wn\\033(0'; "
       "cat\"<Enter>");
  ASSERT_TRUE(SeesOnScreen(&client, "s", "drawn"));
  for (pid_t pid : ssh.Connections()) kill(pid, SIGKILL);
  client.Call(
      "term_wait",
      {{"session", "s"}, {"until", {{"state", "prompt"}}}, {"timeout_s", 20}});
  Reply reply = RunIn(&client, "s", "printf 'lqk\\nb\\n'");
  EXPECT_TRUE(IsExactly(reply, "lqk\nb"));
  EXPECT_TRUE(Shows(reply, "repaired: alternate screen, autowrap, margins"));
}

// Colours, the cursor and the like may be a person's own choice.
TEST(Recovery, WhatAStartUpFileSetIsLeftAlone) {
  TempDir home;
  home.Write(".bashrc", "printf '\\e[?5h\\e[4 q'; PS1='\\[\\e[32m\\]$ '\n");
  ServerOptions options;
  options.environment = DefaultEnvironment(home.path());
  McpClient client(options);
  Open(&client, "s", {"bash"});
  EXPECT_TRUE(IsExactly(RunIn(&client, "s", "echo a"), "a"));
  Reply reply = RunIn(&client, "s", "echo b");
  EXPECT_TRUE(IsExactly(reply, "b"));
  EXPECT_EQ(reply.header.find("repaired"), std::string::npos) << reply.text;
}

}  // namespace
}  // namespace glasstty::testing
