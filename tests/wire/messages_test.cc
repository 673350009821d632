#include "wire/messages.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace glasstty::wire {
namespace {

using std::string_view_literals::operator""sv;

constexpr uint64_t kLarge = 0xFEDCBA9876543210;

Packet PacketOf(const Writer& encoded) {
  return {encoded.header, encoded.payload};
}

// These lists have each message of a side once, in the order of its variant,
// without any field that is zero.
std::vector<FromServer> OneOfEachFromServers() {
  return {
      Hello{1, 2},
      Ack{kLarge, 7},
      Write{3, kWriteEof | kWriteMore, "a\0b"sv},
      Resize{24, 80},
      Signal{9, SignalTarget::kTree},
      Probe{4, kProbeWork},
      Tree{5, kTreeListening},
      Close{2000, kCloseEof},
      Kill{},
      Policy{kKeepForever, 1 << 20},
      Ask{"the password"},
      File{10, 20, "environment", "A=b\0"sv},
      Doubt{6, 8},
      Lend{},
  };
}

std::vector<FromObserver> OneOfEachFromObservers() {
  return {
      Ack{1, 2},
      Write{3, kWriteEof, "keys"},
      Resize{24, 80},
      Signal{9, SignalTarget::kTree},
      Probe{4, kProbeWork},
      Tree{5, kTreeListening},
      Close{2000, kCloseEof},
      Watch{1, 1, "attach"},
      Take{600'000, kTakeOver},
      Give{},
  };
}

std::vector<FromHolder> OneOfEachFromHolders() {
  return {
      Welcome{1,
              {.first = 1, .end = 9, .leader_pid = 5, .read_serial = kLarge}},
      Data{kLarge, 12},
      Inline{13, "\xFF\0x"sv},
      Consumed{14, ConsumedHow::kFlushed, ReceiptInfo{15, 1}},
      State{16, 17, {.offset = 18, .unread = -1, .name = "vi", .work = {1, 1}}},
      Exit{19, 0x8B, 20},
      TreeRow{21, {.pid = 22, .ports = 2}, {{80, 4}, {443, 6}}, "nc -l"},
      TreeEnd{23, 24},
      Resized{25, 26, 27},
      Lost{28, 29, HoleRecord{.offset = 28, .bytes = 29, .error = 30}},
      Busy{},
      Started{0, StartStage::kExec, 2},
      Empty{31},
      Refused{32, WriteRefusal::kNotSecret, 33},
      Lease{34, kLeaseHeld, {.serial = 34, .pid = 35, .label = "attach"}},
      Asked{"the password"},
      Away{true, 36},
      Wanted{},
  };
}

template <typename Side>
void ExpectReadAsWritten(const std::vector<Side>& all) {
  ASSERT_EQ(all.size() + 1, std::variant_size_v<Side>);
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(all[i].index(), i + 1);
    std::visit(
        [&]<typename M>(const M& message) {
          if constexpr (!std::is_same_v<M, std::monostate>) {
            Writer encoded = Encode(message);
            EXPECT_EQ(encoded.header.payload, encoded.payload.size());
            EXPECT_TRUE(Decode<Side>(PacketOf(encoded)) == all[i])
                << static_cast<int>(M::kType);
          }
        },
        all[i]);
  }
}

TEST(Messages, EachIsReadAsItWasWritten) {
  ExpectReadAsWritten(OneOfEachFromServers());
  ExpectReadAsWritten(OneOfEachFromObservers());
  ExpectReadAsWritten(OneOfEachFromHolders());
}

// A holder of an older release reads and writes these.
TEST(Messages, BytesAreThoseOfEarlierReleases) {
  Writer write = Encode(Write{3, kWriteSecret, "pw"});
  EXPECT_EQ(std::string(AsBytes(write.header)) + write.payload,
            "GHL1\x01\0\x03\0"
            "\x03\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0pw"sv);
  EXPECT_EQ(Encode(Resized{5, 24, 80}).header.b, uint64_t{24} << 32 | 80);
  EXPECT_EQ(Encode(Started{0, StartStage::kExec, 2}).header.b,
            uint64_t{5} << 32 | 2);
  EXPECT_EQ(Encode(Empty{7}).header.a, 0u);
  EXPECT_EQ(Encode(Empty{7}).header.b, 7u);
  EXPECT_EQ(Encode(Exit{1, 256, 2}).payload, "\x02\0\0\0\0\0\0\0"sv);
  EXPECT_EQ(Encode(File{0, 1, "command", "x"}).payload, "command\0x"sv);
  EXPECT_EQ(Encode(TreeRow{1, {.ports = 1}, {{258, 4}}, "nc"})
                .payload.substr(sizeof(ProcessRow)),
            "\x02\x01\x04\0nc"sv);
}

TEST(Messages, WhatAnOlderPeerDoesNotSendIsZeroOrAbsent) {
  Packet packet{{.type = Consumed::kType, .a = 4}, ""};
  EXPECT_TRUE(Decode<FromHolder>(packet) == FromHolder(Consumed{.serial = 4}));
  packet = {{.type = Lost::kType, .a = 5, .b = 6}, ""};
  EXPECT_TRUE(Decode<FromHolder>(packet) ==
              FromHolder(Lost{.offset = 5, .bytes = 6}));
  packet = {{.type = Welcome::kType, .a = 1}, "\x09"};
  EXPECT_TRUE(Decode<FromHolder>(packet) ==
              FromHolder(Welcome{1, {.first = 9}}));
}

TEST(Messages, PayloadsThatAreTooShortEndEarly) {
  ProcessRow row{.ports = 3};
  std::string payload(AsBytes(row));
  payload += "\x50\0\x04\0\x51"sv;
  auto tree = DecodeAs<TreeRow>({{.type = TreeRow::kType}, payload});
  EXPECT_EQ(tree.ports, (std::vector<ListeningPort>{{80, 4}}));
  EXPECT_EQ(tree.command, "\x51");
  auto file = DecodeAs<File>({{.type = File::kType}, "no end"});
  EXPECT_EQ(file.name, "no end");
  EXPECT_EQ(file.piece, "");
}

TEST(Messages, UnknownTypesAreNotAnError) {
  Packet packet{{.type = static_cast<PacketType>(99), .a = 1}, "new"};
  EXPECT_EQ(Decode<FromServer>(packet).index(), 0u);
  EXPECT_EQ(Decode<FromObserver>(packet).index(), 0u);
  EXPECT_EQ(Decode<FromHolder>(packet).index(), 0u);
}

TEST(Messages, OfOneSideAreNotReadFromAnother) {
  Writer kill = Encode(Kill{});
  EXPECT_EQ(Decode<FromObserver>(kill.packet()).index(), 0u);
  EXPECT_FALSE(IsFromObserver(Kill::kType));
  EXPECT_TRUE(IsFromObserver(Signal::kType));
}

}  // namespace
}  // namespace glasstty::wire
