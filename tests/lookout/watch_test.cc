// Tests conditions that stay.
#include "lookout/watch.h"

#include <string>

#include "lookout/lookout_fixture.h"

namespace glasstty::lookout {
namespace {

class WatchTest : public LookoutTest {
 protected:
  void Set(const std::string& name, const Json& condition) {
    absl::Status set = sentry_->SetWatch(name, condition);
    ASSERT_TRUE(set.ok()) << set;
  }
};

// A later server goes on behind that line.
TEST(WatchHit, HasTheLastLineThatMatchedThoughARowMatchesAfterIt) {
  waits::Until until;
  until.text = "STORED";
  absl::StatusOr<Watch> watch = Watch::Compile(until);
  ASSERT_TRUE(watch.ok());
  terminal::Line line;
  line.number = 7;
  line.text = "STORED one";
  EXPECT_TRUE(watch->TakeLine(line));
  watch->TakeRows({"STORED two"});
  std::optional<Watch::Hit> hit = watch->TakeHit(Time());
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->text, "STORED one | STORED two");
  EXPECT_EQ(hit->line, 7);
}

TEST_F(WatchTest, LinesThatMatchWhileItRestsAreOneEventWhenTheRestIsOver) {
  holder_.Print("STORED before\r\n");
  Begin();
  Set("kept", {{"regex", "^STORED (\\w+)"}});
  holder_.Print("ok\r\nSTORED one\r\n");
  Pass(seconds(1));
  EXPECT_EQ(Told(), Texts{"kept: STORED one"});
  holder_.Print("STORED two\r\nSTORED three\r\n");
  Pass(seconds(1));
  holder_.Print("STORED four\r\n");
  Pass(seconds(1));
  EXPECT_EQ(Told(), Texts{});
  Pass(Watch::kRest);
  EXPECT_EQ(Told(), Texts{"kept: STORED two | STORED three | STORED four"});
  Pass(minutes(1));
  EXPECT_EQ(Told(), Texts{});
}

TEST_F(WatchTest, LinesOfStderrMatchAndFailInASessionWithoutATerminal) {
  holder_.UsePipes();
  session_ = holder_.Open({6, 40});
  auto print_error = [this](std::string_view text) {
    holder_.PrintErrorSilently(text);
    holder_.Ring();
  };
  print_error("STORED before\n");
  Begin();
  Told();
  Set("kept", {{"text", "STORED"}});
  print_error("STORED one\nerror: no disk\nSTORED t");
  Pass(seconds(1));
  EXPECT_EQ(Told(), (Texts{"error: error: no disk", "kept: STORED one"}));
  holder_.Exit(0);
  Pass(seconds(1));
  EXPECT_EQ(Told(), (Texts{"kept: STORED t",
                           "ended: the program has ended, exit=0", "over"}));
}

TEST_F(WatchTest, OfLinesThatComeTogetherTheFirstThreeAreShown) {
  Begin();
  Set("bad", {{"regex", "FAILED|error"}});
  holder_.Print(
      "FAILED: codec.o\r\ncodec.cc:412:9: error: no 'frame_t'\r\n"
      "  in this scope\r\n1 error generated.\r\nerror: 1\r\nerror: 2\r\n");
  Pass(seconds(1));
  EXPECT_EQ(Told(), Texts{"bad: FAILED: codec.o | codec.cc:412:9: error: no "
                          "'frame_t' | 1 error generated. (and 2 more)"});
}

TEST_F(WatchTest, WhatComesWhileItRestsIsToldBeforeTheEnd) {
  Begin();
  Set("kept", {{"text", "STORED"}});
  holder_.Print("STORED one\r\n");
  Pass(seconds(1));
  holder_.Print("STORED two\r\n");
  holder_.Exit(0);
  Pass(seconds(1));
  EXPECT_EQ(Told(), (Texts{"kept: STORED one", "kept: STORED two",
                           "ended: the program has ended, exit=0", "over"}));
}

TEST_F(WatchTest, AFailureThatItFindsIsOneEvent) {
  Begin();
  Set("fails", {{"regex", "^FAIL"}});
  holder_.Print("FAIL: t/parser.t\r\n");
  Pass(seconds(1));
  EXPECT_EQ(Told(), Texts{"fails: FAIL: t/parser.t"});
  holder_.Print("fatal: no more\r\n");
  Pass(seconds(1));
  EXPECT_EQ(Told(), Texts{"error: fatal: no more"});
}

TEST_F(WatchTest, ARowOfAScreenThatIsDrawnAgainIsOneEvent) {
  Begin();
  Set("red", {{"text", "web: red"}});
  holder_.Print("\x1b[?1049h\x1b[2;1Hweb: green");
  Pass(seconds(1));
  EXPECT_EQ(Told(), Texts{});
  for (int i = 0; i < 30; ++i) {
    holder_.Print("\x1b[2;1Hweb: red  \x1b[5;1Hclock " + std::to_string(i));
    Pass(seconds(1));
  }
  EXPECT_EQ(Told(), Texts{"red: web: red"});
}

// The screen has 40 columns.
TEST_F(WatchTest, ATextThatTheTerminalWrappedOnAScreenIsFound) {
  Begin();
  Set("red", {{"text", "the web frontend is red"}});
  holder_.Print(
      "\x1b[?1049h\x1b[2;1H12:00 in the cluster: the web frontend is red");
  Pass(seconds(1));
  EXPECT_EQ(Told(),
            Texts{"red: 12:00 in the cluster: the web frontend is red"});
}

TEST_F(WatchTest, ARowThatIsDrawnAnewIsOneEventWhateverItsTimeSays) {
  Begin();
  Set("red", {{"text", "EXIT"}});
  auto draw = [this](int second, const std::string& state) {
    std::string time = " " + std::to_string(second) + "s\r\n";
    holder_.Print((second == 0 ? "" : "\x1b[2A") + std::string("web up") +
                  time + "\x1b[Kdb " + state + time);
    Pass(seconds(1));
  };
  draw(0, "up");
  draw(1, "up");
  EXPECT_EQ(Told(), Texts{});
  for (int i = 2; i < 20; ++i) draw(i, "EXIT");
  EXPECT_EQ(Told(), Texts{"red: db EXIT 2s"});
  for (int i = 20; i < 22; ++i) draw(i, "up");
  for (int i = 22; i < 30; ++i) draw(i, "EXIT");
  EXPECT_EQ(Told(), Texts{"red: db EXIT 22s"});
}

TEST_F(WatchTest, StillnessIsOneEventEachTimeThatItBegins) {
  Begin();
  Set("stuck", {{"still_s", 30}});
  Pass(minutes(3));
  EXPECT_EQ(Told(), Texts{"stuck: still"});
  holder_.Print("a new line\r\n");
  Pass(seconds(10));
  EXPECT_EQ(Told(), Texts{});
  Pass(minutes(3));
  EXPECT_EQ(Told(), Texts{"stuck: still: a new line"});
}

// An ESC [ ? 2026 h begins a frame, and l ends it.
TEST_F(WatchTest, StillnessBesideASpinnerThatIsDrawnInFramesIsOneEvent) {
  Begin();
  Set("stuck", {{"still_s", 30}});
  for (int i = 0; i < 1'000; ++i) {
    holder_.Print(std::string("\x1b[?2026h\r") + "|/-\\"[i % 4]);
    Pass(std::chrono::milliseconds(250));
    holder_.Print("\x1b[?2026l");
  }
  std::vector<std::string> told = Told();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].starts_with("stuck: still: ")) << told[0];
}

TEST_F(WatchTest, AMeaningfulChangeIsOneEventThoughItComesAgain) {
  Begin();
  Set("news", {{"change", true}});
  for (int i = 0; i < 5; ++i) {
    holder_.Print("\r0% [Working]            ");
    Pass(seconds(10));
    holder_.Print("\r0% [Waiting for headers]");
    Pass(seconds(10));
  }
  EXPECT_EQ(Told(),
            (Texts{"news: 0% [Working]", "news: 0% [Waiting for headers]"}));
}

TEST_F(WatchTest, AStateIsAnEventEachTimeThatItIsReached) {
  Begin();
  Set("waits", {{"state", "input"}});
  holder_.Answer(wire::Waiting::kRead);
  holder_.Print("name? ");
  Pass(seconds(3));
  EXPECT_EQ(Told(), Texts{"waits: input"});
  Pass(minutes(1));
  holder_.Print("\r\nage? ");
  Pass(seconds(3));
  EXPECT_EQ(Told(), Texts{"waits: input"});
}

TEST_F(WatchTest, ABellIsAMoment) {
  Begin();
  Set("bell", {{"bell", true}});
  for (int i = 0; i < 3; ++i) {
    holder_.Print("\a");
    Pass(seconds(10));
  }
  EXPECT_EQ(Told().size(), 3u);
}

TEST_F(WatchTest, StaysWithTheNextServerAndSeesWhatCameMeanwhile) {
  Begin();
  Set("kept", {{"regex", "STORED"}});
  holder_.Print("STORED one\r\n");
  Pass(seconds(1));
  Told();
  sentry_.reset();
  holder_.Print("STORED two\r\n");
  Begin();
  Texts told = Told();
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told[0], "kept: STORED two");
  EXPECT_EQ(sentry_->WatchNames(), "\"kept\"");
}

TEST_F(WatchTest, EndsForGoodWhenItIsRemoved) {
  Begin();
  Set("fails", {{"regex", "NOTED"}});
  EXPECT_TRUE(sentry_->RemoveWatch("fails"));
  EXPECT_FALSE(sentry_->RemoveWatch("fails"));
  Begin();
  holder_.Print("NOTED\r\n");
  Pass(seconds(1));
  EXPECT_EQ(Told(), Texts{});
}

TEST_F(WatchTest, WhatCannotBeWatchedIsRefused) {
  Begin();
  auto refusal = [this](const std::string& name, const Json& condition) {
    return std::string(sentry_->SetWatch(name, condition).message());
  };
  EXPECT_NE(refusal("error", {{"text", "x"}}).find("cannot be used"),
            std::string::npos);
  EXPECT_NE(refusal("", {{"text", "x"}}).find("cannot be used"),
            std::string::npos);
  EXPECT_NE(refusal("it", {{"regex", "("}}).find("missing )"),
            std::string::npos);
  EXPECT_NE(refusal("it", {{"stop", "x"}}).find("but not watched"),
            std::string::npos);
  for (size_t i = 0; i < Sentry::kMostWatches; ++i) {
    Set("w" + std::to_string(i), {{"text", "x"}});
  }
  EXPECT_NE(refusal("more", {{"text", "x"}}).find("has 20 watches already"),
            std::string::npos);
  holder_.Exit(0);
  Pass(seconds(1));
  EXPECT_NE(refusal("w1", {{"text", "x"}}).find("has ended"),
            std::string::npos);
}

}  // namespace
}  // namespace glasstty::lookout
