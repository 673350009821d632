#include "waits/answers.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "testing/fake_holder.h"

namespace glasstty::waits {
namespace {

// What a program prints and how it then waits, against prepared answers.
class AnswersTest : public testing::Test {
 protected:
  AnswersTest() { holder_.Answer(wire::Waiting::kRead); }

  // Patterns in their order; each answer is good for `times`.
  void Begin(std::initializer_list<const char*> patterns, int times = 1) {
    std::vector<Answers::Answer> answers;
    for (const char* pattern : patterns) {
      answers.push_back({*Pattern::Compile(pattern), times});
    }
    answers_.emplace(std::move(answers));
    answers_->Begin(session_.get(), record::MarkNow(session_->terminal()));
  }
  std::optional<size_t> Look() {
    answers_->Look();
    // The first look may have to ask what the program waits for.
    holder_.Advance(session::Prober::kAgain);
    return answers_->Look();
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

// The search for more goes on right behind it.
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

TEST_F(AnswersTest, AGuessIsNotEnoughToTypeBy) {
  Begin({"Go on"});
  holder_.Answer(wire::Waiting::kOpaque);
  holder_.Print("Go on? ");
  holder_.Advance(std::chrono::seconds(2));
  EXPECT_EQ(Look(), std::nullopt);
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
    answers_->Give(0);
  }
  holder_.Print("\r\nGo on? ");
  EXPECT_EQ(Look(), std::nullopt);
  EXPECT_TRUE(answers_->asked_in_vain());
}

TEST_F(AnswersTest, NothingIsAskedInVainOnceAllHaveBeenGiven) {
  Begin({"Go on"});
  holder_.Print("Go on? ");
  ASSERT_EQ(Look(), 0u);
  answers_->Give(0);
  holder_.Print("\r\nGo on? ");
  EXPECT_EQ(Look(), std::nullopt);
  EXPECT_FALSE(answers_->asked_in_vain());
}

TEST_F(AnswersTest, AQuestionIsAnsweredOnce) {
  Begin({"Go on"}, 2);
  holder_.Print("Go on? ");
  ASSERT_EQ(Look(), 0u);
  answers_->Give(0);
  EXPECT_EQ(Look(), std::nullopt);
}

// The caller has seen it and prepared an answer for it.
TEST_F(AnswersTest, AQuestionThatStoodThereBeforeIsAnswered) {
  holder_.Print("Go on? ");
  Begin({"Go on"});
  EXPECT_EQ(Look(), 0u);
}

}  // namespace
}  // namespace glasstty::waits
