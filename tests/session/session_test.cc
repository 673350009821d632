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

class OpenSession : public ::testing::Test {
 protected:
  FakeHolder holder_;
  SessionRef session_ = holder_.Open();
};
using Close = OpenSession;
using Frame = OpenSession;
using Probe = OpenSession;
using Wait = OpenSession;

TEST_F(OpenSession, ShowsWhatTheLogHolds) {
  holder_.Print("hello\r\n");
  EXPECT_EQ(FirstRow(*session_), "hello");
  EXPECT_EQ(session_->output().feed().consumed(), 7u);
}

TEST_F(OpenSession, AcknowledgesWhatTheEmulatorHasConsumed) {
  holder_.Print("hello");
  ASSERT_EQ(holder_.CountSent(wire::Ack::kType), 1u);
  EXPECT_EQ(holder_.AllSent<wire::Ack>()[0].out, 5u);
}

TEST_F(OpenSession, AnswersTheProgramsQueriesInTheSameTurn) {
  holder_.Print("\033[5n");
  EXPECT_EQ(holder_.typed(), "\033[0n");
}

TEST_F(OpenSession, IsExitedOnlyWhenItsLastByteWasRead) {
  holder_.PrintSilently("last words");
  holder_.Exit(7 << 8);
  EXPECT_TRUE(session_->verdict().exited());
  EXPECT_EQ(FirstRow(*session_), "last words");
  EXPECT_EQ(session_->life().exit_status(), 7 << 8);
}

TEST_F(OpenSession, AHolderThatVanishesWithoutAStatusIsSaidToBeLost) {
  holder_.Print("some");
  holder_.Vanish();
  EXPECT_TRUE(session_->verdict().holder_lost());
  EXPECT_TRUE(session_->finished());
  EXPECT_EQ(FirstRow(*session_), "some");
}

TEST_F(OpenSession, ShowsWhatWasLoggedLastBeforeItsHolderDied) {
  holder_.Print("told of\r\n");
  holder_.PrintSilently("not told of");
  holder_.Vanish();
  EXPECT_EQ(session_->output().terminal().TakeSnapshot().rows[1].text,
            "not told of");
  EXPECT_TRUE(session_->verdict().holder_lost());
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

// A process that the program has left behind may print without a pause.
TEST(Session, HasEndedAlthoughOthersStillPrintErrors) {
  FakeHolder holder;
  holder.UsePipes();
  SessionRef session = holder.Open();
  holder.PrintErrorSilently("its own");
  holder.Exit(0);
  ASSERT_TRUE(session->verdict().exited());
  EXPECT_EQ(session->errors()->terminal().TakeSnapshot().rows[0].text,
            "its own");
  holder.PrintErrorSilently(", another's");
  holder.RingUnfed();
  ASSERT_TRUE(session->errors()->HasUnfed());
  EXPECT_TRUE(session->verdict().exited());
  holder.loop()->RunReady();
  EXPECT_EQ(session->errors()->terminal().TakeSnapshot().rows[0].text,
            "its own, another's");
}

TEST_F(OpenSession, WaitsForALogThatIsShorterThanItsHolderSays) {
  holder_.PrintSilently("early");
  auto log =
      std::filesystem::path(holder_.path()) / wire::SegmentName("out", 0);
  std::filesystem::resize_file(log, 2);
  // Without end if it were read again at once.
  holder_.Ring();
  EXPECT_EQ(FirstRow(*session_), "ea");
  EXPECT_TRUE(session_->output().HasUnfed());
  std::ofstream(log, std::ios::app) << "rly";
  holder_.Ring();
  EXPECT_EQ(FirstRow(*session_), "early");
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

TEST_F(OpenSession, FindsTheStatusOnDiskWhenItsPacketWasLost) {
  holder_.PrintSilently("last words");
  wire::ExitRecord record{.offset = holder_.end(), .status = 7 << 8};
  ASSERT_TRUE(
      ReplaceFileAt(holder_.directory(), wire::kExitName,
                    {reinterpret_cast<const char*>(&record), sizeof record}));
  holder_.Vanish();
  ASSERT_TRUE(session_->verdict().exited());
  EXPECT_EQ(session_->life().exit_status(), 7 << 8);
  EXPECT_EQ(FirstRow(*session_), "last words");
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

TEST_F(OpenSession, SplitsLongInputAndPutsEndOfFileBehindItsLastByte) {
  session_->Write(std::string(10'000, 'x'), wire::kWriteEof);
  EXPECT_EQ(holder_.typed().size(), 10'000u);
  std::vector<wire::Write> sent = holder_.AllSent<wire::Write>();
  ASSERT_EQ(sent.size(), 3u);
  EXPECT_EQ(sent[1].flags, uint64_t{wire::kWriteMore});
  EXPECT_EQ(sent[2].flags, uint64_t{wire::kWriteEof});
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

TEST_F(OpenSession, IsStartedWhenTheProgramHasAProcess) {
  EXPECT_TRUE(session_->life().started());
  EXPECT_EQ(session_->life().leader_pid(), 4242);
  EXPECT_TRUE(session_->life().start_error().ok());
}

TEST(Session, SaysHowItIsToBeClosed) {
  for (bool eof : {false, true}) {
    for (bool kill : {false, true}) {
      FakeHolder holder;
      SessionRef session = holder.Open();
      session->Close(seconds(2), eof, kill);
      uint64_t flags = (eof ? uint64_t{wire::kCloseEof} : 0) |
                       (kill ? uint64_t{wire::kCloseKillSurvivors} : 0);
      EXPECT_EQ(holder.AllSent<wire::Close>(),
                (std::vector{wire::Close{2000, flags}}));
    }
  }
}

// It comes from another process.
TEST_F(OpenSession, TakesOfAProgramsNameAsMuchAsThereIs) {
  holder_.Answer(wire::Waiting::kRead, true, true,
                 "a-name-of-more-than-its-room");
  AskState(session_);
  holder_.loop()->RunReady();
  auto state = AskState(session_);
  ASSERT_TRUE(state);
  EXPECT_TRUE(std::string_view("a-name-of-more-than-its-room")
                  .starts_with(state->program))
      << state->program;
}

// `read -e` in a command of the shell looks like the shell's own prompt.
TEST_F(OpenSession, KnowsThePromptFromACommandThatReadsLines) {
  holder_.Answer(wire::Waiting::kPoll, false, false, "bash");
  auto state_of = [&] {
    AskState(session_);
    holder_.Advance(Prober::kQuickestPace);
    AskState(session_);
    holder_.loop()->RunReady();
    auto state = AskState(session_);
    return state ? StateText(*state) : "none";
  };
  holder_.Print("\x1b]133;A;aid=n0nce\a$ \x1b]133;B;aid=n0nce\a");
  EXPECT_EQ(state_of(), "prompt");
  EXPECT_EQ(AskState(session_)->program, "program");
  holder_.Print(
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

TEST_F(OpenSession, TellsWhenAPersonGivesTheKeyboardBack) {
  size_t writes = holder_.CountSent(wire::Write::kType);
  holder_.Lease(true, 1);
  // Nothing is known of the line while the person is there.
  EXPECT_EQ(holder_.CountSent(wire::Write::kType), writes);
  holder_.Lease(false, 2, 3);
  // A packet without bytes asks when all has been read.
  EXPECT_EQ(holder_.CountSent(wire::Write::kType), writes + 1);
  EXPECT_EQ(holder_.typed(), "");
  // The same news comes again.
  holder_.Lease(false, 2, 3);
  EXPECT_EQ(holder_.CountSent(wire::Write::kType), writes + 1);
}

TEST_F(Wait, IsMetByTheOutputThatMakesItTrue) {
  WaitRun run;
  Session* s = session_.get();
  run.Begin(
      session_, [s] { return FirstRow(*s) == "ab"; }, seconds(5));
  holder_.Print("a");
  EXPECT_FALSE(run.outcome);
  holder_.Print("b");
  EXPECT_EQ(run.outcome, Outcome::kMet);
  EXPECT_TRUE(session_->waiters()->empty());
}

TEST_F(Wait, ThatLooksCloselySeesWhatIsErasedInTheSameWrite) {
  auto close_look = session_->questions().Keep(Interest::kText);
  WaitRun run;
  Session* s = session_.get();
  run.Begin(
      session_, [s] { return FirstRow(*s) == "flash"; }, seconds(5));
  holder_.Print("flash\r\033[Kover");
  EXPECT_EQ(run.outcome, Outcome::kMet);
  EXPECT_EQ(FirstRow(*session_), "over");
}

TEST_F(Frame, IsWholeUnlessItIsBeingDrawn) {
  EXPECT_TRUE(session_->verdict().IsFrameWhole().met());
  holder_.Print("\033[?2026hhalf");
  EXPECT_FALSE(session_->verdict().IsFrameWhole().met());
  holder_.Print(" and half\033[?2026l");
  EXPECT_TRUE(session_->verdict().IsFrameWhole().met());
}

TEST_F(Frame, ThatIsNeverEndedIsBelievedForAWhileOnly) {
  WaitRun run;
  Session* s = session_.get();
  holder_.Print("\033[?2026hhalf");
  run.Begin(
      session_, [s] { return s->verdict().IsFrameWhole(); }, seconds(5));
  holder_.Advance(Verdict::kFrameLimit - milliseconds(1));
  EXPECT_FALSE(run.outcome);
  // Drawing goes on, the limit does not.
  holder_.Print("more\033[?2026hand more");
  holder_.Advance(milliseconds(1));
  EXPECT_EQ(run.outcome, Outcome::kMet);
}

TEST_F(Frame, IsShownToTheWaiterBeforeTheNextOneBegins) {
  holder_.Print("\033[?2026h\033[Hone ");
  std::string seen;
  auto look = [](SessionRef of, std::string* row) -> Task<bool> {
    Session* s = of.get();
    co_await s->WaitFor([s] { return s->verdict().IsFrameWhole(); },
                        Time::max(), nullptr);
    *row = FirstRow(*s);
    co_return true;
  };
  Start(look(session_, &seen), [](bool) {});
  holder_.Print("done\033[?2026l\033[?2026h\033[Htwo");
  EXPECT_EQ(seen, "one done");
}

TEST_F(Wait, ThatTimesOutAnswersAtItsDeadline) {
  WaitRun run;
  run.Begin(
      session_, [] { return false; }, seconds(5));
  holder_.Advance(milliseconds(4999));
  EXPECT_FALSE(run.outcome);
  holder_.Advance(milliseconds(1));
  EXPECT_EQ(run.outcome, Outcome::kTimeout);
}

TEST_F(Wait, IsCancelledAtOnceAndOnlyOnce) {
  Cancellation cancellation;
  WaitRun run;
  run.Begin(
      session_, [] { return false; }, seconds(5), &cancellation);
  cancellation.Cancel();
  holder_.loop()->RunReady();
  EXPECT_EQ(run.outcome, Outcome::kCancelled);
  cancellation.Cancel();
  holder_.Print("more");
  EXPECT_TRUE(session_->waiters()->empty());
}

TEST_F(Wait, EndsClosedWhenTheSessionIsAbandoned) {
  WaitRun run;
  run.Begin(
      session_, [] { return false; }, seconds(5));
  session_->Abandon();
  holder_.loop()->RunReady();
  EXPECT_EQ(run.outcome, Outcome::kClosed);
}

TEST_F(Wait, LooksAgainWhenThePredicateAsksForIt) {
  Loop* loop = holder_.loop();
  Time due = loop->Now() + milliseconds(300);
  WaitRun run;
  run.Begin(
      session_, [=] { return Look(loop->Now() >= due, due); }, seconds(5));
  holder_.Advance(milliseconds(300));
  EXPECT_EQ(run.outcome, Outcome::kMet);
}

TEST_F(Wait, OnTwoSessionsIsMetByEither) {
  FakeHolder first, second;
  SessionRef a = first.Open();
  SessionRef b = second.Open();
  Session* other = b.get();
  std::optional<Outcome> outcome;
  auto both = [](Loop* loop, std::vector<WaiterList*> lists,
                 Predicate met) -> Task<Outcome> {
    co_return co_await glasstty::Wait(loop, lists, met, Time::max(), nullptr);
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

TEST_F(Probe, IsNotSentUnlessSomebodyWantsToKnow) {
  holder_.Print("output");
  holder_.Advance(seconds(10));
  EXPECT_EQ(holder_.CountSent(wire::Probe::kType), 0u);
}

TEST_F(OpenSession, CountsBellsAndTitlesAndKeepsLinks) {
  holder_.Print("\a\a\033]2;title\a\033[?1049h\033[?1049l");
  EXPECT_EQ(session_->events().bell_count(), 2u);
  EXPECT_EQ(session_->events().title_count(), 1u);
  EXPECT_TRUE(session_->events().links().empty());
  holder_.Print("\033]8;;https://a.example/\033\\a\033]8;;\033\\");
  ASSERT_EQ(session_->events().links().size(), 1u);
  EXPECT_EQ(session_->events().links()[0].uri, "https://a.example/");
}

TEST_F(OpenSession, KeepsTheLastThousandLinks) {
  auto print_link = [&](int number) {
    holder_.Print(absl::StrFormat(
        "\033]8;;https://a.example/%d\033\\a\033]8;;\033\\", number));
  };
  for (int i = 0; i < 1000; ++i) print_link(i);
  EXPECT_EQ(session_->events().links().size(), 1000u);
  EXPECT_EQ(session_->events().links().front().uri, "https://a.example/0");
  print_link(1000);
  EXPECT_EQ(session_->events().links().size(), 1000u);
  EXPECT_EQ(session_->events().links().front().uri, "https://a.example/1");
  EXPECT_EQ(session_->events().links().back().uri, "https://a.example/1000");
}

TEST_F(OpenSession, RunsOneCommandAtATime) {
  EXPECT_TRUE(session_->mutable_input()->turn()->TakeRunSlot());
  EXPECT_FALSE(session_->mutable_input()->turn()->TakeRunSlot());
  session_->mutable_input()->turn()->ReleaseRunSlot();
  EXPECT_FALSE(session_->input().turn().run_slot_taken());
  EXPECT_TRUE(session_->mutable_input()->turn()->TakeRunSlot());
}

// `clear` addresses one; a line editor with a completion list a few.
TEST_F(OpenSession, AddressesRowsFromTheFourthOn) {
  holder_.Print("\033[1;1Ha\033[2;1Hb\033[3;1Hc");
  EXPECT_FALSE(session_->verdict().AddressesRows());
  holder_.Print("\033[4;1Hd");
  EXPECT_TRUE(session_->verdict().AddressesRows());
}

TEST_F(Close, IsReportedWhenNoProcessIsLeft) {
  session_->Close(seconds(1), true, true);
  EXPECT_FALSE(session_->life().close_reported());
  holder_.ReportEmpty();
  EXPECT_TRUE(session_->life().close_reported());
}

TEST_F(Close, IsReportedWhenNobodyIsLeftWhoCouldReport) {
  session_->Close(seconds(1), true, true);
  holder_.Vanish();
  EXPECT_TRUE(session_->life().close_reported());
}

// A look asks the holder, and the next one knows its answer.
bool LearnsThatItReads(FakeHolder* holder, const SessionRef& session) {
  holder->Answer(wire::Waiting::kRead);
  AskState(session);
  holder->loop()->RunReady();
  return AskState(session).has_value();
}

TEST_F(Probe, TellsThatAProgramWaitsForInput) {
  holder_.Answer(wire::Waiting::kRead);
  EXPECT_FALSE(AskState(session_));
  holder_.loop()->RunReady();
  auto state = AskState(session_);
  ASSERT_TRUE(state);
  EXPECT_EQ(StateText(*state), "input");
}

TEST_F(Probe, IsStaleAfterOutput) {
  ASSERT_TRUE(LearnsThatItReads(&holder_, session_));
  holder_.Print("x");
  EXPECT_FALSE(AskState(session_));
}

TEST_F(Probe, IsStaleAfterInput) {
  ASSERT_TRUE(LearnsThatItReads(&holder_, session_));
  session_->Write("x");
  EXPECT_FALSE(AskState(session_));
}

// A program can stop waiting without a byte of output: `read -t`, a timer.
TEST_F(Probe, IsStaleAfterAWhile) {
  ASSERT_TRUE(LearnsThatItReads(&holder_, session_));
  holder_.Answer(wire::Waiting::kSleepOther);
  holder_.Advance(seconds(10));
  holder_.Advance(seconds(10));
  EXPECT_FALSE(AskState(session_));
  holder_.loop()->RunReady();
  auto state = AskState(session_);
  ASSERT_TRUE(state);
  EXPECT_EQ(StateText(*state), "busy(kernel)");
}

// A look shortly before the answer gets old does not delay one shortly after.
TEST_F(Probe, IsSentAtOnceWhenTheLastAnswerIsOld) {
  holder_.Answer(wire::Waiting::kRead);
  session_->questions().Keep(Interest::kForeground);
  holder_.loop()->RunReady();
  holder_.Advance(Prober::kQuickestPace);
  // Not older than that.
  EXPECT_NE(session_->questions().prober().fresh(), nullptr);
  session_->questions().Keep(Interest::kForeground);
  holder_.Advance(std::chrono::milliseconds(2));
  size_t sent = holder_.CountSent(wire::Probe::kType);
  session_->questions().Keep(Interest::kForeground);
  holder_.loop()->RunReady();
  EXPECT_EQ(holder_.CountSent(wire::Probe::kType), sent + 1);
}

TEST_F(Probe, FollowsABusyProgramUntilItAsks) {
  WaitRun run;
  Session* s = session_.get();
  auto interest = session_->questions().Keep(Interest::kState);
  run.Begin(
      session_,
      [s] {
        auto state = s->verdict().settled_state();
        return Look(state && state->activity == Activity::kInput,
                    s->loop()->Now() + Prober::kQuickestPace);
      },
      seconds(5));
  for (int i = 0; i < 10; ++i) holder_.Advance(Prober::kQuickestPace);
  EXPECT_FALSE(run.outcome);
  holder_.Answer(wire::Waiting::kPoll);
  holder_.Advance(2 * Prober::kQuickestPace);
  EXPECT_EQ(run.outcome, Outcome::kMet);
}

TEST_F(Probe, OfAFloodIsBounded) {
  Session* s = session_.get();
  WaitRun run;
  auto interest = session_->questions().Keep(Interest::kState);
  run.Begin(
      session_, [s] { return s->verdict().settled_state().has_value(); },
      seconds(60));
  for (int i = 0; i < 1000; ++i) {
    holder_.Advance(milliseconds(1));
    holder_.Print("y\r\n");
  }
  // A second of flood takes about 40 probes, not 1,000.
  EXPECT_LE(holder_.CountSent(wire::Probe::kType), 60u);
  EXPECT_GE(holder_.CountSent(wire::Probe::kType), 20u);
}

}  // namespace
}  // namespace glasstty::session
