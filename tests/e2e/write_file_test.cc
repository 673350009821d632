// Tests term_write_file: content that no quoting could carry, into files beside
// a session.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

TEST(WriteFile, WritesExactlyWhatItIsGivenAndSaysWhereAndHowMuch) {
  McpClient client;
  TempDir dir;
  std::string path = dir.Join("a.sh");
  std::string text = "#!/bin/sh\necho \"it's\" `x` $HOME \\ !\n\tü\n";
  Reply reply =
      client.Call("term_write_file", {{"path", path}, {"content", text}});
  EXPECT_EQ(reply.text, "wrote " + path + ": " + std::to_string(text.size()) +
                            " bytes, new file");
  EXPECT_EQ(ReadWholeFile(path), text);
  reply = client.Call("term_write_file",
                      {{"path", path}, {"content", "x"}, {"append", true}});
  EXPECT_EQ(reply.text, "appended to " + path + ": " +
                            std::to_string(text.size() + 1) + " bytes");
  EXPECT_EQ(ReadWholeFile(path), text + "x");
}

TEST(WriteFile, ARelativePathIsBelowTheDirectoryOfTheSession) {
  McpClient client;
  TempDir dir;
  ASSERT_TRUE(Good(Open(&client, "main", {"bash", "--norc"})));
  ASSERT_TRUE(Good(
      client.Call("term_run", {{"command", "mkdir " + dir.path() + "/sub; cd " +
                                               dir.path() + "/sub"}})));
  Reply reply =
      client.Call("term_write_file", {{"path", "x.txt"}, {"content", "here"}});
  EXPECT_TRUE(Shows(reply, "/sub/x.txt: 4 bytes"));
  EXPECT_EQ(ReadWholeFile(dir.Join("sub/x.txt")), "here");
  reply = client.Call("term_run", {{"command", "cat x.txt"}});
  EXPECT_EQ(reply.body, "here");
}

TEST(WriteFile, TakesBytesInEveryEncoding) {
  McpClient client;
  TempDir dir;
  const struct {
    std::string encoding, content, bytes;
  } kRows[] = {
      {"utf-8", "ü", "\xC3\xBC"},
      {"latin1", "ü", "\xFC"},
      {"ascii", "u", "u"},
      {"base64", "AP8=", std::string("\0\xFF", 2)},
      {"hex", "00 ff", std::string("\0\xFF", 2)},
  };
  for (const auto& row : kRows) {
    Reply reply = client.Call("term_write_file", {{"path", dir.Join("f")},
                                                  {"content", row.content},
                                                  {"encoding", row.encoding}});
    EXPECT_TRUE(Good(reply));
    EXPECT_EQ(ReadWholeFile(dir.Join("f")), row.bytes) << row.encoding;
  }
}

TEST(WriteFile, AMistakeChangesNothing) {
  McpClient client;
  TempDir dir;
  std::string path = dir.Write("f", "old");
  const struct {
    Json more;
    std::string words;
  } kRows[] = {
      {{{"content", "0g"}, {"encoding", "hex"}}, "character 2"},
      {{{"content", "ü"}, {"encoding", "ascii"}}, "is not valid ascii"},
      {{{"content", "x"}, {"encoding", "utf-16"}}, "latin1"},
      {{{"content", "x"}, {"session", "bild"}}, "no session 'bild'"},
      {{{"content", 5}}, "a string"},
      {Json::object(), "'content' or 'output'"},
      {{{"content", "x"}, {"path", dir.path()}}, "it is a directory"},
      {{{"content", "x"}, {"path", dir.path() + "/"}}, "names a directory"},
      {{{"content", "x"}, {"path", ""}}, "'path' is empty"},
      {{{"content", "x"}, {"path", "f"}}, "which session? none is open"},
      {{{"content", "x"}, {"path", "/proc/nothing"}}, "/proc/nothing"},
  };
  for (const auto& row : kRows) {
    Json arguments = {{"path", path}};
    arguments.update(row.more);
    Reply reply = client.Call("term_write_file", arguments);
    EXPECT_TRUE(reply.is_error) << reply.text;
    EXPECT_TRUE(Shows(reply, row.words));
    EXPECT_EQ(ReadWholeFile(path), "old");
  }
}

TEST(WriteFile, ALinkTheModeAndTheJsonFacts) {
  McpClient client;
  TempDir dir;
  std::string target = dir.Write("target", "old");
  ASSERT_EQ(chmod(target.c_str(), 0750), 0);
  ASSERT_EQ(symlink("target", dir.Join("link").c_str()), 0);
  Reply reply = client.Call(
      "term_write_file",
      {{"path", dir.Join("link")}, {"content", "new"}, {"format", "json"}});
  const Json& facts = reply.message["result"]["structuredContent"];
  EXPECT_EQ(facts["size"], 3) << reply.text;
  EXPECT_EQ(facts["created"], false);
  EXPECT_TRUE(facts["path"].get<std::string>().ends_with("/target"));
  EXPECT_EQ(ReadWholeFile(target), "new");
  struct stat now = {};
  ASSERT_EQ(stat(target.c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 07777, 0750u);
}

// ---- a session's own output

// A program has printed all of it, and none of it has been shown.
class WriteFileOutput : public ::testing::Test {
 protected:
  void Print(McpClient* client, const std::string& command) {
    Json arguments = {{"cwd", dir_.path()}, {"until", {{"quiet_s", 0.01}}}};
    ASSERT_TRUE(Good(Open(client, "main",
                          {"sh", "-c",
                           "until [ -e go ]; do sleep 0.01; done; " + command +
                               "; echo end; cat"},
                          arguments)));
    dir_.Write("go", "");
    client->Call(
        "term_wait",
        {{"until", {{"regex", "^end"}}}, {"timeout_s", 45}, {"show", "match"}});
  }

  TempDir dir_;
};

TEST_F(WriteFileOutput, OfWhatIsNewIsReadByThat) {
  McpClient client;
  Print(&client, "seq 1 100000");
  std::string path = dir_.Join("out");
  Reply reply =
      client.Call("term_write_file", {{"path", path}, {"output", "new"}});
  EXPECT_TRUE(Shows(reply, ": 588899 bytes, new file, 100001 lines of main"));
  std::string text = ReadWholeFile(path);
  EXPECT_EQ(text.substr(0, 6), "1\n2\n3\n");
  EXPECT_EQ(text.substr(text.size() - 11), "100000\nend\n");
  EXPECT_EQ(client.Call("term_read").body, "");
  client.Call("term_send", {{"input", "more\n"}, {"mode", "history"}});
  reply = client.Call("term_write_file",
                      {{"path", path}, {"output", "new"}, {"append", true}});
  EXPECT_TRUE(ReadWholeFile(path).ends_with("end\nmore\nmore\n")) << reply.text;
}

TEST_F(WriteFileOutput, OfLinesLeavesThemUnread) {
  McpClient client;
  Print(&client, "seq 1 50000");
  Reply reply = client.Call("term_write_file", {{"path", "part"},
                                                {"output", "lines"},
                                                {"from_line", 40000},
                                                {"lines", 3}});
  EXPECT_EQ(ReadWholeFile(dir_.Join("part")), "40000\n40001\n40002\n")
      << reply.text;
  reply = client.Call(
      "term_write_file",
      {{"path", "one"}, {"output", "lines"}, {"from_line", 7}, {"lines", 1}});
  EXPECT_TRUE(Shows(reply, ": 2 bytes, new file, 1 line of main"));
  EXPECT_TRUE(Shows(client.Call("term_read"), "lines 1-50001"));
}

TEST_F(WriteFileOutput, RawIsEveryByteOfTheLog) {
  McpClient client;
  Print(&client, "printf '\\033[31mred\\033[m\\a\\n'");
  Reply reply = client.Call(
      "term_write_file", {{"path", "raw"}, {"output", "all"}, {"raw", true}});
  EXPECT_EQ(ReadWholeFile(dir_.Join("raw")), "\033[31mred\033[m\a\r\nend\r\n")
      << reply.text;
}

TEST_F(WriteFileOutput, WaitsFirstWhenToldTo) {
  McpClient client;
  Print(&client, "true");
  client.Call("term_send",
              {{"input", "read x; echo done\n"}, {"mode", "history"}});
  Reply reply = client.Call("term_write_file", {{"path", "w"},
                                                {"output", "all"},
                                                {"until", {{"quiet_s", 0.1}}},
                                                {"timeout_s", 300}});
  EXPECT_TRUE(Shows(reply, "reason=quiet; timeout_s cut to 45"));
  EXPECT_TRUE(ReadWholeFile(dir_.Join("w")).starts_with("end\n"));
}

TEST_F(WriteFileOutput, TellsHowItsWaitHasEnded) {
  McpClient client;
  Print(&client, "true");
  Json arguments = {{"path", "w"},
                    {"output", "all"},
                    {"until", {{"text", "never"}}},
                    {"timeout_s", 0.1}};
  Reply live = client.Call("term_write_file", arguments);
  EXPECT_TRUE(Shows(live, "reason=timeout, the program keeps running"));
  arguments["format"] = "json";
  Reply reply = client.Call("term_write_file", arguments);
  const Json& facts = reply.message["result"]["structuredContent"];
  EXPECT_EQ(facts["reason"], "timeout") << reply.text;
  EXPECT_TRUE(facts.contains("waited_s")) << reply.text;
}

TEST_F(WriteFileOutput, ManyMegabytesPassThroughNoReply) {
  const int kBytes = Rounds(10, 100) << 20;
  ServerOptions options;
  options.extra_environment = {"GLASSTTY_LOG_MIB=256"};
  McpClient client(options);
  ASSERT_TRUE(Good(Open(&client, "main",
                        {"sh", "-c",
                         "yes 0123456789012345678901234567890123456789 | "
                         "head -c " +
                             std::to_string(kBytes) + "; echo; echo end; cat"},
                        {{"until", {{"text", "end"}}},
                         {"timeout_s", 45},
                         {"cwd", dir_.path()}})));
  for (int i = 0; i < 10; ++i) {
    Reply wait = client.Call("term_wait", {{"until", {{"state", "input"}}}});
    if (wait.text.find("reason=timeout") == std::string::npos) break;
  }
  Reply reply =
      client.Call("term_write_file", {{"path", "big"}, {"output", "all"}});
  EXPECT_LT(reply.text.size(), 300u);
  EXPECT_TRUE(Shows(reply, "lines of main"));
  struct stat info {};
  ASSERT_EQ(stat(dir_.Join("big").c_str(), &info), 0);
  EXPECT_GE(info.st_size, kBytes);
}

TEST_F(WriteFileOutput, MistakesWriteNothing) {
  McpClient client;
  Print(&client, "true");
  const Json kMistakes[] = {
      {{"path", "x"}},
      {{"path", "x"}, {"content", "a"}, {"output", "all"}},
      {{"path", "x"}, {"output", "lines"}, {"raw", true}},
      {{"path", "x"}, {"output", "some"}},
      {{"path", "no/such/directory"}, {"output", "all"}},
  };
  for (const Json& mistake : kMistakes) {
    Reply reply = client.Call("term_write_file", mistake);
    EXPECT_TRUE(reply.is_error) << reply.text;
    EXPECT_EQ(ReadWholeFile(dir_.Join("x")), "");
  }
  EXPECT_TRUE(Shows(client.Call("term_read"), "end"));
}

}  // namespace
}  // namespace glasstty::testing
