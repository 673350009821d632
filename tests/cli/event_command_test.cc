#include "cli/event_command.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "testing/system.h"

namespace glasstty {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class EventCommandTest : public ::testing::Test {
 protected:
  void Tell(const std::string& watch, const std::string& text) {
    command_.Tell("job", {.watch = watch, .text = text});
  }
  // Lets time go by in small steps.
  void Pass(Duration time) {
    for (; time > Duration::zero(); time -= milliseconds(100)) {
      clock_.Advance(milliseconds(100));
      loop_.RunReady();
    }
  }
  std::string Told() { return testing::ReadWholeFile(folder_.Join("told")); }
  // Time goes by until the commands have written this.
  ::testing::AssertionResult Writes(const std::string& text) {
    bool is_there = testing::Eventually(testing::Seconds(20), [&] {
      Pass(milliseconds(100));
      return Told() == text;
    });
    if (is_there) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << Told();
  }

  testing::TempDir folder_;
  ManualClock clock_;
  Loop loop_{&clock_};
  EventCommand command_{&loop_,
                        "echo \"$GLASSTTY_EVENT: $GLASSTTY_EVENT_TEXT "
                        "+$GLASSTTY_EVENT_LEFT_OUT\" >>" +
                            folder_.Join("told")};
};

TEST_F(EventCommandTest, WhatComesDuringTheRestIsToldAfterIt) {
  Tell("error", "a.c:3");
  Tell("asks", "Go?");
  Pass(seconds(4));
  EXPECT_EQ(Told().find("asks"), std::string::npos);
  EXPECT_TRUE(Writes("error: a.c:3 +0\nasks: Go? +0\n"));
}

TEST_F(EventCommandTest, OfManyTheLastQuestionIsToldAndTheOthersAreCounted) {
  Tell("error", "first");
  for (const char* text : {"one", "two"}) Tell("error", text);
  Tell("asks", "Go?");
  for (const char* text : {"three", "four"}) Tell("error", text);
  EXPECT_TRUE(Writes("error: first +0\nasks: Go? +4\n"));
}

TEST_F(EventCommandTest, WithoutAQuestionTheLastEventIsTold) {
  for (const char* text : {"one", "two", "three"}) Tell("error", text);
  EXPECT_TRUE(Writes("error: one +0\nerror: three +1\n"));
  Tell("error", "four");
  EXPECT_TRUE(Writes("error: one +0\nerror: three +1\nerror: four +0\n"));
}

// The server has other children: pages for secrets, programs that draw.
TEST_F(EventCommandTest, ReapsNoOtherChild) {
  pid_t other = fork();
  if (other == 0) _exit(7);
  for (const char* text : {"one", "two"}) Tell("error", text);
  EXPECT_TRUE(Writes("error: one +0\nerror: two +0\n"));
  Pass(EventCommand::kRest);
  EXPECT_EQ(waitpid(other, nullptr, 0), other);
}

TEST_F(EventCommandTest, WhatFailsIsSaidOnce) {
  EventCommand command(&loop_, "echo x >>" + folder_.Join("told") + "; nosuch");
  ::testing::internal::CaptureStderr();
  command.Tell("job", {.watch = "error", .text = "one"});
  command.Tell("job", {.watch = "error", .text = "two"});
  EXPECT_TRUE(Writes("x\nx\n"));
  // The third runs only after the second has ended.
  command.Tell("job", {.watch = "error", .text = "three"});
  EXPECT_TRUE(Writes("x\nx\nx\n"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "glasstty: warning: on-event: the command ended with 127; to see "
            "why, run it in a shell (this is said once)\n");
}

}  // namespace
}  // namespace glasstty
