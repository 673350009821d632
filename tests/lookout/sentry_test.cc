// Tests what is noticed in a session that nobody looks at.
#include "lookout/sentry.h"

#include <string>

#include "lookout/lookout_fixture.h"

namespace glasstty::lookout {
namespace {

class SentryTest : public LookoutTest {};

TEST_F(SentryTest, TheFirstFailureOfEachKindIsAnEvent) {
  Begin();
  holder_.Print("[1/9] CC src/a.o\r\nsrc/b.c:3:5: error: no such type\r\n");
  holder_.Print("src/c.c:9:1: error: no such type\r\n[4/9] CC src/d.o\r\n");
  Pass(seconds(1));
  EXPECT_EQ(Told(), Texts{"error: src/b.c:3:5: error: no such type"});
  holder_.Print("Segmentation fault (core dumped)\r\n");
  Pass(seconds(1));
  EXPECT_EQ(Told(), Texts{"error: Segmentation fault (core dumped)"});
}

// No command is typed on stderr.
TEST_F(SentryTest, AFailureOnStderrIsAnEventWhateverIsMarkedOnStdout) {
  FakeHolder pipes;
  pipes.UsePipes();
  session_ = pipes.Open({6, 40});
  sentry_.emplace(session_, &around_);
  pipes.Print("\x1b]133;C\a");
  pipes.PrintErrorSilently("error: no such type\n");
  pipes.Ring();
  for (int i = 0; i < 8; ++i) pipes.Advance(std::chrono::milliseconds(250));
  EXPECT_EQ(Told(), Texts{"error: error: no such type"});
  sentry_.reset();
  session_.reset();
}

// Many programs report their progress on stderr.
TEST_F(SentryTest, AProgramThatGoesOnOnStderrIsNotStuck) {
  FakeHolder pipes;
  pipes.UsePipes();
  pipes.Answer(wire::Waiting::kRunning);
  session_ = pipes.Open({6, 40});
  sentry_.emplace(session_, &around_);
  auto pass = [&pipes](std::chrono::minutes time) {
    for (int i = 0; i < time / seconds(1); ++i) pipes.Advance(seconds(1));
  };
  for (int percent = 0; percent < 8; ++percent) {
    pipes.PrintErrorSilently("\rcopying " + std::to_string(percent) + "%");
    pipes.Ring();
    pass(minutes(2));
  }
  EXPECT_EQ(Told(), Texts{});
  pass(minutes(4));
  EXPECT_EQ(Told(), Texts{"still: nothing but clocks and the like has moved "
                          "for 5 minutes: \"copying 7%\""});
  sentry_.reset();
  session_.reset();
}

TEST_F(SentryTest, AFailureThatSomebodyHasReadIsNoEvent) {
  Begin();
  is_known_ = true;
  holder_.Print("error: no such type\r\n");
  Pass(seconds(1));
  EXPECT_EQ(Told(), Texts{});
}

TEST_F(SentryTest, AFailureInRowsThatAreDrawnAnewIsOneEvent) {
  Begin();
  for (int i = 0; i < 20; ++i) {
    std::string state = i < 5 ? "Waiting" : "Error: exited (1)";
    std::string time = " " + std::to_string(i) + "s\r\n";
    holder_.Print((i == 0 ? "" : "\x1b[2A") + std::string("\x1b[Kapp-0 ") +
                  state + time + "\x1b[Kapp-1 Waiting" + time);
    Pass(seconds(1));
  }
  EXPECT_EQ(Told(), Texts{"error: app-0 Error: exited (1) 5s"});
}

TEST_F(SentryTest, AFailureOnAScreenIsOneEventOnceItHasStood) {
  Begin();
  auto draw = [this](int second, const std::string& pod) {
    holder_.Print("\x1b[?1049h\x1b[1;1Hclock " + std::to_string(second) +
                  "\x1b[3;1H\x1b[Kapi  " + pod);
    Pass(seconds(1));
  };
  for (int i = 0; i < 5; ++i) draw(i, "1/1  Running  " + std::to_string(i));
  for (int i = 5; i < 7; ++i) draw(i, "0/1  Evicted  " + std::to_string(i));
  for (int i = 7; i < 12; ++i) draw(i, "1/1  Running  " + std::to_string(i));
  EXPECT_EQ(Told(), Texts{});
  for (int i = 12; i < 40; ++i) draw(i, "0/1  Evicted  " + std::to_string(i));
  EXPECT_EQ(Told(), Texts{"error: api  0/1  Evicted  15"});
}

TEST_F(SentryTest, AFailureOnTheScreenOfAProgramThatWaitsForKeysIsNoEvent) {
  Begin();
  holder_.Answer(wire::Waiting::kRead, /*canonical=*/false);
  holder_.Print("\x1b[?1049h\x1b[1;1Hlinker: failed badly");
  Pass(seconds(20));
  EXPECT_EQ(Told(), Texts{});
}

TEST_F(SentryTest, AFailureOnAScreenIsToldThoughNothingIsDrawnAnyMore) {
  Begin();
  holder_.Print("\x1b[?1049h\x1b[1;1Hlinker: failed badly");
  Pass(seconds(2));
  EXPECT_EQ(Told(), Texts{});
  Pass(seconds(2));
  EXPECT_EQ(Told(), Texts{"error: linker: failed badly"});
}

TEST_F(SentryTest, HalfALineIsNoFailureYet) {
  Begin();
  holder_.Print("fatal err");
  Pass(seconds(1));
  EXPECT_EQ(Told(), Texts{});
  holder_.Print("or: disk full\r\n");
  Pass(seconds(1));
  EXPECT_EQ(Told(), Texts{"error: fatal error: disk full"});
}

TEST_F(SentryTest, TheLastLinesComeBeforeTheEnd) {
  Begin();
  holder_.Print("error: out of memory");
  holder_.Exit(2 << 8);
  Pass(seconds(1));
  EXPECT_EQ(Told(), (Texts{"error: error: out of memory",
                           "ended: the program has ended, exit=2", "over"}));
}

TEST_F(SentryTest, AnEndThatWasAskedForIsNoEvent) {
  Begin();
  session_->Close(seconds(1), false, false);
  holder_.Exit(0);
  Pass(seconds(1));
  EXPECT_EQ(Told(), Texts{"over"});
}

TEST_F(SentryTest, AQuestionIsAnEventOnceTheProgramIsQuiet) {
  Begin();
  question_ = {42, "\"Overwrite? [y/N]\""};
  holder_.Answer(wire::Waiting::kRead);
  holder_.Print("Overwrite? [y/N] ");
  Pass(std::chrono::milliseconds(500));
  EXPECT_EQ(Told(), Texts{});
  Pass(seconds(2));
  EXPECT_EQ(Told(), Texts{"asks: \"Overwrite? [y/N]\""});
  Pass(hours(1));
  EXPECT_EQ(Told(), Texts{});
}

TEST_F(SentryTest, AQuestionThatIsAskedAgainIsAnotherEvent) {
  Begin();
  const Texts asked{"asks: \"Overwrite? [y/N]\""};
  auto ask = [this] {
    question_ = {42, "\"Overwrite? [y/N]\""};
    holder_.Answer(wire::Waiting::kRead);
    holder_.Print("\x1b[?1049h\x1b[H\x1b[2JOverwrite? [y/N] ");
    Pass(seconds(15));
  };
  ask();
  EXPECT_EQ(Told(), asked);
  ask();  // the open question is only drawn anew
  EXPECT_EQ(Told(), Texts{});
  auto work = [this](Duration time) {
    question_.reset();
    holder_.Answer(wire::Waiting::kRunning);
    holder_.Print("\x1b[H\x1b[2Jcopying");
    Pass(time);
  };
  work(seconds(30));
  ask();
  EXPECT_EQ(Told(), asked);
  Begin();  // the next server knows that the question is recorded
  Pass(seconds(15));
  EXPECT_EQ(Told(), Texts{});
}

TEST_F(SentryTest, AQuestionThatSomebodyHasSeenIsNoEvent) {
  Begin();
  is_known_ = true;
  question_ = {42, "waits for input"};
  holder_.Answer(wire::Waiting::kRead);
  holder_.Print("> ");
  Pass(seconds(5));
  EXPECT_EQ(Told(), Texts{});
}

TEST_F(SentryTest, AQuietSessionAsksTheKernelNothing) {
  Begin();
  holder_.Answer(wire::Waiting::kRead);
  holder_.Print("$ ");
  Pass(seconds(5));
  size_t asked = holder_.CountSent(wire::Probe::kType);
  Pass(hours(1));
  EXPECT_EQ(holder_.CountSent(wire::Probe::kType), asked);
}

TEST_F(SentryTest, AProgramThatOnlySpinsIsStuckOnce) {
  Begin();
  holder_.Answer(wire::Waiting::kRunning);
  holder_.Print("copying 3%");
  for (int i = 0; i < 1400; ++i) {
    holder_.Print(std::string("\r") + "|/-\\"[i % 4] + " copying 3%");
    Pass(std::chrono::milliseconds(500));
  }
  Texts told = Told();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].substr(0, 40), "still: nothing but clocks and the like h");
}

TEST_F(SentryTest, WhatHasJustMovedIsNotStuck) {
  Begin();
  holder_.Answer(wire::Waiting::kRunning);
  std::chrono::milliseconds step(500);
  auto spin = [&](int steps, const std::string& text) {
    for (int i = 0; i < steps; ++i) {
      holder_.Print(std::string("\r") + "|/-\\"[i % 4] + text);
      Pass(step);
    }
  };
  spin(200, " copying 3%");
  Pass(seconds(13));
  spin(2 * 196, " copying 3%");
  spin(12, " copying 4%");
  EXPECT_EQ(Told(), Texts{});
}

TEST_F(SentryTest, AProgramThatGoesOnSlowlyIsNotStuck) {
  Begin();
  holder_.Answer(wire::Waiting::kRunning);
  for (int i = 0; i < 8; ++i) {
    holder_.Print("step " + std::to_string(i) + " is done\r\n");
    Pass(minutes(2));
  }
  EXPECT_EQ(Told(), Texts{});
  Pass(minutes(4));
  EXPECT_EQ(Told().size(), 1u);
}

TEST_F(SentryTest, TheNextServerNotesOnlyWhatIsNew) {
  Begin();
  holder_.Print("error: no such type\r\n");
  Pass(seconds(1));
  EXPECT_EQ(Told().size(), 1u);
  sentry_.reset();
  holder_.Print("error: no such type\r\nlinker: failed badly\r\n");
  Begin();
  EXPECT_EQ(Told(), Texts{"error: linker: failed badly"});
  Begin();
  EXPECT_EQ(Told(), Texts{});
}

TEST_F(SentryTest, AnEndBetweenTwoServersIsAnEventOnce) {
  Begin();
  sentry_.reset();
  holder_.Exit(1 << 8);
  Begin();
  EXPECT_EQ(Told(), (Texts{"ended: the program has ended, exit=1", "over"}));
  Begin();
  EXPECT_EQ(Told(), Texts{"over"});
}

TEST_F(SentryTest, AFloodIsLookedAtInSamples) {
  Begin();
  std::string flood;
  for (int i = 0; i < 20'000; ++i) flood += "line\r\n";
  holder_.Print(flood + "error: at the end\r\n");
  Pass(seconds(2));
  EXPECT_EQ(Told(), Texts{"error: error: at the end"});
}

}  // namespace
}  // namespace glasstty::lookout
