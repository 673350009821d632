// Tests term_run parse: the meaning of the output of well-known commands.
#include <gtest/gtest.h>

#include <string>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

class ParseTest : public ::testing::Test {
 protected:
  ParseTest() {
    Run({{"argv", {"git", "init", "-q", "-b", "main", "."}}});
    dir_.Write("new file", "x\n");
    dir_.Write("grün", "x\n");
  }

  Reply Run(Json arguments) {
    arguments["cwd"] = dir_.path();
    return client_.Call("term_run", arguments);
  }

  TempDir dir_;
  McpClient client_;
};

using Parse = ParseTest;

TEST_F(Parse, ASummaryTakesThePlaceOfTheText) {
  Reply reply = Run({{"argv", {"git", "status", "-sb"}}, {"parse", "summary"}});
  EXPECT_EQ(reply.body, "main: 2 untracked") << reply.text;
}

TEST_F(Parse, FactsTakeThePlaceOfTheTextOrGoWithIt) {
  Json arguments = {{"command", "git ls-files --others"}, {"parse", "only"}};
  Reply reply = Run(arguments);
  EXPECT_EQ(reply.body, R"({"files":["grün","new file"]})") << reply.text;
  arguments["format"] = "json";
  reply = Run(arguments);
  Json facts = reply.message["result"]["structuredContent"];
  EXPECT_EQ(facts["parsed"]["files"][1], "new file");
  EXPECT_EQ(facts["text"], "");
  arguments["parse"] = "auto";
  facts = Run(arguments).message["result"]["structuredContent"];
  EXPECT_EQ(facts["parsed"]["files"][0], "grün");
  EXPECT_NE(facts["text"].get<std::string>().find("new file"),
            std::string::npos);
  arguments["format"] = "text";
  reply = Run(arguments);
  EXPECT_TRUE(Shows(reply, "2 files"));
  EXPECT_TRUE(Shows(reply, "new file"));
}

TEST_F(Parse, WhatIsNotUnderstoodStaysText) {
  Reply reply = Run({{"argv", {"ls"}}, {"parse", "only"}});
  EXPECT_TRUE(Shows(reply, "new file"));
  EXPECT_TRUE(Shows(reply, "not parsed: no parser for this command"));
  reply = Run({{"command", "git status -s | cat"}, {"parse", "summary"}});
  EXPECT_TRUE(Shows(reply, "?? \"new file\""));
  reply = Run({{"argv", {"git", "ls-files", "--frob"}}, {"parse", "only"}});
  EXPECT_TRUE(Shows(reply, "not parsed: the command failed"));
}

TEST_F(Parse, LongOutputIsParsedWhole) {
  std::string command = "for i in $(seq 2000); do : > f$i; done; git add .";
  ASSERT_TRUE(Good(Run({{"command", command}})));
  Reply reply = Run({{"command", "git ls-files"}, {"parse", "summary"}});
  EXPECT_EQ(reply.body, "2002 files") << reply.text;
}

}  // namespace
}  // namespace glasstty::testing
