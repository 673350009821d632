#include "typing/prompt_line.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "support/status.h"
#include "testing/fake_holder.h"

namespace glasstty::typing {

using session::Activity;
using session::Evidence;

namespace {

using std::chrono::seconds;

using Cleared = absl::StatusOr<std::optional<std::string>>;

// A shell at its prompt, with marks as the integration makes them.
class PromptLineTest : public ::testing::Test {
 protected:
  PromptLineTest() {
    holder_.Answer(wire::Waiting::kRead, false, false, "bash");
    NewLine();
  }
  // A frame that is never resumed is a leak.
  ~PromptLineTest() override {
    session_->Abandon();
    holder_.loop()->RunReady();
  }

  void Mark(const std::string& mark) {
    holder_.Print(absl::StrFormat("\x1b]133;%s;aid=%s\a", mark,
                                  session_->origin().nonce));
  }
  void DrawPrompt() {
    Mark("A");
    holder_.PrintSilently("$ ");
    Mark("B");
  }
  void NewLine(const std::string& with = "") {
    holder_.PrintSilently("\r\n");
    Mark("D;0;line=new");
    DrawPrompt();
    if (!with.empty()) holder_.Print(with);
  }
  // Types half a line, which is shown and read.
  void TypeHalf() {
    session_->Write("half");
    holder_.Print("half");
    holder_.Consume();
  }

  void Clear(session::SessionState state = {Activity::kPrompt, Evidence::kShell,
                                            "bash"}) {
    Start(ClearPrompt(session_.get(), std::move(state),
                      holder_.loop()->Now() + seconds(60), nullptr),
          [this](Cleared cleared) { cleared_ = std::move(cleared); });
    Settle();
  }
  void ExpectCleared(const std::optional<std::string>& text) {
    ASSERT_TRUE(cleared_ && cleared_->ok());
    EXPECT_EQ(**cleared_, text);
  }
  // The shell does not wait for input until Settle.
  void Work() { holder_.Answer(wire::Waiting::kRunning, false, false, "bash"); }
  // The shell has read everything.
  void Settle() {
    holder_.loop()->RunReady();
    holder_.Consume();
    holder_.Advance(session::Prober::kQuickestPace);
    holder_.loop()->RunReady();
  }
  // Returns what was done to the shell since the test began: "^C", "INT",
  // "F20".
  std::vector<std::string> Attempts() const {
    std::vector<std::string> out;
    for (const Received& sent : holder_.sent()) {
      if (sent.payload == "\x03") out.push_back("^C");
      if (sent.payload == "\x1b[34~") out.push_back("F20");
      if (sent.header.type == wire::Signal::kType) {
        EXPECT_EQ(sent.As<wire::Signal>().number, uint64_t{SIGINT});
        out.push_back("INT");
      }
    }
    return out;
  }

  using Words = std::vector<std::string>;

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open({6, 40});
  std::optional<Cleared> cleared_;
};

TEST_F(PromptLineTest, AnEmptyLineIsLeftAlone) {
  Clear();
  ASSERT_TRUE(cleared_);
  ASSERT_TRUE(cleared_->ok());
  EXPECT_EQ(**cleared_, std::nullopt);
  EXPECT_EQ(Attempts(), Words{});
}

TEST_F(PromptLineTest, TextIsGivenUpByAnInterruptAndNamed) {
  TypeHalf();
  EXPECT_EQ(TextAtPrompt(*session_), "half");
  Work();
  Clear();
  EXPECT_FALSE(cleared_) << "not before there is a new line";
  EXPECT_EQ(Attempts(), Words{"^C"});
  NewLine();
  Settle();
  ASSERT_TRUE(cleared_);
  ASSERT_TRUE(cleared_->ok());
  EXPECT_EQ(**cleared_, "half");
}

TEST_F(PromptLineTest, TextBehindTheCursorIsNamedToo) {
  TypeHalf();
  holder_.Print("\b\b\b\b");
  EXPECT_EQ(TextAtPrompt(*session_), "");
  Work();
  Clear();
  NewLine();
  Settle();
  ExpectCleared("half");
}

TEST_F(PromptLineTest, APromptAtTheRightEdgeIsNotNamed) {
  for (const std::string typed : {"", "half", "two  blanks"}) {
    cleared_.reset();
    Work();
    NewLine();
    // "~ RIGHT" ends before the last column.
    holder_.PrintSilently("\x1b[30C~ RIGHT\x1b[3G");
    session_->Write("keys");
    holder_.Print(typed + "\x1b[3G");
    holder_.Consume();
    Clear();
    NewLine();
    Settle();
    ExpectCleared(typed);
  }
}

// With one more column between it and the edge, it is ordinary text.
TEST_F(PromptLineTest, OnlyALineThatReachesTheRightEdgeMayEndInAPrompt) {
  struct Row {
    const char* gap;
    const char* named;
  };
  for (const Row& row :
       {Row{"\x1b[29C", ""},
        Row{"\x1b[28C", "                            ~ RIGHT"}}) {
    cleared_.reset();
    Work();
    NewLine();
    session_->Write("keys");
    holder_.Print(std::string(row.gap) + "~ RIGHT\x1b[3G");
    holder_.Consume();
    Clear();
    NewLine();
    Settle();
    ExpectCleared(row.named);
  }
}

TEST_F(PromptLineTest, ALongLineWithSingleBlanksHasNoPromptAtItsEnd) {
  const std::string typed = "git commit -a -m a-message-of-words #1";
  Work();
  session_->Write(typed);
  holder_.Print(typed + "\x1b[3G");
  holder_.Consume();
  Clear();
  NewLine();
  Settle();
  ExpectCleared(typed);
}

// This may be a menu of completions.
TEST_F(PromptLineTest, WhatIsDrawnBelowTheLineIsNotNamed) {
  TypeHalf();
  Work();
  holder_.Print("\r\nhalfway\x1b[A\x1b[3G");
  Clear();
  NewLine();
  Settle();
  ExpectCleared("half");
}

TEST_F(PromptLineTest, APromptThatIsDrawnAgainIsNotTheEndOfIt) {
  TypeHalf();
  Work();
  Clear();
  DrawPrompt();
  Settle();
  EXPECT_FALSE(cleared_);
  NewLine();
  Settle();
  ASSERT_TRUE(cleared_ && cleared_->ok());
}

TEST_F(PromptLineTest, AShellThatGoesOnIsAskedAgainAndInTheEndRefused) {
  TypeHalf();
  Clear();
  for (int i = 0; i < 10; ++i) Settle();
  ASSERT_TRUE(cleared_);
  EXPECT_FALSE(cleared_->ok());
  EXPECT_EQ(Attempts(), (Words{"^C", "INT", "INT", "INT", "INT"}));
  EXPECT_NE(Message(cleared_->status()).find("no command was typed"),
            std::string::npos);
}

// Its hooks may take long.
TEST_F(PromptLineTest, AShellThatDoesNotSettleIsAskedAgainAfterTwoSeconds) {
  TypeHalf();
  Work();
  Clear();
  EXPECT_EQ(Attempts(), Words{"^C"});
  holder_.Advance(seconds(2));
  EXPECT_EQ(Attempts(), (Words{"^C", "INT"}));
  NewLine();
  Settle();
  ExpectCleared("half");
}

TEST_F(PromptLineTest, WithoutMarksOneThatDoesNotSettleIsNotAskedAgain) {
  holder_.Answer(wire::Waiting::kRead, false, false, "zsh");
  TypeHalf();
  holder_.Answer(wire::Waiting::kRunning, false, false, "zsh");
  Clear({Activity::kPrompt, Evidence::kKernel, "zsh"});
  holder_.Advance(seconds(2));
  EXPECT_TRUE(cleared_);
  EXPECT_EQ(Attempts(), Words{"^C"});
}

TEST_F(PromptLineTest, FishIsAskedByAKeyOfOurs) {
  holder_.Answer(wire::Waiting::kRead, false, false, "fish");
  TypeHalf();
  Clear({Activity::kPrompt, Evidence::kShell, "fish"});
  for (int i = 0; i < 10; ++i) Settle();
  EXPECT_EQ(Attempts(), (Words{"^C", "F20", "INT", "F20", "INT", "F20"}));
}

// The signal would end ssh.
TEST_F(PromptLineTest, AShellWithoutMarksGetsNoSignal) {
  holder_.Answer(wire::Waiting::kRead, false, false, "zsh");
  TypeHalf();
  Clear({Activity::kPrompt, Evidence::kKernel, "zsh"});
  for (int i = 0; i < 5; ++i) Settle();
  EXPECT_EQ(Attempts(), (Words{"^C", "^C"}));
  ExpectCleared("");
}

// In canonical mode the holder knows; the text that was typed last may have
// been read by a program.
TEST_F(PromptLineTest, OfAPlainShellIsWhatTheKernelKeeps) {
  const session::SessionState dash{Activity::kPrompt, Evidence::kKernel,
                                   "dash"};
  holder_.Answer(wire::Waiting::kRead, true, true, "dash");
  session_->Write("q");
  holder_.Consume();
  AskState(session_);
  holder_.loop()->RunReady();
  Clear(dash);
  ExpectCleared(std::nullopt);
  session_->Write("touch");
  holder_.Consume(true);
  cleared_.reset();
  Clear(dash);
  EXPECT_EQ(Attempts()[0], "^C");
  for (int i = 0; i < 5; ++i) Settle();
  ExpectCleared("");
}

// The kernel sees its shell wait before the holder says what is left of them.
TEST_F(PromptLineTest, AnswersOfWhichAPlainShellsLineHasNoReceiptAreGivenUp) {
  for (bool calls : {true, false}) {
    FakeHolder holder;
    holder.Answer(wire::Waiting::kRead, true, true, "dash");
    session::SessionRef session = holder.Open({6, 40});
    holder.Print("\x1b[c$ ");
    AskState(session);
    holder.loop()->RunReady();
    bool done = false;
    if (calls) {
      Start(ClearPrompt(session.get(),
                        {Activity::kPrompt, Evidence::kKernel, "dash"},
                        holder.loop()->Now() + seconds(60), nullptr),
            [&done](Cleared cleared) { done = cleared.ok(); });
    } else {
      Start(DiscardAnswers(session.get(), nullptr),
            [&done](const std::optional<std::string>& text) {
              done = text.has_value();
            });
    }
    holder.loop()->RunReady();
    EXPECT_EQ(holder.typed().find('\x03'), std::string::npos);
    EXPECT_FALSE(done);
    auto settle = [&holder](bool is_left) {
      holder.Consume(is_left);
      holder.Advance(session::Prober::kQuickestPace);
      holder.loop()->RunReady();
    };
    settle(true);
    EXPECT_TRUE(holder.typed().ends_with('\x03'));
    for (int i = 0; i < 5; ++i) settle(false);
    EXPECT_TRUE(done);
    session->Abandon();
    holder.loop()->RunReady();
  }
}

TEST_F(PromptLineTest, NothingIsTriedAtAShellThatIsGone) {
  TypeHalf();
  Work();
  Clear();
  holder_.Vanish();
  for (int i = 0; i < 5; ++i) Settle();
  ASSERT_TRUE(cleared_);
  EXPECT_FALSE(cleared_->ok());
  EXPECT_EQ(Attempts(), Words{"^C"});
}

TEST_F(PromptLineTest, ANewLineThatTheShellHasFilledIsNotEmpty) {
  NewLine("put aside");
  Work();
  Clear();
  EXPECT_EQ(Attempts(), Words{"^C"});
  NewLine();
  Settle();
  ExpectCleared("put aside");
}

// Its last character is alone in the second row.
TEST_F(PromptLineTest, ALineThatTheShellHasFilledMayBeLongerThanARow) {
  const std::string filled(39, 'x');
  NewLine(filled);
  Work();
  Clear();
  EXPECT_EQ(Attempts(), Words{"^C"});
  NewLine();
  Settle();
  ExpectCleared(filled);
}

TEST_F(PromptLineTest, OutputOfABackgroundJobIsNoLine) {
  holder_.Print("late\r\n");
  EXPECT_EQ(TextAtPrompt(*session_), "late");
  Clear();
  ExpectCleared(std::nullopt);
  EXPECT_EQ(Attempts(), Words{});
}

}  // namespace
}  // namespace glasstty::typing
