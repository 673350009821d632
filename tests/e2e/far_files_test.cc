// Tests files that are written on other machines; another home stands for one.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <string>

#include "e2e/far_world.h"

namespace glasstty::testing {
namespace {

class FarFiles : public FarWorld {
 protected:
  void SetUp() override {
    FarWorld::SetUp();
    ASSERT_TRUE(Good(OpenShell("db")));
  }
  Reply Put(const std::string& path, Json more) {
    more["session"] = "db";
    more["path"] = path;
    return client_->Call("term_write_file", more);
  }
  // Returns true if nothing is left of the program that wrote, here or there.
  bool IsTidy() {
    return Eventually(Seconds(10), [this] {
      return client_->Call("term_list").text.find("@put") ==
                 std::string::npos &&
             RunCommand({"find", there_.path(), "-name", ".glasstty-*"})
                 .output.empty();
    });
  }
};

TEST_F(FarFiles, AreWrittenThereAndTheReplySaysSo) {
  std::string text =
      "#!/bin/sh\necho \"it's\" `x` $HOME \\ !\n\tü\r\n\x01\x04\n";
  Reply reply = Put("~/a.sh", {{"content", text}});
  std::string path = there_.Join("a.sh");
  EXPECT_TRUE(Shows(reply, "wrote " + path + " on \"env HOME="));
  EXPECT_TRUE(
      Shows(reply, ": " + std::to_string(text.size()) + " bytes, new file"));
  EXPECT_EQ(ReadWholeFile(path), text);
  reply = Put(path, {{"content", "x"}, {"append", true}, {"format", "json"}});
  EXPECT_EQ(ReadWholeFile(path), text + "x");
  auto facts = ParseJson(reply.text);
  ASSERT_TRUE(facts.ok()) << reply.text;
  EXPECT_EQ((*facts)["size"], text.size() + 1);
  EXPECT_EQ((*facts)["created"], false);
  EXPECT_TRUE(AsString((*facts)["on"])->starts_with("env HOME="));
  EXPECT_TRUE(IsTidy());
}

TEST_F(FarFiles, ARelativePathIsBelowTheDirectoryOfTheSession) {
  Run("db", "mkdir -p sub/deep; cd sub/deep");
  EXPECT_TRUE(Good(Put("x.txt", {{"content", "here"}})));
  EXPECT_EQ(ReadWholeFile(there_.Join("sub/deep/x.txt")), "here");
}

TEST_F(FarFiles, KeepTheModeOfWhatWasThere) {
  std::string path = there_.Write("run", "old");
  ASSERT_EQ(chmod(path.c_str(), 0755), 0);
  EXPECT_TRUE(Good(Put(path, {{"content", "new"}})));
  struct stat info;
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0755u);
  EXPECT_EQ(ReadWholeFile(path), "new");
}

TEST_F(FarFiles, WhatCannotBeWrittenIsSaidAsAtHome) {
  const struct {
    std::string path;
    std::string words;
  } kRows[] = {
      {there_.Join("no/x"),
       "there is no directory '" + there_.Join("no") + "'"},
      {there_.path(), "it is a directory"},
      {"/proc/version", "write /proc/version: "},
      {"~kim/x", "only '~' is known"},
  };
  for (const auto& row : kRows) {
    Reply reply = Put(row.path, {{"content", "x"}});
    EXPECT_TRUE(reply.is_error) << row.path;
    EXPECT_TRUE(Shows(reply, row.words));
  }
  EXPECT_TRUE(IsTidy());
}

TEST_F(FarFiles, MegabytesArriveByteForByte) {
  std::string text;
  for (int i = 0; text.size() < 3'000'000; ++i)
    text += std::to_string(i) + "\n";
  EXPECT_TRUE(Good(Put("~/big", {{"content", text}})));
  EXPECT_TRUE(ReadWholeFile(there_.Join("big")) == text);
  EXPECT_TRUE(Good(Put("~/empty", {{"content", ""}})));
  EXPECT_EQ(ReadWholeFile(there_.Join("empty")), "");
}

TEST_F(FarFiles, OutputOfASessionThereGoesThere) {
  Run("db", "seq 200000", {{"max_lines", 3}});
  Reply reply = Put("~/out", {{"output", "all"}});
  EXPECT_TRUE(Shows(reply, "/out on \"env HOME="));
  EXPECT_TRUE(Shows(reply, " lines of db"));
  std::string text = ReadWholeFile(there_.Join("out"));
  EXPECT_NE(text.find("\n199999\n200000\n"), std::string::npos);
  EXPECT_NE(text.find("\n1\n2\n3\n"), std::string::npos);
}

TEST_F(FarFiles, WithoutASessionAnAbsolutePathIsHere) {
  TempDir here;
  std::string path = here.Join("x");
  Reply reply =
      client_->Call("term_write_file", {{"path", path}, {"content", "x"}});
  EXPECT_EQ(reply.text, "wrote " + path + ": 1 bytes, new file");
}

TEST_F(FarFiles, ABrokenConnectionLeavesTheOldFile) {
  std::string path = there_.Write("kept", "old");
  there_.Write("blocked", "");
  for (const ProcessRow& end : FarEnds()) kill(end.pid, SIGSTOP);
  std::string text(2'000'000, 'x');
  int call =
      client_->SendCall("term_write_file",
                        {{"session", "db"}, {"path", path}, {"content", text}});
  ASSERT_TRUE(Eventually(Seconds(10), [this] {
    return client_->Call("term_list").text.find("@put") != std::string::npos;
  }));
  ASSERT_TRUE(Cut());
  Reply reply = client_->Await(call);
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "nothing was written"));
  EXPECT_EQ(ReadWholeFile(path), "old");
  Reply away = Put(path, {{"content", "x"}});
  EXPECT_TRUE(Shows(away, "there is no connection now"));
  unlink(there_.Join("blocked").c_str());
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    return !Put(path, {{"content", "new"}}).is_error;
  }));
  EXPECT_EQ(ReadWholeFile(path), "new");
  EXPECT_TRUE(IsTidy());
}

TEST_F(FarFiles, ADeadServerLeavesTheOldFile) {
  std::string path = there_.Write("kept", "old");
  for (const ProcessRow& end : FarEnds()) kill(end.pid, SIGSTOP);
  client_->SendCall("term_write_file",
                    {{"session", "db"},
                     {"path", path},
                     {"content", std::string(2'000'000, 'x')}});
  ASSERT_TRUE(Eventually(Seconds(10), [this] {
    return client_->Call("term_list").text.find("@put") != std::string::npos;
  }));
  client_->Signal(SIGKILL);
  ASSERT_TRUE(client_->WaitForExit(Seconds(10)));
  for (const ProcessRow& end : FarEnds()) kill(end.pid, SIGCONT);
  Start();
  EXPECT_TRUE(Eventually(Seconds(10), [this] {
    return client_->Call("term_list").text.find("[@put] busy") ==
           std::string::npos;
  }));
  EXPECT_EQ(ReadWholeFile(path), "old");
  EXPECT_TRUE(Good(Put(path, {{"content", "new"}})));
  EXPECT_EQ(ReadWholeFile(path), "new");
}

}  // namespace
}  // namespace glasstty::testing
