#include "waits/movement.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "waits/until_fixture.h"

namespace glasstty::waits {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class MovementTest : public UntilTest {
 protected:
  static Until Meaningful() {
    Until until;
    until.change = ChangeIs::kMeaningful;
    return until;
  }
  // Begins the next wait of a reader, who has been told what ended the last.
  void GoOn() {
    if (last_.met()) memory_->Tell(Detail());
    BeginTyping(Meaningful(),
                {.baseline = record::MarkNow(session_->output().terminal()),
                 .memory = memory_});
    Start();
  }
  std::shared_ptr<motion::Memory> memory_ = std::make_shared<motion::Memory>();

  static Until Still(double still_s) {
    Until until;
    until.still_s = still_s;
    return until;
  }
  static Until Is(ValueIs value) {
    Until until;
    until.value = std::move(value);
    return until;
  }
  // Returns the reason's word once so much time has passed.
  std::string After(Duration time) {
    holder_.Advance(time);
    return Look();
  }
  std::string AfterPrint(const std::string& bytes, Duration time = seconds(1)) {
    holder_.Print(bytes);
    return After(time);
  }
};

TEST_F(MovementTest, ANewKindOfLineMattersAndOneMoreOfAKindDoesNot) {
  holder_.Print("[1/500] CC src/a.o\r\n");
  Begin(Meaningful());
  EXPECT_EQ(AfterPrint("[2/500] CC src/b.o\r\n"), "");
  EXPECT_EQ(AfterPrint("[3/500] CC src/deep/c.o\r\n"), "");
  EXPECT_EQ(AfterPrint("src/d.c:3:5: error: no such type\r\n"), "change");
  EXPECT_EQ(Detail(), "src/d.c:3:5: error: no such type");
}

TEST_F(MovementTest, WhatWasPrintedSinceTheCallerLookedMatters) {
  holder_.Print("tick 1\r\n");
  record::ReadMark seen = record::MarkNow(session_->output().terminal());
  holder_.Print("error: late\r\ntick 2\r\n");
  BeginAt(Meaningful(), seen);
  EXPECT_EQ(After(seconds(1)), "change");
  EXPECT_EQ(Detail(), "error: late");
}

TEST_F(MovementTest, TheEchoOfATypedLineDoesNotMatter) {
  holder_.Print("$ ");
  Begin(Meaningful(), {"make all"});
  EXPECT_EQ(AfterPrint("make all\r\n"), "");
  EXPECT_EQ(AfterPrint("cc main.c\r\n"), "change");
  EXPECT_EQ(Detail(), "cc main.c");
}

TEST_F(MovementTest, AStatusThatWasWrittenOverIsNoNewsWhenItComesAgain) {
  GoOn();
  EXPECT_EQ(AfterPrint("\r0% [Working]", seconds(4)), "change");
  GoOn();
  EXPECT_EQ(AfterPrint("\r0% [Waiting for headers]", seconds(4)), "change");
  GoOn();
  EXPECT_EQ(AfterPrint("\r0% [Working]            ", seconds(4)), "");
  EXPECT_EQ(AfterPrint("\r0% [Waiting for headers]", seconds(4)), "");
  EXPECT_EQ(AfterPrint("\rErr: timed out          \r\n"), "change");
  GoOn();
  EXPECT_EQ(AfterPrint("\r0% [Working]", seconds(4)), "");
}

TEST_F(MovementTest, WhatNobodyWasToldIsNewsForTheNextWait) {
  holder_.Print("tick 1\r\n");
  BeginTyping(Meaningful(),
              {.baseline = record::MarkNow(session_->output().terminal()),
               .memory = memory_});
  Start();
  record::ReadMark seen = record::MarkNow(session_->output().terminal());
  EXPECT_EQ(AfterPrint("error: late\r\nLinking app\r\n"), "change");
  for (int i = 0; i < 2; ++i) {
    BeginTyping(Meaningful(), {.baseline = seen, .memory = memory_});
    Start();
    EXPECT_EQ(After(seconds(1)), "change");
    EXPECT_EQ(Detail(), "error: late");
  }
  memory_->Tell(Detail());
  BeginTyping(Meaningful(), {.baseline = seen, .memory = memory_});
  Start();
  EXPECT_EQ(After(seconds(1)), "change");
  EXPECT_EQ(Detail(), "Linking app");
}

TEST_F(MovementTest, ALineThatSaysThatItStillGoesOnDoesNotMatter) {
  holder_.Print("db: Creating...\r\n");
  Begin(Meaningful());
  EXPECT_EQ(AfterPrint("db: Still creating... [10s elapsed]\r\n"), "");
  EXPECT_EQ(AfterPrint("db: Creation complete after 15s\r\n"), "change");
}

TEST_F(MovementTest, TheEndOfAStateThatWasToldMatters) {
  holder_.Print("pay-5d8f7  1/1  Running  0  3m\r\n");
  GoOn();
  EXPECT_EQ(AfterPrint("pay-5d8f7  0/1  Evicted  0  4m\r\n"), "change");
  GoOn();
  EXPECT_EQ(AfterPrint("web-6c5f8  1/1  Running  0  4m\r\n"), "change");
  GoOn();
  EXPECT_EQ(AfterPrint("pay-5d8f7  1/1  Running  0  5m\r\n"), "change");
  GoOn();
  EXPECT_EQ(AfterPrint("pay-5d8f7  0/1  Evicted  0  6m\r\n"), "");
  EXPECT_EQ(AfterPrint("pay-5d8f7  1/1  Running  0  7m\r\n"), "");
}

TEST_F(MovementTest, ALineThatIsWrittenOverMattersOnceItsFirstWordStands) {
  GoOn();
  auto draw = [this](int i, const std::string& what) {
    std::string percent = std::to_string(i) + "% ";
    return AfterPrint("\r\033[K" + percent + what + std::string(i % 7, 'x'),
                      milliseconds(200));
  };
  for (int i = 0; i < 40; ++i) EXPECT_EQ(draw(i, "building "), "") << i;
  for (int i = 40; i < 64; ++i) EXPECT_EQ(draw(i, "sealing "), "") << i;
  EXPECT_EQ(draw(64, "sealing "), "");
  EXPECT_EQ(draw(65, "sealing hashes "), "change");
  EXPECT_EQ(Detail().substr(4, 7), "sealing");
  GoOn();
  for (int i = 66; i < 99; ++i) EXPECT_EQ(draw(i, "sealing it all "), "") << i;
}

TEST_F(MovementTest, ThePhasesOfAJobsFirstSecondsDoNotMatter) {
  Begin(Meaningful());
  auto draw = [this](int percent, const std::string& words) {
    return AfterPrint("\r\033[K" + std::to_string(percent) + "% " + words,
                      milliseconds(200));
  };
  for (int i = 0; i < 20; ++i) EXPECT_EQ(draw(i, "counting"), "") << i;
  for (int i = 20; i < 90; ++i) EXPECT_EQ(draw(i, "receiving"), "") << i;
}

TEST_F(MovementTest, ALineWithoutAnEndMattersOnceItRests) {
  holder_.Print("tick 1\r\n");
  Begin(Meaningful());
  EXPECT_EQ(AfterPrint("Overwrite app? [y/N] ", milliseconds(100)), "");
  EXPECT_EQ(After(milliseconds(400)), "change");
}

TEST_F(MovementTest, ASpinnerNeverRests) {
  Begin(Meaningful());
  for (int i = 0; i < 50; ++i) {
    std::string words = i % 2 == 0 ? "Thinking" : "Musing";
    EXPECT_EQ(AfterPrint("\r\033[K" + words, milliseconds(200)), "");
  }
}

// Returns three rows, drawn over those above the cursor unless they are the
// first, as docker compose and BuildKit do it.
std::string Block(int second, const std::string& middle) {
  std::string time = " " + std::to_string(second) + ".1s\r\n";
  return std::string(second == 0 ? "" : "\033[3A") + "\r\033[K app-0 Waiting" +
         time + "\r\033[K " + middle + time + "\r\033[K app-2 Waiting" + time;
}

TEST_F(MovementTest, AFailureInRowsThatAreDrawnAnewMatters) {
  holder_.Print(Block(0, "app-1 Waiting"));
  Begin(Meaningful());
  for (int i = 1; i < 10; ++i) {
    EXPECT_EQ(AfterPrint(Block(i, "app-1 Waiting")), "") << i;
  }
  EXPECT_EQ(AfterPrint(Block(10, "app-1 Error: exited (1)")), "change");
  EXPECT_EQ(Detail(), " app-1 Error: exited (1) 10.1s");
  EXPECT_EQ(waiting_->changed(), &session_->output());
  EXPECT_EQ(waiting_->matched()->line, 3);
  EXPECT_EQ(waiting_->matched()->shown, "");
}

TEST_F(MovementTest, AFailureInSuchARowMattersIfItCameBeforeTheWait) {
  holder_.Print(Block(0, "app-1 Waiting"));
  record::ReadMark seen = record::MarkNow(session_->output().terminal());
  holder_.Print(Block(1, "app-1 Error: exited (1)"));
  BeginAt(Meaningful(), seen);
  EXPECT_EQ(After(seconds(1)), "change");
}

TEST_F(MovementTest, OtherWordsInSuchARowMatterOnceTheyStand) {
  holder_.Print(Block(0, "app-1 Waiting"));
  Begin(Meaningful());
  for (int i = 1; i < 6; ++i) {
    std::string words = i % 2 == 0 ? "Thinking of it" : "Musing on it";
    EXPECT_EQ(AfterPrint(Block(i, words)), "") << i;
  }
  EXPECT_EQ(AfterPrint(Block(6, "Thinking of it")), "");
  EXPECT_EQ(AfterPrint(Block(7, "Thinking of it")), "");
  EXPECT_EQ(AfterPrint(Block(8, "Thinking of it")), "");
  EXPECT_EQ(AfterPrint(Block(9, "Thinking of it")), "change");
}

TEST_F(MovementTest, HalfARowThatIsDrawnAnewIsReadOnceTheCursorHasLeftIt) {
  holder_.Print(Block(0, "app-1 Waiting"));
  Begin(Meaningful());
  EXPECT_EQ(AfterPrint("\033[2A\r\033[K app-1 Er", milliseconds(60)), "");
  EXPECT_EQ(AfterPrint("ror", milliseconds(60)), "");
  EXPECT_EQ(AfterPrint("\r\n", milliseconds(60)), "change");
  EXPECT_EQ(Detail(), " app-1 Error");
}

TEST_F(MovementTest, AWaitFromWhereOneHasEndedGoesOnBehindIt) {
  holder_.Print("tick 1\r\n");
  Begin(Meaningful());
  EXPECT_EQ(AfterPrint("Linking app\r\ntick 2\r\n"), "change");
  BeginAt(Meaningful(), *waiting_->matched());
  EXPECT_EQ(AfterPrint("tick 3\r\n"), "");
  EXPECT_EQ(AfterPrint("Stripping it all\r\n"), "change");
  EXPECT_EQ(Detail(), "Stripping it all");
}

TEST_F(MovementTest, WhatTheCallerWasToldOfRowsThatAreDrawnAnewMattersNoMore) {
  std::string failed = "app-1 Error: exited (1)";
  holder_.Print(Block(0, "app-1 Waiting"));
  Begin(Meaningful());
  EXPECT_EQ(AfterPrint(Block(1, failed)), "change");
  memory_->Tell(Detail());
  BeginTyping(Meaningful(),
              {.baseline = *waiting_->matched(), .memory = memory_});
  Start();
  EXPECT_EQ(AfterPrint(Block(2, failed)), "");
  EXPECT_EQ(AfterPrint(Block(3, "app-1 fatal: no such image")), "change");
}

TEST_F(MovementTest, ARowOfAScreenThatTheCallerWasToldOfMattersNoMore) {
  memory_->Tell("web Error");
  holder_.Print("\033[?1049h\033[H\033[2Jweb Error");
  BeginTyping(Meaningful(),
              {.baseline = record::MarkNow(session_->output().terminal()),
               .shown = {"web Running", "", "", "", "", ""},
               .memory = memory_});
  Start();
  EXPECT_EQ(After(seconds(1)), "");
}

TEST_F(MovementTest, LinesAreCountedFromWhereTheLastWaitForThemHasEnded) {
  Until until;
  until.lines = 2;
  Begin(until);
  EXPECT_EQ(AfterPrint("one\r\ntwo\r\n"), "lines");
  BeginAt(until, *waiting_->matched());
  EXPECT_EQ(AfterPrint("three\r\n"), "");
  EXPECT_EQ(AfterPrint("four\r\n"), "lines");
}

TEST_F(MovementTest, TheOtherScreenMatters) {
  Begin(Meaningful());
  EXPECT_EQ(AfterPrint("\033[?1049h"), "change");
}

TEST_F(MovementTest, OnAScreenWhatChangedSinceItWasShownMatters) {
  holder_.Print("\033[?1049h\033[H\033[2Jweb Error");
  BeginTyping(Meaningful(),
              {.baseline = record::MarkNow(session_->output().terminal()),
               .shown = {"web Running", "", "", "", "", ""}});
  Start();
  EXPECT_EQ(After(milliseconds(100)), "change");
  EXPECT_EQ(Detail(), "web Error");
}

TEST_F(MovementTest, AFloodIsSampledAndItsErrorsAtTheEndAreFound) {
  holder_.Print("line 0\r\n");
  Begin(Meaningful());
  std::string flood;
  for (int i = 0; i < 20'000; ++i)
    flood += "line " + std::to_string(i) + "\r\n";
  EXPECT_EQ(AfterPrint(flood), "");
  EXPECT_EQ(AfterPrint(flood + "fatal: disk full\r\n"), "change");
}

TEST_F(MovementTest, WhatComesNoFurtherIsStillBesideASpinner) {
  Begin(Still(30));
  for (int i = 0; i < 100; ++i) {
    std::string percent = std::to_string(std::min(i, 50));
    std::string rate = std::to_string(9 - i % 7);
    std::string word =
        AfterPrint(std::string("\r") + "|/-\\"[i % 4] + " copying " + percent +
                   "% " + rate + " MB/s 0:" + std::to_string(10 + i % 50));
    ASSERT_EQ(word, i < 80 ? "" : "still") << i;
    if (i == 80) break;
  }
}

TEST_F(MovementTest, WhoLooksAfterAJobIsToldOnceThatItStands) {
  Until until = Meaningful();
  until.still_s = 30;
  auto go_on = [&] {
    BeginTyping(until,
                {.baseline = record::MarkNow(session_->output().terminal()),
                 .memory = memory_});
    Start();
  };
  go_on();
  EXPECT_EQ(AfterPrint("\r- copying 3%", seconds(1)), "change");
  memory_->Tell(Detail());
  go_on();
  EXPECT_EQ(AfterPrint("\r/ copying 3%", seconds(29)), "");
  EXPECT_EQ(AfterPrint("\r- copying 3%", seconds(2)), "still");
  go_on();
  EXPECT_EQ(AfterPrint("\r/ copying 3%", seconds(100)), "");
  EXPECT_EQ(AfterPrint("\r/ copying 4%", seconds(1)), "");
  EXPECT_EQ(AfterPrint("\r- copying 4%", seconds(29)), "");
  EXPECT_EQ(AfterPrint("\r/ copying 4%", seconds(2)), "still");
}

TEST_F(MovementTest, AMeterMattersByItsFirstWordAlone) {
  holder_.Print("epoch:   0%|      | 0/3 [?]\r\nbatch 1\r\n");
  GoOn();
  for (int i = 1; i < 20; ++i) {
    std::string rest = i < 10 ? "1/3 [so good]" : "2/3 [bad luck]";
    EXPECT_EQ(AfterPrint("\033[2A\033[Kepoch:  33%|==    | " + rest +
                         "\r\nbatch " + std::to_string(i) + "\r\n"),
              "")
        << i;
  }
}

TEST_F(MovementTest, ShorterWordsInARowThatIsDrawnAnewMatterToo) {
  holder_.Print(Block(0, "app-1 Waiting for its database"));
  GoOn();
  EXPECT_EQ(AfterPrint(Block(1, "app-1 Waiting for its database")), "");
  EXPECT_EQ(AfterPrint(Block(2, "app-1 Now it is up")), "");
  EXPECT_EQ(After(seconds(3)), "change");
  EXPECT_EQ(Detail(), " app-1 Now it is up 2.1s");
}

TEST_F(MovementTest, TheEndOfALineThatWasWrittenOverMattersIfItSaysSo) {
  for (bool says_so : {false, true}) {
    holder_.Print(says_so ? "two\r\n" : "one\r\n");
    GoOn();
    for (int i = 0; i < 9; ++i) {
      EXPECT_EQ(AfterPrint("\r  ==== " + std::to_string(i) + ".3/9.3 MB",
                           milliseconds(200)),
                "");
    }
    std::string end = says_so ? "\r  ==== 9.3/9.3 MB, done" : "";
    EXPECT_EQ(AfterPrint(end + "\r\n"), says_so ? "change" : "");
  }
}

TEST_F(MovementTest, ARowThatPointsAtWhatIsInWorkDoesNotMatter) {
  holder_.Print("33% EXECUTING\r\n> :compileJava\r\n");
  GoOn();
  for (int i = 1; i < 20; ++i) {
    EXPECT_EQ(AfterPrint("\033[1A\033[K> :processResources\r\n"), "") << i;
  }
}

TEST_F(MovementTest, ALineThatDiffersOnlyInATimeIsStill) {
  Begin(Still(30));
  EXPECT_EQ(AfterPrint("step 1\r\n", seconds(20)), "");
  EXPECT_EQ(AfterPrint("step 2\r\n", seconds(20)), "");
  EXPECT_EQ(AfterPrint("Creating... [10s elapsed]\r\n", seconds(20)), "");
  EXPECT_EQ(AfterPrint("Creating... [30s elapsed]\r\n", seconds(20)), "");
  EXPECT_EQ(AfterPrint("Creating... [50s elapsed]\r\n", seconds(9)), "");
  EXPECT_EQ(After(seconds(2)), "still");
}

// ---- values

TEST_F(MovementTest, AValueCountsOnceItsLineRests) {
  Begin(Is({.regex = "loss=([0-9.]+)", .below = 0.1}));
  EXPECT_EQ(AfterPrint("loss=0.5\r\nloss=0.", milliseconds(10)), "");
  EXPECT_EQ(AfterPrint("09", milliseconds(10)), "");
  EXPECT_EQ(After(milliseconds(100)), "value");
  EXPECT_EQ(Detail(), "loss=0.09");
}

TEST_F(MovementTest, AValueThatWasThereIsWhatChangesAreCountedFrom) {
  holder_.Print("users: 100\r\n");
  Begin(Is({.regex = "users: (\\d+)", .changes_by = 10}));
  EXPECT_EQ(AfterPrint("users: 105\r\n"), "");
  EXPECT_EQ(AfterPrint("users: 90\r\n"), "value");
}

TEST_F(MovementTest, AChangeIsCountedFromTheLastValueBeforeTheWait) {
  holder_.Print("users: 100\r\n");
  record::ReadMark seen = record::MarkNow(session_->output().terminal());
  holder_.Print("users: 150\r\nusers: 200\r\n");
  BeginAt(Is({.regex = "users: (\\d+)", .changes_by = 10}), seen);
  EXPECT_EQ(AfterPrint("users: 205\r\n"), "");
  EXPECT_EQ(AfterPrint("users: 210\r\n"), "value");
  BeginAt(Is({.regex = "users: (\\d+)", .changes_by = 10}),
          *waiting_->matched());
  EXPECT_EQ(AfterPrint("users: 219\r\n"), "");
  EXPECT_EQ(AfterPrint("users: 220\r\n"), "value");
}

TEST_F(MovementTest, AValueOnTheScreenIsWhereItIsDrawn) {
  holder_.Print("\033[?1049h\033[H\033[2Jqueue 5 items");
  Begin(Is({.regex = "queue (\\d+)", .above = 10}));
  EXPECT_EQ(After(seconds(1)), "");
  EXPECT_EQ(AfterPrint("\033[1;7H12 items"), "value");
  EXPECT_EQ(Detail(), "queue 12 items");
}

TEST_F(MovementTest, AChangeOnTheScreenIsCountedInEachRow) {
  holder_.Print("\033[?1049h\033[H\033[2Jload=10 of a");
  Begin(Is({.regex = "load=(\\d+)", .changes_by = 10}));
  EXPECT_EQ(After(seconds(1)), "");
  EXPECT_EQ(AfterPrint("\033[2;1Hload=50 of b"), "");
  EXPECT_EQ(AfterPrint("\033[1;6H15\033[2;6H55"), "");
  EXPECT_EQ(AfterPrint("\033[2;6H65"), "value");
  EXPECT_EQ(Detail(), "load=65 of b");
}

TEST_F(MovementTest, AValueThatMovesToAnotherRowIsComparedAllTheSame) {
  holder_.Print("\033[?1049h\033[H\033[2Jload=10");
  Begin(Is({.regex = "load=(\\d+)", .changes_by = 10}));
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(AfterPrint("\033[H\033[2J\033[2;1Hload=15"), "");
  EXPECT_EQ(AfterPrint("\033[H\033[2J\033[2;1Hload=20"), "value");
}

TEST_F(MovementTest, AValueInRowsThatAreDrawnAnewIsRead) {
  holder_.Print("layer0 1 MB\r\nlayer1 9 MB\r\n");
  Begin(Is({.regex = "layer0 (\\d+) MB", .above = 2}));
  EXPECT_EQ(AfterPrint("\033[2Alayer0 2 MB\r\nlayer1 9 MB\r\n"), "");
  EXPECT_EQ(AfterPrint("\033[2Alayer0 3 MB\r\nlayer1 9 MB\r\n"), "value");
  EXPECT_EQ(Detail(), "layer0 3 MB");
}

TEST_F(MovementTest, AValueThatWasReadDoesNotCountAgainInAWindowOfAnotherSize) {
  holder_.Print("loss=0.05\r\n");
  Begin(Is({.regex = "loss=([0-9.]+)", .below = 0.1}));
  holder_.Resized({9, 30});
  EXPECT_EQ(After(seconds(1)), "");
}

TEST_F(MovementTest, AMissedValueTellsItsRateAndWhenItWillBeSoFar) {
  Begin(Is({.regex = "loss=([0-9.]+)", .below = 0.5}));
  EXPECT_EQ(waiting_->DescribeMissed().value, "no value was printed");
  for (int i = 0; i < 20; ++i) {
    AfterPrint("loss=" + std::to_string(5 - i * 0.1) + "\r\n");
  }
  EXPECT_EQ(waiting_->DescribeMissed().value,
            "value: 3.1 (-0.1/s, 0.5 in 26 s)");
}

TEST_F(MovementTest, AValueNeedsAGroupAndALimit) {
  for (const ValueIs& value :
       {ValueIs{.regex = "loss", .below = 1}, ValueIs{.regex = "(loss)"},
        ValueIs{.regex = "(loss", .below = 1}}) {
    EXPECT_FALSE(Waiting::Compile(Is(value)).ok()) << value.regex;
  }
}

}  // namespace
}  // namespace glasstty::waits
