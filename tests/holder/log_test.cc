// Tests the raw log: segments, the cap, a disk that refuses, and reading it
// all.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <string>
#include <utility>

#include "base/clock.h"
#include "holder/event_writer.h"
#include "holder/holder_client.h"
#include "holder/log_writer.h"
#include "holder/pattern.h"
#include "testing/no_descriptors.h"
#include "wire/log_reader.h"

namespace glasstty::holder {
namespace {

using std::chrono::milliseconds;

constexpr uint64_t kNoCap = 1u << 30;

// A writer in a directory of its own.
struct Bench {
  explicit Bench(uint64_t cap = kNoCap)
      : events(dir.fd(), &clock), log(dir.fd(), "out", cap) {
    EXPECT_TRUE(events.Open());
    EXPECT_TRUE(log.Open());
  }
  std::vector<uint64_t> Segments() {
    return *wire::ListSegments(dir.fd(), "out");
  }

  SessionDir dir;
  ManualClock clock;
  EventWriter events;
  LogWriter log;
};

std::string ReadAll(int dir_fd, uint64_t from, uint64_t to) {
  wire::LogReader reader(dir_fd, "out");
  std::string text(to - from, '\0');
  size_t done = 0;
  while (done < text.size()) {
    ssize_t n = reader.Read(from + done, text.data() + done,
                            std::min<size_t>(text.size() - done, 100'000));
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  text.resize(done);
  return text;
}

// Limits the size of files while this object lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    Set(bytes);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, SIG_DFL);
  }
  void Set(rlim_t bytes) {
    rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  void Lift() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_;
};

TEST(Log, IsCutIntoSegmentsNamedByTheirOffset) {
  Bench bench;
  std::string text = Pattern(20'000'000, 3);
  for (size_t at = 0; at < text.size(); at += 65'536) {
    bench.log.Append(std::string_view(text).substr(at, 65'536));
  }
  EXPECT_EQ(bench.Segments(), (std::vector<uint64_t>{0, wire::kSegmentBytes,
                                                     2 * wire::kSegmentBytes}));
  EXPECT_EQ(bench.log.end(), text.size());
  EXPECT_EQ(bench.log.disk_end(), text.size());
  EXPECT_TRUE(ReadAll(bench.dir.fd(), 0, text.size()) == text);
  EXPECT_TRUE(bench.dir.Has("out.0000000000800000"));
}

TEST(Log, CanBeReadAtItsEndWhileItGrows) {
  Bench bench;
  wire::LogReader reader(bench.dir.fd(), "out");
  char buffer[100];
  EXPECT_EQ(reader.Read(0, buffer, sizeof buffer), 0);
  bench.log.Append("abc");
  EXPECT_EQ(reader.Read(0, buffer, sizeof buffer), 3);
  EXPECT_EQ(reader.Read(3, buffer, sizeof buffer), 0);
  EXPECT_EQ(reader.NextKept(3), 3u);
  bench.log.Append("def");
  EXPECT_EQ(reader.Read(3, buffer, sizeof buffer), 3);
}

TEST(Cap, RemovesTheOldestAcknowledgedSegmentOnly) {
  constexpr uint64_t kCap = 1 << 20, kSegment = kCap / 4;
  Bench bench(kCap);
  bench.log.SetReader(true, 0);
  bench.log.Append(Pattern(3 << 20, 1));
  EXPECT_EQ(bench.log.first(), 0u) << "nothing was acknowledged";
  bench.log.SetReader(true, kSegment + 1);
  EXPECT_EQ(bench.log.first(), kSegment) << "only the first one was, wholly";
  EXPECT_EQ(bench.Segments().front(), kSegment);
  bench.log.SetReader(true, 3 << 20);
  EXPECT_EQ(bench.log.first(), 2u << 20);
  wire::LogReader reader(bench.dir.fd(), "out");
  char byte;
  EXPECT_EQ(reader.Read(0, &byte, 1), -1);
  EXPECT_EQ(errno, ENODATA);
  EXPECT_EQ(reader.NextKept(0), 2u << 20);
  EXPECT_TRUE(ReadAll(bench.dir.fd(), 2u << 20, 3u << 20) ==
              Pattern(3 << 20, 1).substr(2u << 20));
}

TEST(Cap, HoldsWhenNobodyReads) {
  constexpr uint64_t kCap = 1 << 20;
  Bench bench(kCap);
  std::string block(65'536, 'x');
  for (int i = 0; i < 200; ++i) {
    bench.log.Append(block);
    EXPECT_LE(bench.log.end() - bench.log.first(), kCap + kCap / 4);
  }
}

TEST(Disk, GoesOnInANewSegmentWhenOneFileMayNotGrow) {
  Bench bench;
  std::string text = Pattern(500'000, 9);
  {
    FileSizeLimit limit(100'000);
    bench.log.Append(text);
  }
  EXPECT_EQ(bench.log.disk_end(), text.size());
  EXPECT_EQ(bench.Segments(),
            (std::vector<uint64_t>{0, 100'000, 200'000, 300'000, 400'000}));
  EXPECT_TRUE(ReadAll(bench.dir.fd(), 0, text.size()) == text);
}

TEST(Disk, LosesNothingWhenItRefusesForAWhile) {
  Bench bench;
  std::string text = Pattern(100'000, 2);
  bench.log.Append(text.substr(0, 1000));
  {
    FileSizeLimit limit(0);
    bench.log.Append(text.substr(1000));
    EXPECT_EQ(bench.log.disk_end(), 1000u);
    EXPECT_EQ(bench.log.end(), text.size());
    EXPECT_EQ(bench.log.held(), text.substr(1000));
    EXPECT_FALSE(bench.log.IsFull());
    bench.log.Retry();
    EXPECT_EQ(bench.log.disk_end(), 1000u);
  }
  bench.log.Retry();
  EXPECT_EQ(bench.log.disk_end(), text.size());
  EXPECT_TRUE(bench.log.held().empty());
  EXPECT_TRUE(ReadAll(bench.dir.fd(), 0, text.size()) == text);
}

TEST(Disk, TellsOfAHoleWhenItRefusesForTooLong) {
  Bench bench;
  bench.log.Append("before");
  std::string lost = Pattern(1'000'000, 2);
  {
    FileSizeLimit limit(0);
    for (size_t at = 0; at < lost.size(); at += 10'000) {
      bench.log.Append(std::string_view(lost).substr(at, 10'000));
    }
    EXPECT_TRUE(bench.log.IsFull());
    EXPECT_EQ(bench.log.held().size(), kMaxHeld);
  }
  bench.log.Retry();
  bench.log.Append("after");
  uint64_t resumes = 6 + lost.size() - kMaxHeld;
  wire::LogReader reader(bench.dir.fd(), "out");
  char buffer[100];
  EXPECT_EQ(reader.Read(0, buffer, sizeof buffer), 6);
  EXPECT_EQ(reader.Read(6, buffer, sizeof buffer), -1);
  EXPECT_EQ(errno, ENODATA);
  EXPECT_EQ(reader.NextKept(6), resumes);
  EXPECT_EQ(ReadAll(bench.dir.fd(), resumes, bench.log.end()),
            lost.substr(lost.size() - kMaxHeld) + "after");
  auto holes = wire::ReadHoles(bench.dir.fd(), "out");
  ASSERT_EQ(holes.size(), 1u);
  EXPECT_EQ(holes[0].offset, 6u);
  EXPECT_EQ(holes[0].bytes, resumes - 6);
  EXPECT_EQ(holes[0].error, static_cast<uint32_t>(EFBIG));
  auto end = lost.begin() + static_cast<std::ptrdiff_t>(holes[0].bytes);
  auto lines = std::count(lost.begin(), end, '\n');
  EXPECT_EQ(holes[0].lines, static_cast<uint64_t>(lines));
  EXPECT_TRUE(wire::ReadHoles(bench.dir.fd(), "err").empty());
}

TEST(Disk, KeepsWhatAnAttachedServerHasYetToGet) {
  Bench bench;
  bench.log.SetReader(true, 0);
  FileSizeLimit limit(0);
  bench.log.Append(Pattern(kMaxHeld + 5'000, 1));
  EXPECT_TRUE(bench.log.IsFull());
  EXPECT_EQ(bench.log.held_offset(), 0u) << "over the limit, but not lost";
  bench.log.SetReader(true, 100'000);
  EXPECT_FALSE(bench.log.IsFull());
  bench.log.Append("x");
  EXPECT_GT(bench.log.held_offset(), 0u);
  EXPECT_LE(bench.log.held_offset(), 100'000u);
}

// Limits the disk to a small size while this object lives.
class SmallDisk {
 public:
  // `options` are those of tmpfs(5).
  explicit SmallDisk(const char* options = "size=2m")
      : mounted_(mount("none", place_.path().c_str(), "tmpfs", 0, options) ==
                 0) {}
  ~SmallDisk() {
    if (mounted_) umount2(place_.path().c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }
  const SessionDir& place() const { return place_; }

 private:
  SessionDir place_;
  bool mounted_;
};

// Tests the whole path: a session on a full disk.
TEST(FullDisk, KeepsTheSessionAndHandsItsOutputOver) {
  SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs";
  std::ofstream(disk.place().File("filler")) << std::string(1'950'000, 'f');
  HolderClient client(ActorSpec({"flood", "1000000"}), disk.place().path());
  ASSERT_TRUE(client.Greet());
  std::string seen;
  // Reads as a server does: the file as far as it goes, then inline bytes.
  auto take = [&](const wire::Inline& part) {
    if (part.offset > seen.size()) seen = client.Log();
    size_t known = seen.size() - part.offset;
    if (known < part.bytes.size()) seen += part.bytes.substr(known);
    client.Send(wire::Ack{seen.size()});
  };
  ASSERT_TRUE(client.AwaitUntil([&] {
    while (auto part = client.Poll<wire::Inline>()) take(*part);
    return seen.size() >= 1'000'003;
  })) << seen.size();
  EXPECT_TRUE(seen == Pattern(1'000'000, 1) + "END");
  client.Send(wire::Kill{});
  EXPECT_TRUE(client.Await<wire::Exit>());
  EXPECT_TRUE(client.AwaitDeath());
}

// The limit of files is reached when a segment is full.
TEST(FullDisk, NoMoreSegmentsAreRemovedThanTheNextOneNeeds) {
  SmallDisk disk("nr_inodes=4");  // the directory and three files
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs";
  constexpr uint64_t kCap = 1 << 20, kSegment = kCap / 4;
  UniqueFd directory(open(disk.place().path().c_str(), O_RDONLY | O_DIRECTORY));
  LogWriter log(directory.get(), "out", kCap);
  ASSERT_TRUE(log.Open());
  log.Append(Pattern(3 * kSegment + 1, 1));
  EXPECT_EQ(log.disk_end(), 3 * kSegment + 1);
  EXPECT_EQ(log.first(), kSegment);
}

TEST(FullDisk, PausesAProgramRatherThanLoseWhatAServerHasYetToGet) {
  SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs";
  std::ofstream(disk.place().File("filler")) << std::string(1'600'000, 'f');
  HolderClient client(ActorSpec({"flood", "1500000"}), disk.place().path());
  client.set_acknowledges(false);
  ASSERT_TRUE(client.Greet());
  // The server accepts as much as the disk does.
  auto part = client.Await<wire::Inline>(std::chrono::milliseconds(20));
  for (; !part;
       part = client.Await<wire::Inline>(std::chrono::milliseconds(20))) {
    client.Send(wire::Ack{client.LogEnd()});
  }
  uint64_t on_disk = client.LogEnd();
  client.Send(wire::Ack{on_disk});
  // Everything that it holds arrives, then nothing more.
  uint64_t end = 0;
  for (; part;
       part = client.Await<wire::Inline>(std::chrono::milliseconds(300))) {
    end = part->offset + part->bytes.size();
  }
  EXPECT_GE(end, on_disk + kMaxHeld);
  EXPECT_LT(end, 1'500'000u);
  // Now there is room again, and the disk gets everything, without a hole.
  unlink(disk.place().File("filler").c_str());
  client.set_acknowledges(true);
  client.Send(wire::Ack{end});
  EXPECT_TRUE(Eventually([&] { return client.LogEnd() > end; }));
  std::string log = client.Log();
  EXPECT_TRUE(log == (Pattern(1'500'000, 1) + "END").substr(0, log.size()));
  client.Send(wire::Kill{});
  EXPECT_TRUE(client.AwaitDeath());
}

TEST(Events, AreReadBackAndATornOneIsLeftOut) {
  Bench bench;
  bench.events.Append(wire::EventType::kResize, 0, 24, 80);
  bench.events.Append(wire::EventType::kExit, 10, 3);
  std::string file;
  ASSERT_TRUE(ReadFileAt(bench.dir.fd(), wire::kEventsName, 4096, &file));
  ASSERT_EQ(file.size(), 2 * sizeof(wire::EventRecord));
  for (size_t size = 0; size <= file.size(); ++size) {
    ReplaceFileAt(bench.dir.fd(), wire::kEventsName, file.substr(0, size));
    EXPECT_EQ(wire::ReadEvents(bench.dir.fd())->size(),
              size / sizeof(wire::EventRecord));
  }
  file[40] ^= 1;
  ReplaceFileAt(bench.dir.fd(), wire::kEventsName, file);
  ASSERT_EQ(wire::ReadEvents(bench.dir.fd())->size(), 1u);
  EXPECT_EQ(wire::ReadEvents(bench.dir.fd())->at(0).a, 24u);
}

TEST(Events, StaySmallHoweverLongASessionPrints) {
  Bench bench;
  bench.events.Append(wire::EventType::kResize, 0, 24, 80);
  bench.events.Append(wire::EventType::kResize, 50, 30, 90);
  for (uint64_t i = 0; i < 32'768; ++i) {
    bench.events.Append(wire::EventType::kTime, 100 + i);
  }
  bench.events.Append(wire::EventType::kExit, 40'000, 7);
  // The first time that is due causes a trim.
  bench.events.AppendTime(50'000, 30'000);
  std::vector<wire::EventRecord> events = *wire::ReadEvents(bench.dir.fd());
  EXPECT_LT(events.size(), 3'000u);
  EXPECT_EQ(events[0].type, wire::EventType::kResize);
  EXPECT_EQ(events[0].offset, 0u) << "when the session began";
  EXPECT_EQ(events[1].type, wire::EventType::kResize);
  EXPECT_EQ(events[1].offset, 50u)
      << "the size that holds where the log starts";
  EXPECT_GE(events[2].offset, 30'000u);
  EXPECT_EQ(events.back().offset, 50'000u);
  bench.events.Append(wire::EventType::kExit, 50'000);
  EXPECT_EQ(wire::ReadEvents(bench.dir.fd())->back().type,
            wire::EventType::kExit);
}

TEST(Events, OfTypingAreThinnedLikeTimes) {
  SessionDir dir;
  ManualClock clock;
  EventWriter events(dir.fd(), &clock);
  ASSERT_TRUE(events.Open());
  events.Append(wire::EventType::kResize, 0, 24, 80);
  events.Append(wire::EventType::kTurn, 0, 1);
  for (uint32_t i = 0; i < 40'000; ++i) {
    clock.Advance(milliseconds(1'000));
    events.Append(wire::EventType::kTyped, i, i % 2);
    events.AppendTime(i, 0);
  }
  std::vector<wire::EventRecord> kept = *wire::ReadEvents(dir.fd());
  EXPECT_LT(kept.size(), 40'000u);
  EXPECT_EQ(kept[1].type, wire::EventType::kTurn);
}

// To read a long file for each piece of output would cost too much.
TEST(Events, ThatCouldNotBeTrimmedAreNotTrimmedAgainSoon) {
  SessionDir dir;
  ManualClock clock;
  EventWriter events(dir.fd(), &clock);
  ASSERT_TRUE(events.Open());
  auto print = [&](int records) {
    for (int i = 0; i < records; ++i) {
      clock.Advance(milliseconds(100));
      events.AppendTime(100, 100);
    }
  };
  // The new file cannot be written there.
  ASSERT_EQ(mkdirat(dir.fd(), "events.tmp", 0700), 0);
  print(33'000);
  ASSERT_EQ(unlinkat(dir.fd(), "events.tmp", AT_REMOVEDIR), 0);
  print(30'000);
  EXPECT_EQ(events.records(), 63'000u);
  print(6'000);
  EXPECT_LT(events.records(), 40'000u);
}

// A program that hides typed text in many short turns, as a progress display
// may do, must not fill the disk with notes about itself.
TEST(Events, AreNotMadeByWhatAProgramDoesToItsTerminal) {
  StartedHolder client(ShellSpec(
      "for i in 1 2 3 4; do stty -echo; echo off; stty echo; echo on; done"));
  ASSERT_TRUE(client.Await<wire::Empty>());
  auto events = wire::ReadEvents(client.dir().fd());
  for (const wire::EventRecord& event : *events) {
    EXPECT_TRUE(event.type == wire::EventType::kTime ||
                event.type == wire::EventType::kResize ||
                event.type == wire::EventType::kExit)
        << static_cast<int>(event.type);
  }
}

TEST(Events, ThatCannotBeThinnedAreSeldomWrittenAgain) {
  SessionDir dir;
  ManualClock clock;
  EventWriter events(dir.fd(), &clock);
  ASSERT_TRUE(events.Open());
  for (uint16_t i = 0; i < 40'000; ++i) {
    events.Append(wire::EventType::kResize, i, 24, 80 + i % 2);
  }
  ino_t last = 0;
  int rewritten = 0;
  for (uint64_t i = 0; i < 1'000; ++i) {
    clock.Advance(milliseconds(50));
    events.AppendTime(50'000 + i, 0);
    struct stat info;
    ASSERT_EQ(fstatat(dir.fd(), wire::kEventsName, &info, 0), 0);
    if (std::exchange(last, info.st_ino) != info.st_ino) ++rewritten;
  }
  // The first look counts as one.
  EXPECT_LE(rewritten, 2);
}

TEST(Events, FollowTheSessionInOrder) {
  StartedHolder client(ActorSpec({"winch"}), "size 40x120.");
  client.Send(wire::Resize{10, 30});
  auto resized = Expect<wire::Resized>(&client);
  EXPECT_EQ(resized, (wire::Resized{resized.offset, 10, 30}));
  ASSERT_TRUE(client.AwaitText("size 10x30."));
  client.Send(wire::Kill{});
  ASSERT_TRUE(client.Await<wire::Empty>());
  std::string log = client.Log();
  // Everything that was printed for the old size is before the event's offset.
  EXPECT_EQ(resized.offset, log.find("size 10x30."));
  std::vector<wire::EventType> order;
  auto events = wire::ReadEvents(client.dir().fd());
  for (const wire::EventRecord& event : *events) {
    EXPECT_LE(event.offset, log.size());
    if (event.type == wire::EventType::kResize && event.a == 10) {
      EXPECT_EQ(event.offset, resized.offset);
    }
    if (event.type != wire::EventType::kTime) order.push_back(event.type);
  }
  EXPECT_EQ(order, (std::vector<wire::EventType>{wire::EventType::kResize,
                                                 wire::EventType::kResize,
                                                 wire::EventType::kExit}));
}

// A directory that cannot be read must not look like one without segments.
TEST(Log, TooFewDescriptorsAreNoEmptyLog) {
  Bench bench;
  bench.log.Append("abc");
  int dir = bench.dir.fd();
  wire::LogReader reader(dir, "out");
  char buffer[8];
  {
    NoDescriptors none;
    EXPECT_FALSE(wire::ListSegments(dir, "out").has_value());
    EXPECT_FALSE(wire::LogEnd(dir, "out").has_value());
    EXPECT_FALSE(reader.NextKept(0).has_value());
    EXPECT_EQ(reader.Read(0, buffer, sizeof buffer), -1);
    EXPECT_EQ(errno, EMFILE);
    LogWriter next(dir, "out", kNoCap);
    EXPECT_FALSE(next.Resume());
  }
  EXPECT_EQ(wire::LogEnd(dir, "out"), 3u);
  EXPECT_EQ(reader.Read(0, buffer, sizeof buffer), 3);
}

}  // namespace
}  // namespace glasstty::holder
