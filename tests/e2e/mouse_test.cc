// Tests the mouse as real programs understand it: buttons, cursors, lists,
// menus.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

// `steps` is JSON.
Reply Send(McpClient* client, const std::string& name,
           const std::string& steps) {
  return client->Call("term_send",
                      {{"session", name}, {"input", *ParseJson(steps)}});
}

TEST(Mouse, AButtonOfADialogIsPressedByItsText) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "ask",
                        {"dialog", "--yesno", "Shall we go on?", "8", "40"})));
  ASSERT_TRUE(SeesOnScreen(&client, "ask", "Yes"));
  Reply reply = Send(&client, "ask", R"([{"click": "No"}])");
  EXPECT_TRUE(Shows(reply, "exited=1"));
}

TEST(Mouse, ALineOfAMenuIsChosenByItsTextAndTheButtonTakesIt) {
  McpClient client;
  TempDir folder;
  std::string command =
      "dialog --output-fd 3 --menu Which? 12 40 3 a Alpha "
      "b Beta c Gamma 3>" +
      folder.Join("choice");
  ASSERT_TRUE(Good(Open(&client, "menu", {"sh", "-c", command})));
  ASSERT_TRUE(SeesOnScreen(&client, "menu", "Gamma"));
  Reply reply =
      Send(&client, "menu", R"([{"click": "Gamma"}, {"click": "OK"}])");
  EXPECT_TRUE(Shows(reply, "exited=0"));
  EXPECT_EQ(ReadWholeFile(folder.Join("choice")), "c");
}

class MouseVim : public ::testing::Test {
 protected:
  MouseVim() {
    std::string file = folder_.Write("file", NumberedLines(100));
    opened_ = Open(&client_, "vim",
                   {"vim", "--clean", "-n", "--cmd", "set mouse=a", file});
  }

  TempDir folder_;
  McpClient client_;
  Reply opened_;
};

TEST_F(MouseVim, PutsItsCursorWhereItIsClicked) {
  ASSERT_TRUE(SeesOnScreen(&client_, "vim", "line 20 of"));
  Reply reply = Send(&client_, "vim", R"([{"click": [5, 8]}])");
  EXPECT_TRUE(Shows(reply, "cursor=5:8"));
  reply = Send(&client_, "vim", R"([{"click": "line 20"}, "x"])");
  EXPECT_TRUE(Shows(reply, "lin 20 of the file"));
}

TEST_F(MouseVim, ScrollsBothWaysByTheWheel) {
  ASSERT_TRUE(SeesOnScreen(&client_, "vim", "line 20 of"));
  Send(&client_, "vim", R"([{"scroll": 10}])");
  ASSERT_TRUE(SeesOnScreen(&client_, "vim", "line 31 of"));
  EXPECT_EQ(Screen(&client_, "vim")[0], "line 31 of the file");
  Send(&client_, "vim", R"([{"scroll": -5, "at": [3, 3]}])");
  EXPECT_EQ(Screen(&client_, "vim")[0], "line 16 of the file");
}

TEST_F(MouseVim, SelectsWhatIsDraggedOver) {
  ASSERT_TRUE(SeesOnScreen(&client_, "vim", "line 20 of"));
  Reply reply = Send(&client_, "vim", R"([{"drag": [[2, 1], [4, 6]]}, "d"])");
  std::vector<std::string> rows = Screen(&client_, "vim");
  EXPECT_EQ(rows[0], "line 1 of the file") << reply.text;
  EXPECT_EQ(rows[1], " of the file");
  EXPECT_EQ(rows[2], "line 5 of the file");
}

TEST_F(MouseVim, ATextThatIsThereManyTimesIsNotClicked) {
  ASSERT_TRUE(SeesOnScreen(&client_, "vim", "line 20 of"));
  Reply reply = Send(&client_, "vim", R"([{"click": "of the file"}])");
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "is on the screen 23 times: [1, 8] [2, 8]"));
  EXPECT_TRUE(Shows(reply, "give one of these [row, col]"));
}

TEST(Mouse, HtopIsScrolledByTheWheelAndItsKeysAreButtons) {
  McpClient client;
  // There are more processes than rows, and the list shows no others.
  ASSERT_TRUE(Good(Open(&client, "many", {"bash", "--norc"})));
  Keys(&client, "many",
       "for i in `seq 96310 96349`; do sleep $i & done 2>&-<Enter>");
  // htop reads the name of a process once, so each must be a sleep by then.
  ASSERT_TRUE(Eventually(Seconds(20), [] {
    int sleeping = 0;
    for (const ProcessRow& row : ProcessesWith("963")) {
      if (row.command.starts_with("sleep 963")) ++sleeping;
    }
    return sleeping == 40;
  }));
  ASSERT_TRUE(
      Good(Open(&client, "htop", {"htop", "-d", "10", "-F", "sleep 963"})));
  // Sort by their numbers.
  Keys(&client, "htop", "N");
  ASSERT_TRUE(SeesOnScreen(&client, "htop", "sleep 96310"));
  EXPECT_EQ(Join(Screen(&client, "htop")).find("sleep 96349"),
            std::string::npos);
  Send(&client, "htop", R"([{"scroll": 20, "at": [15, 20]}])");
  EXPECT_TRUE(SeesOnScreen(&client, "htop", "sleep 96349"));
  Send(&client, "htop", R"([{"scroll": -20, "at": [15, 20]}])");
  EXPECT_TRUE(SeesOnScreen(&client, "htop", "sleep 96310"));
  Send(&client, "htop", R"([{"click": "Setup"}])");
  EXPECT_TRUE(SeesOnScreen(&client, "htop", "Categories"));
}

TEST(Mouse, MidnightCommanderOpensAMenuAndEndsByItsButton) {
  McpClient client;
  TempDir folder;
  folder.Write("first.txt", "");
  ASSERT_TRUE(
      Good(Open(&client, "mc", {"mc", "-u", "-b"}, {{"cwd", folder.path()}})));
  ASSERT_TRUE(SeesOnScreen(&client, "mc", "Quit"));
  Send(&client, "mc", R"([{"click": "Options"}])");
  ASSERT_TRUE(SeesOnScreen(&client, "mc", "Configuration..."));
  Reply reply = Send(&client, "mc", R"(["<Esc><Esc>", {"click": "Quit"}])");
  EXPECT_TRUE(Shows(reply, "exited=0"));
}

TEST(Mouse, EachEventIsReadByItself) {
  McpClient client;
  constexpr char kPrintReads[] =
      "import os, tty\n"
      "tty.setraw(0)\n"
      "os.write(1, b'\\x1b[?1002h\\x1b[?1006hready\\r\\n')\n"
      "while True:\n"
      "  read = os.read(0, 1000)\n"
      "  os.write(1, read.replace(b'\\x1b[', b'event ') + b'\\r\\n')\n";
  ASSERT_TRUE(Good(Open(&client, "reads", {"python3", "-c", kPrintReads})));
  ASSERT_TRUE(SeesOnScreen(&client, "reads", "ready"));
  Send(&client, "reads",
       R"([{"click": [1, 1], "count": 2, "mods": "C"},
           {"drag": [[2, 1], [2, 3]], "button": "right"}, {"scroll": 2}])");
  ASSERT_TRUE(SeesOnScreen(&client, "reads", "<65;"));
  std::vector<std::string> rows = Screen(&client, "reads");
  const std::vector<std::string> events(rows.begin() + 1, rows.begin() + 9);
  EXPECT_EQ(events, (std::vector<std::string>{
                        "event <16;1;1M", "event <16;1;1m", "event <16;1;1M",
                        "event <16;1;1m", "event <2;1;2M", "event <34;2;2M",
                        "event <34;3;2M", "event <2;3;2m"}));
}

TEST(Mouse, AShellIsNotSentWhatItWouldTakeForText) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "main", {"bash", "--norc"})));
  std::string before = Join(Screen(&client, "main"));
  Reply reply = Send(&client, "main", R"([{"click": [1, 1]}])");
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply,
                    "not typed: the program does not accept the mouse; use its "
                    "keys"));
  EXPECT_EQ(Join(Screen(&client, "main")), before);
}

}  // namespace
}  // namespace glasstty::testing
