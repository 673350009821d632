#include "waits/answers.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "testing/fake_holder.h"

namespace glasstty::waits {
namespace {

// Tests what a program prints and how it then waits, with prepared answers.
class AnswersTest : public testing::Test {
 protected:
  AnswersTest() { holder_.Answer(wire::Waiting::kRead); }

  // `patterns` are in their order; each answer may be given `times` times.
  void Begin(std::initializer_list<const char*> patterns, int times = 1) {
    std::vector<Answers::Answer> answers;
    for (const char* pattern : patterns) {
      answers.push_back({*Pattern::Compile(pattern), times});
    }
    answers_.emplace(std::move(answers));
    answers_->Begin(session_.get(),
                    record::MarkNow(session_->output().terminal()));
  }
  std::optional<size_t> Look() {
    answers_->Check();
    // The first look may have to ask what the program waits for.
    holder_.Advance(session::Prober::kQuickestPace);
    bool fits = answers_->Check().met();
    return fits ? std::optional(answers_->fitting()) : std::nullopt;
  }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open({6, 40});
  std::optional<Answers> answers_;
};

TEST_F(AnswersTest, FitTheLastLineThatWasPrinted) {
  Begin({"Name", "Port"});
  holder_.Print("Name taken.\r\nPort? ");
  EXPECT_EQ(Look(), 1u);
  EXPECT_EQ(answers_->question(), "Port? ");
  EXPECT_FALSE(answers_->asked_in_vain());
}

// The empty match at the beginning hides no later one.
TEST_F(AnswersTest, APatternMayMatchNothingToo) {
  holder_.Print("a");
  Begin({"^|b"});
  holder_.Print("b");
  EXPECT_EQ(Look(), 0u);
}

// The search continues directly after it.
TEST_F(AnswersTest, AnEmptyMatchHidesNothingBehindIt) {
  for (auto [text, which] : {std::pair{"ab", std::optional<size_t>(0)},
                             std::pair{"ac", std::optional<size_t>()}}) {
    Begin({"\\A|b"});
    holder_.Print(std::string("\033c") + text);
    EXPECT_EQ(Look(), which) << text;
  }
}

TEST_F(AnswersTest, AMatchThatEndsWithTheLineBeforeIsNoQuestion) {
  Begin({"taken\\.\\n"});
  holder_.Print("Name taken.\r\nPort? ");
  EXPECT_EQ(Look(), std::nullopt);
  Begin({"taken\\.\\nP"});
  EXPECT_EQ(Look(), 0u);
}

TEST_F(AnswersTest, ALineThatHasEndedMayAskToo) {
  Begin({"Port"});
  holder_.Print("Port?\r\n");
  EXPECT_EQ(Look(), 0u);
}

TEST_F(AnswersTest, AQuestionMayHaveSeveralLines) {
  Begin({"Overwrite.*\\n.*y/n", "Overwrite"});
  holder_.Print("Overwrite a.txt?\r\n(y/n) ");
  EXPECT_EQ(Look(), 0u);
}

TEST_F(AnswersTest, AQuestionIsNotLongerThanFortyLines) {
  for (int between : {38, 39}) {
    Begin({"(?s)first.*last"});
    std::string lines;
    for (int i = 0; i < between; ++i) lines += "x\r\n";
    holder_.Print("\r\nfirst\r\n" + lines + "last");
    EXPECT_EQ(Look().has_value(), between == 38) << between;
  }
}

TEST_F(AnswersTest, ItsEndMayBeMeantWithItsBlankOrWithout) {
  for (const char* pattern : {"on\\? $", "on\\?$"}) {
    Begin({pattern});
    holder_.Print("\r\nGo on? ");
    EXPECT_EQ(Look(), 0u) << pattern;
  }
}

TEST_F(AnswersTest, AnEmptyPatternFitsAnyQuestion) {
  Begin({"x*"});
  holder_.Print("Go on? ");
  EXPECT_EQ(Look(), 0u);
}

TEST_F(AnswersTest, ADialogAsksAnywhereOnItsScreen) {
  Begin({"Really quit"});
  holder_.Print("\033[?1049h\033[2;5HReally quit?\033[5;1H<Yes> <No>");
  EXPECT_EQ(Look(), 0u);
}

TEST_F(AnswersTest, APasswordIsAskedForToo) {
  Begin({"Password"});
  holder_.Answer(wire::Waiting::kRead, true, false);
  holder_.Print("Password: ");
  EXPECT_EQ(Look(), 0u);
}

TEST_F(AnswersTest, NothingIsAskedBeforeTheProgramReads) {
  Begin({"Go on"});
  holder_.Answer(wire::Waiting::kRunning);
  holder_.Print("Go on? ");
  EXPECT_EQ(Look(), std::nullopt);
  EXPECT_FALSE(answers_->asked_in_vain());
}

// This is what sudo, su and passwd of an ordinary user are.
TEST_F(AnswersTest, AProgramThatMayNotBeLookedIntoIsAnsweredWhenItReadsLines) {
  for (bool echo : {false, true}) {
    Begin({"assword"});
    holder_.Answer(wire::Waiting::kOpaque, true, echo, "sudo");
    holder_.Print("[sudo] password for me: ");
    EXPECT_EQ(Look(), std::nullopt) << "it may go on";
    holder_.Advance(std::chrono::seconds(1));
    EXPECT_EQ(Look(), 0u);
    holder_.Print("\r\n");
  }
}

// Keys go to somebody who cannot be seen.
TEST_F(AnswersTest, AGuessIsNotEnoughToTypeBy) {
  Begin({"Go on"});
  struct Row {
    wire::Waiting waiting;
    const char* name;
  };
  for (const Row& row : {Row{wire::Waiting::kOpaque, "sudo"},
                         Row{wire::Waiting::kPoll, "ssh"}}) {
    holder_.Answer(row.waiting, false, false, row.name);
    holder_.Print("Go on? ");
    holder_.Advance(std::chrono::seconds(2));
    EXPECT_EQ(Look(), std::nullopt) << row.name;
  }
}

TEST_F(AnswersTest, SshIsAnsweredWhenItAsksItself) {
  Begin({"continue connecting", "password"});
  holder_.Answer(wire::Waiting::kRead, true, true, "ssh");
  holder_.Print("Are you sure you want to continue connecting (yes/no)? ");
  EXPECT_EQ(Look(), 0u);
  answers_->Give();
  holder_.Print("yes\r\n");
  holder_.Answer(wire::Waiting::kRead, true, false, "ssh");
  holder_.Print("me@far's password: ");
  EXPECT_EQ(Look(), 1u);
}

TEST_F(AnswersTest, AShellAtItsPromptDoesNotAsk) {
  Begin({"\\$"});
  holder_.Answer(wire::Waiting::kRead, false, false, "bash");
  holder_.Print("$ ");
  EXPECT_EQ(Look(), std::nullopt);
  EXPECT_FALSE(answers_->asked_in_vain());
}

TEST_F(AnswersTest, AnExitedProgramDoesNotAsk) {
  Begin({"Go on"});
  holder_.Print("Go on? ");
  holder_.Exit(0);
  EXPECT_EQ(Look(), std::nullopt);
}

TEST_F(AnswersTest, AQuestionThatNoneFitsIsAskedInVain) {
  Begin({"Port"});
  holder_.Print("Name? ");
  EXPECT_EQ(Look(), std::nullopt);
  EXPECT_TRUE(answers_->asked_in_vain());
  holder_.Print("\r\nPort? ");
  EXPECT_EQ(Look(), 0u);
  EXPECT_FALSE(answers_->asked_in_vain());
}

TEST_F(AnswersTest, WithoutAnswersNothingIsAskedInVain) {
  Begin({});
  holder_.Print("Name? ");
  EXPECT_EQ(Look(), std::nullopt);
  EXPECT_FALSE(answers_->asked_in_vain());
}

TEST_F(AnswersTest, AnAnswerIsGivenAsOftenAsItWasPrepared) {
  Begin({"Go on", "Name"}, 2);
  for (int i = 0; i < 2; ++i) {
    holder_.Print("\r\nGo on? ");
    ASSERT_EQ(Look(), 0u);
    answers_->Give();
  }
  holder_.Print("\r\nGo on? ");
  EXPECT_EQ(Look(), std::nullopt);
  EXPECT_TRUE(answers_->asked_in_vain());
}

TEST_F(AnswersTest, NothingIsAskedInVainOnceAllHaveBeenGiven) {
  Begin({"Go on"});
  holder_.Print("Go on? ");
  ASSERT_EQ(Look(), 0u);
  answers_->Give();
  holder_.Print("\r\nGo on? ");
  EXPECT_EQ(Look(), std::nullopt);
  EXPECT_FALSE(answers_->asked_in_vain());
}

TEST_F(AnswersTest, AQuestionIsAnsweredOnce) {
  Begin({"Go on"}, 2);
  holder_.Print("Go on? ");
  ASSERT_EQ(Look(), 0u);
  answers_->Give();
  EXPECT_EQ(Look(), std::nullopt);
}

// The caller has seen it and prepared an answer for it.
TEST_F(AnswersTest, AQuestionThatStoodThereBeforeIsAnswered) {
  holder_.Print("Go on? ");
  Begin({"Go on"});
  EXPECT_EQ(Look(), 0u);
}

// ---- Questions that are drawn ----

constexpr char kSelect[] =
    "\033[?25l? Pick a colour\r\n> red\r\n  blue\r\n\r\nup/down navigate";

TEST_F(AnswersTest, AQuestionMayHaveChoicesAndHintsBelow) {
  Begin({"colour$"});
  holder_.Print(kSelect);
  EXPECT_EQ(Look(), 0u);
  EXPECT_EQ(answers_->question(), "Pick a colour");
}

TEST_F(AnswersTest, APatternNeedNotKnowOfTheSignInFront) {
  Begin({"^Name:$"});
  holder_.Print("? Name: ");
  EXPECT_EQ(Look(), 0u);
}

TEST_F(AnswersTest, APatternNeedNotKnowOfFrames) {
  for (const char* pattern : {"^Sure\\?$", "^\\| Sure\\? +\\|$"}) {
    Begin({pattern});
    holder_.Print(
        "\033c\033[?25l+--------+\r\n| Sure?  |\r\n+--------+\r\nq: quit");
    EXPECT_EQ(Look(), 0u) << pattern;
    EXPECT_EQ(answers_->question(), "Sure?");
  }
}

TEST_F(AnswersTest, AMatchAboveADrawnQuestionIsNone) {
  Begin({"Name"});
  holder_.Print("Name? bob\r\n");
  holder_.Print(kSelect);
  EXPECT_EQ(Look(), std::nullopt);
  EXPECT_TRUE(answers_->asked_in_vain());
}

TEST_F(AnswersTest, AStatusLineBelowTheCursorIsNoPartOfTheQuestion) {
  Begin({"help"});
  holder_.Print("Your name: \r\n\r\nF1 help\033[2A\r\033[11C");
  EXPECT_EQ(Look(), std::nullopt);
  EXPECT_TRUE(answers_->asked_in_vain());
}

TEST_F(AnswersTest, WhatFitsTheQuestionGoesBeforeWhatFitsItsChoices) {
  Begin({"red", "colour"});
  holder_.Print(kSelect);
  EXPECT_EQ(Look(), 1u);
  Begin({"red"});
  EXPECT_EQ(Look(), 0u);
}

TEST_F(AnswersTest, WhatWasAnsweredIsNotAskedWhileTheProgramWorks) {
  for (const char* pattern : {"Project", "Installing"}) {
    Begin({pattern});
    holder_.Print("\033c\033[?25l\u2714 Project? foo\r\n\u280b Installing");
    EXPECT_EQ(Look(), std::nullopt) << pattern;
    EXPECT_FALSE(answers_->asked_in_vain());
  }
}

TEST_F(AnswersTest, ADrawnQuestionIsAnsweredOnceWhateverStandsInItsField) {
  Begin({"Name"}, 3);
  holder_.Print("? Name? \r\n\r\n? for help\033[2A\r\033[8C");
  ASSERT_EQ(Look(), 0u);
  answers_->Give();
  EXPECT_EQ(Look(), std::nullopt);
  holder_.Print("bob");
  EXPECT_EQ(Look(), std::nullopt);
  EXPECT_FALSE(answers_->asked_in_vain());
}

TEST_F(AnswersTest, ADrawnQuestionThatCameAnewIsAnsweredAgain) {
  Begin({"Name"}, 2);
  constexpr char kDialog[] =
      "\033[?1049h\033[2J\033[2;5HName?\033[6;1H<Ok>\033[3;5H";
  holder_.Print(kDialog);
  ASSERT_EQ(Look(), 0u);
  answers_->Give();
  holder_.Print("bob\033[?1049l");
  holder_.Print(kDialog);
  EXPECT_EQ(Look(), 0u);
}

TEST_F(AnswersTest, AnotherQuestionInTheSamePlaceIsAnswered) {
  Begin({"Name", "Port"});
  holder_.Print("\033[?25l? Name?\r\n> x\r\n  y");
  ASSERT_EQ(Look(), 0u);
  answers_->Give();
  holder_.Print("\033[2A\r? Port?\r\n> x\r\n  y");
  EXPECT_EQ(Look(), 1u);
}

}  // namespace
}  // namespace glasstty::waits
