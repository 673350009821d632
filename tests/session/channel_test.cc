// The socket to a holder: what its queue does not take at once, and its end.
#include "session/channel.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/messages.h"

// So many of the next calls fail as if the kernel were short of memory, which
// nothing else can provoke on purpose.
int failing_sends = 0;

extern "C" ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  if (failing_sends > 0) {
    --failing_sends;
    errno = ENOBUFS;
    return -1;
  }
  return syscall(SYS_sendmsg, fd, message, flags);
}

namespace glasstty::session {
namespace {

class Listener : public ChannelListener {
 public:
  void OnPacket(const wire::Packet& packet) override {
    payloads.emplace_back(packet.payload);
  }
  void OnGone() override { ++gone; }

  std::vector<std::string> payloads;
  int gone = 0;
};

class ChannelTest : public ::testing::Test {
 protected:
  ChannelTest() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), 0);
    peer_ = UniqueFd(ends[1]);
    channel_.emplace(&loop_, UniqueFd(ends[0]));
    channel_->SetListener(&listener_);
  }

  void Send(uint64_t offset, std::string_view bytes) {
    wire::Writer packet = wire::Encode(wire::Inline{offset, bytes});
    channel_->Send(packet.header, packet.payload);
  }
  // The offsets of the packets that have come to the holder.
  std::vector<uint64_t> Take() {
    std::vector<uint64_t> taken;
    std::string buffer(sizeof(wire::PacketHeader) + wire::kMaxPayload, '\0');
    wire::Packet packet;
    while (wire::ReceivePacket(peer_.get(), buffer.data(), buffer.size(),
                               &packet) == wire::Receive::kPacket) {
      taken.push_back(wire::DecodeAs<wire::Inline>(packet).offset);
    }
    return taken;
  }

  ManualClock clock_;
  Loop loop_{&clock_};
  Listener listener_;
  UniqueFd peer_;
  std::optional<SocketChannel> channel_;
};

TEST_F(ChannelTest, PacketsKeepTheirOrderWhenTheHolderReadsSlowly) {
  constexpr uint64_t kCount = 2000;
  const std::string payload(1000, 'x');
  for (uint64_t i = 0; i < kCount; ++i) {
    Send(i, payload);
  }
  std::vector<uint64_t> taken = Take();
  ASSERT_LT(taken.size(), kCount) << "the socket took all of it at once";
  while (taken.size() < kCount) {
    loop_.RunReady();
    std::vector<uint64_t> more = Take();
    ASSERT_FALSE(more.empty()) << taken.size();
    taken.insert(taken.end(), more.begin(), more.end());
  }
  for (uint64_t i = 0; i < kCount; ++i) ASSERT_EQ(taken[i], i);
  // With an empty queue they go at once again.
  loop_.RunReady();
  Send(7, "");
  EXPECT_EQ(Take(), std::vector<uint64_t>{7});
}

TEST_F(ChannelTest, NothingIsLostWhileTheKernelIsShortOfMemory) {
  failing_sends = 3;
  for (uint64_t i = 0; i < 5; ++i) {
    Send(i, "typed");
  }
  for (int i = 0; i < 5; ++i) loop_.RunReady();
  EXPECT_EQ(failing_sends, 0);
  EXPECT_EQ(Take(), (std::vector<uint64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(listener_.gone, 0);
}

TEST_F(ChannelTest, WhatIsLeftForAHolderThatIsGoneIsDropped) {
  for (uint64_t i = 0; i < 2000; ++i) {
    Send(i, std::string(1000, 'x'));
  }
  peer_.Reset();
  loop_.RunReady();
  EXPECT_EQ(listener_.gone, 1);
  Send(0, "");
  loop_.RunReady();
  EXPECT_EQ(listener_.gone, 1);
}

TEST_F(ChannelTest, AllThatHasComeIsToldAndThenTheEnd) {
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(wire::SendMessage(peer_.get(), wire::Ask{std::to_string(i)}));
  }
  peer_.Reset();
  loop_.RunReady();
  ASSERT_EQ(listener_.payloads.size(), 100u);
  EXPECT_EQ(listener_.payloads[99], "99");
  EXPECT_EQ(listener_.gone, 1);
}

}  // namespace
}  // namespace glasstty::session
