// Tests a session at the near end, between a scripted server and a scripted far
// end.
#include "far/near_session.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "testing/received.h"
#include "testing/system.h"
#include "wire/launch.h"
#include "wire/messages.h"
#include "wire/session_files.h"

namespace glasstty::far {
namespace {

using testing::ReadWholeFile;
using testing::TempDir;

class NearEnd : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name :
         {"ctl", "watch", "events", "input", "lock", "out.0000000000000000"}) {
      unlink(dir_.Join(name).c_str());
    }
    Begin(/*resumed=*/false);
  }
  // A relay that was killed leaves all of its files behind.
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
    start.open.spec.record_input = true;
    start.resumed = resumed;
    session_ = std::make_unique<NearSession>(1, std::move(start), &near_);
    ASSERT_TRUE(session_->Prepare());
  }

  // The server sends this.
  void Say(const wire::IsMessage auto& message) {
    ASSERT_TRUE(wire::SendMessage(server_.get(), message));
    session_->Read(0, MonotonicNow());
  }
  // Returns the next packet that the server gets.
  std::optional<Received> Hears() {
    wire::Packet packet;
    session_->Flush(0);
    if (wire::ReceivePacket(server_.get(), buffer_, sizeof buffer_, &packet) !=
        wire::Receive::kPacket) {
      return std::nullopt;
    }
    return Received{packet.header, std::string(packet.payload)};
  }
  std::vector<wire::PacketType> HearsAll() {
    std::vector<wire::PacketType> types;
    while (auto packet = Hears()) types.push_back(packet->header.type);
    return types;
  }
  // Like HearsAll, without Data, and with the serials of input.
  using Told = std::vector<std::pair<wire::PacketType, uint64_t>>;
  Told HearsOfInput() {
    Told told;
    while (auto packet = Hears()) {
      uint64_t serial = 0;
      if (packet->header.type == wire::Data::kType) continue;
      if (packet->header.type == wire::Refused::kType) {
        serial = packet->As<wire::Refused>().serial;
      } else if (packet->header.type == wire::Consumed::kType) {
        serial = packet->As<wire::Consumed>().serial;
      }
      told.emplace_back(packet->header.type, serial);
    }
    return told;
  }
  // Returns the frames that the far end gets.
  std::vector<FrameHeader> Arrived() {
    near_.Flush();
    EXPECT_TRUE(far_.Fill());
    std::vector<FrameHeader> headers;
    Frame frame;
    while (far_.Next(&frame) == FrameReader::Result::kFrame) {
      headers.push_back(frame.header);
      if (frame.header.type == FrameType::kPacket) {
        wire::PacketHeader header;
        std::memcpy(&header, frame.payload.data(), sizeof header);
        packets_.push_back(header.type);
      }
    }
    return headers;
  }
  // The far end sends a frame.
  bool Comes(FrameHeader header, std::string_view payload) {
    header.session = 1;
    return session_->Take({header, payload});
  }
  bool ComesPacket(const wire::IsMessage auto& message) {
    wire::Writer packet = wire::Encode(message);
    return Comes({.type = FrameType::kPacket}, wire::BytesOf(packet.packet()));
  }
  bool Output(uint64_t offset, std::string_view bytes) {
    return Comes({.type = FrameType::kLog, .number = offset}, bytes);
  }
  // The holder has received writes up to `last`, and those up to `read` were
  // read.
  void Up(uint64_t last = 0, uint64_t read = 0) {
    session_->Connect({});
    wire::HolderInfo info{.leader_pid = 42,
                          .rows = 40,
                          .cols = 120,
                          .started = 1,
                          .last_serial = last,
                          .read_serial = read};
    ASSERT_TRUE(ComesPacket(wire::Welcome{.info = info}));
    ASSERT_TRUE(ComesPacket(wire::Started{42}));
  }
  static uint64_t NowNs() {
    return static_cast<uint64_t>(MonotonicNow().time_since_epoch().count());
  }
  static wire::EventRecord Event(wire::EventType type, uint64_t offset,
                                 uint64_t ns, uint32_t a = 0, uint32_t b = 0) {
    return {.offset = offset, .monotonic_ns = ns, .type = type, .a = a, .b = b};
  }
  bool Noted(const std::vector<wire::EventRecord>& events) {
    std::string bytes;
    for (const wire::EventRecord& event : events) bytes += wire::AsBytes(event);
    return Comes({.type = FrameType::kNotes}, bytes);
  }
  bool Typed(uint64_t at, uint64_t ns, const std::string& bytes) {
    wire::InputRecord record{.monotonic_ns = ns,
                             .size = static_cast<uint32_t>(bytes.size()),
                             .crc = wire::Crc32c(bytes.data(), bytes.size())};
    return Comes({.type = FrameType::kNotes, .part = 1, .number = at},
                 std::string(wire::AsBytes(record)) + bytes);
  }
  std::vector<wire::EventRecord> Events() {
    UniqueFd directory(open(dir_.path().c_str(), O_RDONLY | O_DIRECTORY));
    return *wire::ReadEvents(directory.get());
  }
  std::vector<wire::TypedInput> AllTyped() {
    UniqueFd directory(open(dir_.path().c_str(), O_RDONLY | O_DIRECTORY));
    return wire::ReadTyped(directory.get());
  }
  std::string Log() { return ReadWholeFile(dir_.Join("out.0000000000000000")); }

  TempDir dir_;
  UniqueFd server_;
  FrameStream far_, near_;
  std::unique_ptr<NearSession> session_;
  char buffer_[sizeof(wire::PacketHeader) + wire::kMaxPayload];
  std::vector<wire::PacketType> packets_;
};

TEST_F(NearEnd, GreetsTheServerOnceTheProgramIsKnown) {
  Say(wire::Hello{});
  EXPECT_EQ(Hears(), std::nullopt);
  Up();
  auto welcome = Hears();
  ASSERT_TRUE(welcome);
  EXPECT_EQ(welcome->header.type, wire::Welcome::kType);
  EXPECT_EQ(HearsAll(), (std::vector<wire::PacketType>{wire::Away::kType,
                                                       wire::Started::kType}));
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
  Say(wire::Hello{});
  Up();
  HearsAll();
  Say(wire::Probe{5});
  Say(wire::Write{6, 0, "typed"});
  Arrived();
  EXPECT_EQ(packets_, (std::vector<wire::PacketType>{wire::Probe::kType,
                                                     wire::Write::kType}));
  packets_.clear();
  session_->Disconnect();
  EXPECT_EQ(HearsAll(), std::vector<wire::PacketType>{wire::Away::kType});
  Say(wire::Probe{6});
  Say(wire::Write{7, 0, "lost"});
  auto refused = Hears();
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->header.type, wire::Refused::kType);
  EXPECT_EQ(refused->As<wire::Refused>().why, wire::WriteRefusal::kAway);
  Up();
  Arrived();
  EXPECT_EQ(packets_, std::vector<wire::PacketType>());
  // Writes that were on their way have not arrived.
  EXPECT_EQ(HearsAll(), (std::vector<wire::PacketType>{wire::Refused::kType,
                                                       wire::Away::kType,
                                                       wire::Started::kType}));
}

TEST_F(NearEnd, TellsWhatBecameOfInputThatWasOnItsWay) {
  struct Row {
    uint64_t last, read;
    Told told;
  };
  const Row kRows[] = {
      {3,
       3,
       {{wire::Refused::kType, 4},
        {wire::Refused::kType, 6}}},  // nothing has arrived
      {4, 4, {{wire::Refused::kType, 6}, {wire::Consumed::kType, 4}}},
      {5,
       0,
       {{wire::Refused::kType,
         6}}},  // a part of 6 has arrived; 4 is not read yet
      {6, 6, {{wire::Consumed::kType, 6}}},
      {6, 0, {}},
  };
  for (const Row& row : kRows) {
    SetUp();
    Say(wire::Hello{});
    Up();
    Say(wire::Write{3, 0, "read"});
    EXPECT_TRUE(ComesPacket(wire::Consumed{3}));
    Say(wire::Write{4, 0, "on its way"});
    Say(wire::Write{5, wire::kWriteMore, "in two"});
    Say(wire::Write{6, 0, "parts"});
    session_->Disconnect();
    HearsAll();
    Up(row.last, row.read);
    Told told = row.told;
    told.insert(told.end(),
                {{wire::Away::kType, 0}, {wire::Started::kType, 0}});
    EXPECT_EQ(HearsOfInput(), told) << row.last;
  }
}

// The connection breaks before the text, or in the middle of it, and is back
// before its end.
TEST_F(NearEnd, TypesNoEndOfATextWithoutItsBeginning) {
  for (bool begins : {false, true}) {
    SetUp();
    Say(wire::Hello{});
    Up();
    if (!begins) session_->Disconnect();
    Say(wire::Write{4, wire::kWriteMore, "rm -rf "});
    if (begins) session_->Disconnect();
    Up();
    HearsAll();
    Arrived();
    packets_.clear();
    Say(wire::Write{5, wire::kWriteMore, "/"});
    Say(wire::Write{6, 0, "tmp/x\r"});
    EXPECT_EQ(HearsOfInput(), (Told{{wire::Refused::kType, 6}}));
    Say(wire::Write{7, 0, "ls\r"});
    Arrived();
    EXPECT_EQ(packets_, std::vector<wire::PacketType>{wire::Write::kType});
    packets_.clear();
  }
}

TEST_F(NearEnd, InputOfANewConnectionIsNotInDoubtForItsGreetingIsOlder) {
  Say(wire::Hello{});
  Up();
  session_->Disconnect();
  session_->Connect({});
  Say(wire::Write{1, 0, "typed at once"});
  HearsAll();
  Up();
  for (wire::PacketType type : HearsAll())
    EXPECT_NE(type, wire::Refused::kType);
}

TEST_F(NearEnd, AnswersALaterServerWhileThereIsNoConnection) {
  Up();
  EXPECT_TRUE(Output(0, "abc"));
  session_->Disconnect();
  Say(wire::Hello{});
  auto welcome = Hears();
  ASSERT_TRUE(welcome);
  EXPECT_EQ(welcome->As<wire::Welcome>().info.end, 3u);
  EXPECT_EQ(HearsAll(),
            (std::vector<wire::PacketType>{
                wire::Started::kType, wire::Data::kType, wire::Away::kType}));
}

TEST_F(NearEnd, GoesOnWithWhatAKilledRelayHasLeft) {
  Say(wire::Hello{});
  Up(/*last=*/7, /*read=*/7);
  EXPECT_TRUE(Output(0, "abc"));
  session_.reset();
  Begin(/*resumed=*/true);
  // The server learns at once what is known, and may ask about its input before
  // there is a connection.
  Say(wire::Hello{});
  Say(wire::Doubt{8, 9});
  EXPECT_EQ(HearsAll(), (std::vector<wire::PacketType>{
                            wire::Welcome::kType, wire::Started::kType,
                            wire::Data::kType, wire::Away::kType}));
  session_->Connect({});
  std::vector<FrameHeader> asked = Arrived();
  ASSERT_FALSE(asked.empty());
  EXPECT_EQ(asked[0].type, FrameType::kAttach);
  EXPECT_TRUE(Output(0, "abcdef"));
  EXPECT_EQ(ReadWholeFile(dir_.Join("out.0000000000000003")), "def");
  Up(/*last=*/8, /*read=*/8);
  EXPECT_EQ(HearsOfInput(), (Told{{wire::Refused::kType, 9},
                                  {wire::Consumed::kType, 8},
                                  {wire::Away::kType, 0},
                                  {wire::Started::kType, 0}}));
}

TEST_F(NearEnd, GoesOnWhereTheFirstByteHadNotCome) {
  Up();
  session_.reset();
  Begin(/*resumed=*/true);
  Up();
  EXPECT_TRUE(Output(0, "abc"));
  EXPECT_EQ(Log(), "abc");
}

// The relay was killed between the exit and the message that all output had
// arrived.
TEST_F(NearEnd, RemembersAnExitThatAKilledRelayHasTold) {
  Up();
  EXPECT_TRUE(ComesPacket(wire::Exit{0, 7 << 8}));
  session_.reset();
  Begin(/*resumed=*/true);
  Say(wire::Hello{});
  std::vector<wire::PacketType> heard = HearsAll();
  EXPECT_EQ(std::count(heard.begin(), heard.end(), wire::Exit::kType), 1);
}

TEST_F(NearEnd, AnEndIsNotTakenForADeadRelay) {
  Up();
  EXPECT_EQ(access(dir_.Join("elsewhere").c_str(), F_OK), 0);
  EXPECT_TRUE(Comes({.type = FrameType::kGone}, ""));
  EXPECT_NE(access(dir_.Join("elsewhere").c_str(), F_OK), 0);
}

TEST_F(NearEnd, SaysWhyNothingIsKnownOfAnEnd) {
  struct Row {
    const char* boot_id;
    uint64_t error;
    const char* words;
  };
  const Row kRows[] = {
      {"today", 0, "its holder was killed there"},
      {"today", 2, "nothing of it is there any more"},
      {"tomorrow", 0, "the machine was restarted"},
      {"tomorrow", 2, "the machine was restarted"},
  };
  for (bool resumed : {false, true}) {
    for (const Row& row : kRows) {
      SetUp();
      session_->Connect({"today", 0});
      ComesPacket(wire::Welcome{});
      session_->Disconnect();
      if (resumed) {
        session_.reset();
        Begin(/*resumed=*/true);
      }
      session_->Connect({row.boot_id, 0});
      EXPECT_TRUE(Comes({.type = FrameType::kGone, .number = row.error}, ""));
      EXPECT_EQ(ReadWholeFile(dir_.Join("lost")).find(row.words), 0u);
    }
  }
}

TEST_F(NearEnd, TellsTheExitOnceAndIsDoneWhenTheHolderHasGone) {
  Say(wire::Hello{});
  Up();
  HearsAll();
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(ComesPacket(wire::Exit{0, 7 << 8}));
  }
  EXPECT_EQ(HearsAll(), std::vector<wire::PacketType>{wire::Exit::kType});
  EXPECT_FALSE(session_->done());
  EXPECT_TRUE(Comes({.type = FrameType::kGone}, ""));
  EXPECT_TRUE(session_->done());
  EXPECT_EQ(ReadWholeFile(dir_.Join("exit")).size(), sizeof(wire::ExitRecord));
}

TEST_F(NearEnd, BelievesNothingThatCannotBe) {
  Up();
  EXPECT_FALSE(Output(uint64_t{1} << 63, "x"));
  EXPECT_FALSE(Output(uint64_t{1} << 40, "x"));  // more than was requested
  EXPECT_FALSE(Output(0, std::string(kLogPiece + 1, 'x')));
  EXPECT_FALSE(Comes({.type = FrameType::kLog, .part = 1}, "x"));  // no stderr
  EXPECT_FALSE(Comes({.type = FrameType::kLog, .part = 9}, "x"));
  EXPECT_FALSE(Comes({.type = FrameType::kPacket}, "short"));
  EXPECT_FALSE(Comes({.type = FrameType::kPacket, .part = 99},
                     wire::AsBytes(wire::PacketHeader())));
  EXPECT_FALSE(ComesPacket(
      wire::TreeRow{.command = std::string(wire::kMaxPayload, 'x')}));
  EXPECT_EQ(Log(), "");
}

// Sums with such offsets would overflow in the server.
TEST_F(NearEnd, AFarEndThatNamesImpossibleOffsetsIsInvalid) {
  constexpr uint64_t kPossible = uint64_t{1} << 62;
  Say(wire::Hello{});
  Up();
  HearsAll();
  EXPECT_FALSE(ComesPacket(wire::Lost{kPossible, 1}));
  EXPECT_FALSE(ComesPacket(wire::Lost{3, ~uint64_t{0} - 99}));
  wire::HoleRecord hole{.offset = 3, .bytes = ~uint64_t{0} - 99};
  EXPECT_FALSE(ComesPacket(wire::Lost{3, 1, hole}));
  EXPECT_FALSE(ComesPacket(wire::Resized{kPossible + 1, 24, 80}));
  EXPECT_FALSE(ComesPacket(wire::State{1, kPossible + 1}));
  EXPECT_FALSE(ComesPacket(wire::Exit{kPossible + 1, 0}));
  std::string data =
      wire::BytesOf(wire::Encode(wire::Data{kPossible + 1, 0}).packet());
  EXPECT_FALSE(Comes({.type = FrameType::kPacket, .part = 1}, data));
  EXPECT_EQ(HearsAll(), std::vector<wire::PacketType>());
  EXPECT_TRUE(ComesPacket(wire::Lost{3, 1}));
  EXPECT_EQ(HearsAll(), std::vector<wire::PacketType>{wire::Lost::kType});
}

// Otherwise the window would not limit the output.
TEST_F(NearEnd, OutputThatComesAsAPacketIsInvalid) {
  Say(wire::Hello{});
  Up();
  HearsAll();
  EXPECT_FALSE(ComesPacket(wire::Data{1, 0}));
  EXPECT_FALSE(ComesPacket(wire::Inline{0, "x"}));
  EXPECT_EQ(HearsAll(), std::vector<wire::PacketType>());
}

// The other machine may send what nobody has asked for, and a stopped peer
// reads nothing of it.
TEST_F(NearEnd, ObserverThatDoesNotReadIsDropped) {
  Up();
  UniqueFd directory(
      open(dir_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  UniqueFd observer = wire::ConnectObserver(directory.get());
  ASSERT_TRUE(observer.valid());
  PollLoop loop;
  session_->Watch(&loop);
  loop.Turn(Time());
  Arrived();
  std::string packet = wire::BytesOf(wire::Encode(wire::State{}).packet());
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_TRUE(Comes({.type = FrameType::kPacket, .part = 1}, packet));
  }
  std::vector<FrameHeader> told = Arrived();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].type, FrameType::kHangUp);
  EXPECT_EQ(told[0].part, 1);
}

TEST_F(NearEnd, ConnectionEndsIfMoreComesForTheServerThanCanBeMeant) {
  Say(wire::Hello{});
  Up();
  bool is_believed = true;
  for (int i = 0; i < 100'000 && is_believed; ++i) {
    is_believed = ComesPacket(wire::State{});
  }
  EXPECT_FALSE(is_believed);
}

TEST_F(NearEnd, TimesOverThereBecomeTimesHere) {
  Up();
  // The other machine has run for an hour longer.
  constexpr int64_t kHour = 3'600'000'000'000;
  session_->Connect({"", -kHour});
  uint64_t began = Events().at(0).monotonic_ns;
  uint64_t there = began + kHour;
  EXPECT_TRUE(Noted({Event(wire::EventType::kResize, 0, there, 40, 120),
                     Event(wire::EventType::kTime, 0, there + 5),
                     Event(wire::EventType::kResize, 3, there + 6, 24, 80),
                     Event(wire::EventType::kTime, 7, there - 9),
                     Event(wire::EventType::kTime, 9, there + 2 * kHour)}));
  std::vector<wire::EventRecord> events = Events();
  ASSERT_EQ(events.size(), 5u);
  EXPECT_EQ(events[1].monotonic_ns, began + 5);
  EXPECT_EQ(events[2].b, 80u);
  EXPECT_EQ(events[2].monotonic_ns, began + 6);
  // Whatever the clock does, no time precedes the previous one, or is in the
  // future.
  EXPECT_EQ(events[3].monotonic_ns, began + 6);
  EXPECT_LE(events[4].monotonic_ns, NowNs());
}

TEST_F(NearEnd, WhatWasNotedIsStoredOnceWhateverIsSentAgain) {
  Up();
  uint64_t now = NowNs();
  std::vector<wire::EventRecord> events = {
      Event(wire::EventType::kTime, 0, now),
      Event(wire::EventType::kResize, 5, now, 30, 90),
      Event(wire::EventType::kResize, 5, now, 24, 80),
      Event(wire::EventType::kTime, 5, now)};
  EXPECT_TRUE(Noted(events));
  EXPECT_TRUE(Noted({events[2], events[3]}));
  EXPECT_TRUE(Typed(0, now, "ls\r"));
  EXPECT_TRUE(Typed(0, now, "ls\r"));
  session_.reset();
  Begin(/*resumed=*/true);
  Up();
  for (const FrameHeader& header : Arrived()) {
    EXPECT_NE(header.type, FrameType::kOpen);
  }
  EXPECT_TRUE(
      Noted({events[2], events[3], Event(wire::EventType::kTime, 9, now)}));
  EXPECT_TRUE(Typed(sizeof(wire::InputRecord) + 3, now, "cd\r"));
  EXPECT_EQ(Events().size(), 1 + events.size() + 1);
  std::vector<wire::TypedInput> typed = AllTyped();
  ASSERT_EQ(typed.size(), 2u);
  EXPECT_EQ(typed[0].bytes + typed[1].bytes, "ls\rcd\r");
}

TEST_F(NearEnd, TurnsAreStoredOnceAlsoWithoutOutputBetweenThem) {
  Up();
  uint64_t now = NowNs();
  std::vector<wire::EventRecord> events = {
      Event(wire::EventType::kTurn, 5, now, 1),
      Event(wire::EventType::kTyped, 5, now, 1),
      Event(wire::EventType::kTurn, 5, now, 0),
      Event(wire::EventType::kTurn, 5, now, 1)};
  EXPECT_TRUE(Noted(events));
  Up();
  EXPECT_TRUE(Noted(events));
  EXPECT_EQ(Events().size(), 1 + events.size());
  session_.reset();
  Begin(/*resumed=*/true);
  Up();
  EXPECT_TRUE(Noted(events));
  EXPECT_TRUE(Noted({Event(wire::EventType::kTurn, 5, now, 0),
                     Event(wire::EventType::kTurn, 7, now, 1)}));
  EXPECT_EQ(Events().size(), 1 + events.size() + 2);
}

// It is noticed late, and what was printed before it may come after it.
TEST_F(NearEnd, BreakIsNotedAndDelaysNoOtherTime) {
  Up();
  uint64_t before = NowNs();
  session_->Disconnect();
  session_->Disconnect();
  Up();
  EXPECT_TRUE(Noted({Event(wire::EventType::kTime, 0, before)}));
  std::vector<wire::EventRecord> events = Events();
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1].type, wire::EventType::kBreak);
  EXPECT_EQ(events[2].monotonic_ns, before);
}

TEST_F(NearEnd, AnExitIsNotedOnceAndAtItsTime) {
  Up();
  uint64_t now = NowNs();
  EXPECT_TRUE(Noted({Event(wire::EventType::kExit, 0, now, 7 << 8)}));
  EXPECT_TRUE(ComesPacket(wire::Exit{0, 7 << 8}));
  ASSERT_EQ(Events().size(), 2u);
  EXPECT_EQ(Events()[1].monotonic_ns, now);
}

TEST_F(NearEnd, BelievesNoNotesThatCannotBe) {
  Up();
  uint64_t now = NowNs();
  EXPECT_FALSE(Comes({.type = FrameType::kNotes}, "half a record"));
  EXPECT_FALSE(Comes({.type = FrameType::kNotes, .part = 2}, ""));
  EXPECT_FALSE(Noted({Event(wire::EventType::kTime, 1ull << 40, now)}));
  EXPECT_FALSE(Comes({.type = FrameType::kNotes, .part = 1}, "torn"));
  EXPECT_TRUE(Noted({Event(static_cast<wire::EventType>(77), 0, now)}));
  EXPECT_TRUE(Typed(99, now, "behind a gap"));
  EXPECT_EQ(Events().size(), 1u);
  EXPECT_EQ(AllTyped().size(), 0u);
}

// An older holder lets a person set such sizes, which must not end the
// connection each time that they are sent.
TEST_F(NearEnd, SkipsSizesThatNoTerminalHas) {
  Up();
  uint64_t now = NowNs();
  EXPECT_TRUE(Noted({Event(wire::EventType::kResize, 0, now, 0, 80),
                     Event(wire::EventType::kResize, 0, now, 1, 80),
                     Event(wire::EventType::kResize, 0, now, 24, 1u << 31),
                     Event(wire::EventType::kResize, 0, now, 500, 1000),
                     Event(wire::EventType::kResize, 0, now, 24, 80)}));
  ASSERT_EQ(Events().size(), 2u);
  EXPECT_EQ(Events()[1].a, 24u);
  EXPECT_EQ(Events()[1].b, 80u);
}

TEST_F(NearEnd, ManyNotesTakeLittleRoom) {
  Up();
  std::vector<wire::EventRecord> events;
  for (uint64_t i = 0; i < 100'000; ++i) {
    events.push_back(Event(wire::EventType::kTime, 1 + i, i));
  }
  EXPECT_TRUE(Noted(events));
  EXPECT_LT(Events().size(), 33'000u);
  EXPECT_EQ(Events().back().offset, 100'000u);
}

// While there is no connection, the other end prints more than it keeps.
TEST_F(NearEnd, AsksForWhatFollowsAHoleThoughTheServerKnowsNothingOfIt) {
  Say(wire::Hello{});
  Up();
  Arrived();
  constexpr uint64_t kBehind = 64 << 20;
  EXPECT_TRUE(Comes({.type = FrameType::kLog, .number = kBehind}, ""));
  std::vector<FrameHeader> asked = Arrived();
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].type, FrameType::kCredit);
  EXPECT_GT(asked[0].number, kBehind);
  EXPECT_TRUE(Output(kBehind, "abc"));
  EXPECT_EQ(ReadWholeFile(dir_.Join("out.0000000004000000")), "abc");
}

// Makes all disks full while it lives, as far as this process is concerned.
class FullDisk {
 public:
  FullDisk() {
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit none{0, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    signal(SIGXFSZ, SIG_DFL);
  }

 private:
  rlimit before_;
};

TEST_F(NearEnd, AsksForMoreOnceAFullDiskHasRoomAgain) {
  Say(wire::Hello{});
  Up();
  std::string piece(kLogPiece, 'x');
  auto full = std::make_optional<FullDisk>();
  for (size_t at = 0; at < holder::kMaxHeld; at += kLogPiece) {
    ASSERT_TRUE(Output(at, piece));
  }
  Arrived();
  HearsAll();
  session_->RunTimers(MonotonicNow());
  EXPECT_TRUE(Arrived().empty());
  full.reset();
  session_->RunTimers(MonotonicNow());
  std::vector<FrameHeader> asked = Arrived();
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].type, FrameType::kCredit);
  EXPECT_GT(asked[0].number, holder::kMaxHeld);
  EXPECT_EQ(HearsAll(), std::vector<wire::PacketType>{wire::Data::kType});
  EXPECT_EQ(Log().size(), holder::kMaxHeld);
}

TEST_F(NearEnd, EndsTheProgramWhenNoServerComesBackInTime) {
  Say(wire::Hello{});
  Up();
  Arrived();
  packets_.clear();
  server_.Reset();
  Time now = MonotonicNow();
  session_->Read(0, now);
  session_->RunTimers(now + std::chrono::seconds(59));
  Arrived();
  EXPECT_EQ(packets_, std::vector<wire::PacketType>());
  session_->RunTimers(now + std::chrono::seconds(61));
  Arrived();
  EXPECT_EQ(packets_, std::vector<wire::PacketType>{wire::Kill::kType});
}

TEST_F(NearEnd, EndsTheProgramAfterABreakIfNoServerHasComeBackMeanwhile) {
  Say(wire::Hello{});
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
  EXPECT_EQ(packets_, std::vector<wire::PacketType>{wire::Kill::kType});
}

}  // namespace
}  // namespace glasstty::far
