// `glasstty play`: a recording on a person's terminal.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/desk.h"
#include "e2e/steps.h"

namespace glasstty::testing {
namespace {

class Play : public ::testing::Test {
 protected:
  // Writes an asciicast of 24x80 with these events.
  std::string WriteCast(
      const std::vector<std::pair<double, std::string>>& all) {
    std::string text = R"({"version":2,"width":80,"height":24})"
                       "\n";
    for (const auto& [at, data] : all) {
      text += Json{at, "o", data}.dump() + "\n";
    }
    return files_.Write("demo.cast", text);
  }
  // Writes a recording that prints one line a second, for a minute.
  std::string WriteMinute() {
    std::vector<std::pair<double, std::string>> events;
    for (int s = 0; s <= 60; ++s) {
      events.emplace_back(s, absl::StrFormat("second-%d.\r\n", s));
    }
    return WriteCast(events);
  }
  void Start(std::vector<std::string> words, terminal::Size size = {25, 80}) {
    words.insert(words.begin(), "play");
    desk_ = std::make_unique<Desk>(files_.path(), words, size);
  }

  TempDir files_;
  std::unique_ptr<Desk> desk_;
};

TEST_F(Play, CutsLongPausesAndStaysAtTheEnd) {
  Start({WriteCast({{0.1, "one"}, {1000, " two"}, {1000.1, " three"}}),
         "--max-pause", "0.1"});
  ASSERT_TRUE(desk_->Sees("one two three"));
  ASSERT_TRUE(desk_->Sees("the end  0:00/0:00"));
  desk_->Type("q");
  EXPECT_EQ(desk_->AwaitEnd(), 0);
  EXPECT_TRUE(desk_->IsRestored());
  EXPECT_TRUE(desk_->Sees("[demo.cast: left at 0:00]"));
}

TEST_F(Play, PausesAreKeptOnRequest) {
  Start({WriteCast({{0, "one"}, {1000, " two"}}), "--max-pause", "0"});
  ASSERT_TRUE(desk_->Sees("/16:40"));
}

TEST_F(Play, KeysPauseAndMoveThroughIt) {
  Start({WriteMinute()});
  ASSERT_TRUE(desk_->TypeAndSee(" ", "paused"));
  ASSERT_TRUE(desk_->TypeAndSee("0", "second-0."));
  ASSERT_TRUE(desk_->TypeAndSee(".", "second-1."));
  for (int i = 0; i < 2; ++i) desk_->Type("\x1b[C");
  ASSERT_TRUE(desk_->Sees("second-11."));
  EXPECT_TRUE(desk_->Sees("paused  0:11/1:00"));
  desk_->Type("\x1b[D");
  ASSERT_TRUE(desk_->SeesNo("second-7."));
  EXPECT_TRUE(desk_->Sees("second-6."));
  ASSERT_TRUE(desk_->TypeAndSee("G", "the end  1:00/1:00"));
  ASSERT_TRUE(desk_->TypeAndSee(" ", "plays  0:0"));
}

TEST_F(Play, KeysChangeTheSpeed) {
  Start({WriteMinute(), "--speed", "0.5"});
  ASSERT_TRUE(desk_->Sees("x0.5"));
  ASSERT_TRUE(desk_->TypeAndSee("++", "x2"));
  ASSERT_TRUE(desk_->TypeAndSee("-", "x1"));
  for (int i = 0; i < 9; ++i) desk_->Type("+");
  ASSERT_TRUE(desk_->Sees("the end"));
}

TEST_F(Play, QuestionMarkListsTheKeysInASmallWindow) {
  Start({WriteMinute()}, {12, 40});
  ASSERT_TRUE(desk_->Sees("? keys"));
  ASSERT_TRUE(desk_->TypeAndSee("?", "Space   pause, go on"));
  ASSERT_TRUE(desk_->Sees("q       leave"));
  desk_->Type("x");
  ASSERT_TRUE(desk_->SeesNo("Space   pause"));
}

TEST_F(Play, NoneOfTheRecordedBytesReachTheTerminal) {
  Start(
      {WriteCast({{0, "\x1b]52;c;c3RvbGVu\x07\x1b]0;title\x07\x1b[6nharmless"},
                  {0.1, "!"}})});
  ASSERT_TRUE(desk_->Sees("harmless!"));
  EXPECT_EQ(desk_->written().find("52;"), std::string::npos);
  EXPECT_EQ(desk_->written().find("title"), std::string::npos);
  EXPECT_EQ(desk_->written().find("[6n"), std::string::npos);
}

TEST_F(Play, PlaysASessionWhileItLives) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "main", {"bash", "--norc"})));
  ASSERT_TRUE(Good(RunIn(&client, "main", "echo it-was-''here")));
  desk_ = std::make_unique<Desk>(
      client.state_dir(),
      std::vector<std::string>{"play", "main", "--speed", "50"});
  ASSERT_TRUE(desk_->Sees("it-was-here"));
  ASSERT_TRUE(desk_->Sees("main  the end"));
}

TEST_F(Play, ExplainsWhatItCannotPlay) {
  struct Case {
    std::vector<std::string> words;
    int status;
    const char* why;
  };
  const std::string bytes = files_.Write("bytes", "no recording");
  const std::string cast = WriteMinute();
  const Case cases[] = {
      {{bytes}, 2, "is no asciicast"},
      {{cast, "--speed", "0"}, 2, "would never end"},
      {{cast, "--max-pause", "long"}, 2, "give a number"},
      {{"nobody"}, 1, "no session 'nobody'"},
      {{cast}, 1, "must be a terminal"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> words = {ServerPath(), "play"};
    words.insert(words.end(), c.words.begin(), c.words.end());
    CommandResult result =
        RunCommand(words, {"GLASSTTY_STATE_DIR=" + files_.path()});
    EXPECT_EQ(WEXITSTATUS(result.status), c.status) << result.output;
    EXPECT_NE(result.output.find(c.why), std::string::npos) << result.output;
  }
}

}  // namespace
}  // namespace glasstty::testing
