#include "motion/screen_motion.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "terminal/terminal.h"

namespace glasstty::motion {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A screen that the test draws on, row by row.
class Screen : public ::testing::Test {
 protected:
  void Draw(int row, const std::string& text) {
    terminal_->Feed(absl::StrFormat("\033[%d;1H\033[K%s", row, text));
  }
  // Returns what matters once so much time has passed, or "-".
  std::string After(Duration time) {
    now_ += time;
    motion_.Take(terminal_->TakeSnapshot(), now_);
    auto change = motion_.Matters(now_);
    return change ? change->text : "-";
  }
  // Returns the same when nothing is drawn for a while.
  std::string AtRest() { return After(seconds(6)); }

  std::unique_ptr<terminal::Terminal> terminal_ =
      *terminal::Terminal::Create({.size = {8, 60}, .scrollback_rows = 10});
  ScreenMotion motion_;
  Time now_{seconds(1000)};
};

TEST_F(Screen, AClockAndCountersDoNotMatter) {
  for (int i = 0; i < 100; ++i) {
    Draw(1,
         absl::StrFormat("Every 2.0s: kubectl get pods   12:00:%02d", i % 60));
    Draw(2, absl::StrFormat("CPU [|||%s %d%%]", std::string(i % 9, '|'), i));
    Draw(3, absl::StrFormat("uptime %d days", i));
    EXPECT_EQ(After(seconds(1)), "-") << i;
  }
}

TEST_F(Screen, AWordThatIsReplacedMattersOnceItStands) {
  Draw(1, "web-1  1/1  Pending            0  5s");
  EXPECT_EQ(After(seconds(1)), "-");
  Draw(1, "web-1  1/1  Running            0  7s");
  EXPECT_EQ(After(seconds(1)), "-");
  EXPECT_EQ(AtRest(), "web-1  1/1  Running            0  7s");
  EXPECT_EQ(AtRest(), "-");
}

TEST_F(Screen, WhatIsDrawnOnABlankScreenMattersOnceAndSoon) {
  EXPECT_EQ(After(seconds(1)), "-");
  for (int row = 1; row < 7; ++row) {
    Draw(row, absl::StrFormat("row %c", 'a' + row));
    EXPECT_EQ(After(milliseconds(50)), "-") << row;
  }
  EXPECT_EQ(After(milliseconds(400)), "row b");
  EXPECT_EQ(AtRest(), "-");
}

TEST_F(Screen, TheFirstDrawingOfSomethingElseIsWhereItBegins) {
  Draw(1, "a");
  After(seconds(1));
  motion_.Restart();
  for (int row = 1; row < 7; ++row) {
    Draw(row, absl::StrFormat("row %c", 'a' + row));
    EXPECT_EQ(After(milliseconds(50)), "-") << row;
  }
  EXPECT_EQ(AtRest(), "-");
  Draw(3, "another word");
  EXPECT_EQ(After(seconds(1)), "-");
  EXPECT_EQ(AtRest(), "another word");
}

TEST_F(Screen, ADrawingOfManyRowsIsToldByItsFirst) {
  Draw(1, "Step one: the keyboard");
  After(seconds(1));
  for (int row = 1; row < 7; ++row) {
    Draw(row, absl::StrFormat("page %c of the wizard", 'a' + row));
  }
  EXPECT_EQ(After(seconds(1)), "-");
  EXPECT_EQ(AtRest(), "page b of the wizard");
  EXPECT_EQ(AtRest(), "-");
}

TEST_F(Screen, TheEndOfAStateThatMatteredMattersThoughItWasThereBefore) {
  const char* up = "web-1  1/1  Running            0  5s";
  const char* down = "web-1  0/1  CrashLoopBackOff   3  7s";
  Draw(1, up);
  EXPECT_EQ(After(seconds(1)), "-");
  Draw(1, down);
  EXPECT_EQ(AtRest(), down);
  Draw(1, up);
  EXPECT_EQ(After(seconds(1)), "-");
  EXPECT_EQ(AtRest(), up);
  Draw(1, down);
  EXPECT_EQ(AtRest(), "-");
  Draw(1, up);
  EXPECT_EQ(After(seconds(1)), "-");
  EXPECT_EQ(AtRest(), "-");
}

TEST_F(Screen, AStateThatComesBackMoves) {
  Draw(2, "web 1/1 Running");
  After(seconds(1));
  Draw(2, "web 0/1 Crashed");
  After(seconds(100));
  Draw(2, "web 1/1 Running");
  After(seconds(100));
  EXPECT_EQ(motion_.moved_at(), now_);
}

TEST_F(Screen, TheNextReadingGoesOnWithWhatIsVolatile) {
  const char* words[] = {"Thinking", "Pondering", "Musing", "Brewing"};
  for (int i = 0; i < 40; ++i) {
    if (i % 4 == 3) motion_.Begin({}, now_);
    Draw(1, words[i % 4] + std::string(i / 4, '.') + "x");
    EXPECT_EQ(After(milliseconds(700)), "-") << i;
  }
}

TEST_F(Screen, WhatHasNotBeenToldIsToldAfterTheNextBeginning) {
  Draw(1, "web-1  1/1  Pending            0  5s");
  After(seconds(1));
  Draw(1, "web-1  1/1  Running            0  7s");
  EXPECT_EQ(After(seconds(1)), "-");
  motion_.Begin({}, now_);
  EXPECT_EQ(AtRest(), "web-1  1/1  Running            0  7s");
}

TEST_F(Screen, WhatTheReaderHasBeenShownMeanwhileDoesNotMatter) {
  Draw(1, "web-1  1/1  Pending            0  5s");
  After(seconds(1));
  Draw(1, "web-1  1/1  Running            0  7s");
  EXPECT_EQ(After(seconds(1)), "-");
  motion_.Begin({"web-1  1/1  Running            0  8s"}, now_);
  EXPECT_EQ(AtRest(), "-");
}

TEST_F(Screen, AFailureMattersAtOnce) {
  Draw(1, "web-1  1/1  Running            0  5s");
  EXPECT_EQ(After(seconds(1)), "-");
  Draw(1, "web-1  0/1  CrashLoopBackOff   3  7s");
  EXPECT_EQ(After(milliseconds(1)), "web-1  0/1  CrashLoopBackOff   3  7s");
}

TEST_F(Screen, OfFailuresThatNobodyAsksForTheNewestAreKept) {
  std::string row;
  for (int i = 0; i < 2'000; ++i) {
    row = "error: ";
    for (int n = i + 26; n > 0; n /= 26) row += static_cast<char>('a' + n % 26);
    Draw(1, row);
    motion_.Take(terminal_->TakeSnapshot(), now_);
  }
  size_t told = 0;
  std::string last;
  while (auto change = motion_.Matters(now_)) {
    ++told;
    last = change->text;
  }
  EXPECT_EQ(told, ScreenMotion::kMostCandidates);
  EXPECT_EQ(last, row);
}

TEST_F(Screen, ASpinnerOfWordsIsVolatileSoon) {
  const char* words[] = {"Thinking", "Pondering", "Musing", "Brewing"};
  for (int i = 0; i < 40; ++i) {
    Draw(1, words[i % 4] + std::string(i / 4, '.') + "x");
    EXPECT_EQ(After(milliseconds(700)), "-") << i;
  }
}

TEST_F(Screen, RowsThatAreSortedAnewDoNotMatter) {
  const char* names[] = {"postgres", "firefox", "bash", "node", "vim"};
  for (int i = 0; i < 40; ++i) {
    for (int row = 0; row < 5; ++row) {
      Draw(row + 2, absl::StrFormat("%5d  %s", 100 + i, names[(row + i) % 5]));
    }
    EXPECT_EQ(After(seconds(2)), "-") << i;
  }
  // A new one among rows that always change is nothing either, unless it
  // weighs.
  Draw(3, "  200  gcc");
  EXPECT_EQ(After(seconds(2)), "-");
  Draw(3, "  200  gcc: fatal error: killed");
  EXPECT_EQ(After(seconds(2)), "  200  gcc: fatal error: killed");
}

TEST_F(Screen, BeforeThatIsKnownARowHasToStandThroughTwoMoreDrawings) {
  auto draw = [this](int second, const std::string& top) {
    Draw(1, absl::StrFormat("top - 12:00:%02d", second));
    Draw(2, top);
  };
  draw(0, "1 root init");
  After(seconds(3));
  draw(3, "6 root python3");
  EXPECT_EQ(After(seconds(3)), "-");
  draw(6, "6 root python3");
  EXPECT_EQ(After(seconds(3)), "-");
  EXPECT_EQ(After(milliseconds(2500)), "-");
  draw(9, "1 root init");
  EXPECT_EQ(AtRest(), "-");
}

TEST_F(Screen, AMessageBesideASpinnerMatters) {
  const char* spinner = "|/-\\";
  std::string found = "-";
  for (int i = 0; i < 200 && found == "-"; ++i) {
    Draw(1, std::string(1, spinner[i % 4]) + " deploying");
    if (i == 100) Draw(3, "Rolling back to revision 12");
    found = After(milliseconds(100));
    if (i < 100) {
      EXPECT_EQ(found, "-") << i;
    }
  }
  EXPECT_EQ(found, "Rolling back to revision 12");
}

TEST_F(Screen, AWordThatTurnsRedMatters) {
  Draw(1, "\033[32mapi-server\033[m  99.9 %");
  EXPECT_EQ(After(seconds(1)), "-");
  Draw(1, "\033[31mapi-server\033[m  99.8 %");
  EXPECT_EQ(After(seconds(1)), "-");
  EXPECT_EQ(AtRest(), "api-server  99.8 %");
  // A red bar has no words.
  Draw(2, "\033[31m||||||||\033[m");
  EXPECT_EQ(After(seconds(1)), "-");
}

TEST_F(Screen, WhatChangedSinceItWasShownMatters) {
  motion_.Begin({"web Running", "", "", "", "", "", "", ""}, now_);
  Draw(1, "web Error");
  EXPECT_EQ(After(milliseconds(1)), "web Error");
}

TEST_F(Screen, OnlyAProgressThatReachesANewHeightMoves) {
  const char* spinner = "|/-\\";
  for (int i = 0; i < 100; ++i) {
    int percent = i < 50 ? i : 50;
    Draw(1,
         absl::StrFormat("%c Copying %d%% %d.%d MB/s 0:00:%02d", spinner[i % 4],
                         percent, 10 - i % 3, i % 10, i % 60));
    EXPECT_EQ(After(seconds(1)), "-");
    Duration stood = now_ - motion_.moved_at();
    EXPECT_EQ(stood >= seconds(20), i >= 50 + 20) << i;
  }
}

TEST_F(Screen, TheOtherScreenMatters) {
  EXPECT_EQ(After(seconds(1)), "-");
  terminal_->Feed("\033[?1049h");
  EXPECT_EQ(After(seconds(1)), "");
}

}  // namespace
}  // namespace glasstty::motion
