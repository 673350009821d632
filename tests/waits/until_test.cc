#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "session/streams.h"
#include "support/status.h"
#include "testing/fake_holder.h"
#include "waits/until_fixture.h"
#include "waits/waiting.h"

namespace glasstty::waits {

using record::MarkNow;
using record::ReadMark;

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Until, IsEmptyUntilAnyOfItsConditionsIsGiven) {
  EXPECT_TRUE(Until().empty());
  EXPECT_TRUE((Until{.on = MatchOn::kOutput}).empty());
  for (const Until& until :
       {Text("x"), Until{.regex = "x"}, Until{.gone = "x"}, Until{.stop = "x"},
        Until{.state = {session::Activity::kPrompt}},
        Until{.status = {terminal::ProgramState::kDone}}, Until{.quiet_s = 1},
        Until{.change = ChangeIs::kAny}, Until{.bell = true},
        Until{.title = "x"}, Until{.listening = TcpPort{}},
        Until{.person = PersonIs::kHere}, Until{.lines = 1}}) {
    EXPECT_FALSE(until.empty());
  }
}

// Every conversation pays for the list of tools.
TEST(Until, TheListOfToolsNamesTheUsualConditions) {
  std::vector<std::string> listed;
  for (const UntilCheck::Condition& condition : UntilCheck::Conditions()) {
    bool is_listed = (condition.traits & UntilCheck::Condition::kUnlisted) == 0;
    if (is_listed) listed.push_back(condition.name);
  }
  EXPECT_EQ(listed, (std::vector<std::string>{
                        "text", "regex", "stop", "gone", "change", "listening",
                        "state", "quiet_s", "still_s", "value", "event"}));
}

TEST_F(UntilTest, TextMatchesOutputThatArrivesLater) {
  Begin(Text("ready"));
  EXPECT_EQ(LookAfter("booting\r\n"), "");
  EXPECT_EQ(LookAfter("rea"), "");
  EXPECT_EQ(LookAfter("dy\r\n"), "matched");
}

TEST_F(UntilTest, TextThatWasThereBeforeDoesNotCount) {
  holder_.Print("ready\r\n");
  Begin(Text("ready"));
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(LookAfter("other\r\n"), "");
}

TEST_F(UntilTest, TheShownPartOfALineDoesNotCount) {
  holder_.Print("done: ");
  Begin(Text("done"));
  EXPECT_EQ(LookAfter("almost\r\n"), "");
}

TEST_F(UntilTest, UnreadTextPrintedBeforeTheWaitIsSeen) {
  ReadMark before = MarkNow(session_->output().terminal());
  holder_.Print("ready\r\nmore\r\n");
  BeginAt(Text("ready"), before);
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, WhatWasMatchedIsNotMatchedByTheNextWait) {
  ReadMark before = MarkNow(session_->output().terminal());
  holder_.Print("one listening\r\nhay\r\ntwo listening\r\nlistening st");
  std::vector<std::string> lines;
  for (int i = 0; i < 3; ++i) {
    BeginAt(Text("listening"), before);
    ASSERT_EQ(Look(), "matched");
    lines.push_back(Detail());
    before = *waiting_->matched();
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"one listening", "two listening",
                                             "listening st"}));
  BeginAt(Text("listening"), before);
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(LookAfter("ill\r\n"), "");
  EXPECT_EQ(LookAfter("listening\r\n"), "matched");
}

TEST_F(UntilTest, AnEmptyLineThatWasMatchedIsBehindTheNextWaitToo) {
  ReadMark before = MarkNow(session_->output().terminal());
  holder_.Print("one\r\n\r\ntwo\r\n");
  BeginAt(Until{.regex = "^$"}, before);
  ASSERT_EQ(Look(), "matched");
  EXPECT_EQ(waiting_->matched()->line, before.line + 1);
}

TEST_F(UntilTest, AMatchOfTheVeryEndBelongsToTheLastLine) {
  ReadMark before = MarkNow(session_->output().terminal());
  holder_.Print("one\r\ntwo");
  BeginAt(Until{.regex = "\\z"}, before);
  ASSERT_EQ(Look(), "matched");
  EXPECT_EQ(waiting_->matched()->line, before.line + 1);
}

TEST_F(UntilTest, ARowThatWasMatchedIsNotMatchedByTheNextWait) {
  ReadMark before = MarkNow(session_->output().terminal());
  holder_.Print("\033[?1049h\033[2;1HDone");
  holder_.Advance(Settling::kQuiet);
  BeginAt(Text("Done"), before);
  Look();
  holder_.Advance(Settling::kLongest);
  EXPECT_EQ(Look(), "matched");
  before = *waiting_->matched();
  BeginAt(Text("Done"), before);
  EXPECT_EQ(Look(), "");
  holder_.Print("\033[4;1HDone again");
  Look();
  holder_.Advance(Settling::kLongest);
  EXPECT_EQ(Look(), "matched");
}

TEST(Patience, IsThatOfTheCallerIfTheCallerIsToldThatTheCallIsAlive) {
  FakeHolder holder;
  constexpr double kDay_s = 86'400;
  Caller told{holder.loop(), nullptr, [] {}};
  Patience patience = PatienceFor(told, 3 * kDay_s);
  EXPECT_EQ(patience.note, "");
  EXPECT_EQ(patience.deadline, holder.loop()->Now() + FromSeconds(3 * kDay_s));
  Caller silent{holder.loop(), nullptr, nullptr};
  patience = PatienceFor(silent, 3 * kDay_s);
  EXPECT_EQ(patience.note, "timeout_s cut to 45 (clients give up after 60)");
  EXPECT_EQ(patience.deadline, holder.loop()->Now() + FromSeconds(45));
}

TEST_F(UntilTest, WhatWasMissedIsDescribed) {
  Begin(Text("Listening on"));
  EXPECT_EQ(LookAfter("start\r\nserver listening  on 80\r\nlast line\r\n"), "");
  UntilCheck::Missed missed = waiting_->DescribeMissed();
  EXPECT_EQ(missed.lines, 3);
  EXPECT_EQ(missed.last, "last line");
  EXPECT_EQ(missed.nearest, "server listening  on 80");
}

TEST_F(UntilTest, TextThatWasShownBeforeTheWaitIsNamedWithItsPlace) {
  holder_.Print("start\r\nlistening on 80\r\nready: ");
  Begin(Text("listening on"));
  EXPECT_EQ(LookAfter("more\r\n"), "");
  EXPECT_EQ(waiting_->DescribeMissed().shown, "line 2");
  // A part of the last line had been shown.
  holder_.Print("steady: ");
  Begin(Text("steady"));
  holder_.Print("go");
  EXPECT_EQ(waiting_->DescribeMissed().shown, "line 4");
  Begin(Text("stopping"));
  EXPECT_EQ(waiting_->DescribeMissed().shown, "");
  holder_.Print("\033[?1049h\033[3;1Hlistening on 81");
  Begin(Text("listening on"));
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(waiting_->DescribeMissed().shown, "row 3");
}

TEST_F(UntilTest, ANearMissThatWasShownBeforeIsToldOfAScreenOnly) {
  holder_.Print("server listening on 80\r\n");
  Begin(Text("Listening on"));
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(waiting_->DescribeMissed().nearest, "");
  holder_.Print("\033[?1049h\033[3;1Hserver listening on 80");
  Begin(Text("Listening on"));
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(waiting_->DescribeMissed().nearest, "server listening on 80");
  // Newer text is nearer.
  EXPECT_EQ(LookAfter("\033[1;1Hclient listening on 81"), "");
  EXPECT_EQ(waiting_->DescribeMissed().nearest, "client listening on 81");
}

TEST_F(UntilTest, HalfAFrameIsNotLookedAt) {
  Begin({.text = "Loading", .change = ChangeIs::kAny});
  EXPECT_EQ(LookAfter("\033[?2026hLoading"), "");
  EXPECT_EQ(last_.again, holder_.loop()->Now() + session::Verdict::kFrameLimit);
  EXPECT_EQ(LookAfter("\r\033[KReady\033[?2026l"), "change");
}

TEST_F(UntilTest, AFrameThatIsNotEndedInTimeIsLookedAtAllTheSame) {
  Begin(Text("Loading"));
  EXPECT_EQ(LookAfter("\033[?2026hLoading"), "");
  holder_.Advance(session::Verdict::kFrameLimit);
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, TheEchoOfWhatWasTypedNeverMatches) {
  holder_.Print("$ ");
  Begin(Text("late"), {"sleep 1; echo late"});
  EXPECT_EQ(LookAfter("sleep 1; ec"), "");
  EXPECT_EQ(LookAfter("ho late\r\n"), "");
  EXPECT_EQ(LookAfter("late\r\n"), "matched");
}

TEST_F(UntilTest, AnEchoThatComesByteByByteNeverMatches) {
  holder_.Print("$ ");
  Begin(Text("hi"), {"echo hi"});
  for (char c : std::string("echo hi\r\n")) {
    holder_.Print(std::string(1, c));
    EXPECT_EQ(Look(), "");
  }
  EXPECT_EQ(LookAfter("hi\r\n"), "matched");
}

TEST_F(UntilTest, OutputEqualToTheTypedLineMatchesOnceTheEchoIsThrough) {
  Begin(Text("hello"), {"hello"});
  holder_.Print("hello\r\n");  // echo
  EXPECT_EQ(Look(), "");
  holder_.Print("hello\r\n");  // cat's answer
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, TextThatCameAndWentWhileTypingIsKept) {
  for (bool flashes : {false, true}) {
    BeginTyping(Text("flash"), {MarkNow(session_->output().terminal())});
    waiting_->AddTyped("show flash");
    holder_.Print("$ show flash\r\n");
    if (flashes) holder_.Print("flash!\r\033[Kover\r\n");
    Start();
    EXPECT_EQ(Look(), flashes ? "matched" : "");
  }
}

// Output is fed in moments, which costs time, only for text that may be there
// briefly.
TEST_F(UntilTest, OutputIsFedInPiecesUnlessTextIsWaitedFor) {
  for (const Until& until : {Text("x"), Until{.gone = "x"}, Until{.title = "x"},
                             Until{.bell = true}, Until{.lines = 9}}) {
    BeginTyping(until, {MarkNow(session_->output().terminal())});
    int looks = 0;
    Watch watch(session_->waiters(), [&] { ++looks; });
    holder_.Print("flash!\r\033[Kover");
    bool is_text = until.text || until.gone || until.title;
    EXPECT_EQ(looks > 1, is_text) << looks;
    waiting_.reset();
  }
}

TEST_F(UntilTest, QuietCountsFromTheEndOfTheTyping) {
  BeginTyping(DefaultUntil(), {MarkNow(session_->output().terminal())});
  holder_.Print("echo");
  holder_.Advance(milliseconds(2000));
  Start();
  EXPECT_EQ(Look(), "");
  holder_.Advance(milliseconds(500));
  EXPECT_EQ(Look(), "quiet");
}

TEST_F(UntilTest, QuietIsNotReportedWhileAThreadWorksOnTheAnswer) {
  holder_.Answer(wire::Waiting::kPoll, false, false);
  holder_.Work({.is_alone = 1});
  holder_.Print("> ");
  Begin(DefaultUntil());
  session_->Write("i");
  holder_.Consume();
  holder_.Print("i");
  holder_.Work({.runs = 1});
  for (int ms = 0; ms < 700; ++ms) {
    holder_.Advance(milliseconds(1));
    ASSERT_EQ(Look(), "") << "after " << ms << " ms";
  }
  holder_.Print("\r\nimport");
  holder_.Work({.is_alone = 1});
  holder_.Advance(milliseconds(2));
  holder_.Advance(milliseconds(2));
  EXPECT_EQ(Look(), "input");
}

TEST_F(UntilTest, QuietIsNotReportedWhileTheProgramComputesItsAnswer) {
  holder_.Answer(wire::Waiting::kPoll, false, false);
  holder_.Work({.is_alone = 1});
  holder_.Print("> ");
  Begin(DefaultUntil());
  session_->Write("i");
  holder_.Consume();
  holder_.Print("i");
  holder_.Answer(wire::Waiting::kRunning, false, false);
  int ms = 0;
  for (; Look().empty() && ms < 5'000; ++ms) holder_.Advance(milliseconds(1));
  EXPECT_EQ(Look(), "quiet");
  EXPECT_GE(ms, 2'900);
  EXPECT_LE(ms, 3'200);
}

// Its threads wait for each other, and for the disk.
TEST_F(UntilTest, NothingIsReportedBecauseAComputationPauses) {
  holder_.Answer(wire::Waiting::kPoll, false, false);
  holder_.Work({.is_alone = 1});
  holder_.Print("> ");
  Begin(DefaultUntil());
  session_->Write("i");
  holder_.Consume();
  holder_.Print("i");
  int ms = 0;
  for (; Look().empty() && ms < 2'000; ++ms) {
    bool pauses = ms % 70 < 30;
    holder_.Answer(
        pauses ? wire::Waiting::kSleepOther : wire::Waiting::kRunning, false,
        false);
    holder_.Advance(milliseconds(1));
  }
  EXPECT_EQ(ms, 2'000);
  holder_.Answer(wire::Waiting::kSleepOther, false, false);
  for (; Look().empty() && ms < 5'000; ++ms) holder_.Advance(milliseconds(1));
  EXPECT_EQ(Look(), "input");
  EXPECT_LE(ms, 2'200);
}

TEST_F(UntilTest, RegexMatchesPerLine) {
  Begin({.regex = "^[0-9]+ passed$"});
  EXPECT_EQ(LookAfter("12 passed, 1 failed\r\n"), "");
  EXPECT_EQ(LookAfter("13 passed\r\n"), "matched");
}

TEST_F(UntilTest, APatternMatchesWithTheBlanksAtALinesEndOrWithout) {
  Begin({.regex = "^> $"});
  EXPECT_EQ(LookAfter("> "), "matched");
  Begin({.regex = "^dos$"});
  EXPECT_EQ(LookAfter("\r\ndos\t\r\r\n"), "matched");
}

TEST_F(UntilTest, RegexMaySpanLinesThatArriveApart) {
  Begin({.regex = "begin\\nend"});
  EXPECT_EQ(LookAfter("begin\r\n"), "");
  EXPECT_EQ(LookAfter("end\r\n"), "matched");
}

TEST_F(UntilTest, TextOnTheAlternateScreenIsSeen) {
  Begin(Text("Menu"));
  EXPECT_EQ(LookAfter("\033[?1049h\033[2;5HMenu"), "");
  holder_.Advance(Settling::kQuiet);
  EXPECT_EQ(Look(), "matched");
}

// The screen has 40 columns.
TEST_F(UntilTest, TextThatTheTerminalWrappedIsSeenOnScreens) {
  const std::string text = "a sentence that is longer than a row of the screen";
  for (const char* screen : {"", "\033[?1049h"}) {
    for (bool is_regex : {false, true}) {
      Until until;
      until.on = MatchOn::kScreen;
      (is_regex ? until.regex : until.text) = text;
      holder_.Print("\033c");
      Begin(until);
      holder_.Print(std::string(screen) + "\033[2;1H" + text);
      EXPECT_EQ(Look(), *screen == 0 ? "matched" : "");
      holder_.Advance(Settling::kQuiet);
      EXPECT_EQ(Look(), "matched");
      EXPECT_EQ(Detail(), text);
    }
  }
}

// The terminal wrote the first row up to its end, but two blanks are not shown.
TEST_F(UntilTest, ABlankAtTheEndOfAWrappedRowIsPartOfTheText) {
  const std::string text = std::string(38, 'x') + "  end";
  Until until = Text(text);
  until.on = MatchOn::kScreen;
  Begin(until);
  holder_.Print("\033[?1049h" + text);
  holder_.Advance(Settling::kQuiet);
  EXPECT_EQ(Look(), "matched");
  // A wide glyph that no longer fitted leaves a column that is no blank.
  holder_.Print("\033c");
  const std::string wide = std::string(39, 'x') + "\u4e2d";
  until.text = wide;
  Begin(until);
  holder_.Print("\033[?1049h" + wide);
  holder_.Advance(Settling::kQuiet);
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, AScreenSettlesWhenTheProgramWaitsForInput) {
  Begin(Text("Menu"));
  EXPECT_EQ(LookAfter("\033[?1049h\033[2;5HMenu"), "");
  holder_.loop()->RunReady();
  holder_.Advance(Settling::kRest);
  EXPECT_EQ(Look(), "") << "the program is busy";
  holder_.Print("\033[3;5HOpen");
  holder_.Answer(wire::Waiting::kPoll, false, false);
  EXPECT_EQ(Look(), "");
  holder_.Advance(milliseconds(2));
  EXPECT_EQ(Look(), "");
  holder_.Advance(Settling::kRest);
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, AnAnimationSettlesAtLast) {
  Begin(Text("Menu"));
  holder_.Print("\033[?1049h\033[2;5HMenu");
  Time began = holder_.loop()->Now();
  while (Look() != "matched") {
    holder_.Print("\033[3;5H*\b \b");
    holder_.Advance(milliseconds(10));
    ASSERT_LE(holder_.loop()->Now() - began, Settling::kLongest);
  }
  EXPECT_EQ(holder_.loop()->Now() - began, Settling::kLongest);
}

TEST_F(UntilTest, WhatWasFoundIsReportedAtTheDeadlineThoughNothingHasSettled) {
  Begin(Text("Menu"));
  Start(holder_.loop()->Now() + milliseconds(20));
  EXPECT_EQ(LookAfter("\033[?1049h\033[2;5HMenu"), "");
  holder_.Advance(milliseconds(20));
  EXPECT_EQ(Look(), "matched");
}

// The rest of the screen makes no difference to a bell.
TEST_F(UntilTest, ABellIsReportedBeforeTheScreenHasSettledAndAChangeIsNot) {
  Begin(Until{.bell = true});
  EXPECT_EQ(LookAfter("\033[?1049h\033[2;5HMenu\a"), "bell");
  Begin(Until{.change = ChangeIs::kAny});
  EXPECT_EQ(LookAfter("\033[3;5HOpen"), "");
}

TEST_F(UntilTest, OnlyAWaitForWhatSettlesAsksWhetherTheProgramWaits) {
  holder_.Print("\033[?1049h\033[2;5HMenu");
  Begin(Until{.bell = true});
  holder_.Print("\033[3;5HOpen");
  EXPECT_EQ(holder_.CountSent(wire::Probe::kType), 0u);
  Begin(Text("Save"));
  holder_.Print("\033[4;5HExit");
  EXPECT_GT(holder_.CountSent(wire::Probe::kType), 0u);
}

// Pending output is fed first, which takes a turn of the loop.
TEST_F(UntilTest, AScreenWithOutputUnderWayIsLookedAtLater) {
  Begin(Text("Menu"));
  EXPECT_EQ(LookAfter("\033[?1049h\033[2;5HMenu"), "");
  holder_.Advance(Settling::kQuiet);
  holder_.PrintSilently("\033[3;5HOpen");
  holder_.RingUnfed();
  EXPECT_EQ(Look(), "");
  EXPECT_GT(last_.again, holder_.loop()->Now());
}

TEST_F(UntilTest, ATextThatFlashesOnAScreenIsStillMatchedWhenItSettles) {
  Begin(Text("flash"));
  EXPECT_EQ(LookAfter("\033[?1049h\033[2;5Hflash"), "");
  holder_.Print("\033[2J");
  holder_.Advance(Settling::kQuiet);
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, TheEchoInAFullScreenProgramNeverMatchesEither) {
  Begin(Text("needle"), {":e needle.txt"});
  EXPECT_EQ(LookAfter("\033[?1049h\033[6;1H:e need"), "");
  EXPECT_EQ(LookAfter("le.txt"), "");
  EXPECT_EQ(LookAfter("\r\033[K\"needle.txt\" [New]"), "");
  holder_.Advance(Settling::kQuiet);
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, OfRowsThatLookAlikeTheOneAtTheCursorIsTheEcho) {
  holder_.Print("\033[?1049h");
  Begin(Text("needle"), {"needle"});
  holder_.Print("\033[1;1Hfound needle\033[6;1H> needle");
  Look();
  holder_.Advance(Settling::kLongest);
  ASSERT_EQ(Look(), "matched");
  EXPECT_EQ(Detail(), "found needle");
}

TEST_F(UntilTest, TheEchoNeverMatchesOnTheScreen) {
  Begin({.text = "needle", .on = MatchOn::kScreen}, {"echo needle"});
  EXPECT_EQ(LookAfter("$ echo needle\r\n"), "");
  EXPECT_EQ(LookAfter("needle\r\n"), "matched");
}

TEST_F(UntilTest, StopEndsTheWaitFirst) {
  Begin({.text = "ready", .stop = "error|failed"});
  EXPECT_EQ(LookAfter("error: no\r\nready\r\n"), "stopped");
}

TEST_F(UntilTest, GoneIsTrueWhenTheTextHasLeftTheScreen) {
  holder_.Print("Loading...");
  Begin({.gone = "Loading"});
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(LookAfter("\r\033[K"), "gone");
}

TEST_F(UntilTest, GoneSaysThatTheTextWasNeverThere) {
  holder_.Print("Loading...");
  Begin({.gone = "Loadnig"});
  EXPECT_EQ(Look(), "");
  holder_.Advance(milliseconds(499));
  EXPECT_EQ(Look(), "");
  holder_.Advance(milliseconds(1));
  ASSERT_EQ(Look(), "gone");
  EXPECT_EQ(Detail(), kNeverThere);
}

TEST_F(UntilTest, GoneWaitsForTheTextToComeFirst) {
  Begin({.gone = "Saving"});
  holder_.Advance(milliseconds(300));
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(LookAfter("Saving"), "");
  holder_.Advance(milliseconds(5000));
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(LookAfter("\r\033[K"), "gone");
}

TEST_F(UntilTest, GoneKnowsATextThatCameAndWentWhileTyping) {
  BeginTyping({.gone = "Saving"}, {MarkNow(session_->output().terminal())});
  holder_.Print("Saving\r\033[K");
  Start();
  ASSERT_EQ(Look(), "gone");
  EXPECT_EQ(Detail(), "");
}

TEST_F(UntilTest, QuietCountsFromTheLastOutput) {
  Begin({.quiet_s = 0.5});
  EXPECT_EQ(LookAfter("x"), "");
  EXPECT_EQ(last_.again, holder_.loop()->Now() + milliseconds(500));
  holder_.Advance(milliseconds(499));
  EXPECT_EQ(Look(), "");
  holder_.Advance(milliseconds(1));
  EXPECT_EQ(Look(), "quiet");
}

TEST_F(UntilTest, TheDefaultQuietNeedsAChangeFirst) {
  Begin(DefaultUntil());
  holder_.Advance(milliseconds(2000));
  EXPECT_EQ(Look(), "");
  holder_.Print("x");
  holder_.Advance(milliseconds(500));
  EXPECT_EQ(Look(), "quiet");
}

TEST_F(UntilTest, ChangeIsAnEdge) {
  holder_.Print("before");
  Begin({.change = ChangeIs::kAny});
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(LookAfter("x"), "change");
}

TEST_F(UntilTest, WhatIsDrawnAgainIsNoChange) {
  const std::string text = "one\r\n\033[31mtwo\033[m\r\nthree";
  const std::string frame = "\033[?2026h\033[H\033[J" + text + "\033[?2026l";
  for (bool alternate : {false, true}) {
    holder_.Print(std::string("\033c") + (alternate ? "\033[?1049h" : "") +
                  "\033[H" + text);
    Begin({.change = ChangeIs::kAny});
    // On the primary screen, what is cleared becomes lines of the history.
    for (const std::string& again :
         {"\033[H" + text, alternate ? frame : "", std::string("x\b \b"),
          std::string("\033[?25l\033[?25h")}) {
      holder_.Print(again);
      holder_.Advance(Settling::kQuiet);
      EXPECT_EQ(Look(), "") << again;
    }
    holder_.Print("\033[2;1Htwo");
    holder_.Advance(Settling::kQuiet);
    EXPECT_EQ(Look(), "change") << "it is no longer red";
  }
}

// The caller was shown the screen, and it was drawn again before the wait.
TEST_F(UntilTest, WhatWasDrawnAgainBeforeTheWaitIsNoChangeEither) {
  holder_.Print("\033[?1049hone");
  record::ReadMark mark = record::MarkNow(session_->output().terminal());
  holder_.Print("\rone");
  std::vector<std::string> shown(6);
  shown[0] = "one";
  BeginTyping({.change = ChangeIs::kAny}, {.baseline = mark, .shown = shown});
  Start();
  EXPECT_EQ(Look(), "");
  holder_.Print("\rtwo");
  holder_.Advance(Settling::kQuiet);
  EXPECT_EQ(Look(), "change");
  // This one was shown something else.
  BeginTyping({.change = ChangeIs::kAny}, {.baseline = mark, .shown = shown});
  Start();
  holder_.Advance(Settling::kQuiet);
  EXPECT_EQ(Look(), "change");
}

TEST_F(UntilTest, UnreadLinesBehindTheAlternateScreenAreNoChangeOfIt) {
  holder_.Print("warning\r\n\033[?1049h\033[Hone");
  record::ReadMark mark;
  mark.screen_revision = session_->output().terminal().revision();
  std::vector<std::string> shown(6);
  shown[0] = "one";
  BeginTyping({.change = ChangeIs::kAny}, {.baseline = mark, .shown = shown});
  Start();
  holder_.Advance(Settling::kQuiet);
  EXPECT_EQ(Look(), "");
  holder_.Print("\rtwo");
  holder_.Advance(Settling::kQuiet);
  EXPECT_EQ(Look(), "change");
}

TEST_F(UntilTest, BellAndTitleAreEdges) {
  Until until{.bell = true, .title = "vim"};
  Begin(until);
  EXPECT_EQ(LookAfter("\033]2;bash\033\\"), "");
  EXPECT_EQ(LookAfter("\033]2;vim x\033\\"), "title");
  Begin(until);
  EXPECT_EQ(LookAfter("\a"), "bell");
}

TEST_F(UntilTest, AStatusFromBeforeTheInputCountsOnlyIfNoOtherComes) {
  constexpr char kIdle[] = "\033]7501;state=idle\a";
  Until until{.status = {terminal::ProgramState::kIdle}};
  holder_.Print(kIdle);
  Begin(until);
  EXPECT_EQ(Look(), "status");
  holder_.Advance(milliseconds(1));
  session_->Write("do it\r");
  Begin(until);
  EXPECT_EQ(Look(), "");
  holder_.Print("\033]7501;state=working\a");
  holder_.Advance(std::chrono::seconds(5));
  EXPECT_EQ(Look(), "");
  holder_.Print(kIdle);
  EXPECT_EQ(Look(), "status");
  // Not every key makes work.
  holder_.Advance(milliseconds(1));
  session_->Write("j");
  Begin(until);
  holder_.Advance(milliseconds(999));
  EXPECT_EQ(Look(), "");
  holder_.Advance(milliseconds(1));
  EXPECT_EQ(Look(), "status");
}

TEST_F(UntilTest, AStatusEndsWithTheProgramThatReportedIt) {
  Begin({.state = {session::Activity::kPrompt},
         .status = {terminal::ProgramState::kWorking}});
  EXPECT_EQ(LookAfter("\033]7501;state=working\a"), "status");
  holder_.Print("\033]133;A\a$ ");
  EXPECT_EQ(session_->verdict().ReportedStatus(), nullptr);
  holder_.Print("\033]7501;state=working\a");
  EXPECT_NE(session_->verdict().ReportedStatus(), nullptr);
  holder_.Exit(0);
  EXPECT_EQ(session_->verdict().ReportedStatus(), nullptr);
}

TEST_F(UntilTest, LinesCountOnceTheyHaveEnded) {
  holder_.Print("half");
  Begin({.lines = 2});
  EXPECT_EQ(LookAfter(" a line\r\nanother"), "");
  EXPECT_EQ(LookAfter("\r\n"), "lines");
}

TEST_F(UntilTest, LinesDoNotCountTheEchoOfWhatIsTyped) {
  holder_.Print("$ ");
  Begin({.lines = 2}, {"sleep 1; echo one", "echo two"});
  EXPECT_EQ(LookAfter("sleep 1; ec"), "");
  EXPECT_EQ(LookAfter("ho one\r\n"), "");
  EXPECT_EQ(LookAfter("one\r\n$ echo two\r\n"), "");
  EXPECT_EQ(LookAfter("two\r\n"), "lines");
}

TEST_F(UntilTest, LinesCountWithoutAnEcho) {
  holder_.Print("Password: ");
  Begin({.lines = 1}, {"hunter2"});
  EXPECT_EQ(LookAfter("\r\n"), "lines");
}

TEST_F(UntilTest, ValuesOnAScreenAreNotReadFromWhatIsTypedThere) {
  holder_.Print("\033[?1049h\033[HUsage: 10%\033[6;1H:");
  Begin({.value = ValueIs{.regex = "([0-9]+)%", .above = 50}}, {"stop at 99%"});
  EXPECT_EQ(LookAfter("stop at 9"), "");
  EXPECT_EQ(LookAfter("9%"), "");
  EXPECT_EQ(LookAfter("\033[HUsage: 60%"), "value");
}

// The kernel echoes what is typed while `sleep` runs, and bash again when it
// reads it, perhaps during the wait of a later call.
TEST_F(UntilTest, WhatIsTypedAheadIsEchoedTwice) {
  const Until kUntils[] = {
      Text("done"),
      {.lines = 1},
      {.value = ValueIs{.regex = "([0-9]+)%", .above = 50}}};
  const std::string command = "make --to 99%; echo done";
  const std::string second =
      "\033[?2004h$ make --to 99%; echo done\r\n\033[?2004l\r";
  for (const Until& until : kUntils) {
    for (size_t cut = 0; cut <= second.size(); ++cut) {
      for (bool is_later : {false, true}) {
        SCOPED_TRACE(cut);
        holder_.Print("\033[?2004h$ sleep\r\n\033[?2004l");
        uint64_t requests = session_->output().terminal().paste_requests();
        if (is_later) {
          session_->mutable_input()->RememberAhead(command, requests);
          holder_.Print(command + "\r\n");
        }
        Begin(until);
        if (!is_later) {
          waiting_->AddTyped(command);
          waiting_->AddTypedAhead({command, requests});
          EXPECT_EQ(LookAfter(command + "\r\n"), "");
        }
        EXPECT_EQ(LookAfter(second.substr(0, cut)), "");
        EXPECT_EQ(LookAfter(second.substr(cut)), "");
        EXPECT_NE(LookAfter("60% done\r\n"), "");
      }
    }
  }
}

// A key that is typed in a full-screen program may be a value on its screen.
TEST_F(UntilTest, AKeyIsItsEchoOnlyAtTheCursor) {
  const ValueIs is_high = {.regex = "Level: ([0-9])", .above = 4};
  for (const Until& until : {Until{.text = "Level: 5"}, {.value = is_high}}) {
    holder_.Print("\033[?1049h\033[2J\033[HLevel: 1\033[6;1H:");
    Begin(until, {"5"});
    EXPECT_EQ(LookAfter("5"), "");
    LookAfter("\033[HLevel: 5\033[6;1H");
    holder_.Advance(Settling::kLongest);
    EXPECT_NE(Look(), "");
  }
}

// A toolbar below the prompt is the last line when the wait begins.
TEST_F(UntilTest, LinesDoNotCountAnEchoAboveTheBaseline) {
  holder_.Print(">>> \r\n[toolbar]\033[A\033[3C");
  Begin({.lines = 1}, {"print(1)"});
  EXPECT_EQ(LookAfter("print(1)\r\n\033[K1"), "");
  EXPECT_EQ(LookAfter("\r\n"), "lines");
}

// The number in the command is no value, wherever its echo wraps and however
// it arrives.
TEST_F(UntilTest, ValuesAreNotReadFromTheEchoOfWhatIsTyped) {
  // With its prompt, the first part fills the 40 columns.
  const std::string first = "fill --to 99% --of /dev/sdb --label long";
  const std::string echo =
      first.substr(0, 38) + "\r\n" + first.substr(38) + " 98%";
  const std::string command = first + " 98%";
  for (size_t cut = 0; cut <= echo.size(); ++cut) {
    holder_.Print("$ ");
    Begin({.value = ValueIs{.regex = "([0-9]+)%", .above = 50}}, {command});
    for (const std::string& part : {echo.substr(0, cut), echo.substr(cut)}) {
      EXPECT_EQ(LookAfter(part), "") << cut;
      holder_.Advance(Value::kRest);
      EXPECT_EQ(Look(), "") << cut;
    }
    EXPECT_EQ(LookAfter("\r\n10%\r\n"), "") << cut;
    EXPECT_EQ(LookAfter("60%\r\n"), "value") << cut;
  }
}

// The program goes up, prints, and later goes down to where it echoes.
TEST_F(UntilTest, ValuesAreNotReadFromAnEchoBelowALineThatWasOpen) {
  holder_.Print("a\r\nb\r\nc\r\nd\r\n");
  Begin({.value = ValueIs{.regex = "loss=([0-9]+)", .above = 5}}, {"loss=9"});
  EXPECT_EQ(LookAfter("\033[4Atop"), "");
  EXPECT_EQ(LookAfter("\r\033[2Bloss=9\033[2B\r"), "");
  EXPECT_EQ(LookAfter("loss=6\r\n"), "value");
}

TEST_F(UntilTest, HalfANumberIsNoValueWhileTheRestIsUnderWay) {
  Begin({.value = ValueIs{.regex = "loss=([0-9]+)", .below = 2}});
  EXPECT_EQ(LookAfter("loss=1"), "");
  holder_.Advance(Value::kRest);
  holder_.PrintSilently("23");
  holder_.RingUnfed();
  EXPECT_EQ(Look(), "");
  EXPECT_GT(last_.again, holder_.loop()->Now());
}

TEST_F(UntilTest, StateIsALevel) {
  holder_.Answer(wire::Waiting::kRead, true, false);
  Begin({.state = {session::Activity::kSecret}});
  Look();
  holder_.loop()->RunReady();
  EXPECT_EQ(Look(), "secret");
}

TEST_F(UntilTest, ListeningIsALevelAndSaysWho) {
  Begin({.listening = TcpPort{5173}});
  EXPECT_EQ(Look(), "");
  holder_.ReportListener(5173);
  ASSERT_EQ(Look(), "listening");
  EXPECT_EQ(Detail(), "port 5173: pid 812 \"node server.js\"");
}

TEST_F(UntilTest, ListeningOnAnotherPortCountsOnlyForAny) {
  Begin({.listening = TcpPort{5173}});
  Look();
  holder_.ReportListener(80);
  EXPECT_EQ(Look(), "");
  Begin({.listening = TcpPort{0}});
  holder_.Advance(milliseconds(250));
  Look();
  holder_.ReportListener(80);
  EXPECT_EQ(Look(), "listening");
}

TEST_F(UntilTest, ListeningBelievesNoReportFromBeforeTheWait) {
  Until until{.listening = TcpPort{0}};
  Begin(until);
  Look();
  holder_.ReportListener(80);
  Begin(until);
  EXPECT_EQ(Look(), "");
}

TEST_F(UntilTest, ListeningIsAskedForSeldomAndSeldomer) {
  Begin({.listening = TcpPort{5173}});
  for (int i = 0; i < 10'000; ++i) {
    Look();
    if (holder_.CountSent(wire::Tree::kType) > 0) {
      holder_.ReportListener(std::nullopt);
    }
    holder_.Advance(milliseconds(1));
  }
  // In ten seconds there are four a second, and some more at the beginning.
  EXPECT_LE(holder_.CountSent(wire::Tree::kType), 46u);
  EXPECT_GE(holder_.CountSent(wire::Tree::kType), 38u);
}

TEST_F(UntilTest, ExitEndsEveryWait) {
  Begin(Text("never"));
  holder_.Exit(0);
  EXPECT_EQ(Look(), "exited");
}

TEST_F(UntilTest, TextThatCameWithTheExitStillMatches) {
  Begin(Text("bye"));
  holder_.PrintSilently("bye\r\n");
  holder_.Exit(0);
  EXPECT_EQ(Look(), "matched");
}

TEST(Until, RefusesTextAndRegexTogether) {
  EXPECT_EQ(Message(Waiting::Compile({.text = "a", .regex = "b"}).status()),
            "until: give 'text' or 'regex', not both");
}

TEST(Until, RefusesABadPatternAndSaysWhy) {
  EXPECT_EQ(Message(Waiting::Compile({.regex = "(foo"}).status()),
            "pattern: missing ): \"(foo\" (RE2 syntax)");
}

TEST(Until, TakesEveryPortThereIs) {
  for (auto [port, is_one] :
       {std::pair{0, true}, std::pair{1, true}, std::pair{65'535, true},
        std::pair{65'536, false}, std::pair{-1, false}}) {
    bool compiles = Waiting::Compile({.listening = TcpPort{port}}).ok();
    EXPECT_EQ(compiles, is_one) << port;
  }
}

Until ForPerson(PersonIs person) { return {.person = person}; }

TEST_F(UntilTest, PersonIsGoneAtOnceWhenNobodyIsThere) {
  Begin(ForPerson(PersonIs::kGone));
  EXPECT_EQ(Look(), "person");
  holder_.Lease(true, 1);
  Begin(ForPerson(PersonIs::kGone));
  EXPECT_EQ(Look(), "");
  holder_.Lease(false, 2);
  EXPECT_EQ(Look(), "person");
}

TEST_F(UntilTest, PersonIsHereWhenSomebodyTookTheKeyboard) {
  Begin(ForPerson(PersonIs::kHere));
  EXPECT_EQ(Look(), "");
  holder_.Lease(true, 1);
  EXPECT_EQ(Look(), "person");
}

// A question to a person waits for one to come and to go.
TEST_F(UntilTest, OfAPermanentWatchKeepsNoInterest) {
  BeginTyping(Text("ready"),
              {.baseline = session::MarkNow(*session_), .stays = true});
  Start();
  for (size_t i = 0; i < session::kInterests; ++i) {
    auto interest = static_cast<session::Interest>(i);
    EXPECT_FALSE(session_->questions().IsWanted(interest)) << i;
  }
}

TEST_F(UntilTest, PersonHasVisitedWhenTheKeyboardIsBack) {
  Begin(ForPerson(PersonIs::kVisited));
  EXPECT_EQ(Look(), "");
  holder_.Lease(true, 1);
  EXPECT_EQ(Look(), "");
  holder_.Lease(false, 2);
  EXPECT_EQ(Look(), "person");
}

// New text on stderr counts as well as that in the output.
class ErrorsTest : public UntilTest {
 protected:
  ErrorsTest() {
    pipes_.UsePipes();
    session_ = pipes_.Open({6, 40});
  }
  ~ErrorsTest() override {
    waiting_.reset();
    session_.reset();
  }
  void BeginNow(Until until) {
    BeginAt(std::move(until), session::MarkNow(*session_));
  }
  void PrintError(std::string_view text) {
    pipes_.PrintErrorSilently(text);
    pipes_.Ring();
  }

  FakeHolder pipes_;
};

TEST_F(ErrorsTest, AreAChange) {
  PrintError("old\n");
  BeginNow({.change = ChangeIs::kAny});
  EXPECT_EQ(Look(), "");
  PrintError("new");
  EXPECT_EQ(Look(), "change");
}

TEST_F(ErrorsTest, CountAsLines) {
  PrintError("old\nolder\n");
  BeginNow({.lines = 3});
  PrintError("1\n2\n");
  EXPECT_EQ(Look(), "");
  pipes_.Print("3\n");
  EXPECT_EQ(Look(), "lines");
}

TEST_F(ErrorsTest, HaveValues) {
  PrintError("loss=0.01\n");
  BeginNow({.value = ValueIs{.regex = "loss=([0-9.]+)", .below = 0.1}});
  PrintError("loss=0.5\n");
  EXPECT_EQ(Look(), "");
  PrintError("loss=0.05\nlater\n");
  EXPECT_EQ(Look(), "value");
  EXPECT_EQ(Detail(), "loss=0.05");
  record::ReadMark behind = *waiting_->matched();
  EXPECT_EQ(behind.errors.line, 2);
  BeginAt({.value = ValueIs{.regex = "loss=([0-9.]+)", .below = 0.1}}, behind);
  EXPECT_EQ(Look(), "");
}

TEST_F(ErrorsTest, MatterIfTheyAreOfANewKind) {
  PrintError("copied 1 of 90\n");
  BeginNow({.change = ChangeIs::kMeaningful});
  pipes_.Advance(seconds(1));
  PrintError("copied 2 of 90\n");
  EXPECT_EQ(Look(), "");
  pipes_.Advance(seconds(1));
  PrintError("cannot copy x: no space left\n");
  EXPECT_EQ(Look(), "change");
  EXPECT_EQ(Detail(), "cannot copy x: no space left");
  EXPECT_EQ(waiting_->changed(), session_->errors());
  EXPECT_EQ(waiting_->matched()->errors.line, 2);
}

TEST_F(ErrorsTest, OfAKindThatTheReaderHasSeenDoNotMatter) {
  PrintError("42% of x");
  BeginNow({.change = ChangeIs::kMeaningful});
  PrintError("\r44% of x");
  EXPECT_EQ(Look(), "");
  pipes_.Advance(seconds(1));
  EXPECT_EQ(Look(), "");
}

TEST_F(ErrorsTest, ThatAreWrittenOverMoveAndDoNotMatter) {
  Until until{.change = ChangeIs::kMeaningful, .still_s = 5};
  PrintError("0% of x");
  BeginNow(until);
  for (int percent = 1; percent <= 30; ++percent) {
    PrintError(absl::StrFormat("\r%d%% of x", percent));
    pipes_.Advance(milliseconds(300));
    EXPECT_EQ(Look(), "") << percent;
  }
  pipes_.Advance(seconds(4));
  EXPECT_EQ(Look(), "");
  pipes_.Advance(seconds(2));
  EXPECT_EQ(Look(), "still");
}

// docker compose and rclone draw their rows on stderr.
TEST_F(ErrorsTest, InRowsThatAreDrawnAnewMatter) {
  auto rows = [](int second, std::string_view state) {
    return absl::StrFormat("%s\r\033[K app-0 Waiting %ds\n\r\033[K app-1 %s\n",
                           second == 0 ? "" : "\033[2A", second, state);
  };
  PrintError(rows(0, "Waiting"));
  BeginNow({.change = ChangeIs::kMeaningful});
  for (int second = 1; second < 9; ++second) {
    pipes_.Advance(seconds(1));
    PrintError(rows(second, "Waiting"));
    EXPECT_EQ(Look(), "") << second;
  }
  pipes_.Advance(seconds(1));
  PrintError(rows(9, "Error: exited (1)"));
  EXPECT_EQ(Look(), "change");
  EXPECT_EQ(Detail(), " app-1 Error: exited (1)");
}

TEST_F(ErrorsTest, OfANewBarMatterOnceItStands) {
  BeginNow({.change = ChangeIs::kMeaningful});
  for (int percent = 1; percent <= 9; ++percent) {
    PrintError(absl::StrFormat("\r%d%% of x", percent));
    pipes_.Advance(milliseconds(300));
    EXPECT_EQ(Look(), "") << percent;
  }
  pipes_.Advance(seconds(3));
  EXPECT_EQ(Look(), "change");
}

TEST_F(ErrorsTest, InALastLineThatIsWrittenOverMatterOnceTheyStand) {
  PrintError("12% of x");
  BeginNow({.change = ChangeIs::kMeaningful});
  PrintError("\r13% of x");
  EXPECT_EQ(Look(), "");
  pipes_.Advance(seconds(1));
  PrintError("\r\033[Kpaused by the server");
  EXPECT_EQ(Look(), "");
  pipes_.Advance(seconds(1));
  EXPECT_EQ(Look(), "");
  pipes_.Advance(seconds(2));
  EXPECT_EQ(Look(), "change");
  EXPECT_EQ(Detail(), "paused by the server");
}

TEST_F(ErrorsTest, ThatWereThereBeforeDoNotMatch) {
  PrintError("failed: ");
  BeginNow(Text("failed"));
  EXPECT_EQ(Look(), "");
  PrintError("not found\n");
  EXPECT_EQ(Look(), "");
  PrintError("failed\n");
  EXPECT_EQ(Look(), "matched");
}

TEST_F(ErrorsTest, AreCountedWhereAWaitHasMissed) {
  BeginNow(Text("done"));
  PrintError("almost\n");
  pipes_.Print("out\n");
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(waiting_->DescribeMissed().lines, 2);
  EXPECT_EQ(waiting_->DescribeMissed().last, "almost");
}

}  // namespace
}  // namespace glasstty::waits
