// Runs one command in a scripted shell: what is typed, and what counts as its
// end.
#include "typing/shell_run.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>

#include "absl/strings/str_format.h"
#include "support/status.h"
#include "testing/fake_holder.h"
#include "wire/session_files.h"

namespace glasstty::typing {

using record::LinePlace;

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

using Started = absl::StatusOr<ShellRun>;

class ShellRunTest : public ::testing::Test {
 protected:
  ShellRunTest() { holder_.Answer(wire::Waiting::kRead, false, false, "bash"); }
  // A frame that is never resumed is a leak.
  ~ShellRunTest() override {
    run_.reset();
    session_->Abandon();
    holder_.loop()->RunReady();
  }

  std::string MarkText(const std::string& mark) const {
    return absl::StrFormat("\x1b]133;%s;aid=%s\a", mark,
                           session_->origin().nonce);
  }
  std::string PromptText() const {
    return MarkText("A") + "$ " + MarkText("B");
  }
  void DrawPrompt() { holder_.Print(MarkText("D;0;line=new") + PromptText()); }
  void BeginCommand() { holder_.Print("\r\n" + MarkText("C")); }
  void EndCommand() { holder_.Print(MarkText("D;0;line=new")); }

  void Run(ShellCommand command, Duration timeout = seconds(60)) {
    run_.reset();
    Start(ShellRun::Start(session_, std::move(command), holder_.path(),
                          holder_.loop()->Now() + timeout, &cancellation_),
          [this](Started run) { run_ = std::move(run); });
    holder_.loop()->RunReady();
  }
  // Reads everything that is typed at once.
  void Pass(Duration time) {
    for (Time end = holder_.loop()->Now() + time;
         holder_.loop()->Now() < end;) {
      holder_.Consume();
      holder_.Advance(milliseconds(5));
    }
  }
  // Passes time until the command has been typed, but only a moment.
  void PassUntilTyped() {
    for (int i = 0; !run_ && i < 20; ++i) Pass(milliseconds(5));
  }
  // Types a command at an integrated prompt, which does not begin yet.
  void TypeCommand(ShellCommand command = {"make", "", {}}) {
    DrawPrompt();
    Run(std::move(command));
    PassUntilTyped();
    ASSERT_TRUE(run_);
    ASSERT_TRUE(run_->ok()) << run_->status();
  }
  // Likewise at the prompt of a shell that makes no marks.
  void TypeIntoDash() {
    holder_.Answer(wire::Waiting::kRead, true, true, "dash");
    holder_.Print("$ ");
    Run({"make", "", {}});
    PassUntilTyped();
    ASSERT_TRUE(run_);
    ASSERT_TRUE(run_->ok()) << run_->status();
  }
  // Returns the number in the marks of a line that was typed into dash.
  static std::string RunOf(const std::string& typed) {
    std::string run = typed.substr(typed.find("' ") + 2);
    return run.substr(0, run.find(';'));
  }
  // Returns "" while the command continues.
  std::string Look() {
    if (!run_ || !run_->ok()) return "not started";
    last_ = (**run_).Check();
    // The first look may have to ask.
    holder_.loop()->RunReady();
    if (!last_.met()) last_ = (**run_).Check();
    if (!last_.met()) return "";
    const Reason& why = *last_.reason;
    return std::string(why.word) +
           (why.detail.empty() ? "" : ": " + why.detail);
  }
  std::string Error() const {
    if (!run_) return "still waiting";
    return run_->ok() ? "" : Message(run_->status());
  }
  bool HasEnvironmentFile() const {
    return faccessat(holder_.directory(), wire::kEnvironmentName, F_OK, 0) == 0;
  }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open({8, 60});
  Cancellation cancellation_;
  std::optional<Started> run_;
  glasstty::Look last_ = false;
};

TEST_F(ShellRunTest, ACommandIsTypedAtThePromptAndEntered) {
  TypeCommand();
  EXPECT_EQ(holder_.typed(), "make\r");
  EXPECT_EQ((**run_).cleared(), std::nullopt);
}

TEST_F(ShellRunTest, APromptThatTakesPastesGetsOne) {
  holder_.Print("\x1b[?2004h");
  TypeCommand({"a\nb", "", {}});
  EXPECT_EQ(holder_.typed(), "\x1b[200~a\rb\x1b[201~\r");
}

TEST_F(ShellRunTest, AnIntegratedCommandEndsWithItsMark) {
  TypeCommand();
  EXPECT_EQ((**run_).block(), nullptr);
  EXPECT_EQ(Look(), "");
  BeginCommand();
  holder_.Answer(wire::Waiting::kSleepOther, true, true, "make");
  ASSERT_NE((**run_).block(), nullptr);
  EXPECT_FALSE((**run_).block()->finished);
  Pass(seconds(2));
  EXPECT_EQ(Look(), "");
  holder_.Print("all done\r\n");
  EndCommand();
  holder_.Print(PromptText());
  EXPECT_EQ(Look(), "prompt");
  EXPECT_TRUE((**run_).block()->finished);
}

// A trap or a hook may run others after it.
TEST_F(ShellRunTest, ItsBlockIsTheFirstThatBeganSinceItWasTyped) {
  DrawPrompt();
  BeginCommand();
  EndCommand();
  TypeCommand();
  for (int i = 0; i < 2; ++i) {
    BeginCommand();
    EndCommand();
  }
  ASSERT_NE((**run_).block(), nullptr);
  EXPECT_EQ((**run_).block()->number, 2);
}

TEST_F(ShellRunTest, ABlockThatAStrangerMarksIsNotTheCommands) {
  TypeCommand();
  holder_.Print("\x1b]133;C\a\x1b]133;D;0\a");
  EXPECT_EQ((**run_).block(), nullptr);
}

TEST_F(ShellRunTest, AnotherShellMarksTheCommandByTheLineThatIsTyped) {
  TypeIntoDash();
  std::string typed = holder_.typed();
  ASSERT_TRUE(
      typed.starts_with(" (set -- $?; printf '\\033]133;C;run=%s\\007' "))
      << typed;
  std::string run = RunOf(typed);
  EXPECT_NE(typed.find("eval 'make'"), std::string::npos) << typed;
  EXPECT_TRUE(typed.ends_with(" $1 " + run + "; exit $1)\r")) << typed;
  // This mark is from the shell's own integration, or from another line.
  holder_.Answer(wire::Waiting::kSleepOther, true, true, "make");
  holder_.Print(MarkText("C"));
  holder_.Print("\x1b]133;C;run=7\a");
  EXPECT_EQ((**run_).block(), nullptr);
  holder_.Print(absl::StrFormat("\x1b]133;C;run=%s\a", run));
  ASSERT_NE((**run_).block(), nullptr);
  Pass(seconds(2));
  EXPECT_EQ(Look(), "");
  holder_.Print(absl::StrFormat("\x1b]133;D;3;run=%s\a$ ", run));
  holder_.Answer(wire::Waiting::kRead, true, true, "dash");
  Pass(milliseconds(30));
  EXPECT_EQ(Look(), "prompt");
  EXPECT_EQ((**run_).block()->exit_status, 3);
}

// Otherwise a program that has seen one line could end the next.
TEST_F(ShellRunTest, NoTwoLinesHaveTheSameNumber) {
  TypeIntoDash();
  size_t first = holder_.typed().size();
  TypeIntoDash();
  EXPECT_NE(RunOf(holder_.typed()), RunOf(holder_.typed().substr(first)));
}

TEST_F(ShellRunTest, WithoutAMarkTheEndIsAPromptThatStaysThere) {
  TypeIntoDash();
  Pass(milliseconds(30));
  EXPECT_EQ(Look(), "") << "it may not have begun yet";
  Pass(milliseconds(500));
  EXPECT_EQ(Look(), "prompt");
}

// Its shell was left by `exit` in a nested one.
TEST_F(ShellRunTest, ACommandThatHasBegunEndsAtAPromptWithoutItsMark) {
  TypeCommand();
  BeginCommand();
  holder_.Answer(wire::Waiting::kRead, false, false, "zsh");
  Pass(milliseconds(100));
  EXPECT_EQ(Look(), "");
  Pass(milliseconds(100));
  EXPECT_EQ(Look(), "prompt");
}

TEST_F(ShellRunTest, ALineWithNothingToRunEndsWithTheNextPrompt) {
  TypeCommand({"# nothing", "", {}});
  DrawPrompt();
  EXPECT_EQ(Look(), "") << "some shells draw the old prompt once more";
  Pass(milliseconds(60));
  EXPECT_EQ(Look(), "prompt");
}

// This is `exit` in a shell that has none of our marks.
TEST_F(ShellRunTest, ACommandThatLeavesItsShellEndsWithTheNextOnesPrompt) {
  holder_.Print("one\r\n");
  DrawPrompt();
  holder_.Print("sh\r\n" + MarkText("C"));
  TypeIntoDash();
  holder_.Print(absl::StrFormat("\x1b]133;C;run=%s\a", RunOf(holder_.typed())));
  ASSERT_NE((**run_).block(), nullptr);
  holder_.Answer(wire::Waiting::kRead, false, false, "bash");
  DrawPrompt();
  // It was typed 5 ms ago.
  Pass(milliseconds(40));
  EXPECT_EQ(Look(), "");
  Pass(milliseconds(5));
  EXPECT_EQ(Look(), "prompt");
}

TEST_F(ShellRunTest, ALineThatTheShellKeepsAtItsPromptIsReported) {
  TypeCommand({"echo (", "", {}});
  holder_.Print("echo (");
  Pass(milliseconds(300));
  EXPECT_EQ(Look(), "");
  Pass(milliseconds(300));
  EXPECT_EQ(Look(),
            "input: the shell has not run the command and keeps it at its "
            "prompt: it is incomplete (an open quote or bracket) or invalid; "
            "<C-c> discards it");
}

TEST_F(ShellRunTest, ALineThatIsKeptAtANewPromptIsReportedSoon) {
  TypeCommand({"echo (", "", {}});
  DrawPrompt();
  holder_.Print("echo (");
  Pass(milliseconds(60));
  EXPECT_EQ(Look().substr(0, 6), "input:");
}

TEST_F(ShellRunTest, AShellThatWantsTheRestOfTheCommandIsReported) {
  TypeCommand({"echo '", "", {}});
  holder_.Print("\r\n" + MarkText("P;k=s") + "> ");
  Pass(milliseconds(30));
  EXPECT_EQ(Look(),
            "input: the shell wants the rest of the command (a quote, a "
            "bracket or a here-document is open); <C-c> discards it");
}

// A command that has begun is complete, so the continuation prompt belongs to
// another one.
TEST_F(ShellRunTest, ACommandThatRunsIsNotUnfinished) {
  TypeCommand();
  BeginCommand();
  holder_.Print(MarkText("P;k=s"));
  holder_.Answer(wire::Waiting::kSleepOther, true, true, "make");
  Pass(milliseconds(30));
  EXPECT_EQ(Look(), "");
}

// Prompts that ask git about a large tree take a second.
TEST_F(ShellRunTest, ItsEndIsBelievedWhereNoPromptComes) {
  TypeCommand();
  BeginCommand();
  EndCommand();
  holder_.Answer(wire::Waiting::kSleepOther, true, true, "other");
  Pass(milliseconds(1'995));
  EXPECT_EQ(Look(), "");
  Pass(milliseconds(5));
  EXPECT_EQ(Look(), "prompt");
}

TEST_F(ShellRunTest, ASecretIsAskedForAtOnce) {
  TypeCommand();
  BeginCommand();
  holder_.Answer(wire::Waiting::kRead, true, false, "sudo");
  holder_.Print("Password: ");
  // This takes until the kernel is asked again after the output.
  Pass(milliseconds(2));
  EXPECT_EQ(Look(), "secret");
}

TEST_F(ShellRunTest, AProgramThatReadsAsksWhenItHasBeenQuiet) {
  struct Row {
    wire::Waiting waiting;
    Duration quiet;
  };
  for (const Row& row :
       {Row{wire::Waiting::kRead, milliseconds(150)},
        Row{wire::Waiting::kPoll, milliseconds(1000)},
        Row{wire::Waiting::kPollTimeout, milliseconds(1000)}}) {
    TypeCommand();
    BeginCommand();
    holder_.Answer(row.waiting, true, true, "installer");
    holder_.Print("Name? ");
    Time printed = holder_.loop()->Now();
    EXPECT_EQ(Look(), "");
    EXPECT_LE(last_.again, printed + row.quiet);
    Pass(row.quiet - milliseconds(10));
    EXPECT_EQ(Look(), "");
    Pass(milliseconds(10));
    EXPECT_EQ(Look(), "input");
    holder_.Answer(wire::Waiting::kRead, false, false, "bash");
    EndCommand();
  }
}

TEST_F(ShellRunTest, AFarProgramAsksOnlyWhatLooksLikeAQuestion) {
  for (bool asks : {false, true}) {
    TypeCommand();
    BeginCommand();
    holder_.Answer(wire::Waiting::kOpaque, true, true, "su");
    holder_.Print(asks ? "Name:" : "compiling");
    Pass(seconds(2));
    EXPECT_EQ(Look(), asks ? "input" : "");
    holder_.Answer(wire::Waiting::kRead, false, false, "bash");
    EndCommand();
  }
}

TEST_F(ShellRunTest, AShellThatExitsEndsTheCommand) {
  TypeCommand({"exit", "", {}});
  holder_.Exit(0);
  EXPECT_EQ(Look(), "exited");
}

TEST_F(ShellRunTest, AValueThatWasNotReadIsDeletedAtTheEnd) {
  TypeCommand({"make", "", {{"TOKEN", "s3cret"}}});
  EXPECT_EQ(holder_.typed().find("s3cret"), std::string::npos);
  ASSERT_TRUE(HasEnvironmentFile());
  holder_.Print("\r\n" + MarkText("P;k=s") + "> ");
  Pass(milliseconds(30));
  EXPECT_EQ(Look().substr(0, 6), "input:");
  EXPECT_TRUE(HasEnvironmentFile()) << "the shell may still read it";
  DrawPrompt();
  Pass(milliseconds(60));
  EXPECT_EQ(Look(), "prompt");
  EXPECT_FALSE(HasEnvironmentFile());
}

TEST_F(ShellRunTest, AValueIsDeletedWhenTheShellIsGone) {
  TypeCommand({"make", "", {{"TOKEN", "s3cret"}}});
  ASSERT_TRUE(HasEnvironmentFile());
  holder_.Exit(0);
  EXPECT_EQ(Look(), "exited");
  EXPECT_FALSE(HasEnvironmentFile());
}

TEST_F(ShellRunTest, AValueThatAnEarlierCommandLeftIsDeleted) {
  TypeCommand({"make", "", {{"TOKEN", "s3cret"}}});
  ASSERT_TRUE(HasEnvironmentFile());
  TypeCommand();
  EXPECT_FALSE(HasEnvironmentFile());
}

TEST_F(ShellRunTest, WhatStoodAtThePromptIsNamed) {
  DrawPrompt();
  session_->Write("half");
  holder_.Print("half");
  holder_.Consume();
  Run({"make", "", {}});
  holder_.Advance(session::Prober::kQuickestPace);
  ASSERT_EQ(holder_.typed(), "half\x03");
  holder_.Print("^C\r\n");
  holder_.Consume();
  DrawPrompt();
  PassUntilTyped();
  ASSERT_EQ(Error(), "");
  EXPECT_EQ((**run_).cleared(), "half");
  EXPECT_EQ(holder_.typed(), "half\x03make\r");
}

TEST_F(ShellRunTest, ItsOutputBeginsBehindThePromptAtWhichItWasTyped) {
  holder_.Print("one\r\n");
  TypeCommand();
  EXPECT_EQ((**run_).earlier_end(), (LinePlace{1, 0}));
}

TEST_F(ShellRunTest, OutputOfAJobBehindThePromptIsNotTheCommands) {
  DrawPrompt();
  holder_.Print("late\r\n");
  Run({"make", "", {}});
  PassUntilTyped();
  ASSERT_EQ(Error(), "");
  EXPECT_EQ((**run_).earlier_end(), (LinePlace{1, 0}));
  EXPECT_EQ(holder_.typed(), "make\r");
}

TEST_F(ShellRunTest, OutputOfAJobOnTheLineOfThePromptIsNotTheCommands) {
  DrawPrompt();
  holder_.Print("late\r");
  Run({"make", "", {}});
  PassUntilTyped();
  ASSERT_EQ(Error(), "");
  EXPECT_EQ((**run_).earlier_end(), (LinePlace{0, 0}));
}

// The output goes up to the right edge and back: the cursor is in the row below
// it.
TEST_F(ShellRunTest, OutputOfAJobThatWrapsBehindThePromptIsNotTheCommands) {
  DrawPrompt();
  holder_.Print(std::string(60, 'x') + "\r");
  Run({"make", "", {}});
  PassUntilTyped();
  ASSERT_EQ(Error(), "");
  EXPECT_EQ((**run_).earlier_end(), (LinePlace{0, 60}));
}

TEST_F(ShellRunTest, APromptBelongsToNoOutputWhereverItBegins) {
  holder_.Print("one" + MarkText("D;0;line=new") + MarkText("A") +
                "\r\ntop\r\n$ " + MarkText("B"));
  Run({"make", "", {}});
  PassUntilTyped();
  ASSERT_EQ(Error(), "");
  EXPECT_EQ((**run_).earlier_end(), (LinePlace{0, 3}));
}

TEST_F(ShellRunTest, AShellWithoutMarksHasNoPromptOfTheOneWithMarks) {
  holder_.Print("one");
  DrawPrompt();
  holder_.Print(MarkText("C"));
  TypeIntoDash();
  EXPECT_EQ((**run_).earlier_end(), (LinePlace{0, 0}));
}

TEST_F(ShellRunTest, WithoutMarksItsOutputBeginsOnTheCursorsLine) {
  holder_.Print("one\r\n");
  TypeIntoDash();
  EXPECT_EQ((**run_).earlier_end(), (LinePlace{1, 0}));
}

TEST_F(ShellRunTest, ABusySessionIsGivenAMomentToReachItsPrompt) {
  TypeCommand();
  BeginCommand();
  holder_.Answer(wire::Waiting::kRunning, true, true, "make");
  Run({"next", "", {}});
  Pass(milliseconds(250));
  EXPECT_FALSE(run_);
  holder_.Answer(wire::Waiting::kRead, false, false, "bash");
  EndCommand();
  holder_.Print(PromptText());
  PassUntilTyped();
  EXPECT_EQ(Error(), "");
  EXPECT_EQ(holder_.typed(), "make\rnext\r");
}

TEST_F(ShellRunTest, ABusySessionGetsNothingTyped) {
  TypeCommand();
  BeginCommand();
  holder_.Answer(wire::Waiting::kRunning, true, true, "make");
  Run({"next", "", {}});
  Pass(milliseconds(310));
  EXPECT_EQ(Error(),
            "session 's' is not at a shell's prompt but busy(kernel) in make: "
            "nothing was typed. Wait with term_wait {\"until\": {\"state\": "
            "\"prompt\"}}, or run the command elsewhere (fresh=true)");
  EXPECT_EQ(holder_.typed(), "make\r");
}

// minicom draws the far end's prompt above a status line of its own.
TEST_F(ShellRunTest, APromptOnAScreenThatAProgramDrawsGetsNothingTyped) {
  holder_.Answer(wire::Waiting::kPoll, false, false, "picocom");
  holder_.Print("\x1b[24;1HCTRL-A Z for help\x1b[1;1Hfar$ ");
  Run({"next", "", {}});
  Pass(seconds(20));
  EXPECT_EQ(Error(),
            "session 's' shows what may be a prompt (prompt(guess) in "
            "picocom), but on a screen that the program draws, from which the "
            "output of a command cannot be told: nothing was typed. Type it "
            "with term_send and read the screen");
  EXPECT_EQ(holder_.typed(), "");
}

// Its shell mends the terminal before it marks the end.
TEST_F(ShellRunTest, AProgramThatAKeyMayEndIsGivenTwoSecondsForIt) {
  for (const char* key : {"\x03", "\x04", "\x1c"}) {
    TypeCommand();
    BeginCommand();
    holder_.Answer(wire::Waiting::kRunning, true, true, "stty");
    session_->Write(key);
    Run({"next", "", {}});
    Pass(milliseconds(1'500));
    EXPECT_FALSE(run_);
    holder_.Answer(wire::Waiting::kRead, false, false, "bash");
    EndCommand();
    holder_.Print(PromptText());
    PassUntilTyped();
    EXPECT_EQ(Error(), "");
    BeginCommand();
    holder_.Answer(wire::Waiting::kRunning, true, true, "stubborn");
    session_->Write(key);
    Run({"next", "", {}});
    Pass(milliseconds(2'500));
    EXPECT_NE(Error(), "still waiting");
    EndCommand();
    holder_.Answer(wire::Waiting::kRead, false, false, "bash");
  }
}

// Its start-up files may take long.
TEST_F(ShellRunTest, AShellThatStartsIsGivenTenSeconds) {
  holder_.Answer(wire::Waiting::kRunning, true, true, "bash");
  Run({"make", "", {}});
  Pass(seconds(9));
  EXPECT_FALSE(run_);
  Pass(milliseconds(1'100));
  EXPECT_NE(Error(), "");
  Run({"make", "", {}}, seconds(2));
  Pass(milliseconds(2'100));
  EXPECT_NE(Error(), "still waiting") << "no longer than the call's time";
}

// Its prompt may ask git about a large tree.
TEST_F(ShellRunTest, AShellThatDrawsItsPromptIsGivenTenSecondsToo) {
  TypeCommand();
  BeginCommand();
  EndCommand();
  holder_.Answer(wire::Waiting::kRunning, true, true, "git");
  Run({"next", "", {}});
  Pass(seconds(9));
  EXPECT_FALSE(run_);
  holder_.Answer(wire::Waiting::kRead, false, false, "bash");
  holder_.Print(PromptText());
  PassUntilTyped();
  EXPECT_EQ(Error(), "");
  EXPECT_EQ(holder_.typed(), "make\rnext\r");
}

TEST_F(ShellRunTest, SoIsOneThatHasYetToReadALineThatWasEntered) {
  DrawPrompt();
  session_->Write("make\r");
  holder_.Answer(wire::Waiting::kRunning, true, true, "bash");
  Run({"next", "", {}});
  Pass(seconds(2));
  EXPECT_FALSE(run_);
  BeginCommand();
  EndCommand();
  holder_.Answer(wire::Waiting::kRead, false, false, "bash");
  holder_.Print(PromptText());
  PassUntilTyped();
  EXPECT_EQ(Error(), "");
  EXPECT_EQ(holder_.typed(), "make\rnext\r");
}

TEST_F(ShellRunTest, SoIsOneWithoutMarksOfItsOwnThatSaysThatACommandHasEnded) {
  TypeIntoDash();
  std::string run = RunOf(holder_.typed());
  holder_.Print(absl::StrFormat("\x1b]133;C;run=%s\a", run));
  holder_.Print(absl::StrFormat("\x1b]133;D;0;run=%s\a", run));
  holder_.Answer(wire::Waiting::kRunning, true, true, "dash");
  Run({"next", "", {}});
  Pass(seconds(9));
  EXPECT_FALSE(run_);
  holder_.Answer(wire::Waiting::kRead, true, true, "dash");
  holder_.Print("$ ");
  PassUntilTyped();
  EXPECT_EQ(Error(), "");
}

TEST_F(ShellRunTest, ACancelledCallIsNotTypedAnyMore) {
  holder_.Answer(wire::Waiting::kRunning, true, true, "bash");
  Run({"make", "", {}});
  cancellation_.Cancel();
  Pass(milliseconds(10));
  EXPECT_NE(Error(), "still waiting");
  EXPECT_EQ(holder_.typed(), "");
}

TEST_F(ShellRunTest, AnExitedSessionRunsNothing) {
  holder_.Exit(0);
  Run({"make", "", {}});
  EXPECT_EQ(Error(),
            "session 's' has exited (status 0): no command can be run in it; "
            "term_open starts a new one");
}

TEST_F(ShellRunTest, ACommandThatCannotBeRunThereIsRefusedBeforeItIsTyped) {
  DrawPrompt();
  Run({"make", "", {{"no-name", "x"}}});
  EXPECT_EQ(Error(), "term_run: env: 'no-name' is not a valid variable name");
  EXPECT_FALSE(HasEnvironmentFile());
  EXPECT_EQ(holder_.typed(), "");
}

TEST_F(ShellRunTest, AFarShellIsNotGivenOurFiles) {
  holder_.Answer(wire::Waiting::kRead, false, false, "ssh");
  holder_.Print("far$ ");
  Run({"make", "", {{"TOKEN", "s3cret"}}});
  Pass(seconds(1));
  EXPECT_TRUE(Error().starts_with("term_run: 'env' would have to be typed"))
      << Error();
  EXPECT_EQ(holder_.typed(), "");
}

// The status distinguishes fish from the others.
class FarShellRun : public ShellRunTest,
                    public ::testing::WithParamInterface<bool> {};

TEST_P(FarShellRun, IsAskedFirstAndSpokenToInItsLanguage) {
  holder_.Answer(wire::Waiting::kRead, false, false, "ssh");
  holder_.Print("far$ ");
  Run({"make", "", {}});
  Pass(seconds(1));
  std::string question = holder_.typed();
  ASSERT_TRUE(question.starts_with(" [ ")) << question;
  EXPECT_EQ(question.find("make"), std::string::npos);
  std::string run = question.substr(question.find("run=") + 4);
  run.resize(run.find_first_not_of("0123456789"));
  holder_.Print("\033]133;C;run=" + run + "\a\033]133;D;" +
                (GetParam() ? "0" : "1") + ";run=" + run + "\afar$ ");
  holder_.Answer(wire::Waiting::kRead, false, false, "ssh");
  Pass(seconds(1));
  std::string line = holder_.typed().substr(question.size());
  EXPECT_NE(line.find("'make'"), std::string::npos) << line;
  EXPECT_NE(line.find(GetParam() ? "$status" : "$?"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, FarShellRun, ::testing::Bool());

TEST_F(ShellRunTest, TheNextCommandWaitsForTheSlot) {
  TypeCommand();
  std::optional<Started> first = std::move(run_);
  BeginCommand();
  EndCommand();
  holder_.Print(PromptText());
  Run({"next", "", {}});
  Pass(seconds(1));
  EXPECT_FALSE(run_);
  EXPECT_EQ(holder_.typed(), "make\r");
  first.reset();
  PassUntilTyped();
  ASSERT_EQ(Error(), "");
  EXPECT_EQ(holder_.typed(), "make\rnext\r");
}

TEST_F(ShellRunTest, ACommandForWhichTheSlotIsNotFreeInTimeIsNotTyped) {
  TypeCommand();
  std::optional<Started> first = std::move(run_);
  Run({"next", "", {}}, seconds(1));
  Pass(milliseconds(1'010));
  EXPECT_EQ(Error(),
            "another term_run is under way in session 's', so nothing was "
            "typed; wait for it, or run this elsewhere (session=..., "
            "fresh=true)");
  EXPECT_EQ(holder_.typed(), "make\r");
  // Nothing is typed either if the session ends meanwhile.
  Run({"next", "", {}});
  holder_.Exit(0);
  EXPECT_NE(Error().find("has exited"), std::string::npos) << Error();
}

TEST_F(ShellRunTest, ACommandIsNotTypedIntoASessionThatWasClosed) {
  TypeCommand();
  std::optional<Started> first = std::move(run_);
  Run({"next", "", {}});
  session_->Abandon();
  holder_.loop()->RunReady();
  EXPECT_EQ(Error(), "session 's' was closed: nothing was typed");
}

TEST_F(ShellRunTest, ACommandWhoseCallWasCancelledBlamesNoOther) {
  TypeCommand();
  std::optional<Started> first = std::move(run_);
  Run({"next", "", {}});
  cancellation_.Cancel();
  holder_.loop()->RunReady();
  EXPECT_EQ(Error(), "the call was cancelled: nothing was typed");
}

TEST_F(ShellRunTest, ACommandThatWasNotTakenWholeIsReported) {
  DrawPrompt();
  holder_.RefuseWrites(wire::WriteRefusal::kQueueFull);
  Run({"make", "", {}});
  Pass(milliseconds(10));
  EXPECT_EQ(Error(),
            "term_run: the command was not typed: the program does not read "
            "its input and 1 MiB is waiting already");
}

TEST_F(ShellRunTest, ACommandThatWasTypedInPartIsReportedAsSuch) {
  // It stops in the middle of the command, and before its Enter.
  for (uint64_t taken : {2, 4}) {
    DrawPrompt();
    if (taken == 2) holder_.RefuseWrites(wire::WriteRefusal::kClosed, taken);
    Run({"make", "", {}});
    if (taken == 4) holder_.RefuseWrites(wire::WriteRefusal::kClosed);
    Pass(milliseconds(10));
    EXPECT_TRUE(
        Error().starts_with("term_run: the command was not typed whole"))
        << Error();
  }
}

}  // namespace
}  // namespace glasstty::typing
