// Tests that the screen is the same however a program's output is cut into
// writes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

// A cut can fall into wide characters, combining marks, colours, a title, a
// private mode, cursor motion, an erase, or a string that is removed.
constexpr char kText[] =
    R"("\x1b]0;a title\x07\x1b[1;31mré\x1b[0me\u0301 \u4e16\u754c "
"\x1b[38:2::10:20:30mtrue\x1b[m \U0001f600|\x1b[3;5Hthere\x1b[2;40Hright"
"\x1b[3;7H\x1b[K\x1b]8;;http://x.y/\x1b\\link\x1b]8;;\x1b\\\x1b[?2026h"
"\x1b(0lqk\x1b(B\x1bPq#0\x1b\\\x1b[?2026l\x1b[6;1Hend")";

// Shows the text whole, then, at each Enter, cut in two at the next byte. A
// pause lets the first half arrive by itself.
constexpr char kCutter[] = R"(
import os, sys, termios, time
mode = termios.tcgetattr(0)
mode[3] &= ~(termios.ECHO | termios.ICANON)
termios.tcsetattr(0, termios.TCSANOW, mode)
text = (TEXT).encode()
def show(pieces, name):
    os.write(1, b'\x1b[0m\x1b[2J\x1b[H')
    for piece in pieces:
        os.write(1, piece)
        time.sleep(0.003)
    os.write(1, b'\x1b[10;1H' + name.encode() + b' shown')
    os.read(0, 1)
show([text], 'whole')
show([text[i:i + 1] for i in range(len(text))], 'bytes')
for cut in range(1, len(text)):
    show([text[:cut], text[cut:]], 'cut %d' % cut)
os.write(1, b'\x1b[2J\x1b[Hall %d' % len(text))
os.read(0, 1)
)";

std::vector<std::string> WithoutLast(std::vector<std::string> rows) {
  if (!rows.empty()) rows.pop_back();
  return rows;
}

TEST(Split, AnyCutOfTheOutputGivesTheSameScreen) {
  McpClient client;
  TempDir folder;
  std::string program = kCutter;
  program.replace(program.find("TEXT"), 4, kText);
  Json until = {{"text", "whole shown"}};
  ASSERT_TRUE(Good(Open(&client, "cut",
                        {"/usr/bin/python3", folder.Write("cut.py", program)},
                        {{"until", until}, {"timeout_s", 20}})));
  std::vector<std::string> whole = WithoutLast(Screen(&client, "cut"));
  ASSERT_EQ(whole[0],
            "ré"
            "e\u0301 世界 true 😀|")
      << Join(whole);
  ASSERT_EQ(whole[2], "    thlink┌─┐") << Join(whole);

  for (int cut = 0; cut < 1000; ++cut) {
    std::string name = cut == 0 ? "bytes" : "cut " + std::to_string(cut);
    Reply reply = client.Call(
        "term_send", {{"session", "cut"},
                      {"input", "x"},
                      {"until", {{"regex", name + " shown|all [0-9]+"}}},
                      {"timeout_s", 20}});
    ASSERT_TRUE(Good(reply));
    std::vector<std::string> rows = Screen(&client, "cut");
    if (!rows.empty() && rows[0].rfind("all ", 0) == 0) {
      EXPECT_EQ(rows[0], "all " + std::to_string(cut));
      return;
    }
    ASSERT_EQ(Join(WithoutLast(rows)), Join(whole)) << name;
  }
  FAIL() << "it never came to an end";
}

}  // namespace
}  // namespace glasstty::testing
