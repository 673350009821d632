#include "motion/states.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <string>

namespace glasstty::motion {
namespace {

constexpr char kDown[] = "api-7f9c  0/1  OOMKilled  0  17m";
constexpr char kUp[] = "api-7f9c  1/1  Running    1  18m";

TEST(States, AnotherWordForTheSameThingIsTheEndOfItsNewsOnce) {
  States states;
  EXPECT_FALSE(states.IsEnd(kUp));
  states.Note(kDown);
  EXPECT_FALSE(states.IsEnd(kDown));
  EXPECT_TRUE(states.IsEnd(kUp));
  states.Forget(kDown);
  EXPECT_TRUE(states.IsEnd(kUp));
  states.Forget(kUp);
  EXPECT_FALSE(states.IsEnd(kUp));
}

TEST(States, LinesAboutSomethingElseAreNoEnd) {
  States states;
  states.Note(kDown);
  EXPECT_FALSE(states.IsEnd("web-81aa  1/1  Running    1  18m"));
  EXPECT_FALSE(states.IsEnd("api-7f9c  1/1  Running"));
  EXPECT_FALSE(states.IsEnd("api-7f9c  is back at work now"));
}

TEST(States, LinesThatNameNothingHaveNoState) {
  States states;
  for (const char* line : {"12:00:01 0/1 down 3", "test parser ... FAILED",
                           "10.0.0.1 is down", "error: x", ""}) {
    states.Note(line);
  }
  EXPECT_FALSE(states.IsEnd("12:00:09 0/1 up 3"));
  EXPECT_FALSE(states.IsEnd("test lexer ... ok"));
  EXPECT_FALSE(states.IsEnd("10.0.0.1 is up"));
}

TEST(States, LinesOfAMegabyteTakeLittleMemory) {
  States states;
  std::string words;
  for (int i = 0; i < 500'000; ++i) words += " x";
  auto before = mallinfo2();
  for (char c = 'a'; c <= 'j'; ++c) states.Note(c + words);
  auto after = mallinfo2();
  EXPECT_LT(after.uordblks + after.hblkhd,
            before.uordblks + before.hblkhd + 10'000'000);
}

}  // namespace
}  // namespace glasstty::motion
