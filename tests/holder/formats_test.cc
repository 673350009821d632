// Tests the formats on which both sides agree.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <string>

#include "holder/holder_client.h"

namespace glasstty::holder {
namespace {

struct Pair {
  Pair() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
    a.Reset(ends[0]);
    b.Reset(ends[1]);
  }
  wire::Receive Take() {
    return wire::ReceivePacket(b.get(), buffer, sizeof buffer, &packet);
  }
  UniqueFd a, b;
  char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
  wire::Packet packet;
};

TEST(Wire, CarriesAPacketWithTheLongestPayload) {
  Pair pair;
  EXPECT_EQ(pair.Take(), wire::Receive::kNothing);
  std::string payload(wire::kMaxPayload, 'p');
  wire::Write write{5, 6, payload};
  ASSERT_TRUE(wire::SendMessage(pair.a.get(), write));
  ASSERT_EQ(pair.Take(), wire::Receive::kPacket);
  EXPECT_EQ(wire::DecodeAs<wire::Write>(pair.packet), write);
}

TEST(Wire, TreatsWhatIsNoPacketAsTheEnd) {
  wire::PacketHeader wrong_magic{.magic = 1};
  wire::PacketHeader wrong_length;
  wrong_length.payload = 7;
  std::string too_long(sizeof(wire::PacketHeader) + wire::kMaxPayload + 1, 'x');
  wire::PacketHeader good;
  good.payload = wire::kMaxPayload + 1;
  good.type = wire::Write::kType;
  memcpy(too_long.data(), &good, sizeof good);
  std::string cases[] = {
      std::string("short"),
      std::string(reinterpret_cast<char*>(&wrong_magic), sizeof wrong_magic),
      std::string(reinterpret_cast<char*>(&wrong_length), sizeof wrong_length),
      too_long};
  for (const std::string& bytes : cases) {
    Pair pair;
    ASSERT_GT(send(pair.a.get(), bytes.data(), bytes.size(), 0), 0);
    EXPECT_EQ(pair.Take(), wire::Receive::kClosed) << bytes.size();
  }
  Pair pair;
  pair.a.Reset();
  EXPECT_EQ(pair.Take(), wire::Receive::kClosed);
}

// Unread packets at the other end turn the close into a reset, which the kernel
// reports before it delivers what was sent in time.
TEST(Wire, DeliversWhatWasSentBeforeAReset) {
  Pair pair;
  ASSERT_TRUE(wire::SendPacket(pair.b.get(), {.type = wire::Ack::kType}));
  ASSERT_TRUE(wire::SendPacket(pair.a.get(), {.type = wire::Exit::kType}));
  pair.a.Reset();
  ASSERT_EQ(pair.Take(), wire::Receive::kPacket);
  EXPECT_EQ(pair.packet.header.type, wire::Exit::kType);
  EXPECT_EQ(pair.Take(), wire::Receive::kClosed);
}

TEST(Wire, SaysWhenTheQueueIsFull) {
  Pair pair;
  int sent = 0;
  while (wire::SendPacket(pair.a.get(), {.type = wire::Data::kType})) ++sent;
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_GT(sent, 0);
  pair.b.Reset();
  EXPECT_FALSE(wire::SendPacket(pair.a.get(), {.type = wire::Data::kType}));
}

TEST(Spec, SurvivesTheWayToTheHolder) {
  wire::LaunchSpec spec;
  spec.argv = {"prog", "", "two words", "nl\n", "\xff\xfe"};
  spec.environment = {"A=1", "EMPTY="};
  spec.cwd = "/some where";
  spec.rows = 65535;
  spec.cols = 1;
  spec.pipe = true;
  spec.record_input = true;
  spec.grace_ms = wire::kKeepForever;
  spec.log_cap = 12345;
  spec.umask = 077;
  spec.limits = {{1, 2}, {RLIM_INFINITY, RLIM_INFINITY}};
  wire::LaunchSpec back;
  ASSERT_TRUE(wire::DecodeSpec(wire::EncodeSpec(spec), &back));
  EXPECT_EQ(back.argv, spec.argv);
  EXPECT_EQ(back.environment, spec.environment);
  EXPECT_EQ(back.cwd, spec.cwd);
  EXPECT_EQ(back.rows, spec.rows);
  EXPECT_EQ(back.cols, spec.cols);
  EXPECT_TRUE(back.pipe);
  EXPECT_TRUE(back.record_input);
  EXPECT_EQ(back.grace_ms, wire::kKeepForever);
  EXPECT_EQ(back.log_cap, spec.log_cap);
  EXPECT_EQ(back.umask, spec.umask);
  ASSERT_EQ(back.limits.size(), 2u);
  EXPECT_EQ(back.limits[0].rlim_cur, 1u);
  EXPECT_EQ(back.limits[0].rlim_max, 2u);
  EXPECT_EQ(back.limits[1].rlim_max, RLIM_INFINITY);
}

TEST(Spec, OfAServerBeforeAnUpgradeHasNeitherUmaskNorLimits) {
  wire::LaunchSpec spec;
  spec.argv = {"prog"};
  std::string text = wire::EncodeSpec(spec);
  constexpr std::string_view kEnd(
      "\0"
      "0\0",
      3);
  ASSERT_TRUE(text.ends_with(kEnd));
  text.resize(text.size() - kEnd.size());
  text.replace(text.find('3'), 1, "2");
  wire::LaunchSpec back;
  ASSERT_TRUE(wire::DecodeSpec(text, &back));
  EXPECT_EQ(back.argv, spec.argv);
  EXPECT_FALSE(back.umask);
  EXPECT_TRUE(back.limits.empty());
}

TEST(Spec, IsRefusedWhenAnyOfItIsMissing) {
  wire::LaunchSpec spec;
  spec.argv = {"prog", "argument"};
  spec.environment = {"A=1"};
  std::string text = wire::EncodeSpec(spec);
  for (size_t size = 0; size < text.size(); ++size) {
    wire::LaunchSpec back;
    EXPECT_FALSE(wire::DecodeSpec(text.substr(0, size), &back)) << size;
  }
  wire::LaunchSpec back;
  EXPECT_FALSE(wire::DecodeSpec(text + "x", &back));
  EXPECT_FALSE(wire::DecodeSpec(wire::EncodeSpec(wire::LaunchSpec()), &back))
      << "no program";
}

TEST(Crc, IsCastagnoli) {
  EXPECT_EQ(wire::Crc32c("123456789", 9), 0xE3069283u);
  EXPECT_EQ(wire::Crc32c("", 0), 0u);
}

TEST(Segments, AreListedInOrderAndNothingElseIs) {
  SessionDir dir;
  for (const std::string& name :
       {wire::SegmentName("out", 10), wire::SegmentName("out", 9),
        wire::SegmentName("err", 8), std::string("out.1"),
        std::string("out.000000000000000g"), std::string("out"),
        std::string("outx0000000000000001")}) {
    ASSERT_TRUE(ReplaceFileAt(dir.fd(), name, "x"));
  }
  EXPECT_EQ(wire::ListSegments(dir.fd(), "out"),
            (std::vector<uint64_t>{9, 10}));
  EXPECT_EQ(wire::ListSegments(dir.fd(), "err"), (std::vector<uint64_t>{8}));
  EXPECT_EQ(wire::SegmentName("out", 0xa000000), "out.000000000a000000");
}

TEST(Lock, IsFreeWhereNoHolderIs) {
  SessionDir dir;
  EXPECT_TRUE(wire::HolderIsDead(dir.fd()));
  EXPECT_FALSE(wire::ConnectHolder(dir.fd()).valid());
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace glasstty::holder
