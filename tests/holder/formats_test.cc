// The formats both sides agree on.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <string>

#include "holder/holder_client.h"

namespace glasstty {
namespace {

struct Pair {
  Pair() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    a.Reset(ends[0]);
    b.Reset(ends[1]);
  }
  Receive Take() {
    return ReceivePacket(b.get(), buffer, sizeof buffer, &packet);
  }
  UniqueFd a, b;
  char buffer[sizeof(PacketHeader) + kMaxPayload];
  Packet packet;
};

TEST(Wire, CarriesAPacketWithTheLongestPayload) {
  Pair pair;
  EXPECT_EQ(pair.Take(), Receive::kNothing);
  std::string payload(kMaxPayload, 'p');
  ASSERT_TRUE(SendPacket(
      pair.a.get(), {.type = PacketType::kWrite, .a = 5, .b = 6}, payload));
  ASSERT_EQ(pair.Take(), Receive::kPacket);
  EXPECT_EQ(pair.packet.header.type, PacketType::kWrite);
  EXPECT_EQ(pair.packet.header.a, 5u);
  EXPECT_EQ(pair.packet.payload, payload);
}

TEST(Wire, TreatsWhatIsNoPacketAsTheEnd) {
  PacketHeader wrong_magic{.magic = 1};
  PacketHeader wrong_length;
  wrong_length.payload = 7;
  std::string too_long(sizeof(PacketHeader) + kMaxPayload + 1, 'x');
  PacketHeader good;
  good.payload = kMaxPayload + 1;
  good.type = PacketType::kWrite;
  memcpy(too_long.data(), &good, sizeof good);
  std::string cases[] = {
      std::string("short"),
      std::string(reinterpret_cast<char*>(&wrong_magic), sizeof wrong_magic),
      std::string(reinterpret_cast<char*>(&wrong_length), sizeof wrong_length),
      too_long};
  for (const std::string& bytes : cases) {
    Pair pair;
    ASSERT_GT(send(pair.a.get(), bytes.data(), bytes.size(), 0), 0);
    EXPECT_EQ(pair.Take(), Receive::kClosed) << bytes.size();
  }
  Pair pair;
  pair.a.Reset();
  EXPECT_EQ(pair.Take(), Receive::kClosed);
}

// Unread packets at the other end turn the close into a reset, which the
// kernel tells before it hands out what was sent in time.
TEST(Wire, DeliversWhatWasSentBeforeAReset) {
  Pair pair;
  ASSERT_TRUE(SendPacket(pair.b.get(), {.type = PacketType::kAck}));
  ASSERT_TRUE(SendPacket(pair.a.get(), {.type = PacketType::kExit}));
  pair.a.Reset();
  ASSERT_EQ(pair.Take(), Receive::kPacket);
  EXPECT_EQ(pair.packet.header.type, PacketType::kExit);
  EXPECT_EQ(pair.Take(), Receive::kClosed);
}

TEST(Wire, SaysWhenTheQueueIsFull) {
  Pair pair;
  int sent = 0;
  while (SendPacket(pair.a.get(), {.type = PacketType::kData})) ++sent;
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_GT(sent, 0);
  pair.b.Reset();
  EXPECT_FALSE(SendPacket(pair.a.get(), {.type = PacketType::kData}));
}

TEST(Spec, SurvivesTheWayToTheHolder) {
  LaunchSpec spec;
  spec.argv = {"prog", "", "two words", "nl\n", "\xff\xfe"};
  spec.environment = {"A=1", "EMPTY="};
  spec.cwd = "/some where";
  spec.rows = 65535;
  spec.cols = 1;
  spec.pipe = true;
  spec.record_input = true;
  spec.grace_ms = kKeepForever;
  spec.log_cap = 12345;
  LaunchSpec back;
  ASSERT_TRUE(DecodeSpec(EncodeSpec(spec), &back));
  EXPECT_EQ(back.argv, spec.argv);
  EXPECT_EQ(back.environment, spec.environment);
  EXPECT_EQ(back.cwd, spec.cwd);
  EXPECT_EQ(back.rows, spec.rows);
  EXPECT_EQ(back.cols, spec.cols);
  EXPECT_TRUE(back.pipe);
  EXPECT_TRUE(back.record_input);
  EXPECT_EQ(back.grace_ms, kKeepForever);
  EXPECT_EQ(back.log_cap, spec.log_cap);
}

TEST(Spec, IsRefusedWhenAnyOfItIsMissing) {
  LaunchSpec spec;
  spec.argv = {"prog", "argument"};
  spec.environment = {"A=1"};
  std::string text = EncodeSpec(spec);
  for (size_t size = 0; size < text.size(); ++size) {
    LaunchSpec back;
    EXPECT_FALSE(DecodeSpec(text.substr(0, size), &back)) << size;
  }
  LaunchSpec back;
  EXPECT_FALSE(DecodeSpec(text + "x", &back));
  EXPECT_FALSE(DecodeSpec(EncodeSpec(LaunchSpec()), &back)) << "no program";
}

TEST(Crc, IsCastagnoli) {
  EXPECT_EQ(Crc32c("123456789", 9), 0xE3069283u);
  EXPECT_EQ(Crc32c("", 0), 0u);
}

TEST(Segments, AreListedInOrderAndNothingElseIs) {
  SessionDir dir;
  for (std::string name :
       {SegmentName("out", 10), SegmentName("out", 9), SegmentName("err", 8),
        std::string("out.1"), std::string("out.000000000000000g"),
        std::string("out"), std::string("outx0000000000000001")}) {
    ASSERT_TRUE(ReplaceFileAt(dir.fd(), name, "x"));
  }
  EXPECT_EQ(ListSegments(dir.fd(), "out"), (std::vector<uint64_t>{9, 10}));
  EXPECT_EQ(ListSegments(dir.fd(), "err"), (std::vector<uint64_t>{8}));
  EXPECT_EQ(SegmentName("out", 0xa000000), "out.000000000a000000");
}

TEST(Lock, IsFreeWhereNoHolderIs) {
  SessionDir dir;
  EXPECT_TRUE(HolderIsDead(dir.fd()));
  EXPECT_FALSE(ConnectHolder(dir.fd()).valid());
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace glasstty
