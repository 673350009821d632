#include "motion/digest.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "absl/strings/str_format.h"
#include "terminal/terminal.h"

namespace glasstty::motion {
namespace {

Digest::About Hour() {
  Digest::About about;
  about.end_s = 3600;
  about.started_ms = 8 * 3600 * 1000;
  about.bytes = 4'000'000;
  return about;
}

bool Holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Digest, OfABuildSaysWhatAReaderWouldAskFirst) {
  Digest digest;
  digest.BeginCommand("ninja -C build", 1);
  for (int i = 1; i <= 50'000; ++i) {
    double s = i * 0.06;
    digest.AddLine(absl::StrFormat("[%d/50000] CC src/f%d.o", i, i), s);
    if (i % 1000 == 0) {
      digest.AddLine(absl::StrFormat("f%d.c:3:7: warning: unused variable", i),
                     s);
    }
    if (i == 40'000) {
      digest.AddLine("src/g.c:12:5: error: unknown type name 'foo'", s);
      digest.AddLine("   12 |     foo bar;", s);
      digest.AddLine("      |     ^~~", s);
    }
  }
  digest.EndCommand(1, 3001);
  std::string text = digest.Text(Hour());
  EXPECT_LE(text.size(), Digest::kMostBytes);
  EXPECT_TRUE(Holds(text, "08:00:00 to 09:00:00 (60 min): 50,053 lines"));
  EXPECT_TRUE(Holds(text, "08:00:01 exit=1 50 min  ninja -C build")) << text;
  EXPECT_TRUE(Holds(text,
                    "first failure, 08:40:00, line 40,041:\n"
                    "  src/g.c:12:5: error: unknown type name 'foo'\n"
                    "  12 |  foo bar;\n") ||
              Holds(text, "unknown type name 'foo'\n"))
      << text;
  EXPECT_TRUE(Holds(text, "from 1 to 50000 of 50000 in 50 min")) << text;
  EXPECT_TRUE(Holds(text, "50,000x 08:00:00\u201308:50:00  [#/#] CC /"))
      << text;
  EXPECT_TRUE(Holds(text, "50x warning ")) << text;
}

TEST(Digest, OfABuildThatRunsSaysWhenItWillEnd) {
  Digest digest;
  for (int i = 0; i <= 1800; ++i) {
    digest.AddOverwritten(absl::StrFormat("Copying %.1f%%", i / 36.0), i);
  }
  Digest::About about = Hour();
  about.end_s = 1800;
  std::string text = digest.Text(about);
  EXPECT_TRUE(Holds(text, "Copying: from 0 % to 50 % (+0.0278 %/s, end in 30"))
      << text;
}

TEST(Digest, OfABarThatStoodSaysForHowLong) {
  Digest digest;
  for (int i = 0; i <= 80; ++i) {
    digest.AddOverwritten(
        absl::StrFormat("Copying %d%% %c", std::min(i, 16) * 4, "|/-"[i % 3]),
        i);
  }
  Digest::About about = Hour();
  about.end_s = 80;
  EXPECT_TRUE(Holds(digest.Text(about),
                    "Copying: from 0 % to 64 % (unchanged for 64 s) in 16 s\n"))
      << digest.Text(about);
  about.end = "ended by signal 2";
  EXPECT_TRUE(Holds(digest.Text(about),
                    "Copying: from 0 % to 64 % in 16 s, and then unchanged for "
                    "64 s\n"))
      << digest.Text(about);
}

TEST(Digest, OfABarThatPausedSaysForHowLongAndWhen) {
  Digest digest;
  for (int i = 1; i <= 100; ++i) {
    digest.AddLine(absl::StrFormat("[%d/100] CC a%d.o", i, i),
                   i > 40 ? i + 360 : i);
  }
  EXPECT_TRUE(Holds(digest.Text(Hour()), ", paused for 6 min from 08:00:40\n"))
      << digest.Text(Hour());
}

TEST(Digest, OfAFailureOrWarningSaysWhereItWasFirst) {
  Digest digest;
  for (int i = 1; i <= 3; ++i) {
    digest.AddLine(
        absl::StrFormat("queue-%d-zz4lm 0/1 CrashLoopBackOff %d", i, i), i);
  }
  EXPECT_TRUE(
      Holds(digest.Text(Hour()), "queue-1-zz4lm 0/1 CrashLoopBackOff 1\n"))
      << digest.Text(Hour());
}

TEST(Digest, OfAProgramThatHasEndedExpectsNothing) {
  Digest digest;
  for (int i = 0; i < 90; ++i) {
    digest.AddOverwritten(absl::StrFormat("Copying %d%%", i), i);
  }
  Digest::About about = Hour();
  about.end_s = 90;
  about.end = "exited=0";
  EXPECT_TRUE(Holds(digest.Text(about), "Copying: from 0 % to 89 % in 89 s\n"))
      << digest.Text(about);
}

TEST(Digest, TellsTheLastEvents) {
  Digest digest;
  for (int i = 0; i < 8; ++i) {
    digest.AddEvent(absl::StrFormat("fails: no. %d", i), i);
  }
  std::string text = digest.Text(Hour());
  EXPECT_TRUE(Holds(text, "events: 8\n  08:00:03 fails: no. 3\n")) << text;
  EXPECT_TRUE(Holds(text, "  08:00:07 fails: no. 7\n")) << text;
}

TEST(Digest, TimesAreThoseOfTheWallClock) {
  Digest digest;
  digest.AddEvent("asks: \"Go?\"", 0.2);
  Digest::About about = Hour();
  about.started_ms += 900;
  EXPECT_TRUE(Holds(digest.Text(about), "  08:00:01 asks: \"Go?\"\n"));
}

TEST(Digest, OfARowTellsTheNumberThatSaysMost) {
  Digest digest;
  for (int i = 0; i < 100; ++i) {
    digest.AddOverwritten(
        absl::StrFormat("%d,000  %d%%  1.1MB/s 0:01 (xfr#%d, to-chk=%d/300)",
                        i * 10, i, i, 300 - i),
        i);
    digest.AddOverwritten(
        absl::StrFormat("Epoch 1/3: %d/1000 [00:%02d<01:00, 9it/s]", i * 10,
                        i % 60),
        i);
  }
  std::string text = digest.Text(Hour());
  EXPECT_TRUE(Holds(text, "  from 0 % to 99 %")) << text;
  EXPECT_TRUE(Holds(text, "  Epoch: from 0 to 990 of 1000")) << text;
  EXPECT_FALSE(Holds(text, "chk")) << text;
}

TEST(Digest, OfScreensShowsWhatMatteredAndKeyFrames) {
  auto terminal =
      *terminal::Terminal::Create({.size = {12, 80}, .scrollback_rows = 10});
  Digest digest;
  auto draw = [&](int row, const std::string& words) {
    terminal->Feed(absl::StrFormat("\033[%d;1H\033[K%s", row, words));
  };
  for (int s = 0; s < 600; ++s) {
    draw(1, absl::StrFormat("Every 1.0s: kubectl get pods  12:%02d:%02d",
                            s / 60, s % 60));
    draw(2, "NAME READY STATUS RESTARTS");
    draw(3, absl::StrFormat("api-1  1/1  Running  0  %ds", s));
    draw(4, s < 300
                ? absl::StrFormat("web-1  1/1  Running  0  %ds", s)
                : absl::StrFormat("web-1  0/1  CrashLoopBackOff  3  %ds", s));
    digest.AddScreen(terminal->TakeSnapshot(), s);
  }
  std::string text = digest.Text(Hour());
  EXPECT_LE(text.size(), Digest::kMostBytes);
  EXPECT_TRUE(Holds(text, "what mattered on the screen: 1 change")) << text;
  EXPECT_TRUE(Holds(text, "08:05:00 web-1  0/1  CrashLoopBackOff  3")) << text;
  EXPECT_TRUE(Holds(text, "screen at 08:00:00:\n  1| Every 1.0s")) << text;
  EXPECT_TRUE(Holds(text, "screen at 08:05:00:\n  4| web-1")) << text;
}

TEST(Digest, OfAnythingIsBounded) {
  std::mt19937 random(3);
  Digest digest;
  for (int i = 0; i < 20'000; ++i) {
    std::string line;
    for (size_t n = random() % 200; n > 0; --n) {
      line += static_cast<char>(' ' + random() % 95);
    }
    digest.AddLine(line, i);
    if (i % 50 == 0) digest.BeginCommand(line, i);
    if (i % 100 == 0) digest.EndCommand(static_cast<int>(random() % 3), i);
  }
  Digest::About about = Hour();
  about.open_line = std::string(10'000, 'x');
  EXPECT_LE(digest.Text(about).size(), Digest::kMostBytes);
}

TEST(Digest, OfNothingIsALine) {
  Digest::About about = Hour();
  about.bytes = 0;
  about.end = "exited=0";
  EXPECT_EQ(Digest().Text(about),
            "08:00:00 to 09:00:00 (60 min): 0 lines, 0 bytes, exited=0\n");
}

}  // namespace
}  // namespace glasstty::motion
