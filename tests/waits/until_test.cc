#include "waits/until.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "support/status.h"
#include "testing/fake_holder.h"
#include "waits/until_fixture.h"

namespace glasstty::waits {

using record::MarkNow;
using record::ReadMark;

namespace {

using std::chrono::milliseconds;

TEST(Until, IsEmptyUntilAnyOfItsConditionsIsGiven) {
  EXPECT_TRUE(Until().empty());
  EXPECT_TRUE((Until{.on = MatchOn::kOutput}).empty());
  for (const Until& until :
       {Text("x"), Until{.regex = "x"}, Until{.gone = "x"}, Until{.stop = "x"},
        Until{.state = {session::Activity::kPrompt}}, Until{.quiet_s = 1},
        Until{.change = true}, Until{.bell = true}, Until{.title = "x"},
        Until{.listening = TcpPort{}}, Until{.person = PersonIs::kHere},
        Until{.lines = 1}}) {
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
  EXPECT_EQ(listed,
            (std::vector<std::string>{"text", "regex", "stop", "gone", "change",
                                      "listening", "state", "quiet_s"}));
}

TEST_F(UntilTest, TextMatchesOutputThatArrivesLater) {
  Begin(Text("ready"));
  holder_.Print("booting\r\n");
  EXPECT_EQ(Look(), "");
  holder_.Print("rea");
  EXPECT_EQ(Look(), "");
  holder_.Print("dy\r\n");
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, TextThatWasThereBeforeDoesNotCount) {
  holder_.Print("ready\r\n");
  Begin(Text("ready"));
  EXPECT_EQ(Look(), "");
  holder_.Print("other\r\n");
  EXPECT_EQ(Look(), "");
}

TEST_F(UntilTest, TheShownPartOfALineDoesNotCount) {
  holder_.Print("done: ");
  Begin(Text("done"));
  holder_.Print("almost\r\n");
  EXPECT_EQ(Look(), "");
}

TEST_F(UntilTest, UnreadTextPrintedBeforeTheWaitIsSeen) {
  ReadMark before = MarkNow(session_->terminal());
  holder_.Print("ready\r\nmore\r\n");
  BeginAt(Text("ready"), before);
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, WhatWasMatchedIsNotMatchedByTheNextWait) {
  ReadMark before = MarkNow(session_->terminal());
  holder_.Print("one listening\r\nhay\r\ntwo listening\r\nlistening st");
  std::vector<std::string> lines;
  for (int i = 0; i < 3; ++i) {
    BeginAt(Text("listening"), before);
    Time again = Time::max();
    auto reason = check_->Look(&again);
    ASSERT_TRUE(reason);
    lines.push_back(reason->detail);
    before = *check_->matched();
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"one listening", "two listening",
                                             "listening st"}));
  BeginAt(Text("listening"), before);
  EXPECT_EQ(Look(), "");
  holder_.Print("ill\r\n");
  EXPECT_EQ(Look(), "");
  holder_.Print("listening\r\n");
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, AnEmptyLineThatWasMatchedIsBehindTheNextWaitToo) {
  ReadMark before = MarkNow(session_->terminal());
  holder_.Print("one\r\n\r\ntwo\r\n");
  BeginAt(Until{.regex = "^$"}, before);
  ASSERT_EQ(Look(), "matched");
  EXPECT_EQ(check_->matched()->line, before.line + 1);
}

TEST_F(UntilTest, AMatchOfTheVeryEndBelongsToTheLastLine) {
  ReadMark before = MarkNow(session_->terminal());
  holder_.Print("one\r\ntwo");
  BeginAt(Until{.regex = "\\z"}, before);
  ASSERT_EQ(Look(), "matched");
  EXPECT_EQ(check_->matched()->line, before.line + 1);
}

TEST_F(UntilTest, ARowThatWasMatchedIsNotMatchedByTheNextWait) {
  ReadMark before = MarkNow(session_->terminal());
  holder_.Print("\033[?1049h\033[2;1HDone");
  holder_.Advance(Settling::kQuiet);
  BeginAt(Text("Done"), before);
  Look();
  holder_.Advance(Settling::kLongest);
  EXPECT_EQ(Look(), "matched");
  before = *check_->matched();
  BeginAt(Text("Done"), before);
  EXPECT_EQ(Look(), "");
  holder_.Print("\033[4;1HDone again");
  Look();
  holder_.Advance(Settling::kLongest);
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, WhatWasMissedIsDescribed) {
  Begin(Text("Listening on"));
  holder_.Print("start\r\nserver listening  on 80\r\nlast line\r\n");
  EXPECT_EQ(Look(), "");
  UntilCheck::Missed missed = check_->DescribeMissed();
  EXPECT_EQ(missed.lines, 3);
  EXPECT_EQ(missed.last, "last line");
  EXPECT_EQ(missed.nearest, "server listening  on 80");
}

TEST_F(UntilTest, ANearMissThatWasShownBeforeIsToldOfAScreenOnly) {
  holder_.Print("server listening on 80\r\n");
  Begin(Text("Listening on"));
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(check_->DescribeMissed().nearest, "");
  holder_.Print("\033[?1049h\033[3;1Hserver listening on 80");
  Begin(Text("Listening on"));
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(check_->DescribeMissed().nearest, "server listening on 80");
  // What is new is nearer.
  holder_.Print("\033[1;1Hclient listening on 81");
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(check_->DescribeMissed().nearest, "client listening on 81");
}

TEST_F(UntilTest, HalfAFrameIsNotLookedAt) {
  Until until = Text("Loading");
  until.change = true;
  Begin(until);
  holder_.Print("\033[?2026hLoading");
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(again_, holder_.loop()->Now() + session::Session::kFrameLimit);
  holder_.Print("\r\033[KReady\033[?2026l");
  EXPECT_EQ(Look(), "change");
}

TEST_F(UntilTest, AFrameThatIsNotEndedInTimeIsLookedAtAllTheSame) {
  Begin(Text("Loading"));
  holder_.Print("\033[?2026hLoading");
  EXPECT_EQ(Look(), "");
  holder_.Advance(session::Session::kFrameLimit);
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, TheEchoOfWhatWasTypedNeverMatches) {
  holder_.Print("$ ");
  Begin(Text("late"), {"sleep 1; echo late"});
  holder_.Print("sleep 1; ec");
  EXPECT_EQ(Look(), "");
  holder_.Print("ho late\r\n");
  EXPECT_EQ(Look(), "");
  holder_.Print("late\r\n");
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, AnEchoThatComesByteByByteNeverMatches) {
  holder_.Print("$ ");
  Begin(Text("hi"), {"echo hi"});
  for (char c : std::string("echo hi\r\n")) {
    holder_.Print(std::string(1, c));
    EXPECT_EQ(Look(), "");
  }
  holder_.Print("hi\r\n");
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, OutputEqualToTheTypedLineMatchesOnceTheEchoIsThrough) {
  Begin(Text("hello"), {"hello"});
  holder_.Print("hello\r\n");  // echo
  EXPECT_EQ(Look(), "");
  holder_.Print("hello\r\n");  // cat's answer
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, TextThatCameAndWentWhileTypingIsKept) {
  Begin(Text("flash"));
  Watch watch(session_->waiters(), [this] { check_->Observe(); });
  check_->AddTyped("show flash");
  holder_.Print("$ show flash\r\n");
  EXPECT_EQ(Look(), "");
  holder_.Print("flash!\r\033[Kover");
  EXPECT_EQ(Look(), "matched");
}

// A call that types begins its wait later, and the answer may come meanwhile.
TEST_F(UntilTest, TextThatFlashesWhileACallTypesIsKept) {
  BeginTyping(Text("flash"), MarkNow(session_->terminal()));
  Watch watch(session_->waiters(), [this] { check_->Observe(); });
  holder_.Print("flash!\r\033[Kover");
  check_->BeginWait(Time::max());
  EXPECT_EQ(Look(), "matched");
}

// In moments, which costs time, only for what may be there for a moment.
TEST_F(UntilTest, OutputIsFedInPiecesUnlessTextIsWaitedFor) {
  for (const Until& until : {Text("x"), Until{.gone = "x"}, Until{.title = "x"},
                             Until{.bell = true}, Until{.lines = 9}}) {
    BeginTyping(until, MarkNow(session_->terminal()));
    int looks = 0;
    Watch watch(session_->waiters(), [&] { ++looks; });
    holder_.Print("flash!\r\033[Kover");
    bool is_text = until.text || until.gone || until.title;
    EXPECT_EQ(looks > 1, is_text) << looks;
    check_.reset();
  }
}

TEST_F(UntilTest, QuietCountsFromTheEndOfTheTyping) {
  Begin(DefaultUntil());
  holder_.Print("echo");
  holder_.Advance(milliseconds(2000));
  check_->EndTyping();
  EXPECT_EQ(Look(), "");
  holder_.Advance(milliseconds(500));
  EXPECT_EQ(Look(), "quiet");
}

TEST_F(UntilTest, RegexMatchesPerLine) {
  Until until;
  until.regex = "^[0-9]+ passed$";
  Begin(until);
  holder_.Print("12 passed, 1 failed\r\n");
  EXPECT_EQ(Look(), "");
  holder_.Print("13 passed\r\n");
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, APatternMatchesWithTheBlanksAtALinesEndOrWithout) {
  Until until;
  until.regex = "^> $";
  Begin(until);
  holder_.Print("> ");
  EXPECT_EQ(Look(), "matched");
  until.regex = "^dos$";
  Begin(until);
  holder_.Print("\r\ndos\t\r\r\n");
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, RegexMaySpanLinesThatArriveApart) {
  Until until;
  until.regex = "begin\\nend";
  Begin(until);
  holder_.Print("begin\r\n");
  EXPECT_EQ(Look(), "");
  holder_.Print("end\r\n");
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, TextOnTheAlternateScreenIsSeen) {
  Begin(Text("Menu"));
  holder_.Print("\033[?1049h\033[2;5HMenu");
  EXPECT_EQ(Look(), "");
  holder_.Advance(Settling::kQuiet);
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, AScreenSettlesWhenTheProgramWaitsForInput) {
  Begin(Text("Menu"));
  holder_.Print("\033[?1049h\033[2;5HMenu");
  EXPECT_EQ(Look(), "");
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
  check_->BeginWait(holder_.loop()->Now() + milliseconds(20));
  holder_.Print("\033[?1049h\033[2;5HMenu");
  EXPECT_EQ(Look(), "");
  holder_.Advance(milliseconds(20));
  EXPECT_EQ(Look(), "matched");
}

// More of the screen makes no difference to a bell.
TEST_F(UntilTest, ABellIsReportedBeforeTheScreenHasSettledAndAChangeIsNot) {
  Begin(Until{.bell = true});
  holder_.Print("\033[?1049h\033[2;5HMenu\a");
  EXPECT_EQ(Look(), "bell");
  Begin(Until{.change = true});
  holder_.Print("\033[3;5HOpen");
  EXPECT_EQ(Look(), "");
}

TEST_F(UntilTest, OnlyAWaitForWhatSettlesAsksWhetherTheProgramWaits) {
  holder_.Print("\033[?1049h\033[2;5HMenu");
  Begin(Until{.bell = true});
  holder_.Print("\033[3;5HOpen");
  EXPECT_EQ(holder_.CountSent(wire::PacketType::kProbe), 0u);
  Begin(Text("Save"));
  holder_.Print("\033[4;5HExit");
  EXPECT_GT(holder_.CountSent(wire::PacketType::kProbe), 0u);
}

// What is under way is fed first, and that takes a turn of the loop.
TEST_F(UntilTest, AScreenWithOutputUnderWayIsLookedAtLater) {
  Begin(Text("Menu"));
  holder_.Print("\033[?1049h\033[2;5HMenu");
  EXPECT_EQ(Look(), "");
  holder_.Advance(Settling::kQuiet);
  holder_.PrintSilently("\033[3;5HOpen");
  holder_.RingUnfed();
  EXPECT_EQ(Look(), "");
  EXPECT_GT(again_, holder_.loop()->Now());
}

TEST_F(UntilTest, ATextThatFlashesOnAScreenIsStillMatchedWhenItSettles) {
  Begin(Text("flash"));
  holder_.Print("\033[?1049h\033[2;5Hflash");
  EXPECT_EQ(Look(), "");
  holder_.Print("\033[2J");
  holder_.Advance(Settling::kQuiet);
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, TheEchoInAFullScreenProgramNeverMatchesEither) {
  Begin(Text("needle"), {":e needle.txt"});
  holder_.Print("\033[?1049h\033[6;1H:e need");
  EXPECT_EQ(Look(), "");
  holder_.Print("le.txt");
  EXPECT_EQ(Look(), "");
  holder_.Print("\r\033[K\"needle.txt\" [New]");
  EXPECT_EQ(Look(), "");
  holder_.Advance(Settling::kQuiet);
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, OfRowsThatLookAlikeTheOneAtTheCursorIsTheEcho) {
  holder_.Print("\033[?1049h");
  Begin(Text("needle"), {"needle"});
  holder_.Print("\033[1;1Hfound needle\033[6;1H> needle");
  Look();
  holder_.Advance(Settling::kLongest);
  Time again = Time::max();
  auto reason = check_->Look(&again);
  ASSERT_TRUE(reason);
  EXPECT_EQ(reason->detail, "found needle");
}

TEST_F(UntilTest, TheEchoNeverMatchesOnTheScreen) {
  Until until = Text("needle");
  until.on = MatchOn::kScreen;
  Begin(until, {"echo needle"});
  holder_.Print("$ echo needle\r\n");
  EXPECT_EQ(Look(), "");
  holder_.Print("needle\r\n");
  EXPECT_EQ(Look(), "matched");
}

TEST_F(UntilTest, StopEndsTheWaitFirst) {
  Until until = Text("ready");
  until.stop = "error|failed";
  Begin(until);
  holder_.Print("error: no\r\nready\r\n");
  EXPECT_EQ(Look(), "stopped");
}

TEST_F(UntilTest, GoneIsTrueWhenTheTextHasLeftTheScreen) {
  holder_.Print("Loading...");
  Until until;
  until.gone = "Loading";
  Begin(until);
  EXPECT_EQ(Look(), "");
  holder_.Print("\r\033[K");
  EXPECT_EQ(Look(), "gone");
}

TEST_F(UntilTest, GoneSaysThatTheTextWasNeverThere) {
  holder_.Print("Loading...");
  Until until;
  until.gone = "Loadnig";
  Begin(until);
  EXPECT_EQ(Look(), "");
  holder_.Advance(milliseconds(499));
  EXPECT_EQ(Look(), "");
  holder_.Advance(milliseconds(1));
  Time again = Time::max();
  auto reason = check_->Look(&again);
  ASSERT_TRUE(reason);
  EXPECT_EQ(reason->word, "gone");
  EXPECT_EQ(reason->detail, kNeverThere);
}

TEST_F(UntilTest, GoneWaitsForTheTextToComeFirst) {
  Until until;
  until.gone = "Saving";
  Begin(until);
  holder_.Advance(milliseconds(300));
  EXPECT_EQ(Look(), "");
  holder_.Print("Saving");
  EXPECT_EQ(Look(), "");
  holder_.Advance(milliseconds(5000));
  EXPECT_EQ(Look(), "");
  holder_.Print("\r\033[K");
  EXPECT_EQ(Look(), "gone");
}

TEST_F(UntilTest, GoneKnowsATextThatCameAndWentWhileTyping) {
  Until until;
  until.gone = "Saving";
  Begin(until);
  Watch watch(session_->waiters(), [this] { check_->Observe(); });
  holder_.Print("Saving\r\033[K");
  Time again = Time::max();
  auto reason = check_->Look(&again);
  ASSERT_TRUE(reason);
  EXPECT_EQ(reason->detail, "");
}

TEST_F(UntilTest, QuietCountsFromTheLastOutput) {
  Until until;
  until.quiet_s = 0.5;
  Begin(until);
  holder_.Print("x");
  EXPECT_EQ(Look(), "");
  EXPECT_EQ(again_, holder_.loop()->Now() + milliseconds(500));
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
  Until until;
  until.change = true;
  Begin(until);
  EXPECT_EQ(Look(), "");
  holder_.Print("x");
  EXPECT_EQ(Look(), "change");
}

TEST_F(UntilTest, BellAndTitleAreEdges) {
  Until until;
  until.bell = true;
  until.title = "vim";
  Begin(until);
  holder_.Print("\033]2;bash\033\\");
  EXPECT_EQ(Look(), "");
  holder_.Print("\033]2;vim x\033\\");
  EXPECT_EQ(Look(), "title");
  Begin(until);
  holder_.Print("\a");
  EXPECT_EQ(Look(), "bell");
}

TEST_F(UntilTest, LinesCountOnceTheyHaveEnded) {
  Until until;
  until.lines = 2;
  holder_.Print("half");
  Begin(until);
  holder_.Print(" a line\r\nanother");
  EXPECT_EQ(Look(), "");
  holder_.Print("\r\n");
  EXPECT_EQ(Look(), "lines");
}

TEST_F(UntilTest, StateIsALevel) {
  holder_.Answer(wire::Waiting::kRead, true, false);
  Until until;
  until.state = {session::Activity::kSecret};
  Begin(until);
  Look();
  holder_.loop()->RunReady();
  EXPECT_EQ(Look(), "secret");
}

TEST_F(UntilTest, ListeningIsALevelAndSaysWho) {
  Until until;
  until.listening = TcpPort{5173};
  Begin(until);
  EXPECT_EQ(Look(), "");
  holder_.ReportListener(5173);
  Time again = Time::max();
  auto reason = check_->Look(&again);
  ASSERT_TRUE(reason);
  EXPECT_EQ(reason->word, "listening");
  EXPECT_EQ(reason->detail, "port 5173: pid 812 node server.js");
}

TEST_F(UntilTest, ListeningOnAnotherPortCountsOnlyForAny) {
  Until until;
  until.listening = TcpPort{5173};
  Begin(until);
  Look();
  holder_.ReportListener(80);
  EXPECT_EQ(Look(), "");
  until.listening = TcpPort{0};
  Begin(until);
  holder_.Advance(milliseconds(250));
  Look();
  holder_.ReportListener(80);
  EXPECT_EQ(Look(), "listening");
}

TEST_F(UntilTest, ListeningBelievesNoReportFromBeforeTheWait) {
  Until until;
  until.listening = TcpPort{0};
  Begin(until);
  Look();
  holder_.ReportListener(80);
  Begin(until);
  EXPECT_EQ(Look(), "");
}

TEST_F(UntilTest, ListeningIsAskedForSeldomAndSeldomer) {
  Until until;
  until.listening = TcpPort{5173};
  Begin(until);
  for (int i = 0; i < 10'000; ++i) {
    Look();
    if (holder_.CountSent(wire::PacketType::kTree) > 0) {
      holder_.ReportListener(std::nullopt);
    }
    holder_.Advance(milliseconds(1));
  }
  // Ten seconds: four a second, and some more at the beginning.
  EXPECT_LE(holder_.CountSent(wire::PacketType::kTree), 46u);
  EXPECT_GE(holder_.CountSent(wire::PacketType::kTree), 38u);
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
  Until until = Text("a");
  until.regex = "b";
  EXPECT_EQ(Message(UntilCheck::Compile(until).status()),
            "until: give 'text' or 'regex', not both");
}

TEST(Until, RefusesABadPatternAndSaysWhy) {
  Until until;
  until.regex = "(foo";
  EXPECT_EQ(Message(UntilCheck::Compile(until).status()),
            "pattern: missing ): \"(foo\" (RE2 syntax)");
}

TEST(Until, TakesEveryPortThereIs) {
  for (auto [port, is_one] :
       {std::pair{0, true}, std::pair{1, true}, std::pair{65'535, true},
        std::pair{65'536, false}, std::pair{-1, false}}) {
    Until until;
    until.listening = TcpPort{port};
    EXPECT_EQ(UntilCheck::Compile(until).ok(), is_one) << port;
  }
}

Until ForPerson(PersonIs person) {
  Until until;
  until.person = person;
  return until;
}

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

// Whoever asks for a person waits for one to come and to go.
TEST_F(UntilTest, PersonHasVisitedWhenTheKeyboardIsBack) {
  Begin(ForPerson(PersonIs::kVisited));
  EXPECT_EQ(Look(), "");
  holder_.Lease(true, 1);
  EXPECT_EQ(Look(), "");
  holder_.Lease(false, 2);
  EXPECT_EQ(Look(), "person");
}

}  // namespace
}  // namespace glasstty::waits
