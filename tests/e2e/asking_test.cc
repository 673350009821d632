// Which programs ask: those that wait for an answer, and not those that only
// wait for their user. An agent must not end its turn with the first, and is
// not disturbed by the second.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

struct AskingProgram {
  std::string name;
  std::vector<std::string> argv;
  // It is ready once this is on its screen.
  std::string ready;
  std::string keys = "";
  // After the keys.
  std::string then = "";
  // Part of what the agent is told; "": nothing.
  std::string told = "";
};
void PrintTo(const AskingProgram& program, std::ostream* out) {
  *out << program.name;
}

class Asking : public ::testing::TestWithParam<AskingProgram> {
 protected:
  void Begin(const AskingProgram& program) {
    ASSERT_TRUE(Good(Open(&client_, "it", program.argv,
                          {{"until", {{"text", program.ready}}},
                           {"timeout_s", 20},
                           {"cwd", folder_.path()}})));
    if (program.keys.empty()) return;
    Reply reply =
        client_.Call("term_send", {{"session", "it"},
                                   {"input", Json::array({program.keys})},
                                   {"until", {{"text", program.then}}}});
    ASSERT_TRUE(Good(reply));
  }

  // nano saves what it has when it is ended.
  TempDir folder_;
  McpClient client_;
};

TEST_P(Asking, IsToldAtTheEndOfATurnIfAndOnlyIfSomebodyMustAnswer) {
  const AskingProgram& program = GetParam();
  Begin(program);
  auto told = [&] {
    return client_.Call("term_hook", {{"event", "Stop"}}).text;
  };
  if (program.told.empty()) {
    ASSERT_TRUE(Good(client_.Call("term_wait", {{"session", "it"},
                                                {"until", {{"state", "input"}}},
                                                {"timeout_s", 20}})));
    EXPECT_EQ(told(), "{}");
    return;
  }
  std::string said;
  EXPECT_TRUE(Eventually(Seconds(20), [&] { return (said = told()) != "{}"; }));
  EXPECT_NE(said.find(program.told), std::string::npos) << said;
  EXPECT_EQ(told(), "{}") << "once is enough";
}

AskingProgram WhiptailProgram(const std::string& kind,
                              std::vector<std::string> more = {}) {
  std::vector<std::string> argv = {"whiptail", "--" + kind, "Which one", "15",
                                   "40"};
  argv.insert(argv.end(), more.begin(), more.end());
  return {"Whiptail_" + kind, argv, "Which one", "", "", "asks: \\\"Which one"};
}

AskingProgram DialogProgram(const std::string& kind,
                            std::vector<std::string> more = {}) {
  AskingProgram program = WhiptailProgram(kind, std::move(more));
  program.name = "Dialog_" + kind;
  program.argv[0] = "dialog";
  return program;
}

const std::vector<std::string> kMenuEntries = {"4", "a", "x", "b", "y"};
const AskingProgram kAskingPrograms[] = {
    WhiptailProgram("yesno"),
    WhiptailProgram("msgbox"),
    WhiptailProgram("inputbox"),
    WhiptailProgram("passwordbox"),
    WhiptailProgram("menu", kMenuEntries),
    DialogProgram("yesno"),
    DialogProgram("inputbox"),
    DialogProgram("passwordbox"),
    DialogProgram("menu", kMenuEntries),
    {"Fzf", {"sh", "-c", "seq 9 | fzf"}, "9/9", "", "", "in fzf"},
    {"FzfWithAPrompt",
     {"sh", "-c", "seq 9 | fzf --prompt 'Which number> '"},
     "number>",
     "",
     "",
     "Which number>"},
    {"NanoBeforeItEnds",
     {"nano", "--ignorercfiles"},
     "Exit",
     "abc<C-x>",
     "Save modified",
     "Save modified buffer?"},
    {"McBeforeItDeletes",
     {"sh", "-c", "mkdir -p box/inner && cd box && exec mc -u"},
     "10Quit",
     "<Down><F8>",
     "Delete",
     "inner"},
    {"VimBeforeItEnds",
     {"vim", "--clean", "-n"},
     "~",
     "ix<Esc>:conf q<Enter>",
     "ancel:",
     "ancel:"},
    // These wait, but ask nothing.
    {"Nano", {"nano", "--ignorercfiles"}, "Exit"},
    {"Mc", {"mc", "-u"}, "10Quit"},
    {"Vim", {"vim", "--clean", "-n"}, "~"},
    {"Emacs", {"emacs", "-nw", "-Q"}, "scratch"},
    {"Less", {"less", "/etc/services"}, "services"},
    {"LessInTheMiddle", {"less", "/etc/services"}, "services", " ", ":"},
    {"More", {"more", "/etc/services"}, "More"},
    {"Htop", {"htop"}, "F10"},
    {"Top", {"top", "-d", "100"}, "load average"},
    {"Ncdu", {"ncdu", "-0", "/etc/apt"}, "Total disk usage"},
    {"Python", {"/usr/bin/python3", "-q"}, ">>>"},
    {"Sqlite", {"sqlite3"}, "sqlite>"},
    {"Lua", {"lua"}, ">"},
    {"Tclsh", {"tclsh"}, "%"},
};

INSTANTIATE_TEST_SUITE_P(OfPrograms, Asking,
                         ::testing::ValuesIn(kAskingPrograms),
                         [](const auto& row) { return row.param.name; });

TEST(AskingDialogs, AreEventsAndWakeTheAgent) {
  McpClient client;
  ASSERT_TRUE(Shows(
      Open(&client, "it",
           {"sh", "-c", "read x; sleep 1; whiptail --yesno 'Delete it?' 9 40"}),
      "input"));
  ASSERT_TRUE(Shows(
      client.Call("term_send",
                  {{"session", "it"}, {"input", "go\n"}, {"timeout_s", 0.1}}),
      "busy"));
  Reply event = client.Call("term_wait",
                            {{"until", {{"event", true}}}, {"timeout_s", 20}});
  EXPECT_TRUE(Shows(event, "[it] asks "));
  EXPECT_TRUE(Shows(event, "Delete it?"));
}

TEST(AskingDialogs, AreStillWatchedAfterTheAgentHasSeenThem) {
  McpClient client;
  ASSERT_TRUE(Shows(
      Open(&client, "it", {"whiptail", "--yesno", "Delete it?", "9", "40"},
           {{"until", {{"text", "Delete it"}}}}),
      "input"));
  Reply watch =
      client.Call("term_hook", {{"event", "Watch"}, {"session", "it"}});
  EXPECT_TRUE(Shows(watch, "again"));
}

}  // namespace
}  // namespace glasstty::testing
