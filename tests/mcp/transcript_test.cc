// Plays the transcripts of the protocol, and tests the player itself.
#include "mcp/transcript.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mcp/relayed.h"
#include "mcp/toy.h"
#include "support/text.h"
#include "testing/source_tree.h"

namespace glasstty::testing {
namespace {

TranscriptHost HostOf(ToyServer* toy) {
  auto round = std::make_shared<LastRound>();
  TranscriptHost host;
  host.send = [toy, round](std::string_view line) {
    round->Sent(line);
    toy->Send(line);
  };
  host.take = [toy, round] {
    for (const Json& message : toy->transport.sent) round->Got(message);
    return std::exchange(toy->transport.sent, {});
  };
  host.advance = [toy](Duration by) { toy->Advance(by); };
  host.actors["client"] = [toy, round](std::string_view words) {
    constexpr std::string_view kAnswers = "answers ";
    if (words.substr(0, kAnswers.size()) == kAnswers) {
      std::string line = round->Answer(words.substr(kAnswers.size()));
      if (line.empty()) return std::string("@client answers ID KEY ANSWER");
      toy->Send(line);
      return std::string();
    }
    toy->transport.congested_value = words == "stops reading";
    return std::string();
  };
  host.actors["write"] = [toy](std::string_view words) {
    size_t blank = words.find(' ');
    if (blank == std::string_view::npos) return std::string("@write NAME TEXT");
    toy->world.Write(std::string(words.substr(0, blank)),
                     std::string(words.substr(blank + 1)));
    toy->Advance(Duration::zero());
    return std::string();
  };
  return host;
}

std::string FailureOf(std::string_view text) {
  ToyServer toy;
  return PlayTranscript(text, HostOf(&toy)).failure;
}

std::vector<std::string> Files() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(SourcePath("fixtures/rpc"))) {
    std::string name = entry.path().filename();
    bool ours = name.rfind("mcp-", 0) == 0 || name.rfind("era-", 0) == 0;
    if (ours && entry.path().extension() == ".rpc") files.push_back(name);
  }
  std::sort(files.begin(), files.end());
  return files;
}

class Transcript : public ::testing::TestWithParam<std::string> {};

TEST_P(Transcript, IsPlayedAsWritten) {
  ToyServer toy;
  EXPECT_EQ(PlayTranscriptFile(SourcePath("fixtures/rpc/" + GetParam()),
                               HostOf(&toy)),
            "");
}

// The same lines pass in both directions, and no others.
TEST_P(Transcript, IsPlayedAsWrittenThroughARelay) {
  ToyServer toy;
  RelayProcess relay;
  EXPECT_NE(relay.introduction().find("notifications/glasstty/client"),
            std::string::npos);
  TranscriptHost direct = HostOf(&toy);
  TranscriptHost relayed = direct;
  relayed.send = [&](std::string_view line) {
    direct.send(relay.ToServer(line));
  };
  relayed.take = [&] {
    std::vector<Json> messages = direct.take();
    for (Json& message : messages) {
      message = ParseJson(relay.ToClient(DumpJson(message))).value_or(Json());
    }
    return messages;
  };
  EXPECT_EQ(
      PlayTranscriptFile(SourcePath("fixtures/rpc/" + GetParam()), relayed),
      "");
}

INSTANTIATE_TEST_SUITE_P(Rpc, Transcript, ::testing::ValuesIn(Files()),
                         [](const auto& file) {
                           std::string name = file.param;
                           for (char& c : name) {
                             if (!std::isalnum(c)) c = '_';
                           }
                           return name;
                         });

TEST(Player, SaysWhatDiffersAndHowItShouldRead) {
  ToyServer toy;
  auto result = PlayTranscript(
      "Prose.\n\n--> 1 echo {\"text\":\"a\\nb\"}\n<-- 1 text\n|a\n|c\n",
      HostOf(&toy));
  EXPECT_EQ(result.failure,
            "line 6: expected\n<-- 1 text\n|a\n|c\nbut got\n<-- 1 text\n|a\n"
            "|b\n");
  EXPECT_EQ(result.actual,
            "Prose.\n\n--> 1 echo {\"text\":\"a\\nb\"}\n<-- 1 text\n|a\n|b\n");
}

TEST(Player, MissesNoMessageThatNothingExpects) {
  EXPECT_NE(FailureOf("--> 1 echo\n"), "");
  EXPECT_NE(FailureOf("--> 1 echo\n<-- nothing\n"), "");
  EXPECT_NE(FailureOf("<-- 1 text\n|x\n"), "");
  EXPECT_NE(FailureOf("--> 1 fail\n<-- 1 text\n|...\n"), "");
  EXPECT_NE(FailureOf("@nobody does this\n"), "");
  EXPECT_NE(FailureOf("@+2 weeks\n"), "");
}

TEST(Wildcards, StandForNumbersTextLinesAndMembers) {
  EXPECT_TRUE(MatchesText("a<int>c", "a12c"));
  EXPECT_FALSE(MatchesText("a<int>c", "ac"));
  EXPECT_FALSE(MatchesText("a<int>", "a1x"));
  EXPECT_TRUE(MatchesText("<any>b<any>", "abc"));
  EXPECT_TRUE(MatchesText("x <any> y", "x <any> y"));
  EXPECT_TRUE(MatchesLines({"|a", "|...", "|z"}, {"|a", "|b", "|c", "|z"}));
  EXPECT_TRUE(MatchesLines({"|a", "|...", "|z"}, {"|a", "|z"}));
  EXPECT_FALSE(MatchesLines({"|a", "|..."}, {"|b"}));
  auto json = [](const char* text) { return *ParseJson(text); };
  EXPECT_TRUE(MatchesJson(json(R"({"a":"<int>","b":"<any>"})"),
                          json(R"({"b":[],"a":7})")));
  EXPECT_FALSE(MatchesJson(json(R"({"a":1})"), json(R"({"a":1,"b":2})")));
  EXPECT_TRUE(
      MatchesJson(json(R"({"a":1,"...":0})"), json(R"({"a":1,"b":2})")));
  EXPECT_TRUE(MatchesJson(json(R"([1,"..."])"), json("[1,2,3]")));
  EXPECT_FALSE(MatchesJson(json("[1,2]"), json("[1,2,3]")));
}

}  // namespace
}  // namespace glasstty::testing
