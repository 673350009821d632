// Tests that steps reach the program for which they are meant, or nobody.
#include <gtest/gtest.h>
#include <signal.h>

#include <string>

#include "absl/strings/str_format.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

class Typing : public ::testing::Test {
 protected:
  Typing() {
    // Prints each key, ends at q.
    folder_.Write("keys.py",
                  "import os, sys, termios, tty\n"
                  "old = termios.tcgetattr(0)\n"
                  "tty.setcbreak(0)\n"
                  "print('ready', flush=True)\n"
                  "while (c := sys.stdin.read(1)) != 'q': print('got', c, "
                  "flush=True)\n"
                  "termios.tcsetattr(0, termios.TCSANOW, old)\n"
                  // The interpreter takes its time to end otherwise.
                  "os._exit(0)\n");
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
                    "foreground ("));
  EXPECT_TRUE(Shows(reply, "got b"));
  EXPECT_EQ(Join(Screen(&client_, "main")).find("touch"), std::string::npos);
}

TEST_F(Typing, AnInterruptThatAProgramDoesNotReadIsTold) {
  for (bool takes_keys : {true, false}) {
    std::string name = takes_keys ? "takes" : "leaves";
    folder_.Write("busy.py",
                  absl::StrFormat("import tty\n"
                                  "tty.%s(0)\n"
                                  "print('ready', flush=True)\n"
                                  "while True: pass\n",
                                  takes_keys ? "setraw" : "setcbreak"));
    Open(&client_, name, {"/usr/bin/python3", "busy.py"},
         {{"cwd", folder_.path()}, {"until", {{"text", "ready"}}}});
    Reply reply = client_.Call(
        "term_send", {{"session", name}, {"input", Json::array({"<C-c>"})}});
    EXPECT_EQ(Shows(reply, "has not read <C-c>: {\"signal\": \"INT\"}"),
              takes_keys)
        << reply.text;
  }
}

TEST_F(Typing, ALineThatTheTerminalWouldCutIsRefusedWhole) {
  ASSERT_TRUE(Good(Open(&client_, "sh", {"sh"}, {{"cwd", folder_.path()}})));
  // The text before it is not typed either.
  const std::string kLong = ": " + std::string(4'090, 'b') + " ; touch ran\n";
  for (const std::string& text :
       {kLong, "touch ran\n" + kLong, std::string(20'000, 'c') + "\n",
        "touch ran\n" + std::string(7'000, '\n') + kLong}) {
    Reply reply =
        client_.Call("term_send", {{"session", "sh"}, {"input", text}});
    EXPECT_TRUE(reply.is_error);
    EXPECT_TRUE(Shows(reply, "not typed: a line of more than 4,095 bytes"));
  }
  // If a byte had been typed, the line would differ.
  Reply after =
      client_.Call("term_run", {{"session", "sh"}, {"command", "ls"}});
  EXPECT_EQ(after.body, "keys.py") << after.text;
  // A command is typed as several short lines.
  Reply run = client_.Call("term_run", {{"session", "sh"}, {"command", kLong}});
  EXPECT_TRUE(Good(run));
  EXPECT_TRUE(Shows(RunIn(&client_, "sh", "ls; rm ran"), "ran"));

  client_.Call("term_send", {{"session", "sh"}, {"input", "cat >out\n"}});
  Reply lines = client_.Call(
      "term_send",
      {{"session", "sh"},
       {"input",
        Json::array({Json{{"text", "one\n"}},
                     Json{{"text", std::string(5'100, 'x') + "\n"}}})}});
  EXPECT_TRUE(Shows(lines, "typed 1 of 2 steps: a line of more than"));
  Keys(&client_, "sh", "<C-d>");
  EXPECT_EQ(ReadWholeFile(folder_.Join("out")), "one\n");
}

TEST_F(Typing, ProgramsThatReadKeysAndPipesGetLinesOfAnyLength) {
  const std::string kLong(9'000, 'x');
  Reply reply = client_.Call(
      "term_send",
      {{"session", "main"}, {"input", "echo " + kLong + " | wc -c\n"}});
  EXPECT_TRUE(Shows(reply, "9001"));
  ASSERT_TRUE(Good(Open(&client_, "p", {"wc", "-c"}, {{"pipe", true}})));
  reply = client_.Call(
      "term_send",
      {{"session", "p"},
       {"input", Json::array({Json{{"text", kLong}}, Json{{"eof", true}}})}});
  EXPECT_TRUE(Shows(reply, "9000"));
}

TEST_F(Typing, EndsWhenVimIsKilledInItsMiddle) {
  Send(R"(["vim --clean -n file<Enter>"])");
  ASSERT_TRUE(SeesOnScreen(&client_, "main", "[New]"));
  // It ends by itself, as in a crash: nothing in the steps says that it may go.
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

TEST(TypingEcho, WhatTheCallTypedIsNotRepeated) {
  McpClient client;
  Open(&client, "b", {"bash", "--norc"}, {{"env", {{"PS1", "$ "}}}});
  Json call = {{"session", "b"}, {"input", "echo one\n"}};
  EXPECT_EQ(client.Call("term_send", call).body, "one");
  call["input"] = "for i in 1 2; do\necho $i\ndone\n";
  EXPECT_EQ(client.Call("term_send", call).body, "1\n2");
  call["input"] = "true\n";
  Reply reply = client.Call("term_send", call);
  EXPECT_EQ(reply.body, "");
  EXPECT_TRUE(Shows(reply, "no output"));
  // An agent looks for text that is not entered yet.
  call["input"] = "echo ha";
  reply = client.Call("term_send", call);
  EXPECT_EQ(reply.body, "echo ha");
  EXPECT_TRUE(Shows(reply, "typed, not entered: enter=true"));
  call["input"] = "lf\n";
  EXPECT_EQ(client.Call("term_send", call).body, "half");
  call["input"] = "echo two\n";
  call["echo"] = true;
  EXPECT_EQ(client.Call("term_send", call).body, "echo two\ntwo\n$ ");
}

TEST(TypingEcho, ASecretThatIsNotEnteredIsToldWithoutIt) {
  McpClient client;
  client.Call("term_run", {{"command", "read -s -p 'Password: ' x; echo $x"}});
  Reply reply = client.Call("term_send", {{"input", "hush"}});
  EXPECT_TRUE(Shows(reply, "typed, not entered: enter=true"));
  EXPECT_EQ(reply.text.find("hush"), std::string::npos) << reply.text;
  reply = client.Call("term_send", {{"input", "-hush"}, {"enter", true}});
  EXPECT_TRUE(Shows(reply, "hush-hush"));
  EXPECT_EQ(reply.text.find("not entered"), std::string::npos) << reply.text;
}

// An editor does something with text alone.
TEST(TypingEcho, TextForAFullScreenProgramNeedsNoEnter) {
  McpClient client;
  Open(&client, "v", {"vim", "--clean", "-n"});
  Reply reply = client.Call("term_send", {{"session", "v"}, {"input", "ihi"}});
  EXPECT_TRUE(Shows(reply, "hi"));
  EXPECT_EQ(reply.text.find("not entered"), std::string::npos) << reply.text;
}

// Output from before an interrupt is old, and the state tells the prompt.
TEST(TypingEcho, AnInterruptIsAnsweredByWhatComesBehindIt) {
  McpClient client;
  Open(&client, "b", {"bash", "--norc"}, {{"env", {{"PS1", "$ "}}}});
  EXPECT_EQ(Keys(&client, "b", "<C-c>").body, "");
  EXPECT_EQ(Keys(&client, "b", "<C-l>").body, "");
  EXPECT_EQ(Keys(&client, "b", "echo hal<C-c>").body, "echo hal^C");
  // Prints more than the call that starts it waits for. It is one program: a
  // shell that is interrupted just before it starts the next one waits for
  // that.
  auto start = [&client](int lines, const std::string& first = "") {
    std::string command = absl::StrFormat(
        "echo on; perl -e '$| = 1; %s select(undef, undef, undef, 0.2); "
        "print \"$_\\n\" for 1..%d; print \"\\e]0;all\\a\"; sleep 1 while 1'\n",
        first, lines);
    client.Call(
        "term_send",
        {{"session", "b"}, {"input", command}, {"until", {{"regex", "^on$"}}}});
    client.Call(
        "term_wait",
        {{"session", "b"}, {"until", {{"title", "all"}}}, {"show", "match"}});
  };
  start(50, "$SIG{INT} = sub { print \"trapped\\n\"; exit 3 };");
  Reply reply = Keys(&client, "b", "<C-c>");
  EXPECT_EQ(reply.body, "^Ctrapped") << reply.text;
  EXPECT_TRUE(Shows(reply, "50 lines before ^C left out"));
  // A few lines are shown, and so is what the same call has started.
  start(2);
  EXPECT_EQ(Keys(&client, "b", "<C-c>").body, "1\n2");
  reply = client.Call(
      "term_send",
      {{"session", "b"},
       {"input",
        {"seq 9; sleep 9<Enter>", {{"until", {{"text", "9"}}}}, "<C-c>"}},
       {"echo", true}});
  EXPECT_TRUE(Shows(reply, "8\n9\n^C"));
}

TEST(TypingEcho, AnEchoIsTakenOffOnceAndOutputLikeItStays) {
  McpClient client;
  Open(&client, "c", {"cat"});
  Json call = {{"session", "c"}, {"input", "same\n"}};
  EXPECT_EQ(client.Call("term_send", call).body, "same");
  Open(&client, "p", {"python3", "-q", "-i", "-c", ""},
       {{"until", {{"text", ">>>"}}}});
  call = {{"session", "p"},
          {"input", "def f():\n  return 2\n\nf()\n"},
          {"until", {{"regex", "^2$"}}}};
  EXPECT_TRUE(Shows(client.Call("term_send", call), "\n2"));
}

// Shows what each of its reads has brought, on a screen of its own.
constexpr char kChunks[] =
    "import os, select, sys, tty\n"
    "tty.setraw(0)\n"
    "os.write(1, b'\\x1b[?1049h\\x1b[Hready\\r\\n')\n"
    "while (c := os.read(0, 4096)) != b'q':\n"
    "  os.write(1, b'[%d]' % len(c))\n";

bool ShowsItsReads(McpClient* client) {
  return Good(Open(client, "it", {"/usr/bin/python3", "-c", kChunks},
                   {{"until", {{"text", "ready"}}}}));
}

// Many programs treat what one read brings as one key.
TEST(TypingKeys, AFullScreenProgramReadsThemOneByOne) {
  McpClient client;
  ASSERT_TRUE(ShowsItsReads(&client));
  Keys(&client, "it", "d5é<Up>xyz");
  EXPECT_TRUE(SeesOnScreen(&client, "it", "[1][1][2][3][1][1][1]"));
}

// Text longer than a command is not split, and a paste comes whole.
TEST(TypingKeys, LongTextAndPastesComeInOnePiece) {
  McpClient client;
  ASSERT_TRUE(ShowsItsReads(&client));
  client.Call("term_send",
              {{"session", "it"}, {"input", {{{"paste", "abcdef"}}}}});
  EXPECT_TRUE(SeesOnScreen(&client, "it", "[6]"));
  Keys(&client, "it", std::string(257, 'x'));
  EXPECT_TRUE(SeesOnScreen(&client, "it", "[6][257]"));
  Keys(&client, "it", std::string(100, 'x'));
  EXPECT_TRUE(SeesOnScreen(&client, "it", "[1][68]"));
}

// Prints each read, and asks for the protocol of kitty at the key k.
constexpr char kAsksAtK[] =
    "import os, tty\n"
    "tty.setraw(0)\n"
    "os.write(1, b'ready\\r\\n')\n"
    "while True:\n"
    "  read = os.read(0, 1000)\n"
    "  if read == b'k': os.write(1, b'\\x1b[>1u\\x1b[?u')\n"
    "  os.write(1, b'read ' + repr(read).encode() + b'\\r\\n')\n";

TEST(TypingKeys, ThatMayBeTakenForOthersWaitUntilTheProgramAsksForThem) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "it", {"/usr/bin/python3", "-c", kAsksAtK})));
  ASSERT_TRUE(SeesOnScreen(&client, "it", "ready"));
  auto send = [&](const Json& input) {
    return client.Call("term_send", {{"session", "it"}, {"input", input}});
  };
  Reply refused = send({"text<S-Enter>more"});
  EXPECT_TRUE(refused.is_error);
  EXPECT_TRUE(Shows(refused, "<S-Enter>"));
  send({"k"});
  ASSERT_TRUE(SeesOnScreen(&client, "it", "read b'\\x1b[?1u'"));
  send({"<S-Enter>"});
  EXPECT_TRUE(SeesOnScreen(&client, "it", "read b'\\x1b[13;2u'"));
  send({"<C-S-x>"});
  EXPECT_TRUE(SeesOnScreen(&client, "it", "read b'\\x1b[120;6u'"));
  EXPECT_FALSE(Shows(client.Call("term_read", {{"session", "it"}}), "text"));
}

TEST(TypingKeys, TopAsksForADelayAndGetsIt) {
  McpClient client;
  ASSERT_TRUE(Good(Open(
      &client, "it", {"top"},
      {{"env", {{"HOME", "/nonexistent"}}}, {"until", {{"text", "PID"}}}})));
  Keys(&client, "it", "d5<Enter>");
  Keys(&client, "it", "d");
  EXPECT_TRUE(SeesOnScreen(&client, "it", "delay from 5.0"));
}

TEST(TypingKeys, TmuxTakesACommandBehindItsPrefix) {
  McpClient client;
  TempDir folder;
  ASSERT_TRUE(Good(Open(
      &client, "it",
      {"tmux", "-S", folder.path() + "/tmux", "-f", "/dev/null", "new", "sh"},
      {{"until", {{"text", "0:sh"}}}})));
  Keys(&client, "it", "<C-b>:split<Enter>");
  EXPECT_TRUE(SeesOnScreen(&client, "it", "────"));
  // Even a program that has long been quiet has not answered before it was
  // asked.
  EXPECT_TRUE(Shows(Keys(&client, "it", "<C-b>%"), "│"));
  Keys(&client, "it", "<C-b>:kill-server<Enter>");
}

// Reads lines as redis-cli and deno do, which throw away what was typed while
// they worked on the line before.
constexpr char kFlushingEditor[] = R"py(
import os, sys, termios, tty
old = termios.tcgetattr(0)
while True:
  print('> ', end='', flush=True)
  tty.setcbreak(0, termios.TCSAFLUSH)
  line = ''
  while (c := os.read(0, 1)) not in (b'\r', b'\n'):
    line += c.decode()
    print(c.decode(), end='', flush=True)
  print(flush=True)
  termios.tcsetattr(0, termios.TCSAFLUSH, old)
  if line == 'end': break
  os.system('echo ran ' + line)
)py";

TEST_F(Typing, LinesReachAProgramThatThrowsAwayWhatIsTypedAhead) {
  folder_.Write("editor.py", kFlushingEditor);
  Send(R"(["/usr/bin/python3 editor.py<Enter>"])");
  ASSERT_TRUE(SeesOnScreen(&client_, "main", ">"));
  Reply reply = client_.Call("term_send", {{"input", "one\ntwo\nthree\n"},
                                           {"until", {{"text", "ran three"}}}});
  EXPECT_TRUE(Shows(reply, "reason=matched"));
  EXPECT_TRUE(Shows(reply, "ran one"));
  EXPECT_TRUE(Shows(reply, "ran two"));
}

TEST_F(Typing, LinesThatAProgramEndsAtAreNotTypedAtItsShell) {
  folder_.Write("editor.py", kFlushingEditor);
  Send(R"(["/usr/bin/python3 editor.py<Enter>"])");
  ASSERT_TRUE(SeesOnScreen(&client_, "main", ">"));
  Reply reply =
      client_.Call("term_send", {{"input", "one\nend\ntouch wrong\n"}});
  EXPECT_TRUE(Shows(reply, "python3 is no longer in the foreground"));
  EXPECT_EQ(Join(Screen(&client_, "main")).find("touch"), std::string::npos);
}

TEST_F(Typing, LinesBehindTheAnswerThatAScriptEndsAtAreNotTypedAtItsShell) {
  Send(R"(["sh -c 'printf as''ks; read x; echo got $x'<Enter>"])");
  ASSERT_TRUE(SeesOnScreen(&client_, "main", "asks"));
  ASSERT_TRUE(
      Good(client_.Call("term_wait", {{"until", {{"state", "input"}}}})));
  Reply reply = client_.Call("term_send", {{"input", "y\ntouch wrong\n"}});
  EXPECT_TRUE(Shows(reply, "sh is no longer in the foreground"));
  std::string screen = Join(Screen(&client_, "main"));
  EXPECT_NE(screen.find("got y"), std::string::npos) << screen;
  EXPECT_EQ(screen.find("touch"), std::string::npos) << screen;
}

// A pinentry does this whose gpg has been interrupted.
TEST_F(Typing, NothingReachesAShellWhileAnotherProcessReadsItsTerminal) {
  Reply reader = client_.Call(
      "term_send", {{"input", "setsid -w sh -c 'echo u''p; head -n 1'\n"},
                    {"until", {{"text", "up\n"}}}});
  ASSERT_TRUE(Shows(reader, "reason=matched"));
  ASSERT_TRUE(
      Shows(client_.Call("term_wait", {{"until", {{"state", "input"}}}}),
            "[main] input"));
  Reply back = client_.Call(
      "term_send", {{"input", {"<C-c>"}}, {"until", {{"state", "prompt"}}}});
  ASSERT_TRUE(Shows(back, "[main] prompt"));
  for (const Reply& refused :
       {client_.Call("term_run", {{"command", "echo hi"}}),
        client_.Call("term_send", {{"input", "echo hi\n"}})}) {
    ASSERT_TRUE(Shows(refused, "head (pid "));
    EXPECT_TRUE(Shows(refused, "reads this terminal, too"));
  }
  Reply refused = client_.Call("term_run", {{"command", "echo hi"}});
  kill(std::stoi(refused.text.substr(refused.text.find("(pid ") + 5)), SIGKILL);
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    return client_.Call("term_run", {{"command", "echo a''gain"}}).body ==
           "again";
  }));
}

TEST_F(Typing, ACommandThatWantsTheTerminalInTheBackgroundIsToldToBeStopped) {
  Reply reply = client_.Call(
      "term_run",
      {{"command", "sh -c 'timeout 50 cat; true'"}, {"timeout_s", 1}});
  EXPECT_TRUE(Shows(reply, "cat (pid "));
  EXPECT_TRUE(Shows(reply, "is stopped, because it wants the terminal"));
  EXPECT_EQ(reply.text.find("it keeps running"), std::string::npos);
}

TEST_F(Typing, AControlKeyThatWouldBeALetterOfASecretIsRefused) {
  client_.Call("term_send",
               {{"input", "stty -echo -isig; printf 'Pass''word: '; read x\n"},
                {"until", {{"state", "secret"}}}});
  Reply reply = Send(R"(["<C-c>"])");
  EXPECT_TRUE(Shows(reply, "not typed: <C-c> would be a letter"));
  EXPECT_TRUE(Shows(Send(R"([{"signal": "INT"}])"), "[main]"));
}

}  // namespace
}  // namespace glasstty::testing
