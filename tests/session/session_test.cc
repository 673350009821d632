#include "session/session.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "absl/strings/str_format.h"
#include "support/status.h"
#include "support/task.h"
#include "testing/fake_holder.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Session, ShowsWhatTheLogHolds) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Print("hello\r\n");
  EXPECT_EQ(FirstRow(*session), "hello");
  EXPECT_EQ(session->output().feed().consumed(), 7u);
}

TEST(Session, AcknowledgesWhatTheEmulatorHasConsumed) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Print("hello");
  ASSERT_EQ(holder.CountSent(wire::PacketType::kAck), 1u);
  EXPECT_EQ(holder.sent().back().header.a, 5u);
}

TEST(Session, AnswersTheProgramsQueriesInTheSameTurn) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Print("\033[5n");
  EXPECT_EQ(holder.typed(), "\033[0n");
}

TEST(Session, IsExitedOnlyWhenItsLastByteWasRead) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.PrintSilently("last words");
  holder.Exit(7 << 8);
  EXPECT_TRUE(session->verdict().exited());
  EXPECT_EQ(FirstRow(*session), "last words");
  EXPECT_EQ(session->life().exit_status(), 7 << 8);
}

TEST(Session, AHolderThatVanishesWithoutAStatusIsSaidToBeLost) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Print("some");
  holder.Vanish();
  EXPECT_TRUE(session->verdict().holder_lost());
  EXPECT_TRUE(session->finished());
  EXPECT_EQ(FirstRow(*session), "some");
}

TEST(Session, ShowsWhatWasLoggedLastBeforeItsHolderDied) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Print("told of\r\n");
  holder.PrintSilently("not told of");
  holder.Vanish();
  EXPECT_EQ(session->output().terminal().TakeSnapshot().rows[1].text,
            "not told of");
  EXPECT_TRUE(session->verdict().holder_lost());
}

TEST(Session, ShowsTheErrorsThatWereLoggedLastBeforeItsHolderDied) {
  FakeHolder holder;
  holder.UsePipes();
  SessionRef session = holder.Open();
  holder.PrintErrorSilently("not told of");
  holder.Vanish();
  EXPECT_EQ(session->errors()->terminal().TakeSnapshot().rows[0].text,
            "not told of");
}

TEST(Session, WaitsForALogThatIsShorterThanItsHolderSays) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.PrintSilently("early");
  auto log = std::filesystem::path(holder.path()) / wire::SegmentName("out", 0);
  std::filesystem::resize_file(log, 2);
  // Without end if it were read again at once.
  holder.Ring();
  EXPECT_EQ(FirstRow(*session), "ea");
  EXPECT_TRUE(session->output().HasUnfed());
  std::ofstream(log, std::ios::app) << "rly";
  holder.Ring();
  EXPECT_EQ(FirstRow(*session), "early");
}

TEST(Session, ShowsTheLogOfAHolderThatDiedBeforeItsGreeting) {
  FakeHolder holder;
  holder.PrintSilently("\033[6nlast words");
  SessionRef session = holder.OpenUngreeted();
  holder.Vanish();
  EXPECT_EQ(FirstRow(*session), "last words");
  EXPECT_TRUE(session->verdict().holder_lost());
  EXPECT_EQ(holder.typed(), "") << "nobody is left who asks";
}

TEST(Session, FindsTheStatusOnDiskWhenItsPacketWasLost) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.PrintSilently("last words");
  wire::ExitRecord record{.offset = holder.end(), .status = 7 << 8};
  ASSERT_TRUE(
      ReplaceFileAt(holder.directory(), wire::kExitName,
                    {reinterpret_cast<const char*>(&record), sizeof record}));
  holder.Vanish();
  ASSERT_TRUE(session->verdict().exited());
  EXPECT_EQ(session->life().exit_status(), 7 << 8);
  EXPECT_EQ(FirstRow(*session), "last words");
}

TEST(Session, TakesItsNewSizeAtTheByteWhereTheHolderGaveIt) {
  FakeHolder holder;
  SessionRef session = holder.Open({6, 20});
  holder.PrintSilently("before");
  holder.Resized({8, 10});  // offset 6, not fed yet
  holder.Print("0123456789");
  EXPECT_EQ(session->output().terminal().size(), (terminal::Size{8, 10}));
  // With 10 columns the text wraps; with 20 it would not.
  EXPECT_EQ(FirstRow(*session), "before0123");
}

TEST(Session, SplitsLongInputAndPutsEndOfFileBehindItsLastByte) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  session->Write(std::string(10'000, 'x'), wire::kWriteEof);
  ASSERT_EQ(holder.CountSent(wire::PacketType::kWrite), 3u);
  EXPECT_EQ(holder.typed().size(), 10'000u);
  const auto& sent = holder.sent();
  EXPECT_EQ(sent[sent.size() - 2].header.b, uint64_t{wire::kWriteMore});
  EXPECT_EQ(sent.back().header.b, uint64_t{wire::kWriteEof});
}

// ---- waiting

Task<Outcome> WaitOnce(SessionRef session, Predicate met, Time deadline,
                       Cancellation* cancellation) {
  co_return co_await session->WaitFor(std::move(met), deadline, cancellation);
}

// A wait and how it ended. Ends what still waits, for a frame that is never
// resumed is a leak.
struct WaitRun {
  SessionRef session;
  std::optional<Outcome> outcome;

  ~WaitRun() {
    session->Abandon();
    session->loop()->RunReady();
  }
  void Begin(SessionRef waited_on, Predicate met, Duration patience,
             Cancellation* cancellation = nullptr) {
    session = std::move(waited_on);
    Time deadline = session->loop()->Now() + patience;
    Start(WaitOnce(session, std::move(met), deadline, cancellation),
          [this](Outcome o) { outcome = o; });
  }
};

TEST(Session, SaysWhyItsProgramCouldNotBeStarted) {
  FakeHolder holder;
  SessionRef session = holder.OpenUngreeted();
  EXPECT_FALSE(session->life().started());
  EXPECT_TRUE(session->life().start_error().ok());
  holder.FailStart(wire::StartStage::kExec, ENOENT);
  EXPECT_FALSE(session->life().started());
  EXPECT_EQ(Message(session->life().start_error()),
            "cannot start 'program': No such file or directory (PATH "
            "searched)");
}

TEST(Session, IsStartedWhenTheProgramHasAProcess) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  EXPECT_TRUE(session->life().started());
  EXPECT_EQ(session->life().leader_pid(), 4242);
  EXPECT_TRUE(session->life().start_error().ok());
}

TEST(Session, SaysHowItIsToBeClosed) {
  for (bool eof : {false, true}) {
    for (bool kill : {false, true}) {
      FakeHolder holder;
      SessionRef session = holder.Open();
      session->Close(seconds(2), eof, kill);
      const wire::PacketHeader& sent = holder.sent().back().header;
      EXPECT_EQ(sent.type, wire::PacketType::kClose);
      EXPECT_EQ(sent.a, 2000u);
      EXPECT_EQ(sent.b, (eof ? uint64_t{wire::kCloseEof} : 0) |
                            (kill ? uint64_t{wire::kCloseKillSurvivors} : 0));
    }
  }
}

// It comes from another process.
TEST(Session, TakesOfAProgramsNameAsMuchAsThereIs) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Answer(wire::Waiting::kRead, true, true,
                "a-name-of-more-than-its-room");
  AskState(session);
  holder.loop()->RunReady();
  auto state = AskState(session);
  ASSERT_TRUE(state);
  EXPECT_TRUE(std::string_view("a-name-of-more-than-its-room")
                  .starts_with(state->program))
      << state->program;
}

// `read -e` in a command of the shell looks like the shell's own prompt.
TEST(Session, KnowsThePromptFromACommandThatReadsLines) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Answer(wire::Waiting::kPoll, false, false, "bash");
  auto state_of = [&] {
    AskState(session);
    holder.Advance(Prober::kQuickestPace);
    AskState(session);
    holder.loop()->RunReady();
    auto state = AskState(session);
    return state ? StateText(*state) : "none";
  };
  holder.Print("\x1b]133;A;aid=n0nce\a$ \x1b]133;B;aid=n0nce\a");
  EXPECT_EQ(state_of(), "prompt");
  EXPECT_EQ(AskState(session)->program, "program");
  holder.Print(
      "read -e x\r\n\x1b]633;E;read -e x;n0nce\a"
      "\x1b]133;C;aid=n0nce\a> ");
  std::string reads = state_of();
  EXPECT_NE(reads, "prompt") << reads;
}

// Commands that an earlier server has seen have no duration.
TEST(Session, TimesItsCommandsUnlessTheyAreReplayed) {
  constexpr char kCommand[] = "\x1b]133;C;aid=n0nce\a\x1b]133;D;0;aid=n0nce\a";
  FakeHolder live, left;
  SessionRef session = live.Open();
  live.Print(kCommand);
  const record::CommandBlock* block = session->events().commands().Find(-1);
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(block->started.has_value());
  EXPECT_TRUE(block->ended.has_value());
  left.PrintSilently(kCommand);
  SessionRef adopted = left.OpenAdopted(left.end());
  left.loop()->RunReady();
  block = adopted->events().commands().Find(-1);
  ASSERT_NE(block, nullptr);
  EXPECT_FALSE(block->started.has_value());
}

TEST(Session, TellsWhenAPersonGivesTheKeyboardBack) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  size_t writes = holder.CountSent(wire::PacketType::kWrite);
  holder.Lease(true, 1);
  // Nothing is known of the line while the person is there.
  EXPECT_EQ(holder.CountSent(wire::PacketType::kWrite), writes);
  holder.Lease(false, 2, 3);
  // A packet without bytes asks when all has been read.
  EXPECT_EQ(holder.CountSent(wire::PacketType::kWrite), writes + 1);
  EXPECT_EQ(holder.typed(), "");
  // The same news comes again.
  holder.Lease(false, 2, 3);
  EXPECT_EQ(holder.CountSent(wire::PacketType::kWrite), writes + 1);
}

TEST(Wait, IsMetByTheOutputThatMakesItTrue) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  WaitRun run;
  Session* s = session.get();
  run.Begin(
      session, [s] { return FirstRow(*s) == "ab"; }, seconds(5));
  holder.Print("a");
  EXPECT_FALSE(run.outcome);
  holder.Print("b");
  EXPECT_EQ(run.outcome, Outcome::kMet);
  EXPECT_TRUE(session->waiters()->empty());
}

TEST(Wait, ThatLooksCloselySeesWhatIsErasedInTheSameWrite) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  auto close_look = session->questions().Keep(Interest::kText);
  WaitRun run;
  Session* s = session.get();
  run.Begin(
      session, [s] { return FirstRow(*s) == "flash"; }, seconds(5));
  holder.Print("flash\r\033[Kover");
  EXPECT_EQ(run.outcome, Outcome::kMet);
  EXPECT_EQ(FirstRow(*session), "over");
}

TEST(Frame, IsWholeUnlessItIsBeingDrawn) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  EXPECT_TRUE(session->verdict().IsFrameWhole().met());
  holder.Print("\033[?2026hhalf");
  EXPECT_FALSE(session->verdict().IsFrameWhole().met());
  holder.Print(" and half\033[?2026l");
  EXPECT_TRUE(session->verdict().IsFrameWhole().met());
}

TEST(Frame, ThatIsNeverEndedIsBelievedForAWhileOnly) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  WaitRun run;
  Session* s = session.get();
  holder.Print("\033[?2026hhalf");
  run.Begin(
      session, [s] { return s->verdict().IsFrameWhole(); }, seconds(5));
  holder.Advance(Verdict::kFrameLimit - milliseconds(1));
  EXPECT_FALSE(run.outcome);
  // Drawing goes on, the limit does not.
  holder.Print("more\033[?2026hand more");
  holder.Advance(milliseconds(1));
  EXPECT_EQ(run.outcome, Outcome::kMet);
}

TEST(Frame, IsShownToTheWaiterBeforeTheNextOneBegins) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Print("\033[?2026h\033[Hone ");
  std::string seen;
  auto look = [](SessionRef of, std::string* row) -> Task<bool> {
    Session* s = of.get();
    co_await s->WaitFor([s] { return s->verdict().IsFrameWhole(); },
                        Time::max(), nullptr);
    *row = FirstRow(*s);
    co_return true;
  };
  Start(look(session, &seen), [](bool) {});
  holder.Print("done\033[?2026l\033[?2026h\033[Htwo");
  EXPECT_EQ(seen, "one done");
}

TEST(Wait, ThatTimesOutAnswersAtItsDeadline) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  WaitRun run;
  run.Begin(
      session, [] { return false; }, seconds(5));
  holder.Advance(milliseconds(4999));
  EXPECT_FALSE(run.outcome);
  holder.Advance(milliseconds(1));
  EXPECT_EQ(run.outcome, Outcome::kTimeout);
}

TEST(Wait, IsCancelledAtOnceAndOnlyOnce) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  Cancellation cancellation;
  WaitRun run;
  run.Begin(
      session, [] { return false; }, seconds(5), &cancellation);
  cancellation.Cancel();
  holder.loop()->RunReady();
  EXPECT_EQ(run.outcome, Outcome::kCancelled);
  cancellation.Cancel();
  holder.Print("more");
  EXPECT_TRUE(session->waiters()->empty());
}

TEST(Wait, EndsClosedWhenTheSessionIsAbandoned) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  WaitRun run;
  run.Begin(
      session, [] { return false; }, seconds(5));
  session->Abandon();
  holder.loop()->RunReady();
  EXPECT_EQ(run.outcome, Outcome::kClosed);
}

TEST(Wait, LooksAgainWhenThePredicateAsksForIt) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  Loop* loop = holder.loop();
  Time due = loop->Now() + milliseconds(300);
  WaitRun run;
  run.Begin(
      session, [=] { return Look(loop->Now() >= due, due); }, seconds(5));
  holder.Advance(milliseconds(300));
  EXPECT_EQ(run.outcome, Outcome::kMet);
}

TEST(Wait, OnTwoSessionsIsMetByEither) {
  FakeHolder first, second;
  SessionRef a = first.Open();
  SessionRef b = second.Open();
  Session* other = b.get();
  std::optional<Outcome> outcome;
  auto both = [](Loop* loop, std::vector<WaiterList*> lists,
                 Predicate met) -> Task<Outcome> {
    co_return co_await Wait(loop, lists, met, Time::max(), nullptr);
  };
  Start(both(first.loop(), {a->waiters(), b->waiters()},
             [other] { return FirstRow(*other) == "b"; }),
        [&](Outcome o) { outcome = o; });
  first.Print("a");
  EXPECT_FALSE(outcome);
  second.Print("b");
  first.loop()->RunReady();
  EXPECT_EQ(outcome, Outcome::kMet);
  EXPECT_TRUE(a->waiters()->empty());
  EXPECT_TRUE(b->waiters()->empty());
}

// ---- probing

TEST(Probe, IsNotSentUnlessSomebodyWantsToKnow) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Print("output");
  holder.Advance(seconds(10));
  EXPECT_EQ(holder.CountSent(wire::PacketType::kProbe), 0u);
}

TEST(Session, CountsBellsAndTitlesAndKeepsLinks) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Print("\a\a\033]2;title\a\033[?1049h\033[?1049l");
  EXPECT_EQ(session->events().bell_count(), 2u);
  EXPECT_EQ(session->events().title_count(), 1u);
  EXPECT_TRUE(session->events().links().empty());
  holder.Print("\033]8;;https://a.example/\033\\a\033]8;;\033\\");
  ASSERT_EQ(session->events().links().size(), 1u);
  EXPECT_EQ(session->events().links()[0].uri, "https://a.example/");
}

TEST(Session, KeepsTheLastThousandLinks) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  auto print_link = [&](int number) {
    holder.Print(absl::StrFormat(
        "\033]8;;https://a.example/%d\033\\a\033]8;;\033\\", number));
  };
  for (int i = 0; i < 1000; ++i) print_link(i);
  EXPECT_EQ(session->events().links().size(), 1000u);
  EXPECT_EQ(session->events().links().front().uri, "https://a.example/0");
  print_link(1000);
  EXPECT_EQ(session->events().links().size(), 1000u);
  EXPECT_EQ(session->events().links().front().uri, "https://a.example/1");
  EXPECT_EQ(session->events().links().back().uri, "https://a.example/1000");
}

TEST(Session, RunsOneCommandAtATime) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  EXPECT_TRUE(session->mutable_input()->TakeRunSlot());
  EXPECT_FALSE(session->mutable_input()->TakeRunSlot());
  session->mutable_input()->ReleaseRunSlot();
  EXPECT_FALSE(session->input().run_slot_taken());
  EXPECT_TRUE(session->mutable_input()->TakeRunSlot());
}

// `clear` addresses one; a line editor with a completion list a few.
TEST(Session, AddressesRowsFromTheFourthOn) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Print("\033[1;1Ha\033[2;1Hb\033[3;1Hc");
  EXPECT_FALSE(session->verdict().AddressesRows());
  holder.Print("\033[4;1Hd");
  EXPECT_TRUE(session->verdict().AddressesRows());
}

TEST(Close, IsReportedWhenNoProcessIsLeft) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  session->Close(seconds(1), true, true);
  EXPECT_FALSE(session->life().close_reported());
  holder.ReportEmpty();
  EXPECT_TRUE(session->life().close_reported());
}

TEST(Close, IsReportedWhenNobodyIsLeftWhoCouldReport) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  session->Close(seconds(1), true, true);
  holder.Vanish();
  EXPECT_TRUE(session->life().close_reported());
}

// A look asks the holder, and the next one knows its answer.
bool LearnsThatItReads(FakeHolder* holder, const SessionRef& session) {
  holder->Answer(wire::Waiting::kRead);
  AskState(session);
  holder->loop()->RunReady();
  return AskState(session).has_value();
}

TEST(Probe, TellsThatAProgramWaitsForInput) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Answer(wire::Waiting::kRead);
  EXPECT_FALSE(AskState(session));
  holder.loop()->RunReady();
  auto state = AskState(session);
  ASSERT_TRUE(state);
  EXPECT_EQ(StateText(*state), "input");
}

TEST(Probe, IsStaleAfterOutput) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  ASSERT_TRUE(LearnsThatItReads(&holder, session));
  holder.Print("x");
  EXPECT_FALSE(AskState(session));
}

TEST(Probe, IsStaleAfterInput) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  ASSERT_TRUE(LearnsThatItReads(&holder, session));
  session->Write("x");
  EXPECT_FALSE(AskState(session));
}

// A program can stop waiting without a byte of output: `read -t`, a timer.
TEST(Probe, IsStaleAfterAWhile) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  ASSERT_TRUE(LearnsThatItReads(&holder, session));
  holder.Answer(wire::Waiting::kSleepOther);
  holder.Advance(seconds(10));
  holder.Advance(seconds(10));
  EXPECT_FALSE(AskState(session));
  holder.loop()->RunReady();
  auto state = AskState(session);
  ASSERT_TRUE(state);
  EXPECT_EQ(StateText(*state), "busy(kernel)");
}

// A look shortly before the answer gets old does not delay one shortly after.
TEST(Probe, IsSentAtOnceWhenTheLastAnswerIsOld) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  holder.Answer(wire::Waiting::kRead);
  session->questions().Keep(Interest::kForeground);
  holder.loop()->RunReady();
  holder.Advance(Prober::kQuickestPace);
  // Not older than that.
  EXPECT_NE(session->questions().prober().fresh(), nullptr);
  session->questions().Keep(Interest::kForeground);
  holder.Advance(std::chrono::milliseconds(2));
  size_t sent = holder.CountSent(wire::PacketType::kProbe);
  session->questions().Keep(Interest::kForeground);
  holder.loop()->RunReady();
  EXPECT_EQ(holder.CountSent(wire::PacketType::kProbe), sent + 1);
}

TEST(Probe, FollowsABusyProgramUntilItAsks) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  WaitRun run;
  Session* s = session.get();
  auto interest = session->questions().Keep(Interest::kState);
  run.Begin(
      session,
      [s] {
        auto state = s->verdict().settled_state();
        return Look(state && state->activity == Activity::kInput,
                    s->loop()->Now() + Prober::kQuickestPace);
      },
      seconds(5));
  for (int i = 0; i < 10; ++i) holder.Advance(Prober::kQuickestPace);
  EXPECT_FALSE(run.outcome);
  holder.Answer(wire::Waiting::kPoll);
  holder.Advance(2 * Prober::kQuickestPace);
  EXPECT_EQ(run.outcome, Outcome::kMet);
}

TEST(Probe, OfAFloodIsBounded) {
  FakeHolder holder;
  SessionRef session = holder.Open();
  Session* s = session.get();
  WaitRun run;
  auto interest = session->questions().Keep(Interest::kState);
  run.Begin(
      session, [s] { return s->verdict().settled_state().has_value(); },
      seconds(60));
  for (int i = 0; i < 1000; ++i) {
    holder.Advance(milliseconds(1));
    holder.Print("y\r\n");
  }
  // A second of flood takes about 40 probes, not 1,000.
  EXPECT_LE(holder.CountSent(wire::PacketType::kProbe), 60u);
  EXPECT_GE(holder.CountSent(wire::PacketType::kProbe), 20u);
}

}  // namespace
}  // namespace glasstty::session
