// The files of a session that has ended, or that another server left.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/fd.h"
#include "record/read_mark.h"
#include "session/session.h"
#include "support/check.h"
#include "testing/fake_holder.h"
#include "wire/packets.h"
#include "wire/session_files.h"

namespace glasstty::session {
namespace {

std::string FirstRow(const Session& session) {
  return session.terminal().TakeSnapshot().rows[0].text;
}

std::string NumberedLines(int count, const char* newline = "\r\n") {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += absl::StrFormat("line %d%s", i, newline);
  return text;
}

// Of the first line; "none" without any.
std::string LineText(const Session& session, int64_t number) {
  std::vector<terminal::Line> lines =
      session.history().Lines(number, number + 1);
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
  session->PersistMark(7);
  EXPECT_GT(CountDescriptors(), before);
  holder.Exit(0);
  holder.Vanish();
  // The test's own log of stderr.
  EXPECT_EQ(CountDescriptors(), before + 1);
  EXPECT_EQ(LineText(*session, 0), "line 0");
  EXPECT_EQ(LineText(*session, 40'000), "line 40000");
  EXPECT_EQ(wire::ListSegments(session->OpenDirectory()->get(), "out").size(),
            1u);
  session->PersistMark(8);
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
  EXPECT_TRUE(session->replaying());
  holder.loop()->RunReady();
  EXPECT_FALSE(session->replaying());
  EXPECT_TRUE(session->exited());
  EXPECT_EQ(FirstRow(*session), "old");
  EXPECT_EQ(session->terminal().drops().replies, 0u);
}

TEST(Session, AnAdoptedSessionRemembersWhatItsReaderHadSeen) {
  FakeHolder holder;
  holder.PrintSilently("seen\r\nunseen\r\n");
  SessionRef session = LeftWithoutHolder(&holder);
  session->Adopt({.read_to = 6, .dead = true, .end = holder.end()});
  holder.loop()->RunReady();
  auto unread =
      record::UnreadLines(session->terminal(), session->inherited_mark());
  ASSERT_EQ(unread.size(), 1u);
  EXPECT_EQ(unread[0].text, "unseen");
}

// As a server finds it that starts now.
SessionRef TakeOverLeft(FakeHolder* holder, bool pipe = false) {
  SessionRef session = LeftWithoutHolder(holder, pipe);
  session->Adopt(InspectLeft(holder->directory(), true));
  return session;
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

TEST(Session, ALogWhoseReplayDiedAgainAndAgainIsNotReplayed) {
  FakeHolder holder;
  holder.PrintSilently("poison");
  for (int i = 0; i < Session::kMostReplays; ++i) TakeOverLeft(&holder).reset();
  // The servers to come are warned too.
  for (int i = 0; i < 2; ++i) {
    SessionRef session = TakeOverLeft(&holder);
    holder.loop()->RunReady();
    EXPECT_EQ(FirstRow(*session), "");
    EXPECT_TRUE(session->feed().drained());
  }
}

TEST(Session, ALogThatIsNotReplayedLeavesTheLinesThatWereRead) {
  FakeHolder holder;
  holder.PrintSilently(NumberedLines(30'000));
  SessionRef first = TakeOverLeft(&holder);
  holder.loop()->RunReady();
  first.reset();
  for (int i = 0; i < Session::kMostReplays; ++i) TakeOverLeft(&holder).reset();
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

// Whether its holder lives or not.
TEST_F(Left, TheFilesTellWhatTheLastServerKnew) {
  WriteFile(wire::kEventsName, Event(wire::EventType::kTime, 0, 1, 1) +
                                   Event(wire::EventType::kResize, 5, 10, 40) +
                                   Event(wire::EventType::kTime, 6, 1, 1) +
                                   Event(wire::EventType::kResize, 9, 12, 50));
  wire::MarkRecord mark{7};
  WriteFile(wire::kMarkName, wire::AsBytes(mark));
  WriteFile(wire::kAdoptingName, "..");
  for (bool is_dead : {false, true}) {
    Session::Adopted left = InspectLeft(files_.directory(), is_dead);
    EXPECT_EQ(left.dead, is_dead);
    EXPECT_EQ(left.read_to, 7u);
    EXPECT_EQ(left.failed_replays, 2);
    ASSERT_EQ(left.resizes.size(), 2u);
    EXPECT_EQ(left.resizes[0].first, 5u);
    EXPECT_EQ(left.resizes[0].second, (terminal::Size{10, 40}));
    EXPECT_EQ(left.resizes[1].first, 9u);
    EXPECT_EQ(left.resizes[1].second, (terminal::Size{12, 50}));
  }
}

TEST_F(Left, AReplayThatDiedTwiceIsTriedOnceMore) {
  files_.PrintSilently("text");
  for (int i = 1; i < Session::kMostReplays; ++i) TakeOverLeft(&files_).reset();
  SessionRef session = TakeOverLeft(&files_);
  files_.loop()->RunReady();
  EXPECT_EQ(FirstRow(*session), "text");
}

TEST_F(Left, ErrorsAreReplayedAndSkippedWithTheOutput) {
  files_.UsePipes();
  files_.PrintSilently("text\n");
  files_.PrintErrorSilently("error\n");
  for (int deaths : {0, Session::kMostReplays}) {
    for (int i = 0; i < deaths; ++i)
      TakeOverLeft(&files_, /*pipe=*/true).reset();
    SessionRef session = TakeOverLeft(&files_, /*pipe=*/true);
    files_.loop()->RunReady();
    bool is_shown = deaths == 0;
    EXPECT_EQ(FirstRow(*session), is_shown ? "text" : "");
    EXPECT_EQ(session->errors()->TakeSnapshot().rows[0].text,
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
  ASSERT_TRUE(session->exited());
  EXPECT_EQ(session->exit_status(), 3 << 8);
}

}  // namespace
}  // namespace glasstty::session
