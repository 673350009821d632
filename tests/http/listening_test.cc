#include "http/listening.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "base/fd.h"

namespace glasstty::http {
namespace {

sockaddr_in6 AddressOf(const in6_addr& address, uint16_t port) {
  sockaddr_in6 name{};
  name.sin6_family = AF_INET6;
  name.sin6_port = htons(port);
  name.sin6_addr = address;
  return name;
}

// Listens as an unrelated program would, on IPv6 alone. The result is invalid
// if the machine has no IPv6.
UniqueFd Stranger6(const in6_addr& address) {
  UniqueFd fd(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  int on = 1;
  setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
  sockaddr_in6 name = AddressOf(address, 0);
  if (bind(fd.get(), reinterpret_cast<sockaddr*>(&name), sizeof name) != 0 ||
      listen(fd.get(), 8) != 0) {
    fd.Reset();
  }
  return fd;
}

UniqueFd Stranger4() {
  UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(bind(fd.get(), reinterpret_cast<sockaddr*>(&name), sizeof name), 0);
  EXPECT_EQ(listen(fd.get(), 8), 0);
  return fd;
}

bool Connects6(uint16_t port) {
  UniqueFd fd(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in6 name = AddressOf(in6addr_loopback, port);
  return connect(fd.get(), reinterpret_cast<sockaddr*>(&name), sizeof name) ==
         0;
}

class Listening : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Stranger6(in6addr_loopback).valid()) {
      GTEST_SKIP() << "this machine has no IPv6";
    }
  }
};

TEST_F(Listening, AServerThatLocalhostLeadsToHasBothAddresses) {
  for (const char* address :
       {"", "localhost", "LocalHost", "127.0.0.1", "::1", "0.0.0.0"}) {
    auto sockets = ListenOn(address, 0);
    ASSERT_TRUE(sockets.ok()) << sockets.status();
    ASSERT_EQ(sockets->size(), 2u) << address;
    uint16_t port = PortOf((*sockets)[0].get());
    EXPECT_EQ(PortOf((*sockets)[1].get()), port);
    EXPECT_TRUE(Connects6(port)) << address;
  }
}

TEST_F(Listening, AStrangerOnTheOtherAddressIsNoticed) {
  for (const in6_addr& theirs : {in6addr_loopback, in6addr_any}) {
    UniqueFd stranger = Stranger6(theirs);
    uint16_t port = PortOf(stranger.get());
    for (const char* address : {"", "localhost", "127.0.0.1", "0.0.0.0"}) {
      auto sockets = ListenOn(address, port);
      ASSERT_FALSE(sockets.ok()) << address;
      std::string why(sockets.status().message());
      EXPECT_NE(
          why.find("another program listens on [::1]:" + std::to_string(port)),
          std::string::npos)
          << why;
    }
  }
}

TEST_F(Listening, AStrangerOnTheOldAddressIsNoticed) {
  UniqueFd stranger = Stranger4();
  uint16_t port = PortOf(stranger.get());
  auto sockets = ListenOn("::1", port);
  ASSERT_FALSE(sockets.ok());
  EXPECT_NE(sockets.status().message().find("another program listens on "
                                            "127.0.0.1:" +
                                            std::to_string(port)),
            absl::string_view::npos)
      << sockets.status();
}

TEST_F(Listening, AnAddressThatLocalhostDoesNotLeadToIsEnoughByItself) {
  auto sockets = ListenOn("127.0.0.2", 0);
  ASSERT_TRUE(sockets.ok()) << sockets.status();
  EXPECT_EQ(sockets->size(), 1u);
}

TEST_F(Listening, AnUnknownAddressIsNamed) {
  auto sockets = ListenOn("no such name", 0);
  ASSERT_FALSE(sockets.ok());
  EXPECT_NE(sockets.status().message().find("no such name"),
            absl::string_view::npos)
      << sockets.status();
}

// Enters a network that has only IPv4. Returns false if this user may not
// create one.
bool EnterNetworkWithoutIpv6() {
  int flags = geteuid() == 0 ? CLONE_NEWNET : CLONE_NEWUSER | CLONE_NEWNET;
  if (unshare(flags) != 0) return false;
  UniqueFd setting(open("/proc/sys/net/ipv6/conf/all/disable_ipv6", O_WRONLY));
  if (!setting.valid() ? errno != ENOENT : !WriteAll(setting.get(), "1")) {
    return false;
  }
  UniqueFd any(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq loopback{};
  loopback.ifr_name[0] = 'l';
  loopback.ifr_name[1] = 'o';
  loopback.ifr_flags = IFF_UP | IFF_RUNNING;
  return ioctl(any.get(), SIOCSIFFLAGS, &loopback) == 0;
}

TEST(ListeningAlone, WithoutIpv6TheOneAddressIsEnough) {
  constexpr int kGood = 0, kBad = 1, kCannot = 2;
  pid_t child = fork();
  if (child == 0) {
    if (!EnterNetworkWithoutIpv6()) _exit(kCannot);
    auto sockets = ListenOn("", 0);
    _exit(sockets.ok() && sockets->size() == 1 ? kGood : kBad);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  if (WEXITSTATUS(status) == kCannot) {
    GTEST_SKIP() << "this user may not make a network";
  }
  EXPECT_EQ(WEXITSTATUS(status), kGood);
}

}  // namespace
}  // namespace glasstty::http
