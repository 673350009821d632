// Tests each kind of step: its effect, whom it waits for, and who may stop it.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "typing/input_fixture.h"

namespace glasstty::typing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Step Pause(double seconds) {
  Step step;
  step.kind = Step::Kind::kPause;
  step.seconds = seconds;
  return step;
}

Step UntilText(const char* text) {
  Step step;
  step.kind = Step::Kind::kUntil;
  step.until.text = text;
  step.seconds = 5;
  return step;
}

class StepsTest : public InputTest {
 protected:
  // Everything that is typed is read, for up to half a second.
  void Pass() {
    for (int i = 0; i < 20; ++i) {
      holder_.Consume();
      holder_.Advance(milliseconds(25));
    }
  }
  // Makes the program read something, so that nothing waits for its start.
  void BeReady() {
    Type({Text("x")});
    holder_.Consume();
    ASSERT_TRUE(typed_);
    typed_.reset();
  }
  // Returns the bytes typed since the last time.
  std::string TakeTyped() {
    std::string all = holder_.typed();
    std::string since = all.substr(taken_);
    taken_ = all.size();
    return since;
  }
  size_t taken_ = 0;
};

class StepsToPipes : public StepsTest {
 protected:
  StepsToPipes() {
    holder_.UsePipes();
    session_ = holder_.Open();
  }
};

TEST_F(StepsToPipes, OnlyTheKeysOfATerminalDriverActAsTheyWould) {
  struct Row {
    const char* key;
    const char* typed;
    bool interrupts, ends;
  };
  for (const Row& row :
       {Row{"C-c", "", true, false}, Row{"C-d", "", false, true},
        Row{"c", "c", false, false}, Row{"d", "d", false, false},
        Row{"M-c", "\033c", false, false}, Row{"C-x", "\x18", false, false},
        Row{"Enter", "\n", false, false}}) {
    size_t signals = holder_.CountSent(wire::Signal::kType);
    Type({Pressed(row.key)});
    holder_.Consume();
    EXPECT_EQ(TakeTyped(), row.typed) << row.key;
    size_t since = holder_.CountSent(wire::Signal::kType) - signals;
    EXPECT_EQ(since, row.interrupts ? 1u : 0u) << row.key;
    if (row.interrupts) continue;
    uint64_t flags = holder_.AllSent<wire::Write>().back().flags;
    EXPECT_EQ(flags == wire::kWriteEof, row.ends) << row.key;
  }
}

// Nothing is echoed there.
TEST_F(StepsToPipes, NoLineIsRemembered) {
  Type({Text("text\n")});
  holder_.Consume();
  ASSERT_TRUE(typed_);
  EXPECT_TRUE(typed_->lines.empty());
}

// A secret is typed unchanged; it may come from a file.
TEST_F(StepsToPipes, EveryKindOfLineEndIsOneNewline) {
  Step secret = Text("a\r\nb\rc\nd\r\r\ne");
  secret.kind = Step::Kind::kSecret;
  Type({secret});
  EXPECT_EQ(TakeTyped(), "a\nb\nc\nd\n\ne\n");
}

TEST_F(StepsTest, WhereTheFirstKeyInterruptsIsTold) {
  struct Row {
    std::vector<Step> steps;
    bool told;
  };
  holder_.Print("one\r\ntwo");
  for (const Row& row :
       {Row{{Pressed("C-c")}, true}, Row{{Pressed("C-c"), Text("x")}, true},
        Row{{Pressed("C-x")}, false}, Row{{Pressed("c")}, false},
        Row{{Pressed("M-c")}, false},
        Row{{Text("x"), Pressed("C-c")}, false}}) {
    typed_.reset();
    Type(row.steps);
    Pass();
    ASSERT_TRUE(typed_);
    EXPECT_EQ(typed_->interrupted,
              row.told ? std::optional<int64_t>(1) : std::nullopt);
  }
}

TEST_F(StepsTest, AStepThatIsRefusedIsNotDone) {
  holder_.Print("\033[?1000h\033[?1006h");
  BeReady();
  Step click;
  click.kind = Step::Kind::kMouse;
  click.gesture.from.kind = Spot::Kind::kCell;
  holder_.RefuseWrites(wire::WriteRefusal::kClosed);
  for (const Step& step : {Pressed("x"), Pressed("Esc"), Text("x"), click}) {
    typed_.reset();
    Type({step, Text("rest")});
    Pass();
    ASSERT_TRUE(typed_);
    EXPECT_EQ(typed_->done, 0u);
    EXPECT_EQ(typed_->stopped, "the program no longer reads its terminal");
  }
  EXPECT_EQ(holder_.typed().find("rest"), std::string::npos);
}

TEST_F(StepsTest, EachEventOfAClickIsTypedOnceTheOneBeforeIsRead) {
  holder_.Print("\033[?1000h\033[?1006h");
  Step click;
  click.kind = Step::Kind::kMouse;
  click.gesture.from.kind = Spot::Kind::kCell;
  Type({click});
  EXPECT_EQ(holder_.typed(), "\033[<0;1;1M");
  holder_.Consume();
  holder_.Advance(milliseconds(20));
  EXPECT_EQ(holder_.typed(), "\033[<0;1;1M\033[<0;1;1m");
  Pass();
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->stopped, "");
}

TEST_F(StepsTest, ASignalGoesPastTheTerminalAndTheNextStepFollows) {
  Step signal;
  signal.kind = Step::Kind::kSignal;
  signal.number = SIGUSR1;
  Type({signal, Text("x")});
  EXPECT_EQ(TakeTyped(), "x");
  wire::Signal sent{SIGUSR1, wire::SignalTarget::kForeground};
  EXPECT_EQ(holder_.AllSent<wire::Signal>(), std::vector{sent});
  holder_.Consume();
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 2u);
}

TEST_F(StepsTest, APauseLastsAsLongAsItSays) {
  BeReady();
  Type({Pause(0.2)});
  holder_.Advance(milliseconds(199));
  EXPECT_FALSE(typed_);
  holder_.Advance(milliseconds(1));
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 1u);
  EXPECT_FALSE(typed_->cancelled);
}

TEST_F(StepsTest, AWaitThatIsMetIsNotCancelled) {
  Type({UntilText("login:")});
  holder_.Print("login: ");
  Pass();
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 1u);
  EXPECT_FALSE(typed_->cancelled);
}

TEST_F(StepsTest, ACancelledWaitEndsTheTyping) {
  BeReady();
  TakeTyped();
  for (const Step& step : {Pause(0.2), UntilText("login:")}) {
    Cancellation cancellation;
    typed_.reset();
    Type({step, Text("root\n")}, false, &cancellation);
    cancellation.Cancel();
    Pass();
    ASSERT_TRUE(typed_);
    EXPECT_TRUE(typed_->cancelled);
    EXPECT_EQ(typed_->done, 0u);
    EXPECT_EQ(typed_->stopped, "");
    EXPECT_EQ(TakeTyped(), "");
  }
}

TEST_F(StepsTest, AWaitForAPatternThatIsNoneEndsTheTyping) {
  Step until = UntilText("x");
  until.until.text.reset();
  until.until.regex = "(";
  Type({until, Text("rest")});
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 0u);
  EXPECT_NE(typed_->stopped, "");
  EXPECT_EQ(TakeTyped(), "");
}

TEST_F(StepsTest, AStepThatShowsIsToldToTheCallerWhoMayEndTheTyping) {
  Step show;
  show.kind = Step::Kind::kShow;
  show.number = 7;
  std::vector<int> shown;
  Next next = Next::kGoOn;
  StepShow callback = [&](const Step* step) -> Task<Next> {
    shown.push_back(step->number);
    co_return next;
  };
  for (bool more : {true, false}) {
    next = more ? Next::kGoOn : Next::kStop;
    Start(TypeSteps(session_, {Text("a"), show, Text("b")}, false, nullptr,
                    nullptr, nullptr, callback),
          [this](Typed typed) { typed_ = std::move(typed); });
    Pass();
    ASSERT_TRUE(typed_);
    EXPECT_EQ(typed_->done, more ? 3u : 1u);
    EXPECT_EQ(TakeTyped(), more ? "ab" : "a");
  }
  EXPECT_EQ(shown, (std::vector<int>{7, 7}));
  // A caller with nothing to see continues.
  Type({show, Text("c")});
  Pass();
  EXPECT_EQ(TakeTyped(), "c");
}

TEST_F(StepsTest, WhatIsShownIsTheAnswerToTheKeyBefore) {
  BeReady();
  holder_.Answer(wire::Waiting::kPoll, false, false);
  holder_.Work({.is_alone = 1, .due_ms = {60}});
  Step show;
  show.kind = Step::Kind::kShow;
  std::string shown;
  StepShow callback = [&](const Step*) -> Task<Next> {
    shown = session_->output().terminal().TakeSnapshot().rows[0].text;
    co_return Next::kGoOn;
  };
  Start(TypeSteps(session_, {Text("x"), show}, false, nullptr, nullptr, nullptr,
                  callback),
        [this](Typed typed) { typed_ = std::move(typed); });
  auto pass = [this] {
    for (int i = 0; i < 4; ++i) {
      holder_.Consume();
      holder_.Advance(milliseconds(5));
    }
  };
  pass();
  holder_.Print("\rold");
  pass();
  ASSERT_FALSE(typed_);
  EXPECT_EQ(shown, "");
  holder_.Work({.is_alone = 1});
  holder_.Print("\rnew");
  pass();
  EXPECT_EQ(shown, "new");
  EXPECT_TRUE(typed_);
}

TEST_F(StepsTest, AGuardIsAskedBeforeEachStepThatTypes) {
  std::vector<size_t> asked;
  StepGuard guard = [&](const std::vector<Step>* steps,
                        size_t index) -> Task<std::string> {
    asked.push_back(index);
    co_return (*steps)[index].text == "bad" ? "not that" : "";
  };
  Start(TypeSteps(session_, {Text("a"), Pause(0.01), Text("bad"), Text("b")},
                  false, nullptr, nullptr, guard),
        [this](Typed typed) { typed_ = std::move(typed); });
  Pass();
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 2u);
  EXPECT_EQ(typed_->stopped, "not that");
  EXPECT_EQ(TakeTyped(), "a");
  EXPECT_EQ(asked, (std::vector<size_t>{0, 2}));
}

TEST_F(StepsTest, AStepIsNotTypedIfTheCallIsCancelledWhileTheGuardAsks) {
  Cancellation cancellation;
  StepGuard guard = [&cancellation](const std::vector<Step>*,
                                    size_t) -> Task<std::string> {
    cancellation.Cancel();
    co_return "";
  };
  Start(TypeSteps(session_, {Text("a")}, false, &cancellation, nullptr, guard),
        [this](Typed typed) { typed_ = std::move(typed); });
  Pass();
  ASSERT_TRUE(typed_);
  EXPECT_TRUE(typed_->cancelled);
  EXPECT_EQ(TakeTyped(), "");
}

TEST_F(StepsTest, AProgramIsGivenFiveSecondsToStart) {
  holder_.BeBusy();
  Cancellation cancellation;
  holder_.Advance(milliseconds(4'999));
  Type({Pressed("x")}, false, &cancellation);
  EXPECT_EQ(TakeTyped(), "");
  cancellation.Cancel();
  holder_.Advance(milliseconds(1));
  Type({Pressed("x")});
  EXPECT_EQ(TakeTyped(), "x");
}

// Longer text is typed in pieces, between which its reader may go.
TEST_F(StepsTest, TextOfOnePieceIsTypedWithoutALookAtItsReader) {
  std::string piece;
  while (piece.size() < kPasteBytes) piece += "0123456\n";
  BeReady();
  holder_.BeBusy();
  TakeTyped();
  Type({Text(piece)});
  EXPECT_EQ(TakeTyped().size(), kPasteBytes);
  holder_.Consume();
  Type({Text(piece + "x")});
  EXPECT_EQ(TakeTyped(), "");
  holder_.Advance(milliseconds(50));
  EXPECT_EQ(TakeTyped().size(), kPasteBytes);
  Pass();
  EXPECT_EQ(TakeTyped(), "x");
}

// There it is only a guess that a program waits, half a second after its last
// output. Enter may start another program.
TEST_F(StepsTest, AKeyOnAScreenThatCannotBeLookedIntoIsNotWaitedForLong) {
  struct Row {
    Step step;
    bool on_screen;
    wire::Waiting waiting;
    bool is_brief;
  };
  constexpr auto kOpaque = wire::Waiting::kOpaque;
  BeReady();
  for (const Row& row :
       {Row{Pressed("x"), true, kOpaque, true},
        Row{Pressed("Down"), true, kOpaque, true},
        Row{Pressed("Enter"), true, kOpaque, false},
        Row{Text("x\n"), true, kOpaque, false},
        Row{Pressed("x"), false, kOpaque, false},
        Row{Pressed("x"), true, wire::Waiting::kSleepOther, false}}) {
    holder_.Answer(row.waiting, true, true, "su");
    holder_.Print(row.on_screen ? "\033[?1049h" : "\033[?1049l");
    // This makes its state known.
    AskState(session_);
    holder_.Advance(seconds(1));
    TakeTyped();
    Type({row.step, Text("N")});
    Time began = holder_.loop()->Now();
    for (int i = 0; !holder_.typed().ends_with("N") && i < 200; ++i) {
      holder_.Consume();
      holder_.Advance(milliseconds(10));
    }
    EXPECT_EQ(holder_.loop()->Now() - began < milliseconds(250), row.is_brief)
        << TakeTyped();
    holder_.Consume();
  }
}

}  // namespace
}  // namespace glasstty::typing
