// term_write_file: content that no quoting could carry, into files beside a
// session.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

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
      {{{"content", "ü"}, {"encoding", "ascii"}}, "is no ascii"},
      {{{"content", "x"}, {"encoding", "utf-16"}}, "latin1"},
      {{{"content", "x"}, {"session", "bild"}}, "no session 'bild'"},
      {{{"content", 5}}, "a string"},
      {Json::object(), "needs 'content'"},
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

}  // namespace
}  // namespace glasstty::testing
