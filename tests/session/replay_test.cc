// The files of a session that has ended, or that another server left.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/fd.h"
#include "record/line_search.h"
#include "record/read_mark.h"
#include "session/session.h"
#include "session/streams.h"
#include "support/check.h"
#include "support/pattern.h"
#include "testing/fake_holder.h"
#include "wire/packets.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

std::string NumberedLines(int count, const char* newline = "\r\n") {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += absl::StrFormat("line %d%s", i, newline);
  return text;
}

// Returns the text of this line; "none" if there is no such line.
std::string LineText(const Session& session, int64_t number) {
  std::vector<terminal::Line> lines =
      session.output().history().Lines(number, number + 1);
  return lines.empty() ? "none" : lines.front().text;
}

// Descriptors of this process.
int CountDescriptors() {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator("/proc/self/fd")) {
    (void)entry;
    ++count;
  }
  return count;
}

TEST(Session, HoldsNoDescriptorOnceItHasEndedAndCanStillBeRead) {
  FakeHolder holder;
  holder.UsePipes();
  int before = CountDescriptors();
  SessionRef session = holder.Open();
  // Some of it on disk only.
  holder.Print(NumberedLines(60'000, "\n"));
  holder.PrintErrorSilently("error\n");
  record::ReadMark mark;
  mark.offset = 7;
  session->files()->PersistMark(mark);
  EXPECT_GT(CountDescriptors(), before);
  holder.Exit(0);
  holder.Vanish();
  // The test's own log of stderr.
  EXPECT_EQ(CountDescriptors(), before + 1);
  EXPECT_EQ(LineText(*session, 0), "line 0");
  EXPECT_EQ(LineText(*session, 40'000), "line 40000");
  EXPECT_EQ(wire::ListSegments(session->OpenDirectory()->get(), "out")->size(),
            1u);
  mark.offset = 8;
  session->files()->PersistMark(mark);
  EXPECT_EQ(wire::ReadMarkFile(holder.directory())->offset, 8u);
  EXPECT_EQ(CountDescriptors(), before + 1);
}

// A session on the holder's log whose holder no longer lives.
SessionRef LeftWithoutHolder(FakeHolder* holder, bool pipe = false) {
  record::SessionOrigin origin{
      .id = "id", .name = "s", .program = {.argv = {"p"}}};
  origin.program.size = {6, 20};
  origin.program.pipe = pipe;
  auto session =
      Session::Create(holder->loop(), origin, holder->folder(), nullptr);
  CHECK(session.ok());
  return *session;
}

TEST(Session, MutesRepliesWhileALogIsReplayed) {
  FakeHolder holder;
  holder.PrintSilently("\033[5n\033[6nold");
  SessionRef session = LeftWithoutHolder(&holder);
  session->Adopt({.dead = true, .end = holder.end(), .exit_status = 0});
  EXPECT_TRUE(session->output().replaying());
  holder.loop()->RunReady();
  EXPECT_FALSE(session->output().replaying());
  EXPECT_TRUE(session->verdict().exited());
  EXPECT_EQ(FirstRow(*session), "old");
  EXPECT_EQ(session->output().terminal().drops().replies, 0u);
}

TEST(Session, AnAdoptedSessionRemembersWhatItsReaderHadSeen) {
  FakeHolder holder;
  holder.PrintSilently("seen\r\nunseen\r\n");
  SessionRef session = LeftWithoutHolder(&holder);
  session->Adopt({.read_to = {6}, .dead = true, .end = holder.end()});
  holder.loop()->RunReady();
  auto unread = record::UnreadLines(session->output().terminal(),
                                    session->output().inherited_mark());
  ASSERT_EQ(unread.size(), 1u);
  EXPECT_EQ(unread[0].text, "unseen");
}

// As a server finds it that starts now.
SessionRef TakeOverLeft(FakeHolder* holder, bool pipe = false) {
  SessionRef session = LeftWithoutHolder(holder, pipe);
  session->Adopt(*Replay::Inspect(holder->directory(), true));
  return session;
}

TEST(Session, AnAdoptedSessionRemembersWhatItsReaderHadSeenOfStderr) {
  FakeHolder holder;
  holder.UsePipes();
  holder.PrintSilently("out\n");
  holder.PrintErrorSilently("seen\nunseen\n");
  SessionRef session = LeftWithoutHolder(&holder, /*pipe=*/true);
  session->Adopt({.read_to = {4, 5}, .dead = true, .end = holder.end()});
  EXPECT_TRUE(IsReplaying(*session));
  holder.loop()->RunReady();
  EXPECT_FALSE(IsReplaying(*session));
  record::ReadMark mark = InheritedMark(*session);
  EXPECT_EQ(CountUnread(*session, mark), 1);
  auto unread = record::UnreadLines(session->errors()->terminal(), mark.errors);
  ASSERT_EQ(unread.size(), 1u);
  EXPECT_EQ(unread[0].text, "unseen");
}

TEST(Session, AReplayThatWasKilledIsBegunAnew) {
  FakeHolder holder;
  holder.PrintSilently(NumberedLines(30'000));
  // Killed before it had fed anything.
  TakeOverLeft(&holder).reset();
  SessionRef session = TakeOverLeft(&holder);
  holder.loop()->RunReady();
  EXPECT_EQ(LineText(*session, 0), "line 0");
  EXPECT_EQ(LineText(*session, 29'999), "line 29999");
  EXPECT_NE(faccessat(holder.directory(), wire::kAdoptingName, F_OK, 0), 0);
}

// A full disk has kept the middle from the log.
class LogWithAHole : public ::testing::Test {
 protected:
  static constexpr uint64_t kLost = 1'234'567;

  LogWithAHole() {
    std::string before = NumberedLines(20'000);
    std::string name = wire::SegmentName("out", 0);
    CHECK(ReplaceFileAt(holder_.directory(), name, before));
    begin_ = before.size();
    name = wire::SegmentName("out", begin_ + kLost);
    CHECK(ReplaceFileAt(holder_.directory(), name, NumberedLines(20'000)));
  }

  FakeHolder holder_;
  uint64_t begin_ = 0;
};

TEST_F(LogWithAHole, IsALineAndThoseBehindItKeepTheirNumbers) {
  CHECK(wire::AppendHole(
      holder_.directory(),
      {.offset = begin_, .bytes = kLost, .lines = 38'000, .error = ENOSPC}));
  SessionRef session = TakeOverLeft(&holder_);
  holder_.loop()->RunReady();
  const record::History& history = session->output().history();
  EXPECT_EQ(LineText(*session, 19'999), "line 19999");
  EXPECT_EQ(LineText(*session, 20'000),
            "[... 1,234,567 bytes of output (38,000 lines) were lost here: the "
            "disk was full]");
  EXPECT_EQ(LineText(*session, 20'001), "none");
  EXPECT_EQ(LineText(*session, 57'999), "none");
  EXPECT_EQ(LineText(*session, 58'000), "line 0");
  EXPECT_EQ(LineText(*session, 77'999), "line 19999");
  EXPECT_EQ(history.end_line(), 78'001);
  EXPECT_EQ(history.LostIn(0, history.end_line()).Text(),
            "1,234,567 bytes of output (38,000 lines) are lost in this range");
  EXPECT_EQ(history.LostIn(0, 20'000).Text(), "");
  EXPECT_EQ(history.LostIn(58'000, 78'001).Text(), "");
  // Lines around it are read, searched and counted over it.
  std::vector<terminal::Line> lines = history.Lines(19'999, 58'001);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[2].number, 58'000);
  record::LineSearch search(&history, *Pattern::Compile("line 7$"),
                            {.to = history.end_line()});
  while (!search.Continue(Duration::max() / 4)) {
  }
  EXPECT_EQ(search.matches(), 2);
  EXPECT_EQ(search.Take()[1].line.number, 58'007);
  // Offsets are those of the log.
  EXPECT_EQ(session->output().terminal().offset(),
            session->output().feed().consumed());
}

// Somebody has removed a segment. An earlier server had counted the lines.
TEST_F(LogWithAHole, AnEarlierServersCountGivesTheNumbersBehindIt) {
  record::Folder folder = holder_.folder();
  record::LineArchive archive(&folder, "lines", 1 << 30);
  uint64_t behind = begin_ + kLost + std::string("line 0\r\n").size();
  archive.AddPlace(behind, 58'001);
  SessionRef session = TakeOverLeft(&holder_);
  holder_.loop()->RunReady();
  EXPECT_EQ(LineText(*session, 20'000),
            "[... 1,234,567 bytes of output (38,000 lines) were lost here]");
  EXPECT_EQ(LineText(*session, 58'001), "line 1");
}

TEST_F(LogWithAHole, TakesALineWhereNothingTellsHowManyThereWere) {
  SessionRef session = TakeOverLeft(&holder_);
  holder_.loop()->RunReady();
  EXPECT_EQ(LineText(*session, 20'000),
            "[... 1,234,567 bytes of output were lost here]");
  EXPECT_EQ(LineText(*session, 20'001), "line 0");
  EXPECT_EQ(session->output().history().LostIn(0, 40'000).Text(),
            "1,234,567 bytes of output are lost in this range");
}

// The next server may find the beginning of the log gone as well.
TEST_F(LogWithAHole, KeepsItsPlaceAmongTheLinesOnDisk) {
  CHECK(wire::AppendHole(
      holder_.directory(),
      {.offset = begin_, .bytes = kLost, .lines = 38'000, .error = ENOSPC}));
  TakeOverLeft(&holder_), holder_.loop()->RunReady();
  SessionRef first = TakeOverLeft(&holder_);
  holder_.loop()->RunReady();
  first.reset();
  unlinkat(holder_.directory(), wire::SegmentName("out", 0).c_str(), 0);
  SessionRef session = TakeOverLeft(&holder_);
  holder_.loop()->RunReady();
  EXPECT_EQ(LineText(*session, 19'999), "line 19999");
  EXPECT_EQ(LineText(*session, 77'999), "line 19999");
  EXPECT_NE(session->output().history().LostIn(0, 78'000).Text(), "");
}

TEST(Session, ALogWhoseReplayDiedAgainAndAgainIsNotReplayed) {
  FakeHolder holder;
  holder.PrintSilently("poison");
  for (int i = 0; i < Replay::kMostReplays; ++i) TakeOverLeft(&holder).reset();
  // The servers to come are warned too.
  for (int i = 0; i < 2; ++i) {
    SessionRef session = TakeOverLeft(&holder);
    holder.loop()->RunReady();
    EXPECT_EQ(FirstRow(*session), "");
    EXPECT_TRUE(session->output().feed().drained());
  }
}

TEST(Session, ALogThatIsNotReplayedLeavesTheLinesThatWereRead) {
  FakeHolder holder;
  holder.PrintSilently(NumberedLines(30'000));
  SessionRef first = TakeOverLeft(&holder);
  holder.loop()->RunReady();
  first.reset();
  for (int i = 0; i < Replay::kMostReplays; ++i) TakeOverLeft(&holder).reset();
  SessionRef session = TakeOverLeft(&holder);
  holder.loop()->RunReady();
  EXPECT_EQ(LineText(*session, 0), "line 0");
  EXPECT_EQ(LineText(*session, 10'000), "line 10000");
}

TEST(Session, AnswersTheFirstLiveQueryAfterAReplay) {
  FakeHolder holder;
  holder.PrintSilently("\033[5nold");
  uint64_t left_at = holder.end();
  holder.PrintSilently("\033[6n");
  SessionRef session = holder.OpenAdopted(left_at);
  holder.Ring();
  EXPECT_EQ(holder.typed(), "\033[1;4R");
}

class Left : public ::testing::Test {
 protected:
  void WriteFile(const char* name, std::string_view content) {
    ASSERT_TRUE(ReplaceFileAt(files_.directory(), name, content));
  }
  void WriteExit(uint64_t offset, int status) {
    wire::ExitRecord record{.offset = offset, .status = status};
    WriteFile(wire::kExitName, wire::AsBytes(record));
  }
  static std::string Event(wire::EventType type, uint64_t offset, uint32_t a,
                           uint32_t b) {
    wire::EventRecord event{.offset = offset, .type = type, .a = a, .b = b};
    event.crc = wire::Crc32c(&event, sizeof event - sizeof event.crc);
    return std::string(wire::AsBytes(event));
  }

  FakeHolder files_;
};

// This holds for a holder that lives and for one that does not.
TEST_F(Left, TheFilesTellWhatTheLastServerKnew) {
  WriteFile(wire::kEventsName, Event(wire::EventType::kTime, 0, 1, 1) +
                                   Event(wire::EventType::kResize, 5, 10, 40) +
                                   Event(wire::EventType::kTime, 6, 1, 1) +
                                   Event(wire::EventType::kResize, 9, 12, 50));
  wire::MarkRecord mark{7, 9};
  WriteFile(wire::kMarkName, wire::AsBytes(mark));
  WriteFile(wire::kAdoptingName, "..");
  for (bool is_dead : {false, true}) {
    Replay::Left left = *Replay::Inspect(files_.directory(), is_dead);
    EXPECT_EQ(left.dead, is_dead);
    EXPECT_EQ(left.read_to.offset, 7u);
    EXPECT_EQ(left.read_to.errors_offset, 9u);
    EXPECT_EQ(left.failed_replays, 2);
    ASSERT_EQ(left.resizes.size(), 2u);
    EXPECT_EQ(left.resizes[0].first, 5u);
    EXPECT_EQ(left.resizes[0].second, (terminal::Size{10, 40}));
    EXPECT_EQ(left.resizes[1].first, 9u);
    EXPECT_EQ(left.resizes[1].second, (terminal::Size{12, 50}));
  }
}

TEST_F(Left, AnEarlierVersionHasNotSaidHowMuchOfStderrWasRead) {
  WriteFile(wire::kMarkName, wire::AsBytes(uint64_t{7}));
  Replay::Left left = *Replay::Inspect(files_.directory(), true);
  EXPECT_EQ(left.read_to.offset, 7u);
  EXPECT_EQ(left.read_to.errors_offset, 0u);
}

TEST_F(Left, AReplayThatDiedTwiceIsTriedOnceMore) {
  files_.PrintSilently("text");
  for (int i = 1; i < Replay::kMostReplays; ++i) TakeOverLeft(&files_).reset();
  SessionRef session = TakeOverLeft(&files_);
  files_.loop()->RunReady();
  EXPECT_EQ(FirstRow(*session), "text");
}

TEST_F(Left, ErrorsAreReplayedAndSkippedWithTheOutput) {
  files_.UsePipes();
  files_.PrintSilently("text\n");
  files_.PrintErrorSilently("error\n");
  for (int deaths : {0, Replay::kMostReplays}) {
    for (int i = 0; i < deaths; ++i)
      TakeOverLeft(&files_, /*pipe=*/true).reset();
    SessionRef session = TakeOverLeft(&files_, /*pipe=*/true);
    files_.loop()->RunReady();
    bool is_shown = deaths == 0;
    EXPECT_EQ(FirstRow(*session), is_shown ? "text" : "");
    EXPECT_EQ(session->errors()->terminal().TakeSnapshot().rows[0].text,
              is_shown ? "error" : "");
    EXPECT_TRUE(session->finished());
  }
}

// Nothing stands in the log of errors then.
TEST_F(Left, AProgramWithoutErrorsHasExitedWithItsOutput) {
  files_.UsePipes();
  SessionRef session = files_.Open();
  files_.PrintSilently("text\n");
  WriteExit(files_.end(), 3 << 8);
  files_.Vanish();
  ASSERT_TRUE(session->verdict().exited());
  EXPECT_EQ(session->life().exit_status(), 3 << 8);
}

}  // namespace
}  // namespace glasstty::session
