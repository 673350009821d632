#include "record/recording.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "record/meta.h"
#include "record/state_dir.h"
#include "support/status.h"
#include "terminal/terminal.h"
#include "testing/no_descriptors.h"
#include "testing/session_files.h"

namespace glasstty::record {
namespace {

namespace fs = std::filesystem;

class RecordingTest : public testing::Test {
 protected:
  RecordingTest() {
    std::string path = (fs::temp_directory_path() / "state-XXXXXX").string();
    base_ = mkdtemp(path.data());
    setenv("GLASSTTY_STATE_DIR", base_.c_str(), 1);
    auto state_dir = StateDir::Open();
    if (state_dir.ok()) state_dir_ = *std::move(state_dir);
    origin_.name = "build";
    origin_.program.argv = {"make", "all"};
    origin_.program.size = {24, 80};
    origin_.nonce = "NONCE";
    origin_.started_ms = 1'700'000'000'500;
  }
  ~RecordingTest() override {
    unsetenv("GLASSTTY_STATE_DIR");
    fs::remove_all(base_);
  }

  // Makes a session's directory with a meta.json; the other files come later.
  int Make(const SessionOrigin& origin) {
    auto created = state_dir_->Create();
    EXPECT_TRUE(created.ok());
    id_ = *created;
    directory_ = state_dir_->OpenSession(id_)->Open();
    EXPECT_TRUE(
        ReplaceFileAt(directory_->get(), wire::kMetaName, EncodeMeta(origin)));
    return directory_->get();
  }

  // Returns each event on a line: "1.5 o text".
  std::string Play(RecordedParts parts = {}) {
    auto session = FindRecorded(origin_.name);
    if (!session.ok()) return Message(session.status());
    std::string lines;
    absl::Status status = PlayRecorded(
        *session, parts, [this](const RecordedBegin& b) { begin_ = b; },
        [&lines](const CastEvent& event) {
          lines += absl::StrFormat("%g ", static_cast<double>(event.us) / 1e6);
          lines += Describe(event) + "\n";
          return true;
        });
    return status.ok() ? lines : Message(status);
  }
  static std::string Describe(const CastEvent& event) {
    switch (event.type) {
      case CastEvent::Type::kOutput:
        return "o " + event.data;
      case CastEvent::Type::kInput:
        return "i " + event.data;
      case CastEvent::Type::kMarker:
        return "m " + event.data;
      case CastEvent::Type::kResize:
        return absl::StrFormat("r %dx%d", event.size.rows, event.size.cols);
      case CastEvent::Type::kExit:
        return absl::StrFormat("x %d", event.status);
    }
    return "";
  }

  std::string base_, id_;
  std::optional<StateDir> state_dir_;
  SessionOrigin origin_;
  Folder::Hold directory_;
  RecordedBegin begin_;
};

TEST_F(RecordingTest, HasOutputResizesAndTheExitInOrder) {
  int dir = Make(origin_);
  WriteSegment(dir, 0, "one|two|three");
  WriteEvents(
      dir, {EventAt(0, wire::EventType::kResize, 0, 24, 80),
            EventAt(0.25, wire::EventType::kTime, 0),
            EventAt(0.27, wire::EventType::kResize, 4, 40, 120),
            EventAt(3, wire::EventType::kTime, 8),
            EventAt(4, wire::EventType::kExit, 13, 3 << 8),
            EventAt(4, wire::EventType{7}, 13)});  // earlier holders wrote this
  EXPECT_EQ(Play(),
            "0.25 o one|\n"
            "0.27 r 40x120\n"
            "0.25 o two|\n"
            "3 o three\n"
            "4 x 3\n");
  EXPECT_EQ(begin_.start.offset, 0u);
  EXPECT_EQ(begin_.header.size, (terminal::Size{24, 80}));
  EXPECT_EQ(begin_.header.timestamp, 1'700'000'000);
  EXPECT_EQ(begin_.header.title, "build");
  EXPECT_EQ(begin_.header.command, "make all");
}

TEST_F(RecordingTest, HasWhatWasTypedWhereItWasKept) {
  int dir = Make(origin_);
  WriteSegment(dir, 0, "$ ls\r\nfile\r\n");
  WriteEvents(dir, {EventAt(0, wire::EventType::kResize, 0, 24, 80),
                    EventAt(1, wire::EventType::kTime, 0),
                    EventAt(5, wire::EventType::kTime, 2)});
  std::string bytes;
  for (double seconds : {0.5, 4.9, 7.0}) {
    std::string typed = seconds < 1 ? "early" : seconds < 5 ? "ls\n" : "late";
    wire::EventRecord time = EventAt(seconds, wire::EventType::kTime, 0);
    wire::InputRecord record{time.monotonic_ns,
                             static_cast<uint32_t>(typed.size()),
                             wire::Crc32c(typed.data(), typed.size())};
    bytes.append(reinterpret_cast<const char*>(&record), sizeof record);
    bytes += typed;
  }
  ASSERT_TRUE(ReplaceFileAt(dir, wire::kInputName, bytes));
  EXPECT_EQ(Play(),
            "0.5 i early\n1 o $ \n4.9 i ls\n\n5 o ls\r\nfile\r\n\n7 i late\n");
}

TEST_F(RecordingTest, ASignalsStatusIsAsInAShell) {
  int dir = Make(origin_);
  WriteEvents(dir, {EventAt(0, wire::EventType::kResize, 0, 24, 80),
                    EventAt(1, wire::EventType::kExit, 0, 9)});
  EXPECT_EQ(Play(), "1 x 137\n");
}

TEST_F(RecordingTest, CommandsAreMarkedWhereTheyBegin) {
  int dir = Make(origin_);
  std::string text =
      "\x1b]133;A;aid=NONCE\x07$ \x1b]133;B;aid=NONCE\x07make\r\n"
      "\x1b]133;C;aid=NONCE\x07";
  WriteSegment(dir, 0, text + "done\r\n");
  WriteEvents(dir, {EventAt(0, wire::EventType::kResize, 0, 24, 80),
                    EventAt(1, wire::EventType::kTime, 0)});
  EXPECT_EQ(Play({.markers = true}),
            "1 o " + text + "\n1 m make\n1 o done\r\n\n");
  EXPECT_EQ(Play(), "1 o " + text + "done\r\n\n");
}

TEST_F(RecordingTest, ACommandOfSeveralLinesIsOneLabel) {
  int dir = Make(origin_);
  WriteSegment(dir, 0, "\x1b]133;C;aid=NONCE;cmdline_url=for%20i%0Adone\x07x");
  EXPECT_NE(Play({.markers = true}).find("m for i; done\n"), std::string::npos);
}

TEST_F(RecordingTest, BeginsWithWhatTheLogStillHolds) {
  int dir = Make(origin_);
  WriteSegment(dir, 100, "late|");
  WriteSegment(dir, 105, "last");
  WriteEvents(dir, {EventAt(0, wire::EventType::kResize, 0, 24, 80),
                    EventAt(10, wire::EventType::kResize, 50, 30, 90),
                    EventAt(60, wire::EventType::kTime, 90),
                    EventAt(61, wire::EventType::kTime, 105)});
  EXPECT_EQ(Play(), "0 o late|\n1 o last\n");
  EXPECT_EQ(begin_.start.offset, 100u);
  EXPECT_EQ(begin_.header.size, (terminal::Size{30, 90})) << "of that moment";
  EXPECT_EQ(begin_.header.timestamp, 1'700'000'060);
}

TEST_F(RecordingTest, BeginsWithTheStateOfTheFirstByteThatIsKept) {
  int dir = Make(origin_);
  auto terminal = *terminal::Terminal::Create({.size = {30, 90}});
  terminal->Feed("\x1b[?1hthe screen of then");
  ASSERT_TRUE(
      WriteSavedState(dir, {.offset = 100, .terminal = terminal->SaveState()}));
  WriteSegment(dir, 100, "late|");
  WriteEvents(dir, {EventAt(0, wire::EventType::kResize, 0, 24, 80),
                    EventAt(10, wire::EventType::kResize, 50, 30, 90),
                    EventAt(60, wire::EventType::kTime, 90)});
  EXPECT_EQ(Play({.markers = true}), "0 o late|\n");
  EXPECT_EQ(begin_.start.offset, 100u);
  EXPECT_EQ(begin_.start.lost, 0u);
  EXPECT_EQ(begin_.start.state->terminal, terminal->SaveState());
}

TEST_F(RecordingTest, AHoleIsMarkedAndSkipped) {
  int dir = Make(origin_);
  WriteSegment(dir, 0, "before");
  WriteSegment(dir, 10,
               "\x1b]133;C;cmdline_url=x\x07"
               "after");
  EXPECT_EQ(Play({.markers = true}),
            "0 o before\x18\r\n[... 4 bytes of output were lost here]\r\n\n"
            "0 m 4 bytes of output are lost\n"
            "0 o \x1b]133;C;cmdline_url=x\x07\n0 m x\n0 o after\n");
}

TEST_F(RecordingTest, TheSinkEndsIt) {
  int dir = Make(origin_);
  WriteSegment(dir, 0, "ab");
  WriteEvents(dir, {EventAt(0, wire::EventType::kResize, 0, 24, 80),
                    EventAt(1, wire::EventType::kTime, 0),
                    EventAt(2, wire::EventType::kTime, 1)});
  auto session = FindRecorded("build");
  ASSERT_TRUE(session.ok());
  int events = 0;
  EXPECT_TRUE(PlayRecorded(
                  *session, {}, [](const RecordedBegin&) {},
                  [&events](const CastEvent&) { return ++events < 1; })
                  .ok());
  EXPECT_EQ(events, 1);
}

TEST_F(RecordingTest, ASessionWithoutTerminalIsRefused) {
  origin_.program.pipe = true;
  Make(origin_);
  EXPECT_NE(Play().find("has no terminal; its output is in"),
            std::string::npos);
}

TEST_F(RecordingTest, TheNewestOfANameIsFoundAmongLiveAndEnded) {
  Make(origin_);
  std::string older = id_;
  origin_.started_ms += 1;
  Make(origin_);
  state_dir_->MoveToEnded(id_);
  auto session = FindRecorded("build");
  ASSERT_TRUE(session.ok());
  EXPECT_EQ(session->path, base_ + "/ended/" + id_);
  session = FindRecorded(base_ + "/" + older);
  ASSERT_TRUE(session.ok()) << "by its directory";
  EXPECT_EQ(session->origin.started_ms, origin_.started_ms - 1);
}

TEST_F(RecordingTest, ALiveOneOfANameIsFoundBeforeANewerThatHasEnded) {
  int directory = Make(origin_);
  std::string live = id_;
  // The holder has its session's lock.
  UniqueFd lock(
      openat(directory, wire::kLockName, O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(flock(lock.get(), LOCK_EX), 0);
  for (int newer = 0; newer < 2; ++newer) {
    origin_.started_ms += 1;
    Make(origin_);
    state_dir_->MoveToEnded(id_);
  }
  auto session = FindRecorded("build");
  ASSERT_TRUE(session.ok());
  EXPECT_EQ(session->path, base_ + "/" + live);
}

TEST_F(RecordingTest, AnUnknownNameIsToldWithTheNearest) {
  Make(origin_);
  auto session = FindRecorded("biuld");
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(Message(session.status()),
            "no session 'biuld' in " + base_ + "; did you mean build?");
  session = FindRecorded(base_ + "/nothing");
  ASSERT_FALSE(session.ok());
  EXPECT_NE(Message(session.status()).find("No such file"), std::string::npos);
}

// There may be thousands of them.
TEST_F(RecordingTest, MoreSessionsThanDescriptorsAreAllFound) {
  constexpr int kSessions = 60;
  for (int i = 0; i < kSessions; ++i) {
    SessionOrigin origin = origin_;
    origin.name = absl::StrFormat("s%d", i);
    Make(origin);
  }
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit few{40, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  auto names = RecordedNames();
  bool found = FindRecorded("s59").ok() && FindRecorded("s0").ok();
  setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_EQ(names->size(), size_t{kSessions});
  EXPECT_TRUE(found);
}

TEST_F(RecordingTest, TooFewDescriptorsAreNoEmptyRecording) {
  int directory = Make(origin_);
  WriteSegment(directory, 0, "text");
  auto session = FindRecorded("build");
  ASSERT_TRUE(session.ok());
  NoDescriptors none;
  EXPECT_FALSE(RecordedNames().ok());
  absl::Status played = PlayRecorded(
      *session, {}, [](const RecordedBegin&) {},
      [](const CastEvent&) { return true; });
  EXPECT_TRUE(absl::IsResourceExhausted(played)) << played;
}

}  // namespace
}  // namespace glasstty::record
