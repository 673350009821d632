// Tests that the answer to a key, a wait or an Escape is a screen that the
// program has finished: the same one is there a while later.
//
// GLASSTTY_SETTLED_TRIES=200 tries each program this often; the medians that it
// prints are those of bench/README.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

int Tries() {
  const char* tries = std::getenv("GLASSTTY_SETTLED_TRIES");
  return tries != nullptr ? std::atoi(tries) : 6;
}

struct Try {
  Json input;
  Json until;  // null: the default
};

struct SettledProgram {
  const char* name;
  // Run by sh in a directory with a file of 2,000 lines, "lines".
  const char* command;
  const char* ready;  // on its first screen
  // Returns what is typed the i-th time.
  std::function<Try(int)> next;
  // A monitor's numbers change by themselves, so only the outline is compared.
  bool outline = false;
};

std::string Number(const char* before, int i, const char* behind = "") {
  return before + std::to_string(i) + behind;
}

const SettledProgram kSettledPrograms[] = {
    {"vimEscape", "vim --clean -n lines", "line 1",
     [](int i) {
       return Try{{Number("ohello ", i, "<Esc>")}, nullptr};
     }},
    {"vimText", "vim --clean -n lines", "line 1",
     [](int i) {
       return Try{{Number(":", i + 30, "<Enter>zt")},
                  {{"text", Number("line ", i + 31)}}};
     }},
    {"less", "less lines", "line 1",
     [](int i) {
       return Try{{Number("", 30 * i + 30, "g")},
                  {{"text", Number("line ", 30 * i + 31)}}};
     }},
    {"whiptail",
     "i=0; while :; do whiptail --menu \"Choose $i.\" 20 60 10 a Alpha b Beta "
     "c Gamma d Delta e Epsilon f Zeta g Eta h Theta; i=$((i+1)); done",
     "Choose 0.",
     [](int i) {
       return Try{{"<Enter>"}, {{"text", Number("Choose ", i + 1, ".")}}};
     }},
    {"mc", "mc -u", "lines",
     [](int i) {
       return i % 2 == 0 ? Try{{"<F9><Down>"}, {{"text", "Quick view"}}}
                         : Try{{"<Esc><Esc>"}, {{"gone", "Quick view"}}};
     }},
    {"htop", "htop -d 100", "F10",
     [](int i) {
       return i % 2 == 0 ? Try{{"<F9>"}, {{"text", "Send signal"}}}
                         : Try{{"<Esc>"}, {{"gone", "Send signal"}}};
     },
     true},
};

// Returns the rows of the screen; for a monitor without figures, and only the
// left part of its lists.
std::string Picture(const SettledProgram& program, const Reply& reply) {
  size_t cursor = reply.header.find(" cursor=");
  std::string picture =
      reply.header.substr(cursor, reply.header.find(' ', cursor + 1) - cursor);
  std::vector<std::string> rows = UnfoldRows(reply.body);
  for (size_t i = 0; i < rows.size(); ++i) {
    bool is_list = program.outline && i + 1 < rows.size();
    if (program.outline && i < 6) continue;  // meters
    std::string row = is_list ? rows[i].substr(0, 14) : rows[i];
    // A process list is sorted anew.
    bool is_process = is_list && row.find(" SIG") == std::string::npos &&
                      row.find("signal") == std::string::npos &&
                      row.find("PID") == std::string::npos;
    if (!is_process) picture += "\n" + row;
  }
  return picture;
}

class Settled : public ::testing::TestWithParam<SettledProgram> {};

TEST_P(Settled, ScreenIsTheAnswer) {
  const SettledProgram& program = GetParam();
  McpClient client;
  TempDir folder;
  std::string text;
  for (int i = 1; i <= 7'000; ++i) text += Number("line ", i, "\n");
  folder.Write("lines", text);
  ASSERT_TRUE(Good(
      Open(&client, "it", {"sh", "-c", program.command},
           {{"cwd", folder.path()}, {"until", {{"text", program.ready}}}})));
  std::vector<double> ms;
  int half_drawn = 0;
  for (int i = 0; i < Tries(); ++i) {
    Try next = program.next(i);
    Json call = {{"session", "it"},
                 {"input", next.input},
                 {"mode", "snapshot"},
                 {"timeout_s", 20}};
    if (!next.until.is_null()) call["until"] = next.until;
    auto begin = std::chrono::steady_clock::now();
    Reply reply = client.Call("term_send", call);
    ms.push_back(std::chrono::duration<double, std::milli>(
                     std::chrono::steady_clock::now() - begin)
                     .count());
    ASSERT_TRUE(Good(reply));
    ASSERT_EQ(reply.text.find("reason=timeout"), std::string::npos)
        << reply.text;
    client.Call(
        "term_wait",
        {{"session", "it"}, {"until", {{"quiet_s", 0.2}}}, {"timeout_s", 5}});
    Reply later =
        client.Call("term_read", {{"session", "it"}, {"mode", "snapshot"}});
    if (Picture(program, reply) == Picture(program, later)) continue;
    ++half_drawn;
    ADD_FAILURE() << "try " << i << "\n" << reply.text << "\n" << later.text;
  }
  std::sort(ms.begin(), ms.end());
  std::printf("%s: %d of %d half drawn, median %.1f ms\n", program.name,
              half_drawn, Tries(), ms[ms.size() / 2]);
}

INSTANTIATE_TEST_SUITE_P(All, Settled, ::testing::ValuesIn(kSettledPrograms),
                         [](const auto& row) { return row.param.name; });

// Programs that draw the answer to a key later, each for another reason. Each
// row is the function `answer` of a program that reads keys in raw mode.
struct Late {
  const char* name;
  const char* answer;
};
const Late kLate[] = {
    {"aTimer",
     "def answer(key):\n"
     " select.select([], [], [], .008)\n"
     " draw(key)\n"},
    // It polls the keyboard with the time-out, as an event loop does.
    {"anEventLoop",
     "due = []\n"
     "def answer(key): due.append(key)\n"
     "def idle():\n"
     " if due: draw(due.pop())\n"
     "def patience(): return .02 if due else None\n"},
    {"aSecondFrame",
     "due = []\n"
     "def answer(key): due.extend([key, \"half\"])\n"
     "def idle():\n"
     " if due: draw(due.pop())\n"
     "def patience(): return .02 if due else None\n"},
    {"aThread",
     "def answer(key):\n"
     " def work():\n"
     "  for i in range(30): hashlib.sha256(bytes(1 << 20))\n"
     "  draw(key)\n"
     " threading.Thread(target=work).start()\n"},
    // Its output is read when the keyboard is polled again.
    {"aProcess",
     "def answer(key):\n"
     " def work(): draw(subprocess.run([\"sh\", \"-c\", \"sleep .1; echo \" + "
     "key],\n"
     "  capture_output=True, text=True, start_new_session=True).stdout[:1])\n"
     " threading.Thread(target=work).start()\n"},
};

std::string LateProgram(const std::string& answer) {
  return "import hashlib, os, select, subprocess, sys, threading, tty\n"
         "tty.setraw(0)\n"
         "def draw(text):\n"
         " os.write(1, (\"\\x1b[2;1H\\x1b[K\" + text).encode())\n"
         "def idle(): pass\n"
         "def patience(): return None\n" +
         answer +
         "os.write(1, b\"\\x1b[?1049h\\x1b[Hkeys\")\n"
         "while True:\n"
         " if select.select([0], [], [], patience())[0]:\n"
         "  answer(os.read(0, 1).decode())\n"
         " else: idle()\n";
}

class SettledLate : public ::testing::TestWithParam<Late> {};

TEST_P(SettledLate, IsWaitedFor) {
  McpClient client;
  ASSERT_TRUE(Good(Open(
      &client, "it", {"/usr/bin/python3", "-c", LateProgram(GetParam().answer)},
      {{"until", {{"text", "keys"}}}})));
  for (const char* key : {"a", "b", "c", "d"}) {
    Reply reply = client.Call(
        "term_send",
        {{"session", "it"}, {"input", {key}}, {"mode", "snapshot"}});
    EXPECT_EQ(reply.body, std::string("keys\n") + key) << reply.header;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SettledLate, ::testing::ValuesIn(kLate),
                         [](const auto& row) { return row.param.name; });

// Half of it is there at once.
TEST(SettledShow, AreWholeInAStepThatShowsToo) {
  McpClient client;
  ASSERT_TRUE(Good(Open(
      &client, "it", {"/usr/bin/python3", "-c", LateProgram(kLate[2].answer)},
      {{"until", {{"text", "keys"}}}})));
  Reply reply =
      client.Call("term_send", {{"session", "it"},
                                {"input", {"a", {{"show", true}}, "b"}},
                                {"mode", "snapshot"}});
  EXPECT_NE(reply.body.find("keys\na\n"), std::string::npos) << reply.text;
  EXPECT_TRUE(reply.body.ends_with("keys\nb")) << reply.body;
}

TEST(SettledFirstScreen, IsWaitedForWhileTheProgramIsStarting) {
  McpClient client;
  Reply reply = Open(&client, "it",
                     {"/usr/bin/python3", "-c",
                      "import hashlib, os, select, tty\n"
                      "tty.setraw(0)\n"
                      "os.write(1, b\"\\x1b[?1049h\")\n"
                      "for i in range(800):\n"
                      " hashlib.sha256(bytes(1 << 20))\n"
                      " select.select([0], [], [], 0)\n"
                      "os.write(1, b\"welcome\")\n"
                      "os.read(0, 1)\n"},
                     {{"timeout_s", 30}});
  EXPECT_EQ(reply.body, "welcome") << reply.header;
}

TEST(SettledColours, AreToldWhenAKeyChangesNothingElse) {
  McpClient client;
  ASSERT_TRUE(
      Good(Open(&client, "it", {"dialog", "--yesno", "Sure?", "8", "40"},
                {{"until", {{"text", "Yes"}}}})));
  Reply reply =
      client.Call("term_send", {{"session", "it"}, {"input", {"<Tab>"}}});
  EXPECT_NE(reply.header.find("(colours changed in row "), std::string::npos)
      << reply.header;
}

}  // namespace
}  // namespace glasstty::testing
