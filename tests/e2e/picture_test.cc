// Tests pictures of screens: over MCP and by `glasstty picture`.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "e2e/steps.h"
#include "support/encodings.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

constexpr std::string_view kPng = "\x89PNG\r\n\x1a\n";

// Returns the file of the image in a reply; "" if there is none.
std::string ImageOf(const Json& answer) {
  for (const Json& block : answer["result"]["content"]) {
    if (block["type"] != "image") continue;
    EXPECT_EQ(block["mimeType"], "image/png");
    return *DecodeBytes(block["data"].get<std::string>(), Encoding::kBase64);
  }
  return "";
}

// "IHDR" contains width and height, big endian, from byte 16 on.
int WidthOf(const std::string& png) {
  int width = 0;
  for (size_t i = 16; i < 20; ++i) {
    width = width << 8 | static_cast<uint8_t>(png[i]);
  }
  return width;
}

class PictureOf : public ::testing::Test {
 protected:
  // Shows something and waits for a key, which changes it.
  void OpenPainted() {
    ASSERT_TRUE(Good(Open(&client_, "s",
                          {"bash", "-c",
                           "printf '\\e[44mblue\\e[m'; read -rsn1; "
                           "printf '\\ndone'; read -rsn1"})));
    ASSERT_TRUE(SeesOnScreen(&client_, "s", "blue"));
  }
  Json Raw(Json arguments) {
    return client_.Request("tools/call",
                           {{"name", "term_read"}, {"arguments", arguments}});
  }

  McpClient client_;
};

TEST_F(PictureOf, AScreenIsAnImageBehindTheText) {
  OpenPainted();
  Json answer = Raw({{"session", "s"}, {"mode", "picture"}});
  std::string png = ImageOf(answer);
  EXPECT_TRUE(png.starts_with(kPng));
  EXPECT_EQ(WidthOf(png), 640);
  std::string text = answer["result"]["content"][0]["text"];
  EXPECT_NE(text.find("mode=picture | picture 640x408, "), text.npos) << text;
  EXPECT_NE(text.find(" kB, about 348 tokens"), text.npos) << text;
}

TEST_F(PictureOf, AScreenLeavesItsTextUnread) {
  OpenPainted();
  ASSERT_TRUE(Good(client_.Call("term_send", {{"session", "s"},
                                              {"input", "x"},
                                              {"until", {{"text", "done"}}},
                                              {"mode", "picture"}})));
  Raw({{"session", "s"}, {"mode", "picture"}});
  EXPECT_TRUE(Shows(client_.Call("term_read", {{"session", "s"}}), "done"));
}

TEST_F(PictureOf, AnEarlierMomentIsThatMoment) {
  OpenPainted();
  std::string before = ImageOf(Raw({{"session", "s"}, {"mode", "picture"}}));
  Json seen = Raw({{"session", "s"}, {"mode", "snapshot"}});
  Json offset = seen["result"]["_meta"]["glasstty/offset"];
  ASSERT_TRUE(Good(client_.Call(
      "term_send",
      {{"session", "s"}, {"input", "x"}, {"until", {{"text", "done"}}}})));
  std::string after = ImageOf(Raw({{"session", "s"}, {"mode", "picture"}}));
  std::string then =
      ImageOf(Raw({{"session", "s"}, {"mode", "picture"}, {"at", offset}}));
  EXPECT_NE(before, after);
  EXPECT_EQ(then, before);
}

TEST_F(PictureOf, AScreenGoesToAFileWhereThatIsNamed) {
  OpenPainted();
  TempDir dir;
  auto write = [&](const std::string& path, Json more = Json::object()) {
    more.update({{"session", "s"}, {"path", path}, {"output", "picture"}});
    return client_.Call("term_write_file", more);
  };
  std::string path = dir.Join("a.png");
  Reply reply = write(path);
  EXPECT_TRUE(reply.text.starts_with("wrote " + path)) << reply.text;
  EXPECT_TRUE(reply.text.ends_with("new file, the screen of s")) << reply.text;
  std::string png = ReadWholeFile(path);
  EXPECT_TRUE(png.starts_with(kPng));
  EXPECT_EQ(WidthOf(png), 640);
  // An SVG needs no other program.
  std::string svg = dir.Join("a.svg");
  ASSERT_TRUE(Good(write(svg)));
  EXPECT_TRUE(ReadWholeFile(svg).starts_with("<svg"));
  EXPECT_NE(ReadWholeFile(svg).find(">blue</text>"), std::string::npos);
  ASSERT_TRUE(Good(write(dir.Join("past.png"), {{"at", 0}})));
  EXPECT_NE(ReadWholeFile(dir.Join("past.png")), png);
  EXPECT_TRUE(write(dir.Join("a.txt")).is_error);
  EXPECT_TRUE(write(path, {{"append", true}}).is_error);
}

// Clients may let a tool that only reads run without asking anybody.
TEST_F(PictureOf, AToolThatOnlyReadsWritesNoFile) {
  OpenPainted();
  TempDir dir;
  std::string path = dir.Join("a.png");
  Json answer = Raw({{"session", "s"}, {"mode", "picture"}, {"output", path}});
  EXPECT_EQ(answer["result"]["isError"], true) << answer;
  EXPECT_NE(access(path.c_str(), F_OK), 0);
}

TEST(PictureProgram, ThatIsMissingOrDiesIsAnErrorAndNothingElse) {
  TempDir dir;
  std::string program = dir.Join("program");
  McpClient client({.extra_environment = {"GLASSTTY_PICTURE=" + program}});
  ASSERT_TRUE(Good(Open(&client, "s", {"cat"})));
  Reply reply = client.Call("term_read", {{"mode", "picture"}});
  EXPECT_TRUE(reply.is_error);
  EXPECT_NE(reply.text.find("libfreetype-dev"), std::string::npos)
      << reply.text;
  dir.Write("program", "#!/bin/sh\nkill -9 $$\n");
  ASSERT_EQ(chmod(program.c_str(), 0700), 0);
  reply = client.Call("term_read", {{"mode", "picture"}});
  EXPECT_TRUE(reply.is_error);
  EXPECT_NE(reply.text.find("ended by signal 9"), std::string::npos)
      << reply.text;
  reply = client.Call("term_send", {{"input", "still here\n"}});
  EXPECT_TRUE(Shows(reply, "still here"));
}

TEST_F(PictureOf, ASessionIsDrawnBesideItsServer) {
  OpenPainted();
  TempDir dir;
  auto draw = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "picture");
    arguments.insert(arguments.begin(), ServerPath());
    return RunCommand(arguments, {"GLASSTTY_STATE_DIR=" + client_.state_dir()});
  };
  CommandResult drawn = draw({"s", "-o", dir.Join("a.png")});
  EXPECT_EQ(drawn.status, 0) << drawn.output;
  EXPECT_EQ(ReadWholeFile(dir.Join("a.png")),
            ImageOf(Raw({{"session", "s"}, {"mode", "picture"}})));
  drawn = draw({"s", "--svg", "--light", "-o", dir.Join("a.svg")});
  EXPECT_NE(ReadWholeFile(dir.Join("a.svg")).find("#ffffff"),
            std::string::npos);
  EXPECT_NE(
      draw({"s", "--px", "5"}).output.find("--px '5': give a number from 6"),
      std::string::npos);
  EXPECT_NE(draw({"s", "--font", "No Such Font"}).output.find("not installed"),
            std::string::npos);
  EXPECT_NE(draw({"nosuch"}).output.find("nosuch"), std::string::npos);
}

}  // namespace
}  // namespace glasstty::testing
