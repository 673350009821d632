// Tests the reports of the Program Status Protocol (OSC 7501), and for how long
// they hold.
#include "terminal/program_status.h"

#include <gtest/gtest.h>

#include "base/base64.h"
#include "support/text.h"
#include "terminal/terminal.h"

namespace glasstty::terminal {
namespace {

std::string Report(std::string_view text) {
  return "\x1b]7501;" + std::string(text) + "\x1b\\";
}

class ProgramStatusTest : public testing::Test {
 protected:
  // Returns the word for the status after these bytes, "" if there is none.
  std::string After(std::string_view bytes) {
    terminal_->Feed(bytes);
    const ProgramStatus* status = terminal_->program_status();
    return status == nullptr ? "" : StatusWord(*status);
  }

  std::unique_ptr<Terminal> terminal_ = *Terminal::Create({.size = {4, 20}});
};

TEST_F(ProgramStatusTest, TheQuestionIsAnsweredBeforeTheOneBehindIt) {
  terminal_->Feed("\x1b]7501;?\x1b\\\x1b[c");
  EXPECT_EQ(terminal_->TakeReplies(), "\x1b]7501;?\x1b\\\x1b[?62;6;22c");
  terminal_->Feed("\x1b]7501;?\a");
  EXPECT_EQ(terminal_->TakeReplies(), "\x1b]7501;?\a");
  EXPECT_EQ(terminal_->program_status(), nullptr);
}

TEST_F(ProgramStatusTest, EachReportReplacesTheRecord) {
  EXPECT_EQ(After(Report("state=blocked:kind=permission:msg=" +
                         ToBase64("approve Bash: rm \"x\"") + ":title=" +
                         ToBase64("tidy \u00fcp") + ":app=claude-code")),
            "blocked(permission)");
  const ProgramStatus* status = terminal_->program_status();
  EXPECT_EQ(status->message, "approve Bash: rm \"x\"");
  EXPECT_EQ(status->title, "tidy \u00fcp");
  EXPECT_EQ(status->app, "claude-code");
  EXPECT_EQ(After(Report("state=working:progress=40")), "working(40%)");
  status = terminal_->program_status();
  EXPECT_EQ(status->message, "");
  EXPECT_EQ(status->app, "");
  EXPECT_EQ(After(Report("state=working:kind=auth")), "working");
  EXPECT_EQ(After(Report("state=done")), "done");
  EXPECT_EQ(After(Report("state=error")), "error");
  EXPECT_EQ(After(Report("state=idle")), "idle");
  EXPECT_EQ(terminal_->TakeReplies(), "");
}

TEST_F(ProgramStatusTest, IsForgottenAtClearAtAPromptAndAtAReset) {
  const std::string working = Report("state=working");
  for (const char* end : {"\x1b]7501;state=clear\x1b\\", "\x1b]133;A\a",
                          "\x1b]133;A;cl=m\x1b\\", "\033c"}) {
    EXPECT_EQ(After(working), "working");
    EXPECT_EQ(After(end), "") << end;
  }
  for (const char* other : {"\x1b]133;C\a", "\x1b]133;D;0\a", "\x1b[!p",
                            "\x1b[?1049h", "\x1b[2J", "\x1b]133;AB\a"}) {
    EXPECT_EQ(After(working + other), "working") << other;
  }
}

TEST_F(ProgramStatusTest, AReportThatBreaksALimitIsDroppedAsAWhole) {
  EXPECT_EQ(After(Report("state=idle")), "idle");
  const std::string long_id =
      Join(std::vector<std::string>(8, "12345678"), "/");
  for (const std::string& bad : std::vector<std::string>{
           "",
           "state",
           "state=",
           "state=asleep",
           "state=Working",
           "app=x:msg=eA==",
           "state=working:progress=101",
           "state=working:progress=-1",
           "state=working:progress=4x",
           "state=working:progress=",
           "state=working:msg=*",
           "state=working:msg=" + ToBase64("\xff"),
           "state=working:msg=" + ToBase64("a\x1b[31mb"),
           "state=working:msg=" + ToBase64(std::string(2049, 'x')),
           "state=working:title=" + ToBase64(std::string(193, 'x')),
           "state=working:app=" + std::string(33, 'x'),
           "state=working:id=",
           "state=working:id=a//b",
           "state=working:id=/a",
           "state=working:id=a/",
           "state=working:id=" + std::string(33, 'x'),
           "state=working:id=1/2/3/4/5/6/7/8/9",
           "state=working:x=" + std::string(4096, 'x')}) {
    EXPECT_EQ(After(Report(bad)), "idle") << bad.substr(0, 60);
  }
  EXPECT_EQ(After("\x1b]7501\x1b\\\x1b]7501;state=working\x18"), "idle");
}

TEST_F(ProgramStatusTest, AReportAtItsLimitsIsTaken) {
  std::string text = "state=working:msg=" + ToBase64(std::string(2048, 'm')) +
                     ":title=" + ToBase64(std::string(192, 't')) +
                     ":app=" + std::string(32, 'a') + ":progress=100:new=key:";
  EXPECT_EQ(After(Report(text)), "working(100%)");
  EXPECT_EQ(terminal_->program_status()->message.size(), 2048u);
  EXPECT_EQ(After(Report("state=blocked:kind=later")), "blocked");
  text = "state=blocked:id=" +
         Join(std::vector<std::string>(8, std::string(15, 'i')), "/");
  EXPECT_EQ(After(Report("state=clear") + Report(text)), "blocked");
  EXPECT_EQ(After(Report("state=idle:x=" + std::string(4096 - 13, 'x'))),
            "blocked");
}

TEST_F(ProgramStatusTest, APartThatIsBlockedIsShownBeforeTheProgram) {
  EXPECT_EQ(After(Report("state=idle:id=a")), "idle");
  EXPECT_EQ(After(Report("state=done:id=b")), "done");
  EXPECT_EQ(After(Report("state=working")), "working");
  EXPECT_EQ(After(Report("state=blocked:kind=question:id=a/b")),
            "blocked(question)");
  EXPECT_EQ(After(Report("state=blocked:kind=auth")), "blocked(auth)");
  EXPECT_EQ(After(Report("state=working")), "blocked(question)");
  // The parts below are cleared with it, and no others.
  EXPECT_EQ(After(Report("state=blocked:id=ab")), "blocked");
  EXPECT_EQ(After(Report("state=clear:id=a")), "blocked");
  EXPECT_EQ(After(Report("state=clear:id=ab")), "working");
  EXPECT_EQ(After(Report("state=clear")), "");
}

TEST_F(ProgramStatusTest, OfManyPartsTheOldestAreForgotten) {
  EXPECT_EQ(After(Report("state=working")), "working");
  EXPECT_EQ(After(Report("state=blocked:id=first")), "blocked");
  for (int i = 0; i < 63; ++i) {
    After(Report("state=idle:id=" + std::to_string(i)));
  }
  EXPECT_EQ(After(""), "blocked");
  EXPECT_EQ(After(Report("state=idle:id=last")), "working");
}

TEST_F(ProgramStatusTest, ASavedStateHasIt) {
  terminal_->Feed(Report("state=blocked:kind=auth:app=x:msg=aGk=") +
                  Report("state=working:progress=7:id=a/b"));
  auto next = *Terminal::Create({.size = {4, 20}});
  ASSERT_TRUE(next->RestoreState(terminal_->SaveState()).ok());
  ASSERT_NE(next->program_status(), nullptr);
  EXPECT_EQ(*next->program_status(), *terminal_->program_status());
  EXPECT_EQ(next->status_reports(), 2u);
  EXPECT_EQ(next->SaveState(), terminal_->SaveState());
}

}  // namespace
}  // namespace glasstty::terminal
