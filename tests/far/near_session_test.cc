// A session at the near end, between a scripted server and a scripted far end.
#include "far/near_session.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "testing/system.h"
#include "wire/session_files.h"

namespace glasstty {
namespace {

using testing::ReadWholeFile;
using testing::TempDir;

class NearEnd : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name :
         {"ctl", "watch", "events", "lock", "out.0000000000000000"}) {
      unlink(dir_.Join(name).c_str());
    }
    Begin(/*resumed=*/false);
  }
  // A relay that has been killed leaves all of its files.
  void Begin(bool resumed) {
    int ends[2], connection[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), 0);
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, connection), 0);
    server_.Reset(ends[0]);
    far_ = FrameStream(UniqueFd(connection[0]), UniqueFd(dup(connection[0])));
    far_.Begin();
    near_ = FrameStream(UniqueFd(connection[1]), UniqueFd(dup(connection[1])));
    near_.Begin();
    NearSession::Start start;
    start.server.Reset(ends[1]);
    start.directory.Reset(
        open(dir_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    start.open.id = std::string(32, 'a');
    start.open.spec.argv = {"sh"};
    start.open.spec.grace_ms = 60'000;
    start.resumed = resumed;
    session_ = std::make_unique<NearSession>(1, std::move(start), &near_);
    ASSERT_TRUE(session_->Prepare());
  }

  // What the server says.
  void Say(PacketHeader header, std::string_view payload = {}) {
    ASSERT_TRUE(SendPacket(server_.get(), header, payload));
    session_->Read(0, MonotonicNow());
  }
  // The next packet that the server gets.
  std::optional<PacketHeader> Hears() {
    Packet packet;
    session_->Flush(0);
    if (ReceivePacket(server_.get(), buffer_, sizeof buffer_, &packet) !=
        Receive::kPacket) {
      return std::nullopt;
    }
    payload_ = packet.payload;
    return packet.header;
  }
  std::vector<PacketType> HearsAll() {
    std::vector<PacketType> types;
    while (auto header = Hears()) types.push_back(header->type);
    return types;
  }
  // The frames that the far end gets.
  std::vector<FrameHeader> Arrived() {
    near_.Flush();
    EXPECT_TRUE(far_.Fill());
    std::vector<FrameHeader> headers;
    Frame frame;
    while (far_.Next(&frame) == FrameReader::Result::kFrame) {
      headers.push_back(frame.header);
      if (frame.header.type == FrameType::kPacket) {
        PacketHeader header;
        std::memcpy(&header, frame.payload.data(), sizeof header);
        packets_.push_back(header.type);
      }
    }
    return headers;
  }
  // A frame of the far end.
  bool Comes(FrameHeader header, std::string_view payload) {
    header.session = 1;
    return session_->Take({header, payload});
  }
  bool ComesPacket(PacketHeader header, std::string_view payload = {}) {
    header.payload = payload.size();
    return Comes({.type = FrameType::kPacket},
                 std::string(AsBytes(header)) + std::string(payload));
  }
  bool Output(uint64_t offset, std::string_view bytes) {
    return Comes({.type = FrameType::kLog, .a = offset}, bytes);
  }
  // The holder has taken writes up to `last`, and all up to `read` were read.
  void Up(uint64_t last = 0, uint64_t read = 0) {
    session_->Connect();
    HolderInfo info{.leader_pid = 42,
                    .rows = 40,
                    .cols = 120,
                    .started = 1,
                    .last_serial = last,
                    .read_serial = read};
    ASSERT_TRUE(ComesPacket({.type = PacketType::kWelcome, .a = kWireVersion},
                            AsBytes(info)));
    ASSERT_TRUE(ComesPacket({.type = PacketType::kStarted, .a = 42}));
  }
  std::string Log() { return ReadWholeFile(dir_.Join("out.0000000000000000")); }

  TempDir dir_;
  UniqueFd server_;
  FrameStream far_, near_;
  std::unique_ptr<NearSession> session_;
  char buffer_[sizeof(PacketHeader) + kMaxPayload];
  std::string payload_;
  std::vector<PacketType> packets_;
};

TEST_F(NearEnd, GreetsTheServerOnceTheProgramIsKnown) {
  Say({.type = PacketType::kHello, .a = 1, .b = 1});
  EXPECT_EQ(Hears(), std::nullopt);
  Up();
  auto welcome = Hears();
  ASSERT_TRUE(welcome);
  EXPECT_EQ(welcome->type, PacketType::kWelcome);
  EXPECT_EQ(HearsAll(),
            (std::vector<PacketType>{PacketType::kAway, PacketType::kStarted}));
}

TEST_F(NearEnd, StoresOutputOnceWhateverIsSentAgain) {
  Up();
  EXPECT_TRUE(Output(0, "abc"));
  EXPECT_TRUE(Output(0, "abcdef"));
  EXPECT_TRUE(Output(2, "c"));
  EXPECT_EQ(Log(), "abcdef");
}

TEST_F(NearEnd, LeavesAHoleWhereOutputWasLost) {
  Up();
  EXPECT_TRUE(Output(0, "abc"));
  EXPECT_TRUE(Output(100, "xyz"));
  EXPECT_TRUE(Output(103, "!"));
  EXPECT_EQ(Log(), "abc");
  EXPECT_EQ(ReadWholeFile(dir_.Join("out.0000000000000064")), "xyz!");
}

TEST_F(NearEnd, KeepsNothingThatIsAskedOrTypedWithoutAConnection) {
  Say({.type = PacketType::kHello, .a = 1, .b = 1});
  Up();
  HearsAll();
  Say({.type = PacketType::kProbe, .a = 5});
  Say({.type = PacketType::kWrite, .a = 6}, "typed");
  Arrived();
  EXPECT_EQ(packets_,
            (std::vector<PacketType>{PacketType::kProbe, PacketType::kWrite}));
  packets_.clear();
  session_->Disconnect();
  EXPECT_EQ(HearsAll(), std::vector<PacketType>{PacketType::kAway});
  Say({.type = PacketType::kProbe, .a = 6});
  Say({.type = PacketType::kWrite, .a = 7}, "lost");
  auto refused = Hears();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->type, PacketType::kRefused);
  EXPECT_EQ(refused->b, static_cast<uint64_t>(WriteRefusal::kAway));
  Up();
  Arrived();
  EXPECT_EQ(packets_, std::vector<PacketType>());
  // What was on its way has not arrived.
  EXPECT_EQ(HearsAll(),
            (std::vector<PacketType>{PacketType::kRefused, PacketType::kAway,
                                     PacketType::kStarted}));
}

TEST_F(NearEnd, TellsWhatBecameOfInputThatWasOnItsWay) {
  struct Row {
    uint64_t last, read;
    std::vector<std::pair<PacketType, uint64_t>> told;
  };
  using enum PacketType;
  const Row kRows[] = {
      {3, 3, {{kRefused, 4}, {kRefused, 6}}},  // nothing has arrived
      {4, 4, {{kRefused, 6}, {kConsumed, 4}}},
      {5, 0, {{kRefused, 6}}},  // a part of 6 has; 4 is not read yet
      {6, 6, {{kConsumed, 6}}},
      {6, 0, {}},
  };
  for (const Row& row : kRows) {
    SetUp();
    Say({.type = kHello, .a = 1, .b = 1});
    Up();
    Say({.type = kWrite, .a = 3}, "read");
    EXPECT_TRUE(ComesPacket({.type = kConsumed, .a = 3}));
    Say({.type = kWrite, .a = 4}, "on its way");
    Say({.type = kWrite, .a = 5, .b = kWriteMore}, "in two");
    Say({.type = kWrite, .a = 6}, "parts");
    session_->Disconnect();
    HearsAll();
    Up(row.last, row.read);
    std::vector<std::pair<PacketType, uint64_t>> told;
    while (auto header = Hears()) {
      if (header->type == kRefused || header->type == kConsumed) {
        told.emplace_back(header->type, header->a);
      }
    }
    EXPECT_EQ(told, row.told) << row.last;
  }
}

TEST_F(NearEnd, InputOfANewConnectionIsNotInDoubtForItsGreetingIsOlder) {
  Say({.type = PacketType::kHello, .a = 1, .b = 1});
  Up();
  session_->Disconnect();
  session_->Connect();
  Say({.type = PacketType::kWrite, .a = 1}, "typed at once");
  HearsAll();
  Up();
  for (PacketType type : HearsAll()) EXPECT_NE(type, PacketType::kRefused);
}

TEST_F(NearEnd, AnswersALaterServerWhileThereIsNoConnection) {
  Up();
  EXPECT_TRUE(Output(0, "abc"));
  session_->Disconnect();
  Say({.type = PacketType::kHello, .a = 1, .b = 1});
  auto welcome = Hears();
  ASSERT_TRUE(welcome);
  HolderInfo info;
  std::memcpy(&info, payload_.data(), sizeof info);
  EXPECT_EQ(info.end, 3u);
  EXPECT_EQ(HearsAll(),
            (std::vector<PacketType>{PacketType::kStarted, PacketType::kData,
                                     PacketType::kAway}));
}

TEST_F(NearEnd, GoesOnWithWhatAKilledRelayHasLeft) {
  Say({.type = PacketType::kHello, .a = 1, .b = 1});
  Up(/*last=*/7, /*read=*/7);
  EXPECT_TRUE(Output(0, "abc"));
  session_.reset();
  Begin(/*resumed=*/true);
  // The server learns at once what was known, and may ask what became of its
  // input before there is a connection.
  Say({.type = PacketType::kHello, .a = 1, .b = 1});
  Say({.type = PacketType::kDoubt, .a = 8, .b = 9});
  EXPECT_EQ(HearsAll(),
            (std::vector<PacketType>{PacketType::kWelcome, PacketType::kStarted,
                                     PacketType::kData, PacketType::kAway}));
  session_->Connect();
  std::vector<FrameHeader> asked = Arrived();
  ASSERT_FALSE(asked.empty());
  EXPECT_EQ(asked[0].type, FrameType::kAttach);
  EXPECT_TRUE(Output(0, "abcdef"));
  EXPECT_EQ(ReadWholeFile(dir_.Join("out.0000000000000003")), "def");
  Up(/*last=*/8, /*read=*/8);
  std::vector<std::pair<PacketType, uint64_t>> told;
  while (auto header = Hears()) {
    if (header->type != PacketType::kData) {
      told.emplace_back(header->type, header->a);
    }
  }
  using enum PacketType;
  EXPECT_EQ(told,
            (std::vector<std::pair<PacketType, uint64_t>>{
                {kRefused, 9}, {kConsumed, 8}, {kAway, 0}, {kStarted, 42}}));
}

TEST_F(NearEnd, GoesOnWhereTheFirstByteHadNotCome) {
  Up();
  session_.reset();
  Begin(/*resumed=*/true);
  Up();
  EXPECT_TRUE(Output(0, "abc"));
  EXPECT_EQ(Log(), "abc");
}

// The relay was killed between the exit and the news that all of it had come.
TEST_F(NearEnd, RemembersAnExitThatAKilledRelayHasTold) {
  Up();
  uint64_t errors = 0;
  EXPECT_TRUE(ComesPacket({.type = PacketType::kExit, .a = 0, .b = 7 << 8},
                          AsBytes(errors)));
  session_.reset();
  Begin(/*resumed=*/true);
  Say({.type = PacketType::kHello, .a = 1, .b = 1});
  std::vector<PacketType> heard = HearsAll();
  EXPECT_EQ(std::count(heard.begin(), heard.end(), PacketType::kExit), 1);
}

TEST_F(NearEnd, AnEndIsNotTakenForADeadRelay) {
  Up();
  EXPECT_EQ(access(dir_.Join("elsewhere").c_str(), F_OK), 0);
  EXPECT_TRUE(Comes({.type = FrameType::kGone}, ""));
  EXPECT_NE(access(dir_.Join("elsewhere").c_str(), F_OK), 0);
}

TEST_F(NearEnd, TellsTheExitOnceAndIsDoneWhenTheHolderHasGone) {
  Say({.type = PacketType::kHello, .a = 1, .b = 1});
  Up();
  HearsAll();
  uint64_t errors = 0;
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(ComesPacket({.type = PacketType::kExit, .a = 0, .b = 7 << 8},
                            AsBytes(errors)));
  }
  EXPECT_EQ(HearsAll(), std::vector<PacketType>{PacketType::kExit});
  EXPECT_FALSE(session_->done());
  EXPECT_TRUE(Comes({.type = FrameType::kGone}, ""));
  EXPECT_TRUE(session_->done());
  EXPECT_EQ(ReadWholeFile(dir_.Join("exit")).size(), sizeof(ExitRecord));
}

TEST_F(NearEnd, BelievesNothingThatCannotBe) {
  Up();
  EXPECT_FALSE(Output(uint64_t{1} << 63, "x"));
  EXPECT_FALSE(Output(uint64_t{1} << 40, "x"));  // beyond what was asked for
  EXPECT_FALSE(Output(0, std::string(kLogPiece + 1, 'x')));
  EXPECT_FALSE(Comes({.type = FrameType::kLog, .part = 1}, "x"));  // no stderr
  EXPECT_FALSE(Comes({.type = FrameType::kLog, .part = 9}, "x"));
  EXPECT_FALSE(Comes({.type = FrameType::kPacket}, "short"));
  EXPECT_FALSE(
      Comes({.type = FrameType::kPacket, .part = 99}, AsBytes(PacketHeader())));
  EXPECT_FALSE(ComesPacket({.type = PacketType::kTreeRow},
                           std::string(kMaxPayload + 1, 'x')));
  EXPECT_EQ(Log(), "");
}

TEST_F(NearEnd, EndsTheProgramWhenNoServerComesBackInTime) {
  Say({.type = PacketType::kHello, .a = 1, .b = 1});
  Up();
  Arrived();
  packets_.clear();
  server_.Reset();
  Time now = MonotonicNow();
  session_->Read(0, now);
  session_->RunTimers(now + std::chrono::seconds(59));
  Arrived();
  EXPECT_EQ(packets_, std::vector<PacketType>());
  session_->RunTimers(now + std::chrono::seconds(61));
  Arrived();
  EXPECT_EQ(packets_, std::vector<PacketType>{PacketType::kKill});
}

TEST_F(NearEnd, EndsTheProgramAfterABreakIfNoServerHasComeBackMeanwhile) {
  Say({.type = PacketType::kHello, .a = 1, .b = 1});
  Up();
  Arrived();
  packets_.clear();
  session_->Disconnect();
  server_.Reset();
  Time now = MonotonicNow();
  session_->Read(0, now);
  session_->RunTimers(now + std::chrono::seconds(61));
  Up();
  Arrived();
  EXPECT_EQ(packets_, std::vector<PacketType>{PacketType::kKill});
}

}  // namespace
}  // namespace glasstty
