// Tests what a client may send by mistake: each message gets an answer that
// says what is wrong and what to do, and the server continues.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

// Checks at the end of each test that the server still works.
void ExpectAlive(McpClient* client) {
  EXPECT_TRUE(Good(client->Call("term_list")));
  EXPECT_TRUE(client->garbage().empty()) << client->garbage()[0];
}

std::string ErrorCode(const Json& message) {
  const Json* error = FindMember(message, "error");
  if (error == nullptr) return "no error: " + DumpJson(message);
  return DumpJson(error->value("code", Json()));
}

TEST(Misuse, LinesThatAreNoRequestAreAnsweredWithTheProtocolsErrors) {
  McpClient client;
  const struct {
    std::string line;
    std::string code;
  } kLines[] = {
      {"{\"jsonrpc\": \"2.0\", \"id\": 900, \"method\": ", "-32700"},
      {"not JSON at all", "-32700"},
      {"\"a string\"", "-32600"},
      {"{\"jsonrpc\":\"2.0\",\"id\":901,\"method\":\"no/such\"}", "-32601"},
      {"{\"jsonrpc\":\"2.0\",\"id\":902,\"method\":\"tools/call\","
       "\"params\":{\"name\":\"term_fly\",\"arguments\":{}}}",
       "-32602"},
      {"{\"jsonrpc\":\"2.0\",\"id\":903,\"method\":\"tools/call\","
       "\"params\":{\"name\":\"term_list\",\"arguments\":[1]}}",
       "-32602"},
      {"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", "-32600"},
      {std::string(100'000, '[') + std::string(100'000, ']'), "-32700"},
  };
  for (const auto& row : kLines) {
    SCOPED_TRACE(row.line.substr(0, 80));
    ASSERT_TRUE(client.SendRaw(row.line + "\n"));
    std::optional<Json> answer = client.NextMessage(Seconds(20));
    ASSERT_TRUE(answer.has_value()) << client.stderr_text();
    EXPECT_EQ(ErrorCode(*answer), row.code) << DumpJson(*answer);
  }
  ExpectAlive(&client);
}

TEST(Misuse, ASessionThatIsNamedAgainAndAgainIsReadOnce) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "s", {"cat"})));
  Json often = Json::array(), many = Json::array();
  for (int i = 0; i < 20'000; ++i) {
    often.push_back("s");
    many.push_back("s" + std::to_string(i));
  }
  Reply reply = client.Call("term_read", {{"sessions", often}});
  ASSERT_TRUE(Good(reply));
  EXPECT_EQ(reply.text.find("[s]", 1), std::string::npos) << reply.text;
  Json until = {{"state", "input"}};
  reply = client.Call("term_wait", {{"sessions", often}, {"until", until}});
  ASSERT_TRUE(Good(reply));
  EXPECT_EQ(reply.text.find("[s]", 1), std::string::npos) << reply.text;
  reply = client.Call("term_read", {{"sessions", many}});
  EXPECT_TRUE(reply.is_error && Shows(reply, "at most 1000")) << reply.text;
  reply = client.Call("term_wait", {{"sessions", many}, {"until", until}});
  EXPECT_TRUE(reply.is_error && Shows(reply, "at most 1000")) << reply.text;
  ExpectAlive(&client);
}

TEST(Misuse, AnUnknownToolIsNamedWithTheKnownOnes) {
  McpClient client;
  Reply reply = client.Call("term_oepn", Json::object());
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "term_open"));
  ExpectAlive(&client);
}

struct Mistake {
  std::string name;
  std::string tool;
  Json arguments;
  // The answer contains all of them: the value, and the way out.
  std::vector<std::string> words;
};

class MisuseOfTools : public ::testing::TestWithParam<Mistake> {};

TEST_P(MisuseOfTools, IsAnErrorThatSaysWhatToDo) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "build", {"bash", "--norc"})));
  Reply reply = client.Call(GetParam().tool, GetParam().arguments);
  EXPECT_TRUE(reply.is_error) << reply.text;
  for (const std::string& word : GetParam().words) {
    EXPECT_TRUE(Shows(reply, word));
  }
  ExpectAlive(&client);
}

const Mistake kMistakes[] = {
    {"UnknownArgument", "term_open", {{"comand", "ls"}}, {"comand", "command"}},
    {"TwoNames", "term_open", {{"name", "a"}, {"session", "b"}}, {"'name'"}},
    {"WrongType", "term_open", {{"rows", "many"}}, {"rows"}},
    {"FractionForInteger", "term_open", {{"rows", 24.5}}, {"rows"}},
    {"NotAList", "term_open", {{"argv", "ls"}}, {"argv"}},
    {"NotAnObject", "term_open", {{"env", "A=b"}}, {"env"}},
    {"UnknownSession", "term_read", {{"session", "bild"}}, {"bild", "build"}},
    {"UnknownKey",
     "term_send",
     {{"session", "build"}, {"input", {"<Ctl-C>"}}},
     {"<Ctl-C>", "<C-c>"}},
    {"UnknownStep",
     "term_send",
     {{"session", "build"}, {"input", Json::array({Json{{"txet", "ls"}}})}},
     {"txet"}},
    {"UnknownCondition",
     "term_wait",
     {{"session", "build"}, {"until", {{"tekst", "x"}}}},
     {"tekst", "text"}},
    {"BadPattern",
     "term_wait",
     {{"session", "build"}, {"until", {{"regex", "(foo"}}}},
     {"(foo", "missing"}},
    {"TooManyRows", "term_open", {{"rows", 1'000'000'000}}, {"rows", "500"}},
    {"NoRows", "term_open", {{"rows", 0}}, {"rows"}},
    {"NegativeColumns", "term_open", {{"cols", -1}}, {"cols"}},
    {"TooManyCells", "term_open", {{"rows", 500}, {"cols", 1000}}, {"200"}},
    {"MissingProgram",
     "term_open",
     {{"argv", {"htpo"}}},
     {"htpo", "No such file"}},
    {"MissingDirectory",
     "term_open",
     {{"argv", {"bash"}}, {"cwd", "/no/such/folder"}},
     {"/no/such/folder", "No such file"}},
    {"NameInUse",
     "term_open",
     {{"name", "build"}, {"argv", {"bash"}}},
     {"build"}},
    {"CommandAndArgv",
     "term_open",
     {{"command", "ls"}, {"argv", {"ls"}}},
     {"command", "argv"}},
    {"UnknownMode",
     "term_read",
     {{"session", "build"}, {"mode", "snapshto"}},
     {"snapshto", "snapshot"}},
    {"NothingToClose", "term_close", {{"session", "gone"}}, {"gone", "build"}},
    {"UnknownSignal",
     "term_close",
     {{"session", "build"}, {"signal", "SIGNOPE"}},
     {"NOPE"}},
};

INSTANTIATE_TEST_SUITE_P(All, MisuseOfTools, ::testing::ValuesIn(kMistakes),
                         [](const auto& row) { return row.param.name; });

TEST(Misuse, WhatIsQuotedDoesNothingToATerminal) {
  McpClient client;
  Reply reply = client.Call("term_read", {{"session", "a\x1b]0;x\a"}});
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "no session 'a\\e]0;x\\a'"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"no\x1b[2J"},
        {"open", "--na\x1b[2J"},
        {"dump", "/no/\x1b[2J"}}) {
    std::vector<std::string> argv = {ServerPath()};
    argv.insert(argv.end(), words.begin(), words.end());
    CommandResult result = RunCommand(argv);
    EXPECT_EQ(result.output.find('\x1b'), std::string::npos) << words[0];
    EXPECT_NE(result.output.find("\\e[2J"), std::string::npos)
        << words[0] << result.output;
  }
}

TEST(Misuse, NothingIsTypedWhenAKeyIsWrong) {
  McpClient client;
  Open(&client, "shell", {"bash", "--norc"}, {{"env", {{"PS1", "$ "}}}});
  Reply reply = client.Call(
      "term_send", {{"session", "shell"}, {"input", {"echo typed", "<Entr>"}}});
  EXPECT_TRUE(reply.is_error);
  EXPECT_EQ(Join(Screen(&client, "shell")), "|$\n");
}

// Reading a pipe waits for its writer, and reading stdin takes the client's
// next request.
TEST(Misuse, AFileThatTheUserNamesIsReadOnlyIfItIsAPlainOne) {
  McpClient client;
  TempDir folder;
  std::string pipe = folder.Join("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Open(&client, "shell", {"bash", "--norc"}, {{"env", {{"PS1", "$ "}}}});
  for (const std::string& path :
       {pipe, std::string("/dev/stdin"), std::string("/proc/self/fd/0"),
        std::string("/dev/zero"), folder.path()}) {
    Reply reply =
        client.Call("term_send",
                    {{"session", "shell"},
                     {"input", Json::array({Json{{"secret_file", path}}})}},
                    Seconds(5));
    EXPECT_TRUE(reply.is_error) << path << ": " << reply.text;
    EXPECT_TRUE(Shows(reply, "plain file")) << path;
    reply = client.Call("term_run",
                        {{"session", "shell"},
                         {"command", "true"},
                         {"success", {{"file", path}, {"file_regex", "x"}}}},
                        Seconds(20));
    EXPECT_TRUE(Shows(reply, "plain file")) << path;
    for (const char* tool : {"term_write_file"}) {
      reply = client.Call(tool, {{"path", path}, {"content", "x"}}, Seconds(5));
      EXPECT_TRUE(reply.is_error) << path << ": " << reply.text;
    }
    ExpectAlive(&client);
  }
}

TEST(Misuse, AWrongNameIsToldTheLiveSessionsOrElseTheEndedOnes) {
  McpClient client;
  Open(&client, "over", {"true"}, {{"until", {{"state", "exited"}}}});
  Reply reply = client.Call("term_read", {{"session", "nosuch"}});
  EXPECT_TRUE(Shows(reply, "open: over (exited)"));
  Open(&client, "shell", {"bash", "--norc"});
  reply = client.Call("term_read", {{"session", "nosuch"}});
  EXPECT_TRUE(Shows(reply, "open: shell ("));
  EXPECT_EQ(reply.text.find("over"), std::string::npos) << reply.text;
}

}  // namespace
}  // namespace glasstty::testing
