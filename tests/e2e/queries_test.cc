// Tests that a program that asks the terminal what it is gets an answer, typed
// to it like any input.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "support/pattern.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

// Asks each query in raw mode and prints the answer, escaped, on a line of its
// own. Ends an answer at its final byte or after 5 s of silence.
constexpr char kAsker[] = R"(
import os, select, sys, termios, tty
old = termios.tcgetattr(0)
answers = []
tty.setraw(0)
for query in sys.argv[1:]:
    os.write(1, query.encode().decode('unicode_escape').encode('latin1'))
    answer = b''
    while select.select([0], [], [], 5 if not answer else 0.2)[0]:
        answer += os.read(0, 1024)
    answers.append(ascii(answer.decode()))
termios.tcsetattr(0, termios.TCSADRAIN, old)
os.write(1, b'\x1b[2J\x1b[H')
for answer in answers: print(answer)
print('asked')
input()
)";

struct Query {
  const char* name;
  const char* bytes;   // in Python's escapes
  const char* answer;  // a pattern for Python's repr of it
};

const Query kQueries[] = {
    {"DSR 5, are you well", "\\x1b[5n", R"('\\x1b\[0n')"},
    {"DSR 6, where is the cursor", "\\x1b[5;7H\\x1b[6n", R"('\\x1b\[5;7R')"},
    {"DA1, what are you", "\\x1b[c", R"('\\x1b\[\?[0-9;]+c')"},
    {"DA2, which version", "\\x1b[>c", R"('\\x1b\[>[0-9;]+c')"},
    {"DECRQM, a mode that is off", "\\x1b[?2026$p", R"('\\x1b\[\?2026;2\$y')"},
    {"DECRQM, a mode that is on", "\\x1b[?25$p", R"('\\x1b\[\?25;1\$y')"},
    {"DECRQM, a mode that is unknown", "\\x1b[?7777$p",
     R"('\\x1b\[\?7777;0\$y')"},
    {"XTVERSION", "\\x1b[>q", R"('\\x1bP>\|.*glasstty.*\\x1b\\\\')"},
    {"DA3, which unit", "\\x1b[=c", R"('\\x1bP!\|[0-9A-F]+\\x1b\\\\')"},
    {"DECXCPR, where on which page", "\\x1b[5;7H\\x1b[?6n",
     R"('\\x1b\[\?5;7;1R')"},
    {"XTGETTCAP, how many colours", "\\x1bP+q436f\\x1b\\\\",
     R"('\\x1bP1\+r436F=323536\\x1b\\\\')"},
    {"XTWINOPS, the size in pixels", "\\x1b[14t",
     R"('\\x1b\[4;[0-9]+;[0-9]+t')"},
    {"OSC 7501, program status", "\\x1b]7501;?\\x1b\\\\\\x1b[c",
     R"('\\x1b\]7501;\?\\x1b\\\\\\x1b\[\?[0-9;]+c')"},
    {"OSC 4, colour 1", "\\x1b]4;1;?\\x1b\\\\",
     R"('\\x1b\]4;1;rgb:[0-9a-f/]+\\x1b\\\\')"},
    {"OSC 10, text colour", "\\x1b]10;?\\x1b\\\\",
     R"('\\x1b\]10;rgb:[0-9a-f/]+(\\x1b\\\\|\\x07)')"},
    {"OSC 11, background colour", "\\x1b]11;?\\x1b\\\\",
     R"('\\x1b\]11;rgb:[0-9a-f/]+(\\x1b\\\\|\\x07)')"},
};

TEST(Queries, AreAnswered) {
  McpClient client;
  TempDir folder;
  std::vector<std::string> argv = {"/usr/bin/python3",
                                   folder.Write("asker.py", kAsker)};
  for (const Query& query : kQueries) argv.push_back(query.bytes);
  ASSERT_TRUE(Good(Open(&client, "asker", argv)));
  ASSERT_TRUE(SeesOnScreen(&client, "asker", "asked"));

  std::vector<std::string> rows = Screen(&client, "asker");
  ASSERT_GE(rows.size(), std::size(kQueries)) << Join(rows);
  for (size_t i = 0; i < std::size(kQueries); ++i) {
    absl::StatusOr<Pattern> pattern =
        Pattern::Compile(std::string("^") + kQueries[i].answer + "$");
    ASSERT_TRUE(pattern.ok()) << pattern.status();
    EXPECT_TRUE(pattern->Find(rows[i])) << kQueries[i].name << ": " << rows[i];
  }
}

// The message is "approve: rm | x; done", for which a terminal that does not
// quote would show notes of its own.
constexpr char kReport[] =
    "printf '\\033]7501;state=blocked:kind=permission:app=claude:"
    "msg=YXBwcm92ZTogcm0gfCB4OyBkb25l\\033\\\\'; read x";

TEST(QueriesAndStatus, IsInRepliesTheListAndWaitsUntilTheProgramEnds) {
  constexpr char kSays[] = "\"claude\" says \"approve: rm \\| x\\; done\"";
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "s", {"bash"})));
  Reply reply =
      client.Call("term_run", {{"session", "s"}, {"command", kReport}});
  EXPECT_TRUE(Shows(reply, " status=blocked(permission) "));
  EXPECT_TRUE(Shows(reply, kSays));
  reply = client.Call("term_list", Json::object());
  EXPECT_TRUE(Shows(reply, " status=blocked(permission) "));
  EXPECT_TRUE(Shows(reply, kSays));
  reply =
      client.Call("term_wait", {{"session", "s"},
                                {"until", {{"status", {"done", "blocked"}}}},
                                {"format", "json"}});
  Json json = ParseJson(reply.text).value_or(Json::object());
  EXPECT_EQ(json["reason"], "status");
  EXPECT_EQ(json["status"]["kind"], "permission");
  EXPECT_EQ(json["status"]["message"], "approve: rm | x; done");
  reply = client.Call("term_send", {{"session", "s"}, {"input", "\n"}});
  EXPECT_EQ(reply.text.find("status="), std::string::npos) << reply.text;
  reply = client.Call("term_list", Json::object());
  EXPECT_EQ(reply.text.find("status="), std::string::npos) << reply.text;
}

// dash has no marks; the kernel says that it is at its prompt.
TEST(QueriesAndStatus, IsForgottenAtThePromptOfAShellWithoutMarks) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "s", {"dash"})));
  Reply reply = client.Call(
      "term_send",
      {{"session", "s"},
       {"input", std::string("sh -c '") + "printf \"\\033]7501;state="
                                          "idle\\a\"; read x'\n"}});
  EXPECT_TRUE(Shows(reply, " status=idle "));
  reply = client.Call("term_send", {{"session", "s"}, {"input", "\n"}});
  EXPECT_EQ(reply.text.find("status="), std::string::npos) << reply.text;
}

TEST(Queries, VimLearnsWhatTheTerminalIs) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "vim", {"vim", "--clean", "-n"})));
  ASSERT_TRUE(SeesOnScreen(&client, "vim", "VIM - Vi IMproved"));
  // v:termresponse has the answer to DA2; empty if there was none.
  ASSERT_TRUE(Eventually(Seconds(20), [&] {
    Keys(&client, "vim", ":echo 'answer' len(v:termresponse) > 0<Enter>");
    return Join(Screen(&client, "vim")).find("answer 1") != std::string::npos;
  })) << Join(Screen(&client, "vim"));
}

// It asks and ends without reading, so the answers reach the shell.
TEST(Queries, OfAProgramThatDoesNotReadDoNotRunWithWhatIsTypedNext) {
  for (const char* shell : {"bash", "zsh"}) {
    McpClient client;
    ASSERT_TRUE(Good(Open(&client, "s", {shell})));
    Reply asked = client.Call(
        "term_send",
        {{"session", "s"},
         {"input",
          "stty -echo; printf '\\033[c\\033[6n'; sleep 0.3; stty echo\n"},
         {"until", {{"state", "prompt"}}}});
    ASSERT_TRUE(Good(asked));
    Reply reply = client.Call("term_send", {{"session", "s"},
                                            {"input", "echo $((40 + 2))\n"},
                                            {"until", {{"text", "42"}}}});
    EXPECT_TRUE(Shows(reply, "answers to a program that did not read them"));
    EXPECT_EQ(reply.text.find("not found"), std::string::npos) << reply.text;
    EXPECT_TRUE(Shows(reply, "\n42"));
  }
}

// The answer comes while the program runs, or when its shell already asks for
// the next command.
TEST(Queries, OfAnyProgramAndShellDoNotRunWithTheNextCommand) {
  const char* programs[] = {
      "printf '\\033[c'", "printf '\\033[6n'; true",
      "printf '\\033[c\\033[6n'; sleep 0.3",
      "stty -echo; printf '\\033[c'; sleep 0.3; stty echo"};
  for (const std::string& shell :
       Sample(std::vector<std::string>{"bash", "zsh", "fish", "dash"}, 2)) {
    McpClient client;
    ASSERT_TRUE(Good(Open(&client, "s", {shell})));
    for (const std::string program : programs) {
      for (bool is_run : {true, false}) {
        SCOPED_TRACE(shell + (is_run ? " runs " : " is sent ") + program);
        auto enter = [&](const std::string& command, const Json& until) {
          Json typed = {
              {"session", "s"}, {"input", command + "\n"}, {"until", until}};
          Json run = {{"session", "s"}, {"command", command}};
          return is_run ? client.Call("term_run", run)
                        : client.Call("term_send", typed);
        };
        ASSERT_TRUE(Good(enter(program, {{"state", "prompt"}})));
        Reply reply = enter("printf '%s%s\\n' 4 2", {{"text", "42"}});
        EXPECT_TRUE(Shows(reply, "\n42"));
        EXPECT_EQ(reply.text.find("not found"), std::string::npos);
      }
    }
  }
}

TEST(Queries, WhoseAnswersStandBehindTypedTextLeaveItThere) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "s", {"bash"})));
  client.Call("term_send", {{"session", "s"},
                            {"input", "printf '\\033[c'; sleep 0.3\n"},
                            {"until", {{"state", "prompt"}}}});
  Keys(&client, "s", "<C-u>echo $((40 + 1))");
  Reply reply = client.Call(
      "term_send",
      {{"session", "s"}, {"input", "\n"}, {"until", {{"text", "41"}}}});
  EXPECT_TRUE(Shows(reply, "41"));
  EXPECT_EQ(reply.text.find("discarded"), std::string::npos) << reply.text;
}

}  // namespace
}  // namespace glasstty::testing
