#include "record/command_log.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/clock.h"

namespace glasstty::record {
namespace {

constexpr char kNonce[] = "5ec2e7";

// A terminal whose marks are handled as in a session.
class Shells {
 public:
  explicit Shells(terminal::Size size = {10, 40})
      : terminal_(terminal::Terminal::Create({.size = size}).value()),
        log_(kNonce) {}

  void Feed(std::string_view bytes) {
    terminal_->Feed(bytes);
    for (const terminal::TerminalEvent& event : terminal_->TakeEvents()) {
      log_.Take(event, *terminal_, clock_.Now());
    }
  }
  // Returns "1 exit=0 'ls' [out]" for each, in order.
  std::vector<std::string> Blocks() const {
    std::vector<std::string> out;
    for (const CommandBlock& block : log_.blocks()) {
      std::string text = absl::StrFormat("%d ", block.number);
      text += block.trusted ? "" : "untrusted ";
      text += block.finished ? "exit=" : "running";
      if (block.exit_status) text += absl::StrFormat("%d", *block.exit_status);
      text += absl::StrFormat(" '%s' [%s]", block.text, Output(block));
      out.push_back(text);
    }
    return out;
  }
  std::string Output(const CommandBlock& block) const {
    std::string text;
    for (const terminal::Line& line :
         LinesBetween(*terminal_, block.output, block.end)) {
      text += (text.empty() ? "" : "|") + line.text;
    }
    return text;
  }

  terminal::Terminal* terminal() { return terminal_.get(); }
  CommandLog* log() { return &log_; }
  ManualClock* clock() { return &clock_; }

 private:
  ManualClock clock_;
  std::unique_ptr<terminal::Terminal> terminal_;
  CommandLog log_;
};

// Returns a mark with our nonce.
std::string Ours(std::string_view mark) {
  size_t letter = mark.find(';');
  std::string rest(letter == std::string_view::npos ? "" : mark.substr(letter));
  return absl::StrFormat("\x1b]133;%c%s;aid=%s\a", mark[0], rest, kNonce);
}

std::string Prompt() { return Ours("A") + "$ " + Ours("B"); }

// Returns one command from prompt to prompt.
std::string Dialogue(std::string_view command, std::string_view output,
                     int status) {
  return Prompt() + std::string(command) + "\r\n" + Ours("C") +
         std::string(output) + Ours(absl::StrFormat("D;%d", status));
}

using Blocks = std::vector<std::string>;

TEST(CommandLog, KnowsCommandsTheirOutputAndTheirStatus) {
  Shells shells;
  shells.Feed(Dialogue("ls", "a\r\nb\r\n", 0));
  shells.Feed(Dialogue("false", "", 1));
  EXPECT_EQ(shells.Blocks(),
            (Blocks{"1 exit=0 'ls' [a|b]", "2 exit=1 'false' []"}));
}

TEST(CommandLog, APromptThatIsDrawnAgainIsNoNewLine) {
  Shells shells;
  shells.Feed(Ours("D;0;line=new") + Prompt());
  EXPECT_EQ(shells.log()->lines(), 1);
  uint64_t offset = shells.log()->line_offset();
  // bash reports the status in the prompt itself, so it does so also when it
  // redraws.
  shells.Feed("text" + Ours("D;0") + Prompt());
  EXPECT_EQ(shells.log()->lines(), 1);
  EXPECT_EQ(shells.log()->prompts(), 2);
  EXPECT_EQ(shells.log()->line_offset(), offset);
  shells.Feed("\x1b]133;D;0;line=new\a");
  EXPECT_EQ(shells.log()->lines(), 1) << "anyone can print that";
}

// zsh draws the text with which it fills a new line after the prompt's mark.
TEST(CommandLog, ALineIsDrawnWhenTheShellSaysSo) {
  Shells shells;
  EXPECT_TRUE(shells.log()->is_drawn());
  shells.Feed(Ours("D;0;line=new;draw=begun") + Prompt() + "text");
  EXPECT_FALSE(shells.log()->is_drawn());
  shells.Feed("\x1b]133;P;draw=done\a");
  EXPECT_FALSE(shells.log()->is_drawn()) << "anyone can print that";
  shells.Feed(Ours("P;draw=done"));
  EXPECT_TRUE(shells.log()->is_drawn());
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kReady);
}

TEST(CommandLog, AfterACommandThereIsANewLineHoweverItsEndIsTold) {
  for (const std::string& end : {Ours("D;0"), "\x1b[?2004h" + Prompt()}) {
    Shells shells;
    shells.Feed(Prompt() + Ours("C") + end);
    EXPECT_EQ(shells.log()->lines(), 1);
    EXPECT_GT(shells.log()->line_offset(), 0u);
  }
}

TEST(CommandLog, OutputWithoutANewlineEndsWhereThePromptBegins) {
  Shells shells;
  shells.Feed(Dialogue("printf abc", "abc", 0) + Prompt());
  EXPECT_EQ(shells.Blocks(), (Blocks{"1 exit=0 'printf abc' [abc]"}));
}

TEST(CommandLog, GivesTheSameHoweverTheBytesAreCut) {
  std::string stream = Dialogue("seq 3", "1\r\n2\r\n3\r\n", 0) +
                       Dialogue("printf x", "x", 3) + Prompt();
  Shells whole;
  whole.Feed(stream);
  for (size_t cut = 0; cut <= stream.size(); ++cut) {
    Shells shells;
    shells.Feed(stream.substr(0, cut));
    shells.Feed(stream.substr(cut));
    EXPECT_EQ(shells.Blocks(), whole.Blocks()) << "cut at " << cut;
    EXPECT_EQ(shells.log()->phase(), ShellPhase::kReady);
  }
}

TEST(CommandLog, PlacesSurviveScrollingAndResizes) {
  Shells shells({4, 20});
  std::string long_line(50, 'x');
  shells.Feed(Dialogue("cat f", long_line + "\r\ny", 0));
  Blocks before = shells.Blocks();
  ASSERT_TRUE(shells.terminal()->Resize({3, 7}).ok());
  for (int i = 0; i < 20; ++i) shells.Feed("more\r\n");
  ASSERT_TRUE(shells.terminal()->Resize({8, 60}).ok());
  EXPECT_EQ(shells.Blocks(), before);
  EXPECT_EQ(before[0], "1 exit=0 'cat f' [" + long_line + "|y]");
}

TEST(CommandLog, ClearingTheScreenKeepsWhatWasPrinted) {
  Shells shells;
  shells.Feed(Dialogue("ls", "a\r\n", 0));
  shells.Feed(Dialogue("clear", "\x1b[H\x1b[2J\x1b[3J", 0) + Prompt());
  ASSERT_EQ(shells.Blocks().size(), 2u);
  EXPECT_EQ(shells.Blocks()[0], "1 exit=0 'ls' [a]");
}

TEST(CommandLog, PhasesFollowTheMarks) {
  Shells shells;
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kNone);
  shells.Feed(Ours("A"));
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kPrompting);
  shells.Feed("$ " + Ours("B"));
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kReady);
  EXPECT_EQ(shells.log()->prompt_end(), (LinePlace{0, 2}));
  shells.Feed("echo '\r\n" + Ours("P;k=s") + "> ");
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kContinuation);
  shells.Feed("'\r\n" + Ours("C"));
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kRunning);
  ASSERT_NE(shells.log()->running(), nullptr);
  shells.Feed(Ours("D;0"));
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kDone);
  EXPECT_EQ(shells.log()->running(), nullptr);
}

TEST(CommandLog, BetweenHooksAndPromptTheShellIsNotReady) {
  Shells shells;
  shells.Feed(Prompt() + "\r\n" + Ours("D;0"));
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kDone);
  EXPECT_TRUE(shells.Blocks().empty());
}

TEST(CommandLog, AForeignMarkIsAHintAndChangesNothing) {
  Shells shells;
  shells.Feed(
      Dialogue("cat trap", "\x1b]133;D;0\a\x1b]133;A\a$ \x1b]133;B\a", 7));
  EXPECT_EQ(shells.Blocks().at(0).substr(0, 8), "1 exit=7");
  shells.Feed(Prompt() + "ssh host\r\n" + Ours("C"));
  shells.Feed("\x1b]133;C;aid=guessed\aout\r\n\x1b]133;D;0\a");
  EXPECT_EQ(shells.Blocks().at(2), "3 untrusted exit=0 '' [out]");
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kRunning);
  EXPECT_EQ(shells.log()->running()->number, 2);
}

TEST(CommandLog, ForeignMarksHideNoEndHoweverMany) {
  Shells shells;
  shells.Feed(Prompt() + "make\r\n" + Ours("C"));
  // There are more than are kept, finished and not.
  for (int i = 0; i < 11'000; ++i) {
    shells.Feed("\x1b]133;C\a\x1b]133;C\a\x1b]133;D\a");
  }
  shells.Feed("done\r\n" + Ours("D;3"));
  EXPECT_EQ(shells.Blocks().front(), "1 exit=3 'make' [done]");
  EXPECT_EQ(shells.log()->Find(1)->exit_status, 3);
  EXPECT_EQ(shells.log()->Find(2), nullptr);
  EXPECT_EQ(shells.log()->Find(-1)->number, 22'001);
}

TEST(CommandLog, AForeignMarkDoesNotNameTheNextCommand) {
  Shells shells;
  shells.Feed(Dialogue("true", "\x1b]633;E;git status\a", 0));
  shells.Feed(Dialogue("rm x", "", 0));
  EXPECT_EQ(shells.Blocks(), (std::vector<std::string>{"1 exit=0 'true' []",
                                                       "2 exit=0 'rm x' []"}));
}

TEST(CommandLog, TheEndOfAShellEndsWhatRanInIt) {
  Shells shells;
  shells.Feed(Prompt() + "bash\r\n" + Ours("C"));
  shells.Feed("\x1b]133;C\ainner");
  shells.Feed(Ours("D;0") + Prompt());
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kReady);
  // The untrusted end comes too late.
  shells.Feed("\x1b]133;D;0\a");
  EXPECT_EQ(shells.Blocks().at(1).substr(0, 19), "2 untrusted running");
}

TEST(CommandLog, ALineThatWasTypedIsTrustedByItsNumber) {
  Shells shells;
  shells.Feed("\x1b]133;C;run=41\ano\r\n\x1b]133;D;0;run=41\a");
  shells.log()->ExpectRun(42);
  shells.Feed("\x1b]133;C;run=42\ayes\r\n\x1b]133;D;3;run=42\a");
  EXPECT_EQ(shells.Blocks(),
            (Blocks{"1 untrusted exit=0 '' [no]", "2 exit=3 '' [yes]"}));
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kNone);
}

TEST(CommandLog, TakesTheTextFromTheMarkWhenTheShellTells) {
  Shells shells;
  shells.Feed(Prompt() + "x\r\n" + Ours("C;cmdline_url=echo a%3B b%0Ac"));
  shells.Feed(Ours("D;0") + "\x1b]633;E;make\\x3b ls \\\\\a");
  shells.Feed("\x1b]633;C\a\x1b]633;D;2\a");
  EXPECT_EQ(shells.log()->Find(1)->text, "echo a; b\nc");
  EXPECT_EQ(shells.log()->Find(2)->text, "make; ls \\");
}

TEST(CommandLog, ATextThatIsToldHoldsNoControls) {
  Shells shells;
  shells.Feed("\x1b]633;E;a\\x1b[2J\\x9b\\xffb\a\x1b]633;C\a");
  EXPECT_EQ(shells.log()->Find(1)->text, "a[2J\uFFFD\uFFFDb");
  shells.Feed("\x1b]133;C;cmdline_url=x%1B%07%0Ay\a");
  EXPECT_EQ(shells.log()->Find(2)->text, "x\ny");
}

TEST(CommandLog, TimesAreThoseOfTheMarks) {
  Shells shells;
  shells.Feed(Prompt() + "x\r\n" + Ours("C"));
  shells.clock()->Advance(std::chrono::seconds(4));
  shells.Feed(Ours("D;0"));
  const CommandBlock* block = shells.log()->Find(-1);
  EXPECT_EQ(*block->ended - *block->started, std::chrono::seconds(4));
}

TEST(CommandLog, MalformedMarksDoNoHarm) {
  Shells shells;
  for (const char* mark : {"", ";", "C;", "D;;;", "D;999999999999", "AA", "B",
                           "C;run=", "C;run=x", "P", "E", "D;-1;aid="}) {
    shells.Feed(absl::StrFormat("\x1b]133;%s\a", mark));
  }
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kNone);
  EXPECT_EQ(shells.log()->Find(0), nullptr);
  EXPECT_EQ(shells.log()->Find(1'000'000), nullptr);
  EXPECT_EQ(shells.log()->Find(-1'000'000), nullptr);
}

TEST(CommandLog, ForgetsTheOldestOfVeryMany) {
  Shells shells;
  for (int i = 0; i < 10'010; ++i) shells.Feed("\x1b]133;C\a\x1b]133;D;0\a");
  EXPECT_EQ(shells.log()->blocks().size(), 10'000u);
  EXPECT_EQ(shells.log()->Find(10), nullptr);
  EXPECT_EQ(shells.log()->Find(11)->number, 11);
  EXPECT_EQ(shells.log()->Find(-1)->number, 10'010);
}

// With a search of all commands for each mark, this would take minutes.
TEST(CommandLog, AFloodOfMarksDisplacesNoCommandOfTheShell) {
  constexpr int kMarks = 150'000;
  Shells shells;
  for (int64_t own : {1, kMarks + 2}) {
    shells.Feed(Prompt() + Ours("C"));
    for (int i = 0; i < kMarks; ++i) shells.Feed("\x1b]133;C\a");
    ASSERT_NE(shells.log()->Find(own), nullptr);
    EXPECT_TRUE(shells.log()->Find(own)->trusted);
    shells.Feed(Ours("D;0"));
  }
  EXPECT_EQ(shells.log()->blocks().size(), 10'000u);
  for (int64_t own : {1, kMarks + 2}) {
    ASSERT_NE(shells.log()->Find(own), nullptr);
    EXPECT_EQ(shells.log()->Find(own)->exit_status, 0);
  }
  EXPECT_EQ(shells.log()->Find(kMarks + 1), nullptr);
}

// A log may lose its beginning at any of these places: each mark must mean the
// same to a log that takes over there.
TEST(CommandLog, GoesOnWhereAnotherOneWas) {
  std::vector<std::string> pieces = {
      "\x1b]7;file://host/home\a",
      "\x1b]133;A;aid=5ec2e7\a$ \x1b]133;B;aid=5ec2e7\a",
      "make\r\n\x1b]133;C;aid=5ec2e7;cmdline_url=make\a",
      "compiling\r\n\x1b]133;C\ainner\r\n",
      "\x1b]133;D;3\a",
      "\x1b]133;D;2;aid=5ec2e7\a\x1b]133;A;aid=5ec2e7\a",
      "$ \x1b]133;B;aid=5ec2e7\a"};
  for (size_t cut = 0; cut <= pieces.size(); ++cut) {
    Shells whole, next;
    for (size_t i = 0; i < cut; ++i) whole.Feed(pieces[i]);
    next.Feed("\x1b]133;C\aof another");
    ASSERT_TRUE(
        next.terminal()->RestoreState(whole.terminal()->SaveState()).ok());
    ASSERT_TRUE(next.log()->RestoreState(whole.log()->SaveState()));
    EXPECT_EQ(next.Blocks(), whole.Blocks()) << cut;
    for (size_t i = cut; i < pieces.size(); ++i) {
      whole.Feed(pieces[i]);
      next.Feed(pieces[i]);
    }
    EXPECT_EQ(next.Blocks(), whole.Blocks()) << cut;
    EXPECT_EQ(next.log()->SaveState(), whole.log()->SaveState()) << cut;
    EXPECT_EQ(next.log()->phase(), ShellPhase::kReady);
    EXPECT_EQ(next.log()->directory(), "/home");
  }
}

TEST(CommandLog, SavesTheLastCommandsAndThoseThatRun) {
  Shells shells;
  shells.Feed("\x1b]133;C;aid=5ec2e7;cmdline_url=outer\a");
  for (int i = 0; i < 300; ++i) shells.Feed("\x1b]133;C\a\x1b]133;D;0\a");
  CommandLog next(kNonce);
  ASSERT_TRUE(next.RestoreState(shells.log()->SaveState()));
  EXPECT_EQ(next.started(), 301);
  EXPECT_EQ(next.blocks().size(), 101u);
  EXPECT_EQ(next.Find(1)->text, "outer");
  EXPECT_EQ(next.Find(201), nullptr);
  EXPECT_NE(next.Find(202), nullptr);
}

TEST(CommandLog, RefusesADamagedState) {
  Shells shells;
  shells.Feed("\x1b]133;C;aid=5ec2e7;cmdline_url=make\a\x1b]133;D;0\a");
  std::string state = shells.log()->SaveState();
  CommandLog log(kNonce);
  for (size_t i = 0; i < state.size(); ++i) {
    EXPECT_FALSE(log.RestoreState(state.substr(0, i)));
    std::string damaged = state;
    damaged[i] = '\xff';
    (void)log.RestoreState(damaged);
    for (const CommandBlock& block : log.blocks()) {
      EXPECT_EQ(log.Find(block.number), &block);
    }
  }
}

// ---- Marks that a command prints

// `echo $PS1` does this.
TEST(CommandLog, APromptThatACommandPrintsDoesNotEndIt) {
  Shells shells;
  shells.Feed(Prompt() + "show\r\n" + Ours("C") + Ours("D;0;at=prompt") +
              Prompt() + Ours("P;k=s") + Ours("C") + "\r\nmore\r\n");
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kRunning);
  EXPECT_EQ(shells.log()->prompts(), 1);
  shells.Feed(Ours("D;3;line=new") + Prompt());
  EXPECT_EQ(shells.Blocks(), Blocks({"1 exit=3 'show' [$ |more]"}));
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kReady);
}

// bash and fish switch bracketed paste on for a prompt of their own.
TEST(CommandLog, APromptBehindBracketedPasteIsTheShells) {
  Shells shells;
  shells.Feed(Prompt() + "unset PROMPT_COMMAND\r\n" + Ours("C") +
              "\x1b[?2004h" + Ours("D;4;at=prompt") + Prompt());
  EXPECT_EQ(shells.Blocks(), Blocks({"1 exit=4 'unset PROMPT_COMMAND' []"}));
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kReady);
}

// A log has all that a shell prints, also how it turns bracketed paste on.
TEST(CommandLog, MarksThatACommandReplaysDoNotEndIt) {
  for (const char* end : {"D;0;n=1;line=new", "D;0;line=new"}) {
    Shells shells;
    std::string past = Ours(end) + "\x1b[?2004h" + Ours("D;0;at=prompt;n=2") +
                       Prompt() + "show\r\n" + "\x1b[?2004l" + Ours("C");
    shells.Feed(Ours("D;0;n=1;line=new") + "\x1b[?2004h" +
                Ours("D;0;at=prompt;n=2") + Prompt() + "show\r\n" +
                "\x1b[?2004l" + Ours("C"));
    shells.Feed(past + "\x1b[?2004h" + Ours("D;0;at=prompt;n=2") + Ours("A") +
                Ours("B") + Ours("P;draw=done;n=2") + "\x1b[?2004l");
    EXPECT_EQ(shells.log()->phase(), ShellPhase::kRunning) << end;
    EXPECT_EQ(shells.log()->prompts(), 1);
    shells.Feed(Ours("D;3;n=3;line=new") + Prompt());
    ASSERT_EQ(shells.log()->blocks().size(), 1u);
    EXPECT_EQ(shells.log()->blocks()[0].exit_status, 3);
    EXPECT_EQ(shells.log()->phase(), ShellPhase::kReady);
  }
}

// bash without its hook: the prompt counts, also when a command has printed it
// with a number that is not used up (a subshell counts for itself).
TEST(CommandLog, ANumberIsUsedUpOnlyByAMarkThatProves) {
  Shells shells;
  shells.Feed(Ours("D;0;n=1;line=new") + Prompt() + "show\r\n" + Ours("C") +
              Ours("D;0;at=prompt;n=2") + Ours("A") + Ours("B"));
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kRunning);
  shells.Feed("\x1b[?2004h" + Ours("D;4;at=prompt;n=2") + Prompt());
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kReady);
  EXPECT_EQ(shells.log()->blocks().back().exit_status, 4);
}

TEST(CommandLog, ALineThatWasTypedBeginsOnce) {
  Shells shells;
  shells.log()->ExpectRun(5);
  shells.Feed("\x1b]133;C;run=5\x07out\r\n\x1b]133;C;run=5\x07more\r\n");
  shells.Feed("\x1b]133;D;3;run=5\x07");
  ASSERT_EQ(shells.log()->blocks().size(), 1u);
  EXPECT_EQ(shells.log()->blocks()[0].exit_status, 3);
}

TEST(CommandLog, ASavedStateKnowsWhichNumbersAreUsedUp) {
  Shells before;
  before.Feed(Ours("D;0;n=7;line=new") + Prompt() + "show\r\n" + Ours("C"));
  Shells after;
  ASSERT_TRUE(after.log()->RestoreState(before.log()->SaveState()));
  after.Feed(Ours("D;0;n=7;line=new"));
  EXPECT_EQ(after.log()->phase(), ShellPhase::kRunning);
  after.Feed(Ours("D;0;n=8;line=new"));
  EXPECT_EQ(after.log()->phase(), ShellPhase::kDone);
}

// The result does not depend on how much of the stream has arrived with the
// mark.
TEST(CommandLog, BracketedPasteBehindAMarkProvesNothing) {
  Shells shells;
  shells.Feed(Prompt() + "show\r\n" + Ours("C") + Ours("D;0;at=prompt") +
              "more" + Ours("D;3") + "\x1b[?2004h" + Prompt());
  EXPECT_EQ(shells.Blocks(), Blocks({"1 exit=3 'show' [more]"}));
}

// This is zsh without its hooks.
TEST(CommandLog, TheShellsEditorProvesThePromptBeforeIt) {
  Shells shells;
  shells.Feed(Prompt() + "ls\r\n" + Ours("C") + "out\r\n" +
              Ours("D;5;at=prompt") + "   \r" + Prompt());
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kRunning);
  shells.Feed(Ours("P;draw=done"));
  EXPECT_EQ(shells.Blocks(), Blocks({"1 exit=5 'ls' [out]"}));
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kReady);
  EXPECT_EQ(shells.log()->prompts(), 2);
  EXPECT_EQ(shells.log()->prompt_end(), (LinePlace{2, 2}));
}

TEST(CommandLog, TheEditorOfARunningCommandProvesNothing) {
  Shells shells;
  shells.Feed(Prompt() + "vared\r\n" + Ours("C") + Ours("P;draw=done"));
  EXPECT_EQ(shells.log()->phase(), ShellPhase::kRunning);
}

// The shell has drawn a row of blanks before its hook runs.
TEST(CommandLog, OutputEndsWhereTheShellHasToldSo) {
  Shells shells;
  shells.Feed(Prompt() + "ls\r\n" + Ours("C") + "out" + Ours("D;0;at=prompt") +
              std::string(40, ' ') + "\r" + Ours("D;0;line=new;end=told"));
  EXPECT_EQ(shells.Blocks(), Blocks({"1 exit=0 'ls' [out]"}));
  // A command reports this, and not the shell behind it.
  shells.Feed(Prompt() + "show\r\n" + Ours("C") + Ours("D;0;at=prompt") +
              "out" + Ours("D;2;line=new"));
  EXPECT_EQ(shells.Blocks().back(), "2 exit=2 'show' [out]");
}

TEST(CommandLog, KnowsWhatHooksPrintedBeforeThePrompt) {
  Shells shells;
  auto run = [&shells](const std::string& hooks) {
    shells.Feed(Prompt() + "ls\r\n" + Ours("C") + "out\r\n" +
                Ours("D;0;line=new") + hooks + Prompt());
    return shells.log()->preface();
  };
  EXPECT_EQ(run(""), "");
  EXPECT_EQ(run("\r\n  one \r\n\r\ntwo\r\n"), "one\ntwo");
  EXPECT_EQ(run("one\r\ntwo\r\n"), "") << "the same each time";
  EXPECT_EQ(run("three\r\n"), "three");
  shells.Feed("\r" + Prompt());
  EXPECT_EQ(shells.log()->preface(), "three") << "drawn again";
  EXPECT_EQ(run(""), "");
}

TEST(CommandLog, KeepsAPartOfWhatHooksPrintWithoutEnd) {
  Shells shells;
  shells.Feed(Prompt() + "ls\r\n" + Ours("C") + Ours("D;0;line=new") +
              std::string(5'000, 'x') + "\r\n" + Prompt());
  EXPECT_EQ(shells.log()->preface(), std::string(1'000, 'x'));
}

TEST(CommandLog, KnowsWhetherEnterRunsSeveralLines) {
  Shells shells;
  EXPECT_TRUE(shells.log()->runs_lines());
  shells.Feed(Ours("D;0;line=new;lines=no") + Ours("D;0;at=prompt") + Prompt());
  EXPECT_FALSE(shells.log()->runs_lines());
  shells.Feed(Ours("D;0;line=new"));
  EXPECT_TRUE(shells.log()->runs_lines());
}

}  // namespace
}  // namespace glasstty::record
