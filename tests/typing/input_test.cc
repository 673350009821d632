#include "typing/input.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <optional>

#include "typing/input_fixture.h"
#include "waits/settling.h"

namespace glasstty::typing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_F(InputTest, TextIsTypedWithNewlinesAsEnter) {
  Type({Text("ls\n")});
  EXPECT_EQ(holder_.typed(), "ls\r");
  EXPECT_FALSE(typed_) << "not before the program has read it";
  holder_.Consume();
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 1u);
  EXPECT_EQ(typed_->partly, 0u);
  EXPECT_EQ(typed_->stopped, "");
}

TEST_F(InputTest, EnterFollowsOnlyWhenTheTextWasRead) {
  Type({Text("pasted")}, true);
  EXPECT_EQ(holder_.typed(), "pasted");
  holder_.Consume();
  EXPECT_EQ(holder_.typed(), "pasted\r");
}

// Tests Enter after text, in each way in which it can be requested.
class EnterAfterText : public InputTest {
 protected:
  EnterAfterText() {
    holder_.Print("\033[?2004h\033[?1004h");
    // A composer takes all keys itself.
    holder_.SwitchSignalsOff();
  }

  void ExpectLater(const std::string& before) {
    holder_.Consume();
    holder_.Advance(milliseconds(140));
    EXPECT_EQ(holder_.typed(), before);
    holder_.Advance(milliseconds(20));
    EXPECT_EQ(holder_.typed(), before + "\r");
    holder_.Consume();
    ASSERT_TRUE(typed_);
    EXPECT_EQ(typed_->stopped, "");
  }
};

TEST_F(EnterAfterText, WaitsWhereSpeedTellsPastesFromTyping) {
  Type({Text("hello")}, true);
  ExpectLater("hello");
}

TEST_F(EnterAfterText, WaitsAfterAPasteToo) {
  Step paste = Text("hello");
  paste.kind = Step::Kind::kPaste;
  Type({paste, Pressed("Enter")});
  ExpectLater("\033[200~hello\033[201~");
}

TEST_F(EnterAfterText, WaitsAlsoWhenItIsTheNewlineThatEndsTheText) {
  Type({Text("hello\r\n")});
  ExpectLater("hello");
}

TEST_F(EnterAfterText, WaitsUntilALongTextHasBeenDrawn) {
  Type({Text("hello")}, true);
  holder_.Consume();
  holder_.Advance(milliseconds(100));
  holder_.Print("hello");
  holder_.Advance(milliseconds(140));
  EXPECT_EQ(holder_.typed(), "hello");
  holder_.Advance(milliseconds(20));
  EXPECT_EQ(holder_.typed(), "hello\r");
}

TEST_F(EnterAfterText, OfALongTextWaitsForItsEndToBeSeen) {
  Type({Text("a text of more than thirty bytes, to its end")}, true);
  holder_.Consume();
  const std::string before = holder_.typed();
  holder_.Print("\033[?25h\033[5;1Hsomething else");
  holder_.Advance(milliseconds(250));
  EXPECT_EQ(holder_.typed(), before);
  holder_.Print("\r\na text of more than thirty bytes, to its end");
  holder_.Advance(milliseconds(140));
  EXPECT_EQ(holder_.typed(), before);
  holder_.Advance(milliseconds(20));
  EXPECT_EQ(holder_.typed(), before + "\r");
}

TEST_F(EnterAfterText, OfALongTextThatIsNeverSeenWaitsNoLongerThanThat) {
  Type({Text("a text of more than thirty bytes, to its end")}, true);
  holder_.Consume();
  const std::string before = holder_.typed();
  holder_.Print("[1 paste]");
  holder_.Advance(milliseconds(390));
  EXPECT_EQ(holder_.typed(), before);
  holder_.Advance(milliseconds(20));
  EXPECT_EQ(holder_.typed(), before + "\r");
}

// A busy machine gives the program no time.
TEST_F(EnterAfterText, OfALongTextWaitsLongerWhileNothingIsDrawn) {
  Type({Text("a text of more than thirty bytes, to its end")}, true);
  holder_.Consume();
  const std::string before = holder_.typed();
  holder_.Advance(milliseconds(950));
  EXPECT_EQ(holder_.typed(), before);
  holder_.Print("a text of more than thirty bytes, to its end");
  holder_.Advance(milliseconds(140));
  EXPECT_EQ(holder_.typed(), before);
  holder_.Advance(milliseconds(20));
  EXPECT_EQ(holder_.typed(), before + "\r");
}

TEST_F(EnterAfterText, ComesAtLastWhileAProgramDrawsWithoutEnd) {
  struct Row {
    const char* text;
    milliseconds latest;
  };
  for (const Row& row :
       {Row{"hello", milliseconds(600)},
        Row{"a text of more than thirty bytes, unseen", milliseconds(2000)}}) {
    Type({Text(row.text)}, true);
    holder_.Consume();
    const std::string before = holder_.typed();
    milliseconds waited(0);
    while (holder_.typed() == before && waited < seconds(5)) {
      holder_.Print(waited.count() % 40 == 0 ? "\r|" : "\r-");
      holder_.Advance(milliseconds(20));
      waited += milliseconds(20);
    }
    EXPECT_EQ(holder_.typed(), before + "\r") << row.text;
    EXPECT_EQ(waited, row.latest) << row.text;
    holder_.Consume();
  }
}

// The modes that programs set while they wait for text, and whether each of
// them is a composer.
struct Composer {
  const char* name;
  const char* modes;
  bool is_one;
};
constexpr Composer kComposers[] = {
    {"Claude Code",
     "\033[?2004h\033[?1004h\033[?1049h\033[?1003h\033[?1006h\033[>5u\033[>4;"
     "2m",
     true},
    {"Codex", "\033[?2004h\033[?1049h\033[>7u\033[?1004h\033[?1003h\033[0 q",
     true},
    {"Gemini CLI", "\033[?1004h\033[>1u\033[?2004h", true},
    {"opencode", "\033[?1049h\033[?2004h\033[?1003h\033[?1004h\033[>5u\033[1 q",
     true},
    {"Copilot CLI",
     "\033[>4;2m\033[?1049h\033[?2004h\033[?1004h\033[?1003h\033[=1;1u", true},
    {"pi", "\033[?1049h\033[?1003h\033[?1004h\033[?2004h\033[>7u", true},
    {"Qwen Code",
     "\033[?1049h\033[?1002h\033[?1006h\033[?1004h\033[?2004h\033[>1u", true},
    {"kakoune",
     "\033[?1049h\033[?1004h\033[>4;1m\033[>5u\033=\033[?2004h\033[?1002h",
     false},
    {"nvim", "\033[?1049h\033[?2004h\033[>1u\033[2 q\033[?1004h\033[?1002h",
     false},
    {"nvim with one cursor",
     "\033[?1049h\033[?1h\033=\033[?2004h\033[>1u\033[?1004h\033[?1002h",
     false},
    {"vim", "\033[?1002h\033[?1049h\033[>4;2m\033[?2004h\033[?1004h", false},
    {"helix", "\033[?1049h\033[?2004h\033[?1004h\033[?1003h\033[>5u\033[2 q",
     false},
    {"emacs", "\033[?1049h\033[>4;1m\033[?2004h\033[?1004h", false},
    {"micro", "\033[?1049h\033[?2004h\033[?1002h\033[?1006h", false},
    {"ptpython", "\033[?2004h", false},
    {"readline", "\033[?2004h", false},
};

class TextOfLines : public InputTest,
                    public ::testing::WithParamInterface<Composer> {};

TEST_P(TextOfLines, IsPastedIntoComposersAndTypedElsewhere) {
  holder_.Print(GetParam().modes);
  holder_.Answer(wire::Waiting::kPollTimeout);
  Type({Text("one\ntwo\n")});
  for (int i = 0; i < 20; ++i) {
    holder_.Consume();
    holder_.Answer(wire::Waiting::kPollTimeout);
    holder_.Advance(milliseconds(50));
  }
  EXPECT_EQ(holder_.typed(),
            GetParam().is_one ? "\033[200~one\rtwo\033[201~\r" : "one\rtwo\r");
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 1u);
}

INSTANTIATE_TEST_SUITE_P(Programs, TextOfLines, ::testing::ValuesIn(kComposers),
                         [](const ::testing::TestParamInfo<Composer>& row) {
                           std::string name = row.param.name;
                           std::erase(name, ' ');
                           return name;
                         });

TEST_F(EnterAfterText, FollowsAtOnceWithoutText) {
  Type({Pressed("Down"), Pressed("Enter")});
  holder_.Consume();
  EXPECT_EQ(holder_.typed(), "\033[B\r");
}

// As Claude Code's dialogs need it; CSI > 1 u asks for the keyboard protocol.
TEST_F(EnterAfterText, WaitsAfterAKeyInAComposerAlsoInTheNextCall) {
  holder_.Print("\033[>1u");
  Type({Pressed("Right")});
  holder_.Consume();
  std::string before = holder_.typed();
  Type({Pressed("Enter")});
  holder_.Advance(milliseconds(150));
  EXPECT_EQ(holder_.typed(), before);
  holder_.Advance(milliseconds(60));
  EXPECT_EQ(holder_.typed(), before + "\r");
}

TEST_F(EnterAfterText, FollowsAtOnceAtAPromptThatIsMarked) {
  std::string end = ";aid=" + session_->origin().nonce + "\a";
  holder_.Print("\033]133;A" + end + "$ \033]133;B" + end);
  ASSERT_EQ(session_->events().commands().phase(), record::ShellPhase::kReady);
  Type({Text("hello")}, true);
  holder_.Consume();
  EXPECT_EQ(holder_.typed(), "hello\r");
}

TEST_F(EnterAfterText, FollowsAtOnceWhereSignalsAreLeftToTheKernel) {
  for (bool leaves : {true, false}) {
    holder_.Answer(wire::Waiting::kPoll, /*canonical=*/false, /*echo=*/false);
    holder_.SwitchSignalsOff(!leaves);
    size_t before = holder_.typed().size();
    Type({Text("1+1")}, true);
    holder_.Consume();
    holder_.Advance(milliseconds(10));
    EXPECT_EQ(holder_.typed().substr(before), leaves ? "1+1\r" : "1+1");
    holder_.Advance(milliseconds(200));
    holder_.Consume();
    ASSERT_TRUE(typed_);
    typed_.reset();
  }
}

// The shell throws away what it reads before it has drawn its prompt again.
TEST_F(InputTest, TextBehindAnInterruptedPromptWaitsForTheNextPrompt) {
  std::string end = ";aid=" + session_->origin().nonce + "\a";
  std::string prompt = "\033]133;A" + end + "$ \033]133;B" + end;
  holder_.Print(prompt);
  ASSERT_EQ(session_->events().commands().phase(), record::ShellPhase::kReady);
  Type({Pressed("C-c"), Text("echo hi")});
  holder_.Consume();
  EXPECT_EQ(holder_.typed(), "\x03");
  holder_.Print("^C\r\n");
  holder_.Advance(milliseconds(800));
  EXPECT_EQ(holder_.typed(), "\x03");
  holder_.Print(prompt);
  for (int i = 0; i < 5; ++i) {
    holder_.Consume();
    holder_.Advance(milliseconds(100));
  }
  EXPECT_EQ(holder_.typed(),
            "\x03"
            "echo hi");
}

TEST_F(InputTest, AWaitOfAStepLastsAsLongAsTheCall) {
  Step step;
  step.kind = Step::Kind::kUntil;
  step.until.text = "ready";
  step.seconds = 10;
  step.latest = holder_.loop()->Now() + std::chrono::seconds(40);
  Type({step, Text("next")});
  holder_.Advance(std::chrono::seconds(30));
  EXPECT_FALSE(typed_);
  holder_.Print("ready");
  holder_.Advance(std::chrono::seconds(1));
  EXPECT_EQ(holder_.typed(), "next");
}

TEST_F(InputTest, NothingIsTypedWithAKeyThatTheProgramHasNotAskedFor) {
  Type({Text("first"), Pressed("S-Enter")});
  EXPECT_EQ(holder_.typed(), "");
  ASSERT_TRUE(typed_);
  EXPECT_NE(typed_->stopped.find("<S-Enter>"), std::string::npos);
  holder_.Print("\033[>4;1m");
  Type({Pressed("S-Enter")});
  EXPECT_EQ(holder_.typed(), "\033[27;2;13~");
}

TEST_F(InputTest, StepsKeepTheirOrder) {
  Type({Text("i"), Text("hello"), Pressed("Esc"), Text(":wq"),
        Pressed("Enter")});
  for (int i = 0; i < 10; ++i) {
    holder_.Consume();
    holder_.Advance(milliseconds(150));
  }
  EXPECT_EQ(holder_.typed(), "ihello\033:wq\r");
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 5u);
}

TEST_F(InputTest, KeysAreSpelledForTheModeOfTheMoment) {
  holder_.Print("\033[?1h");
  Type({Pressed("Up")});
  EXPECT_EQ(holder_.typed(), "\033OA");
}

TEST_F(InputTest, AnEscapeHasTimeToBeOneBeforeTheNextKey) {
  Type({Pressed("Esc"), Text("x"), Pressed("Esc"), Text("y")});
  holder_.Consume();
  holder_.Advance(milliseconds(140));
  EXPECT_EQ(holder_.typed(), "\033");
  holder_.Advance(milliseconds(20));
  EXPECT_EQ(holder_.typed(), "\033x");
  holder_.Consume();
  holder_.Consume();
  EXPECT_EQ(holder_.typed(), "\033x\033");
  holder_.Print("the menu is gone");
  EXPECT_EQ(holder_.typed(), "\033x\033");
  holder_.Advance(waits::Settling::kQuiet);
  EXPECT_EQ(holder_.typed(), "\033x\033y");
}

TEST_F(InputTest, AnEscapeThatEndsTheProgramIsNotWaitedFor) {
  Type({Pressed("Esc")});
  holder_.Consume();
  EXPECT_FALSE(typed_);
  holder_.Exit(0);
  EXPECT_TRUE(typed_);
}

TEST_F(InputTest, AKeyThatInterruptsAProgramOnPipesIsFollowedByTheRest) {
  holder_.UsePipes();
  session_ = holder_.Open();
  holder_.Answer(wire::Waiting::kRead);
  Type({Pressed("C-c"), Text("x\n")});
  EXPECT_EQ(holder_.CountSent(wire::Signal::kType), 1u);
  EXPECT_EQ(holder_.typed(), "x\n");
}

// vim does this while an Escape may begin another key: it shows the key at once
// and hides the cursor until it knows.
TEST_F(InputTest, AnEscapeIsAnsweredWhenTheCursorIsBack) {
  Type({Pressed("Esc"), Text("x")});
  holder_.Consume();
  holder_.Answer(wire::Waiting::kPollTimeout, false, false);
  holder_.Print("\033[?25l^[");
  holder_.Advance(milliseconds(160));
  EXPECT_EQ(holder_.typed(), "\033");
  holder_.Print("\b\b  \033[?25h");
  holder_.Advance(milliseconds(2));
  EXPECT_EQ(holder_.typed(), "\033");
  holder_.Advance(waits::Settling::kRest);
  EXPECT_EQ(holder_.typed(), "\033x");
}

TEST_F(InputTest, AnEscapeThatTakesTheCursorAwayForGoodIsNotWaitedForLong) {
  Type({Pressed("Esc"), Text("x")});
  holder_.Consume();
  holder_.Print("\033[?25lfilter");
  holder_.Advance(milliseconds(290));
  EXPECT_EQ(holder_.typed(), "\033");
  holder_.Advance(milliseconds(10));
  EXPECT_EQ(holder_.typed(), "\033x");
}

TEST_F(InputTest, AClickIsSpelledForTheScreenOfTheMoment) {
  holder_.Print("\033[?1000h\033[?1006h\033[2;3HOK");
  Step click;
  click.kind = Step::Kind::kMouse;
  click.gesture.from = {.kind = Spot::Kind::kText, .text = "OK", .cell = {}};
  Type({click, click});
  holder_.Consume();
  EXPECT_EQ(holder_.typed(), "\033[<0;3;2M\033[<0;3;2m");
  holder_.Consume();
  EXPECT_FALSE(typed_) << "curses may keep a click for a while";
  holder_.Print("\033[2;3HNo");
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 1u);
  EXPECT_NE(typed_->stopped.find("\"OK\" is not on the screen"),
            std::string::npos);
}

TEST_F(InputTest, NothingIsTypedWhileAShellIsStillStarting) {
  holder_.Answer(wire::Waiting::kRunning);
  Type({Text("ls\n")});
  holder_.Advance(seconds(1));
  EXPECT_EQ(holder_.typed(), "");
  holder_.Answer(wire::Waiting::kRead);
  holder_.Advance(milliseconds(100));
  EXPECT_EQ(holder_.typed(), "ls\r");
}

TEST_F(InputTest, AProgramThatNeverReadsGetsItsInputAllTheSame) {
  holder_.Answer(wire::Waiting::kSleepOther);
  Type({Text("a"), Text("b")});
  for (int i = 0; i < 100; ++i) holder_.Advance(milliseconds(100));
  EXPECT_EQ(holder_.typed(), "ab");
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 2u);
}

TEST_F(InputTest, OfKeysThatWereTypedInPartTheReplyTellsHowMany) {
  holder_.Answer(wire::Waiting::kPollTimeout, false, false, "top");
  holder_.Print("\033[2;1Htop");
  Type({Text("abcde")});
  holder_.Consume();
  holder_.Advance(milliseconds(10));
  ASSERT_EQ(holder_.typed(), "ab");
  holder_.RefuseWrites(wire::WriteRefusal::kClosed);
  holder_.Consume();
  holder_.Advance(milliseconds(10));
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->stopped,
            "the program no longer reads its terminal; 2 of 5 bytes were "
            "typed");
  EXPECT_EQ(typed_->partly, 2u);
}

// Another program may have the terminal after any step, but not between a text
// and its Enter.
TEST_F(InputTest, OnlyATextBeforeItsEnterIsTypedAheadSoon) {
  Type({Text("ready")});
  holder_.Consume();
  ASSERT_TRUE(typed_);
  holder_.Answer(wire::Waiting::kSleepOther);
  Step paste = Text("x");
  paste.kind = Step::Kind::kPaste;
  struct Pair {
    Step first, second;
    bool is_short;
  };
  for (const auto& [first, second, is_short] :
       {Pair{Text("x"), Pressed("Enter"), true},
        Pair{paste, Pressed("Enter"), true},
        Pair{Text("x"), Text("next"), false}, Pair{paste, Text("next"), false},
        Pair{Text("x\n"), Pressed("Enter"), false},
        Pair{Pressed("x"), Pressed("Enter"), false}}) {
    typed_.reset();
    Type({first, second});
    holder_.Consume();
    size_t typed = holder_.typed().size();
    Time began = holder_.loop()->Now();
    for (int i = 0; holder_.typed().size() == typed && i < 200; ++i) {
      holder_.Advance(milliseconds(10));
    }
    EXPECT_EQ(holder_.loop()->Now() - began < milliseconds(500), is_short);
    holder_.Consume();
    EXPECT_TRUE(typed_);
  }
}

TEST_F(InputTest, ARefusedSecretStopsTheRest) {
  holder_.RefuseWrites(wire::WriteRefusal::kNotSecret);
  Step secret = Text("hunter2");
  secret.kind = Step::Kind::kSecret;
  Type({secret, Text("rest")});
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 0u);
  EXPECT_NE(typed_->stopped.find("not at a password prompt"),
            std::string::npos);
  EXPECT_EQ(typed_->stopped.find("hunter2"), std::string::npos);
}

TEST_F(InputTest, NothingMoreIsTypedAfterTheProgramHasExited) {
  Type({Text("exit\n"), Text("rm -rf x\n")});
  holder_.Exit(0);
  ASSERT_TRUE(typed_);
  EXPECT_EQ(holder_.typed(), "exit\r");
  EXPECT_EQ(typed_->stopped, "the program has exited (0)");
}

TEST_F(InputTest, TheRestIsNotTypedToTheShellBehindAProgramThatHasGone) {
  for (const char* key : {"Esc", "d", "M-c", "C-a", "C-Up"}) {
    holder_.Answer(wire::Waiting::kPollTimeout, false, false, "vim");
    holder_.Lineage({20, 10});
    holder_.Print("~");
    typed_.reset();
    Type({Text("ix"), Pressed(key), Text("dd"), Text("yy")});
    holder_.Consume();
    holder_.Answer(wire::Waiting::kRead, false, false, "bash");
    holder_.Lineage({10});
    for (int i = 0; i < 5; ++i) {
      holder_.Consume();
      holder_.Advance(milliseconds(150));
    }
    EXPECT_FALSE(holder_.typed().ends_with("dd")) << key;
    ASSERT_TRUE(typed_) << key;
    EXPECT_EQ(typed_->done, 2u) << key;
    EXPECT_EQ(typed_->stopped.substr(0, 48),
              "vim is no longer in the foreground (bash is); wh")
        << key;
  }
}

TEST_F(InputTest, AShellMayStartAProgramThatIsTypedToAndEndsAgain) {
  holder_.Answer(wire::Waiting::kRead, false, false, "bash");
  holder_.Lineage({10});
  Type({Text("vim\n"), Text(":q\n"), Text("ls\n")});
  holder_.Answer(wire::Waiting::kPollTimeout, false, false, "vim");
  holder_.Lineage({20, 10});
  holder_.Consume();
  EXPECT_EQ(holder_.typed(), "vim\r:q\r");
  holder_.Answer(wire::Waiting::kRead, false, false, "bash");
  holder_.Lineage({10});
  holder_.Consume();
  holder_.Consume();
  EXPECT_EQ(holder_.typed(), "vim\r:q\rls\r");
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->stopped, "");
}

// Nobody comes between the text and its Enter.
TEST_F(InputTest, ALineForALineEditorWithoutMarksIsOneWrite) {
  holder_.Answer(wire::Waiting::kRead, false, false, "bash");
  holder_.Print("\033[?2004h$ ");
  Type({Text("say hello\n")});
  holder_.Consume();
  EXPECT_EQ(holder_.typed(), "say hello\r");
  EXPECT_EQ(holder_.CountSent(wire::Write::kType), 1u);
}

// As prompt_toolkit does: it asks for brackets around pastes, and for nothing
// else.
TEST_F(InputTest, ALineForAnInterpreterThatTakesAllKeysItselfIsOneWrite) {
  holder_.Answer(wire::Waiting::kPoll, false, false, "ipython3");
  holder_.SwitchSignalsOff();
  holder_.Print("\033[?2004hIn [1]: ");
  Type({Text("1+1\n")});
  holder_.Consume();
  EXPECT_EQ(holder_.typed(), "1+1\r");
  EXPECT_EQ(holder_.CountSent(wire::Write::kType), 1u);
}

TEST_F(InputTest, AProgramMayGoWhereAStepSaysSo) {
  Step pause;
  pause.kind = Step::Kind::kPause;
  pause.seconds = 0.05;
  for (const Step& ender : {pause, Pressed("C-d"), Pressed("C-c")}) {
    holder_.Answer(wire::Waiting::kRead, true, true, "cat");
    holder_.Lineage({20, 10});
    Type({Text("x\n"), ender, Text("ls\n"), Text("pwd\n")});
    holder_.Consume();
    holder_.Answer(wire::Waiting::kRead, false, false, "bash");
    holder_.Lineage({10});
    holder_.Print("$ ");
    for (int i = 0; i < 5; ++i) {
      holder_.Advance(milliseconds(100));
      holder_.Consume();
    }
    ASSERT_TRUE(typed_);
    EXPECT_EQ(typed_->stopped, "");
    EXPECT_EQ(typed_->done, 4u);
  }
}

TEST_F(InputTest, ALargeTextEndsInItsMiddleWithItsProgram) {
  holder_.Answer(wire::Waiting::kRead, false, true, "cat");
  holder_.Lineage({20, 10});
  Type({Text(std::string(20'000, 'x'))});
  holder_.Answer(wire::Waiting::kRead, false, false, "bash");
  holder_.Lineage({10});
  holder_.Consume();
  EXPECT_EQ(holder_.typed().size(), 8192u);
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 0u);
  EXPECT_NE(typed_->stopped.find("; 8192 of 20000 bytes were typed"),
            std::string::npos);
  EXPECT_EQ(typed_->partly, 8192u);
}

TEST_F(InputTest, OfALargeTextNoMoreIsTypedOnceTheProgramHasStoppedReading) {
  holder_.Answer(wire::Waiting::kRead, false, true, "cat");
  Type({Text(std::string(20'000, 'x')), Text("next")});
  holder_.Advance(seconds(19));
  EXPECT_FALSE(typed_);
  holder_.Advance(seconds(1));
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->stopped,
            "the program has stopped reading; 8192 of 20000 bytes were typed");
  EXPECT_EQ(typed_->done, 0u);
  EXPECT_EQ(holder_.typed().size(), 8192u);
}

TEST_F(InputTest, ALineTooLongForTheTerminalIsKnownBeforeTheFirstByte) {
  std::string longest(4096, 'x');
  Type({Text("one\n" + std::string(9'000, '\n') + longest)});
  ASSERT_TRUE(typed_);
  EXPECT_EQ(holder_.typed(), "");
  EXPECT_EQ(typed_->done + typed_->partly, 0u);
  EXPECT_TRUE(typed_->stopped.starts_with("a line of more than 4,095 bytes"));
}

TEST_F(InputTest, ALineUpToTheLimitIsTyped) {
  const std::string half(3'000, 'x');
  for (const std::string& text :
       {std::string(4'095, 'x') + "\n", "\n" + std::string(4'095, 'x'),
        std::string(half).append("\x15").append(half),
        std::string(half).append("\r").append(half)}) {
    size_t before = holder_.typed().size();
    Type({Text(text)});
    EXPECT_EQ(holder_.typed().size() - before, text.size());
    holder_.Consume();
  }
  // If it is quoted, the character is text and ends nothing.
  size_t before = holder_.typed().size();
  Type({Text(half + "\x16\x15" + half)});
  EXPECT_EQ(holder_.typed().size(), before);
}

TEST_F(InputTest, ARefusalInTheMiddleSaysHowMuchWasTyped) {
  holder_.RefuseWrites(wire::WriteRefusal::kClosed, 3);
  Type({Text("hello")});
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->stopped,
            "the program no longer reads its terminal; 3 of 5 bytes were "
            "typed");
  EXPECT_EQ(typed_->partly, 3u);
}

TEST_F(InputTest, ARefusalOfTheFirstByteSaysNothingOfBytes) {
  holder_.RefuseWrites(wire::WriteRefusal::kClosed);
  Type({Text("x")});
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->stopped, "the program no longer reads its terminal");
  EXPECT_EQ(typed_->partly, 0u);
}

TEST_F(InputTest, ABytelessEndOfFileIsTypedAsOne) {
  Step eof;
  eof.kind = Step::Kind::kEof;
  Type({eof});
  std::vector<wire::Write> writes = holder_.AllSent<wire::Write>();
  ASSERT_EQ(writes.size(), 1u);
  EXPECT_EQ(writes[0].flags, uint64_t{wire::kWriteEof});
}

TEST_F(InputTest, AnExitedProgramGetsNothing) {
  holder_.Exit(0);
  using Kind = Step::Kind;
  for (Kind kind : {Kind::kText, Kind::kKey, Kind::kPaste, Kind::kSecret,
                    Kind::kEof, Kind::kSignal, Kind::kMouse}) {
    Step step = Pressed("a");
    step.kind = kind;
    step.text = "text";
    typed_.reset();
    Type({step});
    ASSERT_TRUE(typed_) << static_cast<int>(kind);
    EXPECT_EQ(typed_->stopped, "the program has exited (0)")
        << static_cast<int>(kind);
  }
  EXPECT_EQ(holder_.CountSent(wire::Write::kType), 0u);
  EXPECT_EQ(holder_.CountSent(wire::Signal::kType), 0u);
}

TEST_F(InputTest, StepsThatTypeNothingAreTakenAlsoAfterTheEnd) {
  holder_.Exit(0);
  using Kind = Step::Kind;
  for (Kind kind : {Kind::kPause, Kind::kUntil, Kind::kShow, Kind::kResize}) {
    Step step;
    step.kind = kind;
    step.until.text = "x";
    step.seconds = 1;
    typed_.reset();
    Type({step});
    holder_.Advance(seconds(1));
    ASSERT_TRUE(typed_) << static_cast<int>(kind);
    EXPECT_EQ(typed_->stopped.find("exited"), std::string::npos)
        << typed_->stopped;
  }
}

// The caller must not take the rest for typed.
TEST_F(InputTest, StepsThatTheEndOfTheSessionCutsOffAreNotTyped) {
  using Kind = Step::Kind;
  for (Kind kind : {Kind::kPause, Kind::kUntil, Kind::kResize}) {
    Step step;
    step.kind = kind;
    step.until.text = "x";
    step.seconds = 10;
    step.size = {9, 9};
    typed_.reset();
    session_ = holder_.Open();
    Type({step, Text("rest")});
    session_->Abandon();
    holder_.loop()->RunReady();
    ASSERT_TRUE(typed_) << static_cast<int>(kind);
    EXPECT_EQ(typed_->done, 0u);
    EXPECT_EQ(typed_->stopped, "the session was closed");
  }
}

class TypingElsewhere : public InputTest {
 protected:
  TypingElsewhere() {
    holder_.LiveElsewhere();
    session_ = holder_.Open();
  }
};

TEST_F(TypingElsewhere, ASignalIsNotSentWithoutAConnection) {
  Step interrupt;
  interrupt.kind = Step::Kind::kSignal;
  interrupt.number = SIGINT;
  holder_.Leave();
  Type({interrupt});
  holder_.Advance(seconds(10));
  ASSERT_TRUE(typed_);
  EXPECT_NE(typed_->stopped.find("no connection"), std::string::npos)
      << typed_->stopped;
  holder_.Return();
  typed_.reset();
  Type({interrupt});
  holder_.Advance(seconds(10));
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->stopped, "");
  EXPECT_EQ(holder_.CountSent(wire::Signal::kType), 1u);
}

TEST_F(TypingElsewhere, WhatWasReadHasArrived) {
  Type({Text("ls\n")});
  holder_.BeBusy();
  holder_.Consume();
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->stopped, "");
  EXPECT_EQ(typed_->done, 1u);
}

TEST_F(TypingElsewhere, WhatNobodyReadHasArrivedWhenALaterQuestionIsAnswered) {
  Type({Text("ls\n")});
  EXPECT_FALSE(typed_);
  holder_.Advance(seconds(1));
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->stopped, "");
}

TEST_F(TypingElsewhere, WhetherItArrivedIsUnknownWhenNothingAnswers) {
  Type({Text("ls\n")});
  holder_.BeBusy();
  holder_.Advance(seconds(1));
  EXPECT_FALSE(typed_) << "the far end has five seconds to answer";
  holder_.Advance(seconds(5));
  ASSERT_TRUE(typed_);
  EXPECT_NE(typed_->stopped.find("whether the last 3 bytes were typed is not "
                                 "known"),
            std::string::npos)
      << typed_->stopped;
  EXPECT_EQ(typed_->done, 0u);
  EXPECT_EQ(typed_->partly, 0u);
}

TEST_F(InputTest, AProgramThatReadsKeysGetsLinesOfAnyLength) {
  holder_.Answer(wire::Waiting::kRead, false, false, "bash");
  Type({Text(std::string(6'000, 'x'))});
  EXPECT_EQ(holder_.typed().size(), 6'000u);
}

TEST_F(InputTest, CancellationEndsTypingBetweenSteps) {
  Cancellation cancellation;
  Type({Text("a"), Text("b")}, false, &cancellation);
  ASSERT_NO_FATAL_FAILURE(Cancel(&cancellation));
  EXPECT_EQ(holder_.typed(), "a");
}

// The call may have been cancelled while it did something else, as when it
// waited for the program's first screen.
TEST_F(InputTest, ACallThatIsCancelledBeforeItsFirstStepTypesNothing) {
  Cancellation cancellation;
  cancellation.Cancel();
  Type({Text("y\n")}, false, &cancellation);
  ASSERT_TRUE(typed_);
  EXPECT_TRUE(typed_->cancelled);
  EXPECT_EQ(typed_->stopped, "");
  EXPECT_EQ(typed_->done, 0u);
  EXPECT_EQ(holder_.typed(), "");
}

// Text that is not an echo must not be taken for one: it may be the answer.
TEST_F(InputTest, LinesAreRememberedWhereTheyMayBeEchoed) {
  struct Row {
    const char* program;
    wire::Waiting waiting;
    bool canonical, echo, raw_output, may_echo;
  };
  for (const Row& row :
       {Row{"cat", wire::Waiting::kRead, true, true, false, true},
        Row{"getpass", wire::Waiting::kRead, true, false, false, false},
        Row{"login", wire::Waiting::kPollTimeout, true, false, false, false},
        Row{"bash", wire::Waiting::kRead, false, false, false, true},
        Row{"dd", wire::Waiting::kRead, false, false, true, false},
        Row{"vim", wire::Waiting::kPollTimeout, false, false, true, true},
        Row{"make", wire::Waiting::kSleepOther, false, false, true, true}}) {
    for (auto kind : {Step::Kind::kText, Step::Kind::kPaste}) {
      holder_.Answer(row.waiting, row.canonical, row.echo, row.program);
      holder_.UseRawOutput(row.raw_output);
      auto until = waits::Waiting::Compile({.text = "x"});
      ASSERT_TRUE(until.ok());
      until->Begin(session_, {record::MarkNow(session_->output().terminal())});
      Step step = Text("text");
      step.kind = kind;
      typed_.reset();
      Start(TypeSteps(session_, {step}, false, nullptr, &*until),
            [this](Typed typed) { typed_ = std::move(typed); });
      for (int i = 0; !typed_ && i < 100; ++i) {
        holder_.Consume();
        holder_.Advance(milliseconds(10));
      }
      ASSERT_TRUE(typed_) << row.program;
      EXPECT_EQ(typed_->lines.size(), row.may_echo ? 1u : 0u) << row.program;
    }
  }
}

// redis-cli, with linenoise.
TEST_F(InputTest, ALineEditorWithAPromptEchoesThoughItsOutputIsRaw) {
  holder_.Print("redis> ");
  holder_.Answer(wire::Waiting::kRead, false, false, "redis-cli");
  holder_.UseRawOutput(true);
  auto until = waits::Waiting::Compile({.text = "brave"});
  ASSERT_TRUE(until.ok());
  until->Begin(session_, {record::MarkNow(session_->output().terminal())});
  auto look = until->Start(Time::max());
  Start(TypeSteps(session_, {Text("get brave")}, false, nullptr, &*until),
        [this](Typed typed) { typed_ = std::move(typed); });
  holder_.Advance(milliseconds(10));
  for (const char* drawn : {"get b", "get brave"}) {
    holder_.Print(std::string("\r\033[0Kredis> ") + drawn);
  }
  EXPECT_FALSE(look().met());
  holder_.Print("\r\n\"brave\"\r\n");
  EXPECT_TRUE(look().met());
  holder_.Consume();
  EXPECT_TRUE(typed_);
}

TEST_F(InputTest, AStepMayWaitForWhatTheOneBeforeBrought) {
  Step until;
  until.kind = Step::Kind::kUntil;
  until.until.text = "login:";
  until.seconds = 5;
  Type({Text("telnet\n"), until, Text("root\n")});
  holder_.Consume();
  holder_.loop()->RunReady();
  EXPECT_EQ(holder_.typed(), "telnet\r");
  holder_.Print("login: ");
  holder_.Advance(milliseconds(50));
  EXPECT_EQ(holder_.typed(), "telnet\rroot\r");
}

TEST_F(InputTest, AWaitBetweenStepsThatTimesOutStopsTheRest) {
  Step until;
  until.kind = Step::Kind::kUntil;
  until.until.text = "login:";
  until.seconds = 2;
  Type({until, Text("root\n")});
  holder_.Advance(seconds(2));
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->stopped, "its 'until' did not become true within 2 s");
  EXPECT_EQ(holder_.typed(), "");
}

TEST_F(InputTest, LargeTextIsTypedAtTheProgramsPace) {
  holder_.Answer(wire::Waiting::kRead, false, false);
  Type({Text(std::string(20'000, 'x'))});
  EXPECT_EQ(holder_.typed().size(), 8192u);
  holder_.Consume();
  EXPECT_EQ(holder_.typed().size(), 16'384u);
  holder_.Consume();
  EXPECT_EQ(holder_.typed().size(), 20'000u);
}

TEST_F(InputTest, ResizeIsDoneWhenTheTerminalHasTheSize) {
  Step resize;
  resize.kind = Step::Kind::kResize;
  resize.size = {10, 30};
  Type({resize});
  EXPECT_EQ(holder_.CountSent(wire::Resize::kType), 1u);
  EXPECT_FALSE(typed_);
  holder_.Resized({10, 30});
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 1u);
  EXPECT_FALSE(typed_->cancelled);
}

TEST_F(InputTest, APasteThatIsCancelledBeforeTheProgramReadsIsNotTyped) {
  holder_.Answer(wire::Waiting::kRunning);
  Step paste;
  paste.kind = Step::Kind::kPaste;
  paste.text = "a\nb";
  Cancellation cancellation;
  Type({paste, Text("c")}, false, &cancellation);
  EXPECT_EQ(holder_.typed(), "");
  ASSERT_NO_FATAL_FAILURE(Cancel(&cancellation));
  EXPECT_EQ(typed_->done, 0u);
  EXPECT_EQ(holder_.typed(), "");
}

// So no person who takes the keyboard types between the two.
TEST_F(InputTest, APasteThatSubmitsIsOneWriteWithItsEnter) {
  holder_.Answer(wire::Waiting::kPoll, false, false, "bash");
  holder_.Print("\033[?2004h$ ");
  Step paste;
  paste.kind = Step::Kind::kPaste;
  paste.text = "ls";
  paste.submits = true;
  Type({paste});
  EXPECT_EQ(holder_.typed(), "\033[200~ls\033[201~\r");
  EXPECT_EQ(holder_.CountSent(wire::Write::kType), 1u);
}

TEST_F(InputTest, APasteThatIsCancelledBeforeThereAreBracketsIsNotTyped) {
  Type({Text("x")});
  holder_.Consume();
  holder_.Answer(wire::Waiting::kRunning);
  typed_.reset();
  Step paste;
  paste.kind = Step::Kind::kPaste;
  paste.text = "a\nb";
  Cancellation cancellation;
  Type({paste}, false, &cancellation);
  EXPECT_EQ(holder_.typed(), "x");
  ASSERT_NO_FATAL_FAILURE(Cancel(&cancellation));
  EXPECT_EQ(typed_->done, 0u);
  EXPECT_EQ(holder_.typed(), "x");
}

TEST_F(InputTest, APasteOfLinesWaitsForNoBracketsOfAProgramThatReads) {
  Step paste;
  paste.kind = Step::Kind::kPaste;
  paste.text = "a\nb";
  std::string expected;
  for (auto waiting : {wire::Waiting::kRead, wire::Waiting::kPoll,
                       wire::Waiting::kPollTimeout}) {
    holder_.Answer(waiting);
    Type({paste});
    expected += "a\rb";
    EXPECT_EQ(holder_.typed(), expected);
    holder_.Consume();
  }
}

TEST_F(InputTest, APasteOfLinesWaitsForTheShellToAskForBrackets) {
  Type({Text("x")});
  holder_.Consume();
  holder_.Answer(wire::Waiting::kRunning);
  Step paste;
  paste.kind = Step::Kind::kPaste;
  paste.text = "a\nb";
  Type({paste});
  EXPECT_EQ(holder_.typed(), "x");
  holder_.Print("$ \033[?2004h");
  EXPECT_EQ(holder_.typed(), "x\033[200~a\rb\033[201~");
}

// It is unknown who reads in a program that floods.
TEST_F(InputTest, OnlyASingleKeyGoesOutAtOnceToAProgramThatFloods) {
  Type({Text("x")});
  holder_.Consume();
  holder_.BeBusy();
  Cancellation cancellation;
  Type({Pressed("C-c")}, false, &cancellation);
  EXPECT_EQ(holder_.typed(), "x\x03");
  holder_.Consume();
  Type({Pressed("C-c"), Text("y")}, false, &cancellation);
  EXPECT_EQ(holder_.typed(), "x\x03");
  holder_.Advance(milliseconds(50));
  EXPECT_EQ(holder_.typed(), "x\x03\x03");
  cancellation.Cancel();
  holder_.loop()->RunReady();
}

TEST_F(InputTest, ALongLineThatIsCancelledBeforeItIsJudgedIsNotTyped) {
  Type({Text("x")});
  holder_.Consume();
  holder_.BeBusy();
  typed_.reset();
  Cancellation cancellation;
  Type({Text(std::string(5'000, 'y'))}, false, &cancellation);
  EXPECT_FALSE(typed_);
  ASSERT_NO_FATAL_FAILURE(Cancel(&cancellation));
  EXPECT_EQ(holder_.typed(), "x");
}

TEST_F(InputTest, ALargeTextThatIsCancelledInItsMiddleIsNotDone) {
  holder_.Answer(wire::Waiting::kRead, false, false);
  Cancellation cancellation;
  Type({Text(std::string(20'000, 'x'))}, false, &cancellation);
  ASSERT_EQ(holder_.typed().size(), 8192u);
  holder_.BeBusy();
  holder_.Consume();
  EXPECT_FALSE(typed_);
  ASSERT_NO_FATAL_FAILURE(Cancel(&cancellation));
  EXPECT_EQ(typed_->done, 0u);
  EXPECT_EQ(typed_->partly, 8192u);
  EXPECT_EQ(holder_.typed().size(), 8192u);
}

TEST_F(InputTest, AResizeThatIsNotDoneStopsTheRest) {
  Step resize;
  resize.kind = Step::Kind::kResize;
  resize.size = {10, 30};
  Type({resize, Text("a")});
  holder_.Advance(seconds(60));
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->stopped, "the terminal did not take the new size");
  EXPECT_FALSE(typed_->cancelled);
  typed_.reset();
  Cancellation cancellation;
  Type({resize, Text("b")}, false, &cancellation);
  ASSERT_NO_FATAL_FAILURE(Cancel(&cancellation));
  EXPECT_EQ(holder_.typed(), "");
}

TEST_F(InputTest, APersonAtTheKeyboardEndsThePlan) {
  Type({Text("one"), Text("two"), Text("three")});
  holder_.Lease(true, 1);
  holder_.Lease(false, 2);
  for (int i = 0; i < 3; ++i) {
    holder_.Consume();
    holder_.Advance(milliseconds(150));
  }
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 1u);
  EXPECT_EQ(typed_->stopped, kPersonTook);
  EXPECT_EQ(holder_.typed(), "one");
}

TEST_F(InputTest, NothingIsTypedWhileAPersonIsAtTheKeyboard) {
  holder_.Lease(true, 1);
  Type({Text("one")});
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->done, 0u);
  EXPECT_EQ(typed_->stopped, kPersonTook);
  EXPECT_EQ(holder_.typed(), "");
}

// Tests what is typed once it is known who reads the terminal, and how.
class KnownReader : public InputTest {
 protected:
  void Look() {
    auto interest = session_->questions().Keep(session::Interest::kForeground);
    holder_.Advance(milliseconds(30));
    ASSERT_NE(session_->questions().prober().current(), nullptr);
  }
  // Types the steps while the program reads whatever comes.
  void TypeAndRead(std::vector<Step> steps) {
    Type(std::move(steps));
    for (int i = 0; !typed_ && i < 100; ++i) {
      holder_.Consume();
      holder_.Advance(milliseconds(10));
    }
    ASSERT_TRUE(typed_);
  }
};

TEST_F(KnownReader, WhatTheKernelEchoesAndNobodyReadsIsTypedAhead) {
  const struct {
    const char* program;
    wire::Waiting waiting;
    bool canonical, echo, is_ahead;
  } kRows[] = {
      {"cat", wire::Waiting::kRead, true, true, false},
      {"bash", wire::Waiting::kRead, false, false, false},
      {"make", wire::Waiting::kSleepOther, false, false, false},
      {"sudo", wire::Waiting::kSleepOther, true, false, false},
      {"sleep", wire::Waiting::kSleepOther, true, true, true},
      {"cc1plus", wire::Waiting::kRunning, true, true, true},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.program);
    holder_.Print("\r\n$ ");
    holder_.Answer(row.waiting, row.canonical, row.echo, row.program);
    Look();
    TypeAndRead({Text("one")});
    const auto& ahead = session_->input().ahead();
    ASSERT_EQ(ahead.size(), row.is_ahead ? 1u : 0u);
    EXPECT_TRUE(ahead.empty() || ahead.back().prompt == "$ ");
    session_->mutable_input()->MeetLineEditor("$ ");
  }
}

TEST_F(KnownReader, AKeyThatWouldBeALetterOfASecretIsNotTyped) {
  for (const char* key : {"C-c", "C-\\", "C-z"}) {
    holder_.Answer(wire::Waiting::kRead, /*canonical=*/true, /*echo=*/false);
    holder_.SwitchSignalsOff();
    Look();
    TypeAndRead({Pressed(key)});
    EXPECT_EQ(holder_.typed(), "") << key;
    EXPECT_NE(typed_->stopped.find("{\"signal\": "), std::string::npos)
        << typed_->stopped;
  }
}

TEST_F(KnownReader, AKeyThatIsASignalIsTypedAtASecretToo) {
  holder_.Answer(wire::Waiting::kRead, /*canonical=*/true, /*echo=*/false);
  Look();
  TypeAndRead({Pressed("C-c")});
  EXPECT_EQ(holder_.typed(), "\x03");
}

TEST_F(KnownReader, AKeyThatIsALetterIsTypedWhereNoSecretIsAskedFor) {
  holder_.Answer(wire::Waiting::kRead, /*canonical=*/false, /*echo=*/false);
  holder_.SwitchSignalsOff();
  Look();
  TypeAndRead({Pressed("C-c")});
  EXPECT_EQ(holder_.typed(), "\x03");
}

TEST_F(KnownReader, NothingIsTypedWhileAnotherProcessReadsTheTerminal) {
  holder_.ReadOutside(123, "pinentry-curses");
  Look();
  TypeAndRead({Text("ls\n")});
  EXPECT_EQ(holder_.typed(), "");
  EXPECT_NE(typed_->stopped.find("pinentry-curses (pid 123) reads"),
            std::string::npos)
      << typed_->stopped;
  // It may have gone since the last look.
  holder_.ReadOutside(0);
  typed_.reset();
  TypeAndRead({Text("ls\n")});
  EXPECT_EQ(holder_.typed(), "ls\r");
}

TEST_F(KnownReader, LinesGoOneByOneToAProgramThatEditsThem) {
  holder_.Answer(wire::Waiting::kRead, /*canonical=*/false, /*echo=*/false);
  Look();
  Type({Text("one\ntwo\n")});
  holder_.Advance(milliseconds(10));
  EXPECT_EQ(holder_.typed(), "one\r");
  // It works on the first.
  holder_.Answer(wire::Waiting::kSleepOther);
  holder_.Consume();
  holder_.Advance(milliseconds(500));
  EXPECT_EQ(holder_.typed(), "one\r");
  holder_.Answer(wire::Waiting::kRead, /*canonical=*/false, /*echo=*/false);
  holder_.Advance(milliseconds(300));
  EXPECT_EQ(holder_.typed(), "one\rtwo\r");
  holder_.Consume();
  ASSERT_TRUE(typed_);
  EXPECT_FALSE(typed_->ahead);
}

TEST_F(KnownReader, LinesOfAPasteGoOneByOneToAProgramWithoutBrackets) {
  Step paste = Text("one\ntwo\x1b");
  paste.kind = Step::Kind::kPaste;
  holder_.Answer(wire::Waiting::kRead, /*canonical=*/false, /*echo=*/false);
  Look();
  Type({paste});
  holder_.Advance(milliseconds(10));
  EXPECT_EQ(holder_.typed(), "one\r");
  holder_.Consume();
  holder_.Answer(wire::Waiting::kRead, /*canonical=*/false, /*echo=*/false);
  holder_.Advance(milliseconds(300));
  EXPECT_EQ(holder_.typed(), "one\rtwo");
  holder_.Consume();
  ASSERT_TRUE(typed_);
}

TEST_F(KnownReader, IndentedLinesArePastedWhereTheProgramIndentsThemItself) {
  struct Row {
    const char* name;
    const char* modes;
    bool signals, raw_output;
    const char* text;
    bool is_pasted;
  };
  const char* block = "if x:\n    y\n\n";
  const Row rows[] = {
      {"IPython", "\033[?2004h", false, false, block, true},
      {"Python 3.13", "\033[?2004h", true, true, block, true},
      {"gdb", "\033[?2004h", true, false, block, false},
      {"node", "", false, false, block, false},
      {"vim", "\033[?1049h\033[?2004h", false, false, block, false},
      {"two questions", "\033[?2004h", false, false, "Bob\n42\n", false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    holder_.Print("\033c" + std::string(row.modes));
    auto answer = [&] {
      holder_.Answer(wire::Waiting::kRead, /*canonical=*/false, /*echo=*/false);
      holder_.UseRawOutput(row.raw_output);
      holder_.SwitchSignalsOff(!row.signals);
    };
    answer();
    Look();
    size_t before = holder_.typed().size();
    Type({Text(row.text)});
    for (int i = 0; i < 20; ++i) {
      holder_.Consume();
      answer();
      holder_.Advance(milliseconds(100));
    }
    std::string typed = holder_.typed().substr(before);
    EXPECT_EQ(typed.starts_with("\033[200~"), row.is_pasted) << typed;
    if (row.is_pasted) {
      EXPECT_EQ(typed, "\033[200~if x:\r    y\r\033[201~\r");
    }
    ASSERT_TRUE(typed_);
    typed_.reset();
  }
}

TEST_F(KnownReader, ALineThatIsTypedAheadIsTold) {
  holder_.Answer(wire::Waiting::kRead, /*canonical=*/false, /*echo=*/false);
  Look();
  Type({Text("one\ntwo\n")});
  holder_.Advance(milliseconds(10));
  holder_.Answer(wire::Waiting::kSleepOther);
  holder_.Consume();
  holder_.Advance(kReadPatience + milliseconds(100));
  EXPECT_EQ(holder_.typed(), "one\rtwo\r");
  holder_.Consume();
  ASSERT_TRUE(typed_);
  EXPECT_TRUE(typed_->ahead);
}

TEST_F(KnownReader, LinesThatAJobLeavesAreNotTypedAtTheShellBehindIt) {
  holder_.Answer(wire::Waiting::kRead, true, true, "install.sh");
  holder_.Lineage({20, 10});
  Look();
  Type({Text("y\nrm -r x\n")});
  holder_.Advance(milliseconds(10));
  EXPECT_EQ(holder_.typed(), "y\r");
  holder_.Answer(wire::Waiting::kRead, /*canonical=*/false, /*echo=*/false,
                 "bash");
  holder_.Lineage({10});
  holder_.Consume();
  holder_.Advance(milliseconds(300));
  EXPECT_EQ(holder_.typed(), "y\r");
  ASSERT_TRUE(typed_);
  EXPECT_NE(typed_->stopped.find("install.sh is no longer in the foreground"),
            std::string::npos)
      << typed_->stopped;
}

TEST_F(KnownReader, ManyLinesAreATextAndDoNotWaitForAJob) {
  holder_.Answer(wire::Waiting::kRead, true, true, "cat");
  holder_.Lineage({20, 10});
  Look();
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "x\n";
  Type({Text(text)});
  holder_.Advance(milliseconds(100));
  EXPECT_EQ(holder_.typed().size(), text.size());
  holder_.Consume();
  ASSERT_TRUE(typed_);
  EXPECT_EQ(typed_->stopped, "");
}

TEST_F(KnownReader, AJobThatWorksGetsTheRestOfTheLinesAtOnce) {
  holder_.Answer(wire::Waiting::kRead, true, true, "install.sh");
  holder_.Lineage({20, 10});
  Look();
  Type({Text("y\n1\n2\n3\n4\n5\n6\n7\n8\n9\n")});
  holder_.Answer(wire::Waiting::kRunning, true, true, "install.sh");
  for (int i = 0; i < 80; ++i) holder_.Advance(milliseconds(100));
  EXPECT_EQ(holder_.typed(), "y\r1\r2\r3\r4\r5\r6\r7\r8\r9\r");
}

TEST_F(KnownReader, LinesGoAtOnceToAShellAndToTheKernel) {
  for (bool canonical : {true, false}) {
    holder_.Answer(wire::Waiting::kRead, canonical, canonical,
                   canonical ? "cat" : "bash");
    Look();
    Type({Text("one\ntwo\n")});
    holder_.Advance(milliseconds(10));
    EXPECT_TRUE(holder_.typed().ends_with("one\rtwo\r")) << canonical;
    holder_.Consume();
    ASSERT_TRUE(typed_);
    typed_.reset();
  }
}

}  // namespace
}  // namespace glasstty::typing
