// Steps reach the program that they are meant for, or nobody.
#include <gtest/gtest.h>
#include <signal.h>

#include <string>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

class Typing : public ::testing::Test {
 protected:
  Typing() {
    // Tells each key, ends at q.
    folder_.Write("keys.py",
                  "import sys, termios, tty\n"
                  "old = termios.tcgetattr(0)\n"
                  "tty.setcbreak(0)\n"
                  "print('ready', flush=True)\n"
                  "while (c := sys.stdin.read(1)) != 'q': print('got', c, "
                  "flush=True)\n"
                  "termios.tcsetattr(0, termios.TCSANOW, old)\n");
    opened_ = Open(&client_, "main", {"bash", "--norc"},
                   {{"cwd", folder_.path()}, {"env", {{"PS1", "$ "}}}});
  }

  Reply Send(const std::string& steps) {
    return client_.Call("term_send",
                        {{"session", "main"}, {"input", *ParseJson(steps)}});
  }

  TempDir folder_;
  McpClient client_;
  Reply opened_;
};

TEST_F(Typing, EndsWhenTheProgramEndsThatItWasMeantFor) {
  Send(R"(["/usr/bin/python3 keys.py<Enter>"])");
  ASSERT_TRUE(SeesOnScreen(&client_, "main", "ready"));
  Reply reply = Send(R"(["ab", "q", "touch wrong<Enter>", "x"])");
  EXPECT_FALSE(reply.is_error);
  EXPECT_TRUE(Shows(reply,
                    "typed 2 of 5 steps: python3 is no longer in the "
                    "foreground (bash is)"));
  EXPECT_TRUE(Shows(reply, "got b"));
  EXPECT_EQ(Join(Screen(&client_, "main")).find("touch"), std::string::npos);
}

TEST_F(Typing, EndsWhenVimIsKilledInItsMiddle) {
  Send(R"(["vim --clean -n file<Enter>"])");
  ASSERT_TRUE(SeesOnScreen(&client_, "main", "[New]"));
  // By itself, as a crash would: nothing in the steps says that it may go.
  Reply reply = Send(R"(["ione<Esc>:call system('kill -9 ' . getpid())<Enter>",
               "itouch wrong<Enter>"])");
  EXPECT_TRUE(Shows(reply, "vim is no longer in the foreground (bash is)"));
  EXPECT_EQ(Join(Screen(&client_, "main")).find("touch"), std::string::npos);
}

TEST_F(Typing, GoesThroughAProgramThatItHasStartedAndBack) {
  Reply reply = Send(
      R"(["vim --clean -n file<Enter>", "ihello<Esc>:wq<Enter>",
          "cat file<Enter>"])");
  EXPECT_EQ(reply.text.find("typed"), std::string::npos) << reply.text;
  EXPECT_TRUE(SeesOnScreen(&client_, "main", "hello"));
  EXPECT_EQ(ReadWholeFile(folder_.Join("file")), "hello\n");
}

TEST_F(Typing, GoesOnBehindAStepThatSaysThatTheProgramMayEnd) {
  for (const char* ender :
       {R"({"until": {"state": "prompt"}})", R"({"pause_s": 0.5})"}) {
    Send(R"(["/usr/bin/python3 keys.py<Enter>"])");
    Reply reply = Send(std::string(R"(["q", )") + ender +
                       R"(, "echo be", {"text": "hind\n"}])");
    EXPECT_TRUE(Shows(reply, "\nbehind"));
  }
  Send(R"(["cat<Enter>"])");
  Reply reply = Send(R"(["x<Enter><C-d>", "echo la", "st<Enter>"])");
  EXPECT_TRUE(Shows(reply, "\nlast"));
}

}  // namespace
}  // namespace glasstty::testing
